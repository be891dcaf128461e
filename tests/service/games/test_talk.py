"""Talk at a table: who may see what, what is new for whom, and that no game hears of it."""

import re
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from sqlalchemy import select, update

from domain.clock import FreeSeat
from domain.lifecycle import Resign, StartGame
from domain.pace import Pace
from service.base import links
from service.base.clock import DAY, HOUR
from service.base.ticks import Tick
from service.database.store import GAMES, NoSuchGame, Store
from service.database.work import Work
from service.games import queries, rights, saying, talk
from service.games.marks import mark
from service.games.rights import Asking, ByLink, ByPerson, Forbidden
from service.games.saying import MOST, MOST_OF_NEWCOMERS, NEWCOMER, NoSuchLine, NotSaid
from service.games.talk import LINES, MENTIONS, Room
from service.games.talk_text import Named, cleaned, mailed, marked, pieces, plain
from service.operators import acts
from service.people import acquaintances
from service.people.accounts import PERSONS
from service.proof.bundle import make
from service.proof.bundle.format import write
from tests import road
from tests.listeners import Listener
from tests.service.lanterns import ANN, BOB, CLEO, NOON, give, log, open_table, play_on
from tests.workers.post import person

SUBSTITUTES = Pace(turn=DAY, excuse=False, then="substitute")
LATER = NOON + 30 * DAY
"""The accounts are old by now."""


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """Rights do not depend on the database: one kind is enough here. (`tests/workers/test_talk.py` uses both.)"""
    return copy_on_sqlite


class Table:
    """A table of Ann, Bob and Eve under Harriet, with spectators around it."""

    def __init__(self, store: Store, *, public: bool = True, over: bool = False) -> None:
        self.store, self.over = store, over
        names = ("Harriet", "Ann", "Bob", "Cleo", "Dora", "Eve")
        self.people = {name: person(store, name) for name in names}
        self.id = open_table(store, 3, public=public, host_id=self.people["Harriet"], pace=SUBSTITUTES)
        for seat, who in ((ANN, "Ann"), (BOB, "Bob"), (CLEO, "Eve")):
            road.take_seat(store, self.id, seat, choice={}, at=NOON, person_id=self.people[who], words="abc")
        give(store, self.id, None, StartGame())
        if over:
            play_on(store, self.id)

    def __getitem__(self, who: str) -> int:
        return self.people[who]

    def actor(self, who: str) -> Asking:
        """The reader named so in `MAY`."""
        name, _, more = who.partition(", ")
        if name == "nobody":
            return ByPerson(None)
        if more == "by the link of a letter":
            seat = ANN if name == "Ann" else BOB
            return ByLink(links.TurnLink(self.id, seat, 1, self[name], LATER + DAY))
        invite = links.guest_pass(self.store.settings, self.id, 0) if more == "invited" else ""
        return ByPerson(self[name], invite=invite)

    def say(self, who: str, text: str = "Hello", room: Room | None = None, at: int = LATER, **more: Any) -> int:
        return saying.say(Work(self.store), self.actor(who), self.id, text, at, room=room, **more)

    def seen(self, who: str) -> queries.Seen:
        return rights.see(Work(self.store), self.actor(who), self.id)

    def lines(self, who: str, room: Room = "players") -> list[str] | None:
        """The lines that somebody may read; None if the room is closed to them."""
        try:
            seen = self.seen(who)
        except NoSuchGame:
            return None
        if room not in talk.readable(seen) or not talk.is_on(self.store.settings, seen, LATER):
            return None
        with self.store.read() as conn:
            return [plain(it.pieces) for it in talk.lines(conn, seen, room, "en")]

    def glance(self, who: str) -> talk.Glance:
        with self.store.read() as conn:
            return talk.glance(conn, self.store.settings, self.seen(who), LATER)

    def looks(self, who: str, room: Room | None = None) -> None:
        seen = self.seen(who)
        talk.read(Work(self.store), seen, room or talk.own_room(seen) or "players", LATER)


# ==== who may see what ============================================================================
PLAYERS, WATCHERS, BOTH, NONE = ("players",), ("spectators",), ("players", "spectators"), ()
MAY = {  # rooms that are read while the game runs; rooms that are read once it is over; the room that is written
    "Ann": (PLAYERS, BOTH, "players"),
    "Ann, by the link of a letter": (PLAYERS, BOTH, None),
    "Bob, who has left": (PLAYERS, BOTH, "players"),
    "Cleo, a substitute": (PLAYERS, BOTH, "players"),
    "Bob, whose seat Cleo has taken": (WATCHERS, WATCHERS, "spectators"),
    "Cleo": (WATCHERS, WATCHERS, "spectators"),
    "Harriet": (WATCHERS, WATCHERS, "spectators"),
    "Dora, an operator": (WATCHERS, WATCHERS, "spectators"),
    "nobody": (NONE, NONE, None),
    "Cleo, private, invited": (WATCHERS, WATCHERS, "spectators"),
    "Cleo, private": (NONE, NONE, None),
    "Dora, private, an operator": (NONE, NONE, None),
    "nobody, private": (NONE, NONE, None),
}
"""Reader -> what they may do. The table is public unless it says otherwise."""


