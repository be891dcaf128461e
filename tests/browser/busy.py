"""The busiest tables of each title, served for checks in a real browser.

The fullest position (Grand Trunk: four seats and six improvements on display; Ticket to Ride: five seats and 30 cards
in hand; New England: six seats) with nothing chosen, the positions with the longest choices, and a turn that is tried;
then the fullest position again, with the tabs that players open most. At every table people have talked.
"""

import random
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec
from playwright.sync_api import Browser, Page

import domain
from config.settings import Settings
from domain import play
from domain.chain import Ply, secret_commitment
from domain.chance import ChanceAsked
from domain.game import Game, fold
from domain.lifecycle import OpenTable1, StartGame, TakeSeat1
from domain.messages import Command
from domain.play import decide_all
from domain.ticket_to_ride.commands import DrawBlindCard
from domain.title import Title
from service.base.clock import HOUR, now
from service.database.store import SEATS, Store, open_store
from service.database.work import Work
from service.games import saying
from service.games.rights import ByPerson
from service.people import accounts
from service.web.pages.parts import choosing
from tests.bench import measure
from tests.browser.shots import PATIENCE, free_port, served

STEPS: Mapping[str, int] = {"grand_trunk": 5, "new_england": 5, "ticket_to_ride": 1}
"""Steps of a tried turn. In Ticket to Ride a turn is one command, or two cards, and the first of them is drawn."""
AT = 1_800_000_000_000
TALK = (
    "Good evening!",
    "Sorry, I was on the train. I move tonight, when the children are in bed.",
    "@Bob did you really need that? I had saved for it since Monday, and now I have to think again about my plan.",
    "The position after move 20 was better for all of us.",
    "That is what the rules say: https://example.org/a/rather/long/address/that/nobody/would/type/by/hand?page=12",
)
"""What each person says, one after the other."""


class Found(msgspec.Struct, frozen=True):
    """A position, and the query that opens it in one state."""

    plies: Sequence[Ply]
    seat: int
    query: str = ""


# ==== the busiest positions =======================================================================
def played(title: Title) -> list[tuple[Game, list[Ply]]]:
    """Return the positions of a game with all seats. In Ticket to Ride, seat 1 only draws cards until it has 30."""
    dice, plies, found = random.Random(7), list[Ply](), list[tuple[Game, list[Ply]]]()
    game = fold("bench", title, ())
    seats = title.seating.seats[-1]
    options, choice = (
        msgspec.Raw(msgspec.json.encode(kind())) for kind in (title.seating.options, title.seating.choice)
    )

    def give(seat: int | None, *commands: Command) -> None:
        nonlocal game
        decided = decide_all(game, seat, commands, AT + len(plies), "player", measure.SECRET)
        plies.extend(decided.plies)
        game = decided.game

    give(None, OpenTable1(title.id, seats, options, secret_commitment(measure.SECRET), 60_000))
    for seat in range(1, seats + 1):
        give(seat, TakeSeat1(seat, choice, f"{dice.getrandbits(256):064x}"))
    give(None, StartGame())
    while game.asked and len(plies) < 900:
        seat = dice.choice(game.asked)
        found.append((game, [*plies]))
        give(seat, *_turn(title, game, seat, dice))
    return found


def _turn(title: Title, game: Game, seat: int, dice: random.Random) -> Sequence[Command]:
    view = game.title.rules.view(game.state, seat)
    if title.id == "ticket_to_ride" and seat == 1 and sum(view.own.private.hand.values()) < 30:
        for it in title.rules.actions(game.state, 1):
            if isinstance(it.command, DrawBlindCard):
                return [it.command]
    return list(title.bots["sensible"](view, dice))


def is_busy(game: Game, seat: int) -> bool:
    """Has the position what the busiest one must have?"""
    view = game.title.rules.view(game.state, seat)
    if game.title.id == "ticket_to_ride":
        return seat == 1 and sum(view.own.private.hand.values()) >= 30
    if game.title.id == "grand_trunk":
        return len(view.improvements) == 6 and bool(view.own.railcars)
    return view.lot is not None and len(view.row) > 2


def _words(game: Game, seat: int) -> int:
    """Return the number of things to show: how full the table is."""
    things = game.title.face.things(game.title.rules.view(game.state, seat))
    return sum(len(it.things) for it in things.shelves) + sum(len(it.said) for it in things.seats)


def choices(game: Game, seat: int, most: int) -> Iterator[tuple[int, str]]:
    """Yield the number of lines of each choice of a kind, or of a kind and a place, with its query."""
    view, places = game.title.rules.view(game.state, seat), game.title.face.places
    listed = game.title.rules.actions(game.state, seat)
    if game.title.face.orders.alike:  # equal cards, once
        listed = [it.action for it in game.title.face.orders.options(view, listed)]
    targets = places.targets(view, listed)
    for kind in places.narrow(targets).kinds:
        of_kind = places.narrow(targets, (kind,))
        for at in ("", *of_kind.places):
            left = places.narrow(targets, (kind,), (at,) if at else ())
            lines = len(choosing._lines(left, seat))
            if lines <= most:
                yield lines, "?" + urlencode([("do", kind), *([("at", at)] if at else [])])


Position = tuple[Game, list[Ply], int]


def _choice(every: Iterable[Position], most: int) -> tuple[str, Found]:
    """Return the first of the longest choices, with its name."""
    found, length = None, 0
    for game, plies, seat in every:
        for lines, query in choices(game, seat, most):
            if lines > length:
                found, length = Found(plies, seat, query), lines
        if length == most:
            break
    assert found is not None
    return f"a choice of {length}", found


