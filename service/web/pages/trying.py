"""A turn that is tried, as a page shows it: collected in the address of the table, made by one button.

``?try=`` holds a command, once for each and in their order, and ``?v=`` the version at which they were chosen. So
going back, loading again and another device show the same, every link of the page takes the turn along, and the service
keeps nothing: what the address says is the reader's wish, asked of the rules each time, and only a form makes a move.
An action that the narrowing of the address (`choosing`) has left alone is tried behind them. Where nothing of it is
left to choose, and another step may follow, the page goes on to the address that has it, and shows what may follow.
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
from domain.title import Title
from service.database.store import NoSuchVersion
from service.games import queries, trying
from service.games.play import time_of_plies
from service.games.queries import Seen
from service.games.trying import MOST, LeftOut, Tried
from service.games.turn import Tryout
from service.games.turn import position as position_at
from service.people.accounts import LIVELY, SLOWLY, Confirm
from service.web.pages import forms
from service.web.pages.choosing import Offered
from service.web.pages.story import by_area
from service.web.pages.web import LONGEST_ADDRESS, number_in, reader, rule_link
from service.web.shared.context import store, work
from service.web.shared.shapes import shapes

STORY_MOST = 6
"""Sentences on what has happened since a turn was tried, the last of them."""


class Collected(NamedTuple):
    """What an address, or a form, wishes to try. ``version``: that it was chosen at; None: the present one."""

    commands: tuple[Command, ...] = ()
    version: int | None = None

    def address(self, game_id: str, below: str = "") -> str:
        """The table with this turn tried."""
        return url_for("pages.game", game_id=game_id) + self.query + (f"#{below}" if below else "")

    @property
    def query(self) -> str:
        fields = "&".join(f"{name}={quote(value, safe='')}" for name, value in self.fields)
        return fields and f"?{fields}"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """As an address has them."""
        if not self.commands:
            return []
        return [("v", str(self.version or 0)), *(("try", text) for text in self.texts)]

    @property
    def texts(self) -> list[str]:
        return [forms.command_text(command) for command in self.commands]

    def with_more(self, commands: Iterable[Command]) -> "Collected":
        return self._replace(commands=(*self.commands, *commands))

    def fits(self, game_id: str) -> bool:
        """Whether it is no longer than an address can be, and than a turn."""
        return len(self.commands) <= MOST and len(self.address(game_id)) <= LONGEST_ADDRESS


class Trial(NamedTuple):
    """A turn that is tried.

    ``wish``: those of its commands that can be made. ``meant``: whether the last is the action that is left of a
    choice. ``back``, ``plain``: the addresses without the last step, and without any. ``more``: where another step is
    chosen; None where none can follow. ``onward``: there the page goes by itself. ``since``: what has happened since it
    was chosen, with the address where all of it is told (``changed``); None: it is of now. ``left_out``: what could not
    be made, with a link to the rule. ``changes``: how position and hand differ, by area.
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
    changes: list[tuple[str, list[list[tuple[str, str]]]]]


# ==== out of an address, or a form ================================================================
def wished(title: Title) -> Collected:
    """What this request wishes to try. What is no command of the title is nothing."""
    given, at = (request.form, "version") if request.method == "POST" else (request.args, "v")
    return Collected(tuple(_read(title, given.getlist("try")[:MOST])), number_in(given.get(at)))


def _read(title: Title, texts: Iterable[str]) -> Iterator[Command]:
    for text in texts:
        with suppress(TypeError, ValueError, RecursionError, ValidationError):
            yield shapes(title.id).command(msgspec.json.decode(text))


def position(seen: Seen, wish: Collected) -> Game:
    """The position after the turn, where it was chosen: what is typed behind it means the same however often."""
    turn = Tryout(seen, time_of_plies(seen.stored, None), reader().lang, _then(seen, wish))
    return turn.follow(wish.commands).game


def _then(seen: Seen, wish: Collected) -> Game:
    """Where it was chosen. Raises `NoSuchVersion`."""
    return position_at(work(), seen, wish.version)


# ==== what a page shows ===========================================================================
def confirms(seen: Seen) -> Confirm:
    """When the reader wishes what they choose at this table to be made."""
    asker, live = reader().asker, trying.is_live(seen.game)
    if asker is None or seen.by_link:
        return LIVELY if live else SLOWLY
    return asker.confirm_live if live else asker.confirm


def begun(seen: Seen, wish: Collected) -> Tried:
    """What the collected commands do now. The links of the page take along those that can be made."""
    then = None
    if wish.version is not None and wish.version != seen.version:
        with suppress(NoSuchVersion):
            then = _then(seen, wish)
    found = trying.tried(seen, wish.commands, time_of_plies(seen.stored, None), reader().lang, then)
    g.turn_tried = Collected(tuple(found.commands), seen.version).fields
    return found


def nothing(seen: Seen) -> Tried:
    """Nothing is tried, or can be."""
    return Tried((), seen.game)


def trial(seen: Seen, wish: Collected, begun: Tried, offered: Offered, how: Confirm) -> Trial | None:
    """The turn as the page shows it, with the one action that is left of a choice; None where nothing is tried."""
    kept = Collected(tuple(begun.commands), seen.version)
    meant = None if how == "at_once" else _only(offered)
    at, lang, game_id = time_of_plies(seen.stored, None), reader().lang, seen.game.id
    whole = begun if meant is None else trying.tried(seen, [*kept.commands, meant], at, lang)
    if not whole.steps and not begun.left_out:
        return None
    all_of_it = Collected(tuple(whole.commands), seen.version)
    back = kept if meant is not None else kept._replace(commands=kept.commands[:-1])
    goes_on = whole.may_go_on and how != "each" and bool(queries.actions(seen, whole.game))
    return Trial(
        whole,
        all_of_it,
        meant is not None,
        back.address(game_id, "tried" if back.commands else ""),
        url_for("pages.game", game_id=game_id),
        (all_of_it.address(game_id, "actions") if meant is not None else "#actions") if goes_on else None,
        goes_on and meant is not None and not offered.groups[0].choices[0].ways and all_of_it.fits(game_id),
        _since(seen, wish),
        url_for("pages.changes", game_id=game_id) + f"?from={min(wish.version or 0, seen.game.version)}",
        [(it, rule_link(it.rule) if it.rule else "") for it in begun.left_out],
        by_area(whole.changes),
    )


def _only(offered: Offered) -> Command | None:
    """The one action that is left, unless it leaves something open."""
    choices = [choice for group in offered.groups for choice in group.choices]
    if offered.meant is None or len(choices) != 1 or choices[0].span or choices[0].boxes:
        return None
    return offered.meant


def _since(seen: Seen, wish: Collected) -> list[str] | None:
    if wish.version is None or wish.version == seen.version or not wish.commands:
        return None
    with store.read() as conn:
        told = queries.plies(store, conn, seen, reader().lang, since=min(wish.version, seen.version))
    return [sentence for each in told for sentence in each.said][-STORY_MOST:]