def prepared(store: Store, who: str, over: bool) -> tuple[Table, str]:
    """Return a table, with the reader as `MAY` says, and the reader's name there."""
    table = Table(store, public="private" not in who, over=over and not re.search("seat|left|substitute", who))
    if "left" in who:
        give(store, table.id, BOB, Resign())
    elif "substitute" in who or "whose seat" in who:
        road.submit(store, table.id, None, [FreeSeat(BOB)], None, None, NOON)
        road.take_over(store, table.id, BOB, person_id=table["Cleo"], at=NOON, invitation=0)
    elif "operator" in who:
        acts.add(store, acts.AT_THE_COMMAND_LINE, table["Dora"], NOON)
    if over:
        play_on(store, table.id)
    name = who.partition(", ")[0]
    more = next((it for it in ("invited", "by the link of a letter") if it in who), "")
    return table, f"{name}, {more}" if more else name


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
@pytest.mark.parametrize("who", MAY)
def test_everybody_reads_and_writes_where_they_may(store: Store, who: str, over: bool) -> None:
    running, afterwards, writes = MAY[who]
    table, name = prepared(store, who, over)
    with store.write() as conn:
        for room in get_args(Room):
            row = {"game_id": table.id, "room": room, "number": 900, "writer_id": table["Ann"], "text": room}
            conn.execute(LINES.insert().values(**row, said_at=NOON))
    assert tuple(room for room in get_args(Room) if table.lines(name, room)) == (afterwards if over else running)
    for room in get_args(Room):
        if room == writes:
            assert table.say(name, room=room) > 0
        else:
            with pytest.raises((NotSaid, Forbidden, NoSuchGame)):
                table.say(name, room=room)


# ==== ticks =======================================================================================
@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_a_tick_goes_to_exactly_the_people_whose_mark_changes(store: Store, listener: Listener, over: bool) -> None:
    table = Table(store, over=over)
    everybody = ("Ann", "Bob", "Cleo", "Dora", "Harriet", "nobody")
    table.looks("Cleo")
    with store.write() as conn:
        acquaintances.add(conn, table["Bob"], "blocked", table["Ann"], NOON)
    numbers: dict[str, int] = {}
    steps: list[Callable[[], Any]] = [
        lambda: numbers.update(ann=table.say("Ann")),
        lambda: table.say("Bob"),
        lambda: table.say("Cleo"),
        lambda: table.looks("Dora"),
        lambda: table.say("Dora"),
        lambda: saying.delete_line(Work(store), table.actor("Ann"), table.id, "players", numbers["ann"], LATER),
        lambda: talk.switch(Work(store), table.actor("Harriet"), table.id, on=False),
        lambda: talk.switch(Work(store), table.actor("Harriet"), table.id, on=True),
        lambda: table.looks("Ann"),
    ]
    for number, step in enumerate(steps):
        before = {who: table.glance(who).mark for who in everybody}
        listener.heard()
        step()
        ticks = listener.heard()
        assert not any(it.watchers for it in ticks)
        heard = {who for who in everybody if who != "nobody" and any(table[who] in it.people for it in ticks)}
        assert heard == {who for who in everybody if table.glance(who).mark != before[who]}, number


def test_two_worlds_behind_one_view_give_the_same_ticks(store: Store, listener: Listener) -> None:
    """Bob has blocked Ann. Whether she talks or not, he hears the same."""

    def heard(table: Table, ann: int) -> list[bool]:
        with store.write() as conn:
            acquaintances.add(conn, table["Bob"], "blocked", table["Ann"], NOON)
        listener.heard()
        for _ in range(ann):
            table.say("Ann")
            table.say("Cleo")
        table.say("Bob")
        return [table["Bob"] in it.people for it in listener.heard() if table["Bob"] in it.people]

    assert heard(Table(store), 0) == [True]
    with store.write() as conn:
        conn.execute(update(PERSONS).values(email=PERSONS.c.email + "x"))
    assert heard(Table(store), 3) == [True]


def test_an_uninvited_guest_hears_nothing_more(store: Store, listener: Listener) -> None:
    table = Table(store, public=False)
    listener.heard()
    table.looks("Cleo, invited")
    table.say("Cleo, invited")
    assert [it.people for it in listener.heard()] == [(table["Cleo"],), (table["Cleo"],)]
    with store.write() as conn:
        conn.execute(update(GAMES).values(invites=1))
    table.looks("Harriet")
    listener.heard()
    table.say("Harriet")
    assert listener.heard() == [Tick(table.id, (table["Harriet"],))]