def turn_of(game: Game, seat: int, most: int) -> list[Command]:
    """Return the steps of a turn, up to ``most``: commands after which the seat is still asked, and a last one."""
    steps = list[Command]()
    while seat in game.asked and len(steps) < most:
        last = None
        for it in game.title.rules.actions(game.state, seat):
            if it.command in steps:
                continue
            try:
                after, _events = play.foresee(game, seat, it.command, AT)
            except ChanceAsked:
                continue
            last = last or it.command
            if seat in after.asked:
                last, game = it.command, after
                break
        else:
            return [*steps, last] if last is not None else steps
        steps.append(last)
    return steps


def _tried(every: Iterable[Position], most: int) -> tuple[str, Found]:
    """Return the first of the longest turns, with its name."""
    found, longest = None, list[Command]()
    for game, plies, seat in every:
        if len(steps := turn_of(game, seat, most)) > len(longest):
            tried = "&".join(f"try={quote(msgspec.json.encode(it).decode())}" for it in steps)
            found, longest = Found(plies, seat, f"?v={len(plies)}&{tried}"), steps
        if len(longest) == most:
            break
    assert found is not None
    assert len(longest) == most, f"a turn of only {len(longest)} steps"
    return f"{len(longest)} steps tried", found


@cache
def states(title_id: str) -> Mapping[str, Found]:
    """Return the busiest position, its longest choice, that of a low window, a turn of `STEPS`, and open tabs."""
    title = domain.TITLES[title_id]
    every = [(game, plies, seat) for game, plies in played(title) for seat in game.asked]
    _, plies, seat = max((it for it in every if is_busy(it[0], it[2])), key=lambda it: _words(it[0], it[2]))
    return {
        "nothing chosen": Found(plies, seat),
        **dict(_choice(every, most) for most in (choosing.MOST, choosing.MOST_IN_LOW)),
        **dict([_tried(every, STEPS[title_id])]),
        "nothing chosen, players compared": Found(plies, seat, f"?show=seats&of={seat}"),
        "nothing chosen, talk open": Found(plies, seat, "?show=talk"),
    }


# ==== in a browser ================================================================================
class Tables(NamedTuple):
    """The busiest tables of a title, served at ``site``. ``sessions``: of the person at each seat."""

    title: Title
    store: Store
    site: str
    found: Mapping[str, Found]
    sessions: Sequence[str]

    def address(self, state: str, more: str = "") -> str:
        """Return the address of the table in a state, with more fields."""
        query = "&".join(filter(None, (self.found[state].query.removeprefix("?"), more)))
        return f"{self.site}/games/{self.name(state)}?{query}"

    def cookies(self, seat: int, lang: str) -> list[Any]:
        """Return those of the person at a seat."""
        values = {"lang": lang, "session": self.sessions[seat - 1]}
        return [{"name": name, "value": value, "url": self.site} for name, value in values.items()]

    def name(self, state: str) -> str:
        return f"table{[*self.found].index(state)}"


@contextmanager
def tables(title_id: str) -> Iterator[Tables]:
    title, found = domain.TITLES[title_id], states(title_id)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as room:  # an answer may still be on its way
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port(), rate_limits=False)  # type: ignore[call-arg]
        store = open_store(settings.database, titles=domain.TITLES, settings=settings)
        store.migrate()
        sitting = _people(store, title.seating.seats[-1])
        for number, it in enumerate(found.values()):
            _keep(store, title, f"table{number}", it, sitting)
        with served(store, settings):
            yield Tables(title, store, settings.site, found, [session for _, session in sitting])
        store.close()


def _people(store: Store, number: int) -> list[tuple[int, str]]:
    """Return persons with the session of each."""
    names = ("Ann Äpfelin", "Bob", "Cleo", "Dora", "Emil", "Friederike")
    made = []
    with store.write() as conn:
        for name in names[:number]:
            row = {"email": f"{name[:3]}@example.org", "name": name, "lang": "en", "zone": "UTC", "created_at": now()}
            person = conn.execute(accounts.PERSONS.insert().values(**row)).inserted_primary_key[0]
            made.append((int(person), accounts.open_session(conn, int(person), now())))
    return made


def _keep(store: Store, title: Title, game_id: str, found: Found, sitting: Sequence[tuple[int, str]]) -> None:
    measure.keep(store, title, game_id, found.plies)
    with store.write() as conn:
        rows = [{"game_id": game_id, "seat": n, "person_id": it[0], "joined_at": 0} for n, it in enumerate(sitting, 1)]
        conn.execute(SEATS.insert(), rows)
    talk(store, game_id, [person for person, _ in sitting])


def talk(store: Store, game_id: str, people: Sequence[int]) -> None:
    """Let people at a table say their lines."""
    for number, text in enumerate(TALK):
        for person in people:
            saying.say(Work(store), ByPerson(person), game_id, text, now() - (len(TALK) - number) * HOUR)


@contextmanager
def opened(
    browser: Browser, at: Tables, seat: int, size: tuple[int, int], lang: str = "en", **how: Any
) -> Iterator[Page]:
    """Open a window of the person at a seat. ``how``: of the browser's context (``color_scheme``)."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **how)
    context.add_cookies(at.cookies(seat, lang))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def visit(page: Page, address: str) -> None:
    """Go to an address, and wait for its letters. A table keeps a stream open, so the network never rests."""
    page.goto(address)
    page.evaluate("document.fonts.ready")
