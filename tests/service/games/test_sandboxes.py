"""Sandboxes: their beginnings, their moves, and that they never touch their game."""

from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from domain.fork import UnreadableStart
from domain.game import Game
from domain.refusal import Refused
from domain.title import Title
from service.database.store import GAMES, SEATS, NoSuchVersion, Store
from service.database.work import Work
from service.games import queries, sandboxes
from service.games.play import Stale, SubmissionReused
from service.games.queries import Seen
from service.games.rights import ByPerson
from service.games.sandboxes import NoSuchSandbox, Sandbox
from service.people import accounts
from tests.conftest import DATABASES
from tests.service.lanterns import NOON, game, give, lead, log, play_on, start
from tests.toy import Choose, Stop, Walk, Whisper

LATER = NOON + 1000
on_both = pytest.mark.parametrize("database_url", DATABASES, indirect=True)


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """SQLite, except for tests in which the databases could differ."""
    return str(request.getfixturevalue(f"copy_on_{getattr(request, 'param', 'sqlite')}"))


@pytest.fixture
def ann(store: Store) -> int:
    """Somebody with seat 1 of the games of `table`."""
    return person(store, "ann")


def person(store: Store, name: str) -> int:
    with store.write() as conn:
        return accounts.person_at(conn, f"{name}@example.org", "en", NOON)[0]


@pytest.fixture
def table(store: Store, ann: int) -> str:
    """A running game in which seat 2 has whispered and everybody has chosen: its id."""
    game_id = start(store)
    with store.write() as conn:
        conn.execute(update(SEATS).where(SEATS.c.seat == 1).values(person_id=ann, bot=None))
    give(store, game_id, 2, Whisper(42))
    lead(store, game_id)
    return game_id


def seen(store: Store, viewer: int, game_id: str) -> Seen:
    with store.read() as conn:
        return queries.game_for(store, conn, viewer, game_id)


def begin(store: Store, viewer: int, game_id: str, version: int | None = None, **more: Any) -> str:
    now = game(store, game_id).version if version is None else version
    return sandboxes.begin(Work(store), ByPerson(viewer), game_id, now, at=LATER, **more)


def box(store: Store, viewer: int, sandbox_id: str) -> Sandbox:
    with store.read() as conn:
        return sandboxes.load(store, conn, viewer, sandbox_id)


def move(store: Store, viewer: int, sandbox_id: str, seat: int, *commands: Any, revision: int | None = None) -> Any:
    return sandboxes.move(Work(store), ByPerson(viewer), sandbox_id, seat, commands, revision=revision, at=LATER)


def step(store: Store, viewer: int, sandbox_id: str, to: int, revision: int | None = None) -> int:
    return sandboxes.step(Work(store), ByPerson(viewer), sandbox_id, to, revision=revision, at=LATER)


def everything(store: Store, game_id: str) -> Any:
    with store.read() as conn:
        row = conn.execute(select(GAMES).where(GAMES.c.id == game_id)).one()
        owed = conn.execute(select(accounts.OUTBOX)).all()
    return row, owed, log(store, game_id)


def finished(store: Store, game_id: str) -> Game:
    return play_on(store, game_id)


# ==== beginning ===================================================================================
@on_both
def test_it_begins_from_its_owners_view_and_leaves_the_game_alone(store: Store, ann: int, table: str) -> None:
    before, toy = everything(store, table), game(store, table).title
    made = begin(store, ann, table)
    here, real = box(store, ann, made), game(store, table)
    assert toy.rules.view(here.game.state, 1) == toy.rules.view(real.state, 1)
    assert 2 not in here.game.state.whispers  # the private whispers of seat 2 are not in it, imagined or not
    assert (here.row.imagined, here.row.seat, here.asked, here.row.name) == (True, 1, real.asked, "A table")
    (leader,) = here.asked
    move(store, ann, made, leader, Walk(2), Stop())
    sandboxes.play_on(Work(store), ByPerson(ann), made, everybody="sensible", revision=None, at=LATER)
    assert box(store, ann, made).game.status == "over"
    assert everything(store, table) == before