WISHES = ("say", "watch", "delete", "off", "on", "look")


@given(deeds=some.lists(some.tuples(some.sampled_from(WISHES), some.sampled_from(("Ann", "Bob", "Cleo"))), max_size=12))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_talk_changes_no_mark_and_no_log_of_the_game(store: Store, deeds: list[tuple[str, str]]) -> None:
    with store.write() as conn:
        conn.execute(update(PERSONS).values(email=PERSONS.c.email + "x"))
    table = Table(store)
    readers = ("Ann", "Bob", "Cleo", "nobody")
    before = [mark(table.seen(who), LATER) for who in readers], log(store, table.id), table.seen("Ann").row.head
    for number, (deed, who) in enumerate(deeds):
        if deed == "say":
            table.say(who, at=LATER + number * HOUR)
        elif deed in ("off", "on"):
            talk.switch(Work(store), ByPerson(table["Harriet"]), table.id, on=True)
        elif deed == "look":
            table.looks(who)
        else:
            with store.read() as conn:
                mine = conn.execute(select(LINES).where(LINES.c.writer_id == table[who])).first()
            if mine is not None and mine.deleted_at is None:
                saying.delete_line(Work(store), table.actor(who), table.id, mine.room, mine.number, LATER)
    after = [mark(table.seen(who), LATER) for who in readers], log(store, table.id), table.seen("Ann").row.head
    assert after == before


# ==== lines =======================================================================================
def test_nobody_sees_the_lines_of_people_they_block_or_mute(store: Store) -> None:
    table = Table(store)
    table.say("Ann", "From Ann")
    table.say("Bob", "From Bob")
    with store.write() as conn:
        acquaintances.add(conn, table["Ann"], "blocked", table["Bob"], NOON)
        acquaintances.add(conn, table["Bob"], "muted", table["Ann"], NOON)
    assert (table.lines("Ann"), table.lines("Bob")) == (["From Ann"], ["From Bob"])
    assert (table.glance("Ann").new, table.glance("Bob").new) == (0, 0)


def test_a_line_is_new_until_its_reader_has_looked(store: Store) -> None:
    table = Table(store)
    for _ in range(3):
        table.say("Ann")
    assert (table.glance("Ann").new, table.glance("Bob").new) == (0, 3)
    table.looks("Bob, by the link of a letter")
    assert table.glance("Bob").new == 3, "a machine may have opened the link"
    table.looks("Bob")
    assert table.glance("Bob").new == 0
    table.say("Ann")
    assert table.glance("Bob").new == 1


def test_a_writer_deletes_their_own_lines_alone(store: Store) -> None:
    table = Table(store)
    first, second = table.say("Ann", "A secret of @Bob"), table.say("Ann", "No secret")
    for who in ("Bob", "Cleo"):
        with pytest.raises(NoSuchLine):
            saying.delete_line(Work(store), table.actor(who), table.id, "players", first, LATER)
    saying.delete_line(Work(store), table.actor("Ann"), table.id, "players", first, LATER)
    assert table.lines("Bob") == ["No secret"]
    with store.read() as conn:
        assert "secret of" not in repr(conn.execute(select(LINES)).all())
        assert conn.execute(select(MENTIONS)).all() == []
    with pytest.raises(NoSuchLine):
        saying.delete_line(Work(store), table.actor("Ann"), table.id, "players", first, LATER)
    saying.delete_line(Work(store), table.actor("Ann"), table.id, "players", second, LATER)
    assert table.say("Ann") == 3, "no number comes twice"


def test_a_repeated_line_is_written_once(store: Store) -> None:
    table = Table(store)
    assert table.say("Ann", key="1") == table.say("Ann", key="1") == 1
    assert table.say("Bob", key="1") == 2, "keys are the writer's own"


def test_a_mention_follows_a_rename_and_an_erasure(store: Store) -> None:
    table = Table(store)
    table.say("Ann", "Thanks @bob, and @Bobby")
    with store.write() as conn:
        conn.execute(update(PERSONS).where(PERSONS.c.id == table["Bob"]).values(name="Robert"))
    assert table.lines("Ann") == ["Thanks @Robert, and @Bobby"]
    with store.write() as conn:
        conn.execute(PERSONS.delete().where(PERSONS.c.id == table["Bob"]))
    assert table.lines("Ann") == ["Thanks @(erased), and @Bobby"]


def test_no_export_of_a_game_has_its_talk(store: Store) -> None:
    table = Table(store, over=True)
    table.say("Ann", "Nobody exports this")
    table.say("Cleo", "Nor this")
    with store.read() as conn:
        stored = store.load(conn, table.id)
        plies = store.stored_plies(conn, table.id, 0, stored.row.version)
        for seat in (None, ANN, BOB):
            whole = write(make.bundle(stored, plies, seat))
            assert b"exports this" not in whole
            assert b"Nor this" not in whole


