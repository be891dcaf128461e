"""A tried turn on a page: collected in the address of the table, and submitted by one button.

``?try=`` holds the commands, one each and in order, and ``?v=`` the version at which they were chosen. So going back,
reloading and another device show the same, and every link of the page keeps the turn. The service stores nothing: the
address is a wish, which the rules check each time, and only a form makes a move. If the address narrows the actions to
one (`choosing`), that one is tried after them. If it has no open part and another step may follow, the page goes on to
the address that includes it and shows the next steps.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import quote

import msgspec
from flask import g, request, url_for
from marshmallow import ValidationError

from domain.game import Game
from domain.messages import Command
from domain.rules import Action
from domain.title import Title
from service.database.store import NoSuchVersion
from service.games import queries, trying
from service.games.play import time_of_plies
from service.games.queries import Seen
from service.games.trying import MOST, LeftOut, Tried
from service.games.turn import Tryout
from service.games.turn import position as position_at
from service.people.accounts import LIVELY, SLOWLY, Confirm
from service.web.pages.frame import LONGEST_ADDRESS, number_in, reader, table_address
from service.web.pages.parts import forms
from service.web.pages.parts.choosing import Offered
from service.web.pages.parts.fresh import sentences, told
from service.web.pages.parts.refusals import rule_link
from service.web.pages.parts.tabs import kept
from service.web.shared.context import store, work
from service.web.shared.shapes import shapes

STORY_MOST = 6
"""The most lines of the story since the turn was tried; only the last ones are shown."""


class Collected(NamedTuple):
    """The commands in an address or a form. ``version``: at which they were chosen; None: the present one."""

    commands: tuple[Command, ...] = ()
    version: int | None = None

    def address(self, game_id: str, below: str = "") -> str:
        """Return the address of the table with this turn tried."""
        table = table_address(game_id)
        query = self.query.replace("?", "&", 1) if "?" in table else self.query
        return table + query + (f"#{below}" if below else "")

    @property
    def query(self) -> str:
        fields = "&".join(f"{name}={quote(value, safe='')}" for name, value in self.fields)
        return fields and f"?{fields}"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Return the fields of such an address."""
        if not self.commands:
            return []
        return [("v", str(self.version or 0)), *(("try", text) for text in self.texts)]

    @property
    def texts(self) -> list[str]:
        return [forms.command_text(command) for command in self.commands]

    def with_more(self, commands: Iterable[Command]) -> "Collected":
        return self._replace(commands=(*self.commands, *commands))

    def fits(self, game_id: str) -> bool:
        """Is it short enough for an address, and for a turn?"""
        return len(self.commands) <= MOST and len(self.address(game_id)) <= LONGEST_ADDRESS


class Trial(NamedTuple):
    """A tried turn.

    ``wish``: its possible commands. ``meant``: is the last one the only action left of a choice? ``back``, ``plain``:
    the addresses without the last step, and without any. ``more``: where another step is chosen; None if none can
    follow. ``onward``: where the page goes by itself. ``since``: the events since it was chosen, with the address of
    all of them (``changed``); None: there are none. ``left_out``: the impossible commands, with a link to the rule.
    ``changes``: what is true after it, of the table and the hand.
    """

    tried: Tried
    wish: Collected
    meant: bool
    back: str
    plain: str
    more: str | None
    onward: bool
    since: list[str] | None
    changed: str
    left_out: list[tuple[LeftOut, str]]
    changes: list[str]


# ==== from an address or a form ===================================================================
def wished(title: Title) -> Collected:
    """Return the commands that this request tries. Other text is ignored."""
    given, at = (request.form, "version") if request.method == "POST" else (request.args, "v")
    return Collected(tuple(_read(title, given.getlist("try")[:MOST])), number_in(given.get(at)))


def _read(title: Title, texts: Iterable[str]) -> Iterator[Command]:
    for text in texts:
        with suppress(TypeError, ValueError, RecursionError, ValidationError):
            yield shapes(title.id).command(msgspec.json.decode(text))