def test_its_draws_are_independent_of_the_games(store: Store, ann: int, table: str) -> None:
    here = box(store, ann, begin(store, ann, table))
    with store.read() as conn:
        secret = store.load(conn, table).secret
    assert len(here.row.secret) == 32
    assert here.row.secret != secret
    assert secret.hex().encode() not in here.row.start
    assert here.game.ordinals == {}
    assert here.row.secret != box(store, ann, begin(store, ann, table)).row.secret


def test_a_spectator_begins_from_what_spectators_see(store: Store, table: str) -> None:
    charlie = person(store, "charlie")
    here = box(store, charlie, begin(store, charlie, table))
    assert here.row.seat is None
    toy = here.title
    assert toy.rules.view(here.game.state, None) == toy.rules.view(game(store, table).state, None)


def test_a_past_position_of_a_running_game_is_imagined_from_the_view_of_then(
    store: Store, ann: int, table: str
) -> None:
    started = 4
    here = box(store, ann, begin(store, ann, table, started))
    assert here.asked == (1, 2)
    with store.read() as conn:
        then = store.position(conn, table, started)
    assert here.title.rules.view(here.game.state, 1) == here.title.rules.view(then.state, 1)


def test_of_a_finished_game_it_begins_from_the_position_as_it_was(store: Store, ann: int, table: str) -> None:
    finished(store, table)
    here = box(store, ann, begin(store, ann, table, 5))
    with store.read() as conn:
        then = store.position(conn, table, 5)
    assert here.game.state == then.state
    assert here.game.state.whispers == {2: 42}
    assert not here.row.imagined
    assert box(store, ann, begin(store, ann, table)).game.status == "over"


@pytest.mark.parametrize("version", [0, 1, 3, 99])
def test_it_begins_nowhere_else(store: Store, ann: int, table: str, version: int) -> None:
    with pytest.raises(NoSuchVersion):
        begin(store, ann, table, version)


@on_both
def test_the_same_submission_begins_it_once(store: Store, ann: int, table: str) -> None:
    first = begin(store, ann, table, submission_id="once")
    assert begin(store, ann, table, submission_id="once") == first
    with pytest.raises(SubmissionReused):
        begin(store, ann, table, 4, submission_id="once")


def test_a_person_has_a_limit_of_sandboxes(store: Store, ann: int, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxes, "SANDBOXES_EACH", 2)
    first, _second = begin(store, ann, table, submission_id="a"), begin(store, ann, table)
    with pytest.raises(Refused, match="ST 10"):
        begin(store, ann, table)
    assert begin(store, ann, table, submission_id="a") == first  # it is there already
    sandboxes.throw_away(Work(store), ByPerson(ann), first)
    begin(store, ann, table)


# ==== playing =====================================================================================
@pytest.fixture
def sandbox(store: Store, ann: int, table: str) -> str:
    """A sandbox at the leader's turn."""
    return begin(store, ann, table)


def test_all_seats_are_played_by_hand_and_refused_like_in_games(store: Store, ann: int, sandbox: str) -> None:
    leader = box(store, ann, sandbox).asked[0]
    for seat, command, rule in (
        (3 - leader, Walk(1), "TOY 3"),
        (leader, Walk(9), "TOY 3"),
        (7, Walk(1), "ST 8"),
        (leader, Choose(1), "TOY 2"),
    ):
        with pytest.raises(Refused) as refused:
            move(store, ann, sandbox, seat, command)
        assert refused.value.rule == rule
    assert box(store, ann, sandbox).row.revision == 1
    assert move(store, ann, sandbox, leader, Walk(1), Stop()).plies == [1, 2]
    for seat in (1, 2):
        card = box(store, ann, sandbox).game.state.hands[seat][0]
        move(store, ann, sandbox, seat, Choose(card))
    assert box(store, ann, sandbox).row.ply == 4