# ==== limits ======================================================================================
@pytest.mark.parametrize(("age", "limits"), [(NEWCOMER - 1, MOST_OF_NEWCOMERS), (NEWCOMER, MOST)])
def test_nobody_writes_too_much_and_newcomers_less(store: Store, age: int, limits: Any) -> None:
    table = Table(store)
    at = NOON + age
    (span, most), *_ = limits
    for _ in range(most):
        table.say("Ann", at=at)
    with pytest.raises(NotSaid) as refused:
        table.say("Ann", at=at)
    assert (refused.value.why, refused.value.until) == ("too_many", at + span)
    table.say("Bob", at=at)
    table.say("Ann", at=at + span)


def test_a_silenced_person_writes_nothing_for_that_time(store: Store) -> None:
    table = Table(store)
    with store.write() as conn:
        conn.execute(update(PERSONS).where(PERSONS.c.id == table["Ann"]).values(silenced_until=LATER + HOUR))
    with pytest.raises(NotSaid, match="silenced"):
        table.say("Ann")
    table.say("Ann", at=LATER + HOUR)


def test_talk_can_be_switched_off_and_hidden(store: Store) -> None:
    table = Table(store)
    table.say("Ann")
    for who in ("Ann", "Cleo"):
        with pytest.raises(Forbidden):
            talk.switch(Work(store), table.actor(who), table.id, on=False)
    talk.switch(Work(store), table.actor("Harriet"), table.id, on=False)
    assert table.lines("Bob") is None
    with pytest.raises(NotSaid, match="off"):
        table.say("Ann")
    talk.switch(Work(store), table.actor("Harriet"), table.id, on=True)
    assert table.lines("Bob") == ["Hello"]
    store.settings = store.settings.with_(talk=False)
    assert table.lines("Bob") is None
    with pytest.raises(NotSaid, match="off"):
        table.say("Ann")


def test_talk_is_deleted_some_time_after_the_end(store: Store) -> None:
    table, other = Table(store, over=True), None
    table.say("Ann", "To @Bob", at=NOON + HOUR)
    ended = table.seen("Ann").row.ended_at
    with store.write() as conn:
        talk.forget_old(conn, store.settings, ended + 90 * DAY)
        assert conn.execute(select(LINES)).first() is not None
        talk.forget_old(conn, store.settings, ended + 90 * DAY + 1)
        for each in (talk.LINES, talk.MENTIONS, talk.READS, talk.ROOMS_OF):
            assert conn.execute(select(each)).first() is other
    with pytest.raises(NotSaid, match="closed"):
        table.say("Ann", at=ended + 90 * DAY)


# ==== the text of a line ==========================================================================
def parts(text: str, last: int = 50) -> list[tuple[str, str, str]]:
    return [tuple(it) for it in pieces(text, {}, last)]  # type: ignore[misc]


def test_addresses_and_moves_in_a_line_lead_somewhere() -> None:
    assert parts("See https://example.org/a?b=1, please.") == [
        ("text", "See ", ""), ("address", "https://example.org/a?b=1", "https://example.org/a?b=1"),
        ("text", ", please.", ""),
    ]  # fmt: skip
    assert parts("At move 41 you slept; bei Zug 3 ich")[::2] == [
        ("move", "At move 41", "41"),
        ("move", "bei Zug 3", "3"),
    ]
    assert parts("move 51, move 0, remove 3 moves, javascript:alert(1)") == [
        ("text", "move 51, move 0, remove 3 moves, javascript:alert(1)", "")
    ]


def test_names_behind_the_sign_become_references() -> None:
    people = [Named("Ann", 1), Named("Ann Lee", 2), Named("Bot 3", None, 3)]
    text, named = marked("@ann lee and @Ann: me@ann.org is no mention, nor @Annette, but @Bot 3 is", people)
    assert [it.person_id for it in named] == [2, 1, None]
    assert plain(pieces(text, dict(enumerate(named)), 9)) == (
        "@Ann Lee and @Ann: me@ann.org is no mention, nor @Annette, but @Bot 3 is"
    )


def test_a_line_for_a_letter_is_one_line_without_addresses() -> None:
    given = pieces("Look:\nhttps://evil.example/x and evil.example", {}, 9)
    assert mailed(given, "(link)") == "Look: (link) and evil. example"


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 1001, "\u202eabc", "a\ue0000\ue001", "\n".join("x" * 31)])
def test_bad_lines_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"length|unseen"):
        cleaned(text)


def test_a_line_keeps_its_breaks() -> None:
    assert cleaned(" a \r\n\r\n\r\n\r\n b  c\n") == "a\n\nb c"