def position(seen: Seen, wish: Collected) -> Game:
    """Return the position after the turn, at the version of its choice: so typed orders keep their meaning."""
    turn = Tryout(seen, time_of_plies(seen.stored, None), reader().lang, _then(seen, wish))
    return turn.follow(wish.commands).game


def _then(seen: Seen, wish: Collected) -> Game:
    """Return the game at that version. Raises `NoSuchVersion`."""
    return position_at(work(), seen, wish.version)


# ==== on a page ===================================================================================
def confirms(seen: Seen) -> Confirm:
    """Return when the reader's choices at this table count."""
    asker, live = reader().asker, trying.is_live(seen.game)
    if asker is None or seen.by_link:
        return LIVELY if live else SLOWLY
    return asker.confirm_live if live else asker.confirm


def begun(seen: Seen, wish: Collected) -> Tried:
    """Try the collected commands at the present position. The page's links keep the possible ones."""
    then = None
    if wish.version is not None and wish.version != seen.version:
        with suppress(NoSuchVersion):
            then = _then(seen, wish)
    found = trying.tried(seen, wish.commands, time_of_plies(seen.stored, None), reader().lang, then)
    g.turn_tried = Collected(tuple(found.commands), seen.version).fields
    return found


def nothing(seen: Seen) -> Tried:
    """Return a trial without commands."""
    return Tried((), seen.game)


def onward(seen: Seen, tried: Tried) -> list[Action]:
    """Return the actions that may follow a tried turn. A question that the turn answers is not asked again."""
    answers = answered(seen, tried)
    return [it for it in queries.actions(seen, tried.game) if it.aside or type(it.command) not in answers]


def answered(seen: Seen, tried: Tried) -> frozenset[type[Command]]:
    """Return the kinds of commands with which a tried turn answers what its seat was asked."""
    if seen.seat not in seen.game.asked or seen.seat in tried.game.asked:
        return frozenset()
    return frozenset(map(type, tried.commands))


def trial(seen: Seen, wish: Collected, begun: Tried, offered: Offered, how: Confirm) -> Trial | None:
    """Return the tried turn for the page, with the only action left of a choice; None without any command."""
    before = Collected(tuple(begun.commands), seen.version)
    meant = None if how == "at_once" else _only(offered)
    at, lang, game_id = time_of_plies(seen.stored, None), reader().lang, seen.game.id
    whole = begun if meant is None else trying.tried(seen, [*before.commands, meant], at, lang)
    if not whole.steps and not begun.left_out:
        return None
    all_of_it = Collected(tuple(whole.commands), seen.version)
    back = before if meant is not None else before._replace(commands=before.commands[:-1])
    goes_on = whole.may_go_on and how != "each" and bool(onward(seen, whole))
    return Trial(
        whole,
        all_of_it,
        meant is not None,
        kept(back.address(game_id, "tried" if back.commands else "")),
        kept(table_address(game_id)),
        (kept(all_of_it.address(game_id, "actions")) if meant is not None else "#actions") if goes_on else None,
        goes_on and meant is not None and not offered.groups[0].choices[0].ways and all_of_it.fits(game_id),
        _since(seen, wish),
        url_for("pages.story.position", game_id=game_id, version=seen.game.version, since=wish.version or 0),
        [(it, rule_link(it.rule) if it.rule else "") for it in begun.left_out],
        sentences(whole.changes),
    )


def _only(offered: Offered) -> Command | None:
    """Return the only action left, unless it has open parts."""
    choices = [choice for group in offered.groups for choice in group.choices]
    if offered.meant is None or len(choices) != 1 or choices[0].span or choices[0].boxes:
        return None
    return offered.meant


def _since(seen: Seen, wish: Collected) -> list[str] | None:
    if wish.version is None or wish.version == seen.version or not wish.commands:
        return None
    with store.read() as conn:
        plies = queries.plies(store, conn, seen, reader().lang, since=min(wish.version, seen.version))
    return told(plies)[-STORY_MOST:]