def test_stepping_back_and_forward_the_same_moves_meet_the_same_cards(store: Store, ann: int, sandbox: str) -> None:
    move(store, ann, sandbox, box(store, ann, sandbox).asked[0], Stop())
    cards = [box(store, ann, sandbox).game.state.hands[seat][0] for seat in (1, 2)]
    for seat in (1, 2):
        move(store, ann, sandbox, seat, Choose(cards[seat - 1]))
    far = box(store, ann, sandbox).game.state
    step(store, ann, sandbox, 0)
    start = box(store, ann, sandbox)
    assert (start.row.ply, start.row.last, len(start.plies)) == (0, 3, 3)
    step(store, ann, sandbox, 3)
    assert box(store, ann, sandbox).game.state == far
    step(store, ann, sandbox, 1)
    for seat in (2, 1):  # the other way round; the plies ahead are deleted
        move(store, ann, sandbox, seat, Choose(cards[seat - 1]))
    again = box(store, ann, sandbox)
    assert (again.row.last, again.game.state) == (3, far)
    with pytest.raises(Refused, match="ST 10"):
        step(store, ann, sandbox, 4)


@on_both
def test_another_move_deletes_the_plies_ahead(store: Store, ann: int, sandbox: str) -> None:
    leader = box(store, ann, sandbox).asked[0]
    move(store, ann, sandbox, leader, Walk(1), Walk(1), Walk(1))
    step(store, ann, sandbox, 1)
    move(store, ann, sandbox, leader, Walk(2))
    here = box(store, ann, sandbox)
    assert [ply.command for ply in here.plies] == [Walk(1), Walk(2)]


def test_bots_answer_a_move_by_hand(store: Store, ann: int, sandbox: str) -> None:
    leader = box(store, ann, sandbox).asked[0]
    other = 3 - leader
    sandboxes.set_bots(Work(store), ByPerson(ann), sandbox, {other: "sensible"}, at=LATER)
    move(store, ann, sandbox, leader, Stop())
    here = box(store, ann, sandbox)
    assert [(ply.seat, ply.cause) for ply in here.plies] == [(leader, "player"), (other, "bot")]
    assert (here.asked, here.bots, here.eyes()) == ((leader,), {other: "sensible"}, leader)
    with pytest.raises(Refused, match="play that seat yourself"):
        sandboxes.play_on(Work(store), ByPerson(ann), sandbox, everybody=None, revision=None, at=LATER)


@pytest.mark.parametrize("bots", [{1: "nobody"}, {3: "random"}])
def test_unknown_bots_and_seats_are_refused(store: Store, ann: int, sandbox: str, bots: dict[int, str]) -> None:
    with pytest.raises(Refused, match="ST 10"):
        sandboxes.set_bots(Work(store), ByPerson(ann), sandbox, bots, at=LATER)
    assert box(store, ann, sandbox).bots == {}


def test_a_sandbox_has_a_limit_of_plies(store: Store, ann: int, sandbox: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxes, "MOST_PLIES", 3)
    sandboxes.play_on(Work(store), ByPerson(ann), sandbox, everybody="random", revision=None, at=LATER)
    here = box(store, ann, sandbox)
    assert 3 <= here.row.ply <= 4  # a bot finishes what it has begun
    with pytest.raises(Refused, match="ST 10"):
        move(store, ann, sandbox, here.asked[0], Stop())


def test_a_move_for_an_earlier_revision_is_stale(store: Store, ann: int, sandbox: str) -> None:
    leader = box(store, ann, sandbox).asked[0]
    move(store, ann, sandbox, leader, Walk(1), revision=1)
    for attempt in (
        lambda: move(store, ann, sandbox, leader, Walk(1), revision=1),
        lambda: step(store, ann, sandbox, 0, revision=1),
        lambda: sandboxes.play_on(Work(store), ByPerson(ann), sandbox, everybody="random", revision=1, at=LATER),
    ):
        with pytest.raises(Stale) as stale:
            attempt()
        assert stale.value.version == 2
    assert box(store, ann, sandbox).row.last == 1


