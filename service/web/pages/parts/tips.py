"""The tip of a beginner's turn, in the reader's language (`service.games.tips`)."""

from typing import NamedTuple

from markupsafe import Markup

from domain.game import Game
from service.games import tips
from service.games.queries import Seen
from service.web.pages.frame import reader
from service.web.pages.parts.refusals import rule_link
from service.web.shared.context import store


class TipShown(NamedTuple):
    """``rule``: the number of its rule, as a link."""

    text: str
    rule: Markup


def tip(seen: Seen, at: Game | None = None) -> TipShown | None:
    """Return the tip for the reader's turn, if they get one. ``at``: a position that they try."""
    with store.read_autocommit() as conn:
        found = tips.tip(store, conn, seen, at)
    return None if found is None else TipShown(seen.say(found.sentence, reader().lang), rule_link(found.rule))