@on_both
def test_of_two_that_write_at_once_one_is_first(
    store: Store, ann: int, sandbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leader, late = box(store, ann, sandbox).asked[0], sandboxes.load

    def overtaken(*asked: Any) -> Sandbox:
        read = late(*asked)
        monkeypatch.setattr(sandboxes, "load", late)
        move(store, ann, sandbox, leader, Walk(3))
        return read

    monkeypatch.setattr(sandboxes, "load", overtaken)
    with pytest.raises(Stale):
        move(store, ann, sandbox, leader, Walk(1))
    assert [ply.command for ply in box(store, ann, sandbox).plies] == [Walk(3)]


# ==== keeping =====================================================================================
@on_both
def test_only_its_owner_can_open_it(store: Store, ann: int, sandbox: str) -> None:
    charlie = person(store, "charlie")
    with store.read() as conn:
        assert sandboxes.mine(conn, charlie) == []
        assert [row.id for row in sandboxes.mine(conn, ann)] == [sandbox]
        assert sandboxes.mine(conn, ann, "anothergame") == []
    for attempt in (
        lambda: box(store, charlie, sandbox),
        lambda: move(store, charlie, sandbox, 1, Stop()),
        lambda: step(store, charlie, sandbox, 0),
        lambda: sandboxes.describe(Work(store), ByPerson(charlie), sandbox, name="mine", note=None, at=LATER),
        lambda: sandboxes.throw_away(Work(store), ByPerson(charlie), sandbox),
    ):
        with pytest.raises(NoSuchSandbox):
            attempt()


def test_it_has_a_name_and_a_note(store: Store, ann: int, sandbox: str) -> None:
    sandboxes.describe(Work(store), ByPerson(ann), sandbox, name="What if", note=None, at=LATER + 1)
    sandboxes.describe(Work(store), ByPerson(ann), sandbox, name=None, note="Two\nlines", at=LATER + 2)
    row = box(store, ann, sandbox).row
    assert (row.name, row.note, row.updated_at) == ("What if", "Two\nlines", LATER + 2)


@on_both
def test_erasing_a_person_deletes_their_sandboxes(store: Store, ann: int, sandbox: str) -> None:
    move(store, ann, sandbox, box(store, ann, sandbox).asked[0], Stop())
    with store.write() as conn:
        conn.execute(delete(accounts.PERSONS).where(accounts.PERSONS.c.id == ann))
        for table in (sandboxes.SANDBOXES, sandboxes.SANDBOX_PLIES):
            assert conn.execute(select(table)).all() == []


@pytest.mark.parametrize("change", ["a state of another shape", "a ply of another shape", "a title that is gone"])
def test_an_unreadable_sandbox_is_reported(
    store: Store, ann: int, sandbox: str, change: str, toy_title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.write() as conn:
        here = sandboxes.SANDBOXES.c.id == sandbox
        if change == "a state of another shape":
            start = box(store, ann, sandbox).row.start.replace(b'"walked"', b'"went"')
            conn.execute(update(sandboxes.SANDBOXES).where(here).values(start=start))
        elif change == "a title that is gone":
            conn.execute(update(sandboxes.SANDBOXES).where(here).values(title="croquet"))
        else:
            ply = {"sandbox_id": sandbox, "ply": 1, "body": b'[{"ply":1,"rules":1,"events":[{"event":"Flown"}]}]'}
            conn.execute(insert(sandboxes.SANDBOX_PLIES), ply)
    with pytest.raises(UnreadableStart):
        box(store, ann, sandbox)
    with store.read() as conn:
        assert [row.id for row in sandboxes.mine(conn, ann)] == [sandbox]  # it can still be listed, and deleted
        sandboxes.row_of(conn, ann, sandbox)
    sandboxes.throw_away(Work(store), ByPerson(ann), sandbox)
