"""Mails about rewinds (ST 9): to players who must agree, to the others, and none that is out of date."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.lifecycle import AgreeToRewind, RefuseRewind
from service.base import links
from service.base.clock import HOUR
from service.database.store import Store
from service.games.moves import REWIND_LIFE
from service.letters import compose
from tests import road
from tests.service.lanterns import ANN, BOB, CLEO, NOON, SETTLE, game, give, lead
from tests.toy import Stop, Walk
from tests.workers.post import Sink, html_of, ledger, outbox, person, smtp_server, table, text_of, to
from workers import outbox as post_office

LATER = NOON + HOUR
SEATS = {ANN, BOB, CLEO}


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """The recipients of a mail do not depend on the database: one kind is enough here."""
    return copy_on_sqlite


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def served(store: Store, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(post_office, "_rest_until", 0.0)
    with smtp_server(sink) as port:
        to(store, port)
        yield store


class Three:
    """Ann, Bob and Cleo; the leader has walked and ended the round, and all mails about it are sent."""

    def __init__(self, store: Store, sink: Sink, lang: str = "en") -> None:
        self.store = store
        self.people = [person(store, name, lang) for name in ("Ann", "Bob", "Cleo")]
        self.id = table(store, *self.people)
        self.leader = lead(store, self.id)
        self.led = game(store, self.id).version
        give(store, self.id, self.leader, Walk(2), Stop())
        self.others = sorted(SEATS - {self.leader})
        self.send(NOON + SETTLE + 1)
        sink.mails.clear()
        sink.recipients.clear()

    def send(self, at: int) -> int:
        return post_office.send_due(self.store, now=lambda: at)

    def propose(self, seat: int, to: int | None = None, at: int = NOON) -> int:
        """Propose a rewind. Return the number of the ply."""
        return road.propose_rewind(self.store, self.id, seat, self.led if to is None else to, at=at).plies[0]

    def agree(self, *seats: int, at: int = NOON) -> int:
        for seat in seats:
            give(self.store, self.id, seat, AgreeToRewind(self.led), at=at)
        return game(self.store, self.id).version


@pytest.fixture
def three(served: Store, sink: Sink) -> Three:
    return Three(served, sink)


def owed(store: Store, kind: str) -> list[tuple[int, int, int]]:
    return sorted((row.seat, row.ply, row.due_at) for row in outbox(store, kind))


def test_a_rewind_proposal_causes_one_mail_after_the_time_to_withdraw(three: Three, sink: Sink) -> None:
    ply = three.propose(three.leader)
    assert owed(three.store, "rewind") == [(seat, ply, NOON + SETTLE + 1) for seat in three.others]
    three.send(NOON + SETTLE)
    assert sink.mails == []
    assert three.send(LATER) == 2
    assert three.send(LATER) == 0


def test_a_withdrawn_proposal_causes_no_mail(three: Three, sink: Sink) -> None:
    three.propose(three.leader)
    give(three.store, three.id, three.leader, RefuseRewind())
    three.send(LATER)
    assert sink.mails == []
    reasons = {ledger(three.store, who)[0].steps[-1].detail for who in three.people if ledger(three.store, who)}
    assert "the proposal no longer applies" in reasons


def test_a_second_proposal_makes_one_mail_to_each(three: Three, sink: Sink) -> None:
    three.propose(three.leader)
    give(three.store, three.id, three.leader, RefuseRewind())
    three.propose(three.leader, three.led + 1)
    three.send(LATER)
    assert len(sink.mails) == 2
    assert all(f"after move {three.led + 1}" in text_of(mail) for mail in sink.mails)


def test_a_player_who_agreed_before_the_mail_leaves_gets_none(three: Three, sink: Sink) -> None:
    three.propose(three.leader)
    three.agree(three.others[0])
    three.send(LATER)
    assert len(sink.mails) == 1


def test_an_expired_proposal_causes_no_mail(three: Three, sink: Sink) -> None:
    three.propose(three.leader)
    three.send(NOON + REWIND_LIFE + 1)
    assert sink.mails == []


def test_after_a_rewind_the_asked_player_gets_a_turn_mail_and_the_others_news(three: Three, sink: Sink) -> None:
    first, last = three.others
    three.propose(first)
    ply = three.agree(three.leader, last)
    assert game(three.store, three.id).asked == (three.leader,)
    assert [row for row in owed(three.store, "turn") if row[1] == ply] == [(three.leader, ply, NOON)]
    assert owed(three.store, "rewound") == [(first, ply, NOON)]  # the last player to agree is at the table
    three.send(LATER)
    assert len(sink.mails) == 2
    texts = {mail["To"]: text_of(mail) for mail in sink.mails}
    assert all(f"at the position after move {three.led} again" in " ".join(text.split()) for text in texts.values())
    assert sum("IT IS YOUR TURN" in text for text in texts.values()) == 1
    assert sum("THE GAME WAS REWOUND TO AN EARLIER POSITION" in text for text in texts.values()) == 1


def test_the_mail_of_an_undone_turn_is_not_sent(served: Store, sink: Sink) -> None:
    three = Three.__new__(Three)
    three.store, three.people = served, [person(served, name) for name in ("Ann", "Bob", "Cleo")]
    three.id = table(served, *three.people)
    three.leader = lead(served, three.id)
    three.led, three.others = game(served, three.id).version, sorted(SEATS - {three.leader})
    give(served, three.id, three.leader, Stop())  # the others must choose; their mails wait
    waiting = [row.id for row in outbox(served, "turn") if row.ply > three.led]
    assert len(waiting) >= 2
    three.propose(three.leader)
    three.agree(*three.others)
    three.send(LATER)
    assert {row.state for row in outbox(served) if row.id in waiting} == {"superseded"}


def test_a_player_asked_again_after_a_rewind_gets_a_new_mail(three: Three, sink: Sink) -> None:
    """All three must choose; the rewind goes back to a point where all of them chose, too."""
    start = three.led - 3
    road.propose_rewind(three.store, three.id, ANN, start, at=NOON)
    for seat in (BOB, CLEO):
        give(three.store, three.id, seat, AgreeToRewind(start))
    ply = game(three.store, three.id).version
    assert game(three.store, three.id).asked == (ANN, BOB, CLEO)
    assert sorted(row.seat for row in outbox(three.store, "turn") if row.ply == ply) == [ANN, BOB, CLEO]
    assert outbox(three.store, "rewound") == []
    three.send(LATER)
    assert len(sink.mails) == 3


@pytest.mark.parametrize(
    ("lang", "heading", "undone"),
    [
        ("en", "{name} proposes to rewind", "Moves to be undone"),
        ("de", "{name} möchte die Partie zurücksetzen", "Züge, die dann nicht mehr gelten"),
    ],
)
def test_the_mail_says_what_would_be_undone_and_leads_to_the_answer(
    served: Store, sink: Sink, lang: str, heading: str, undone: str
) -> None:
    three = Three(served, sink, lang)
    three.propose(three.leader)
    three.send(LATER)
    name = ("Ann", "Bob", "Cleo")[three.leader - 1]
    mail = sink.mails[0]
    text, html = text_of(mail), html_of(mail)
    assert heading.format(name=name).upper() in text
    assert heading.format(name=name) in html
    assert undone.upper() in text
    assert undone in html
    assert any(line.startswith("* ") and name in line for line in text.splitlines())
    token = next(word for word in text.split() if "/turn/" in word).rpartition("/")[2]
    link = links.open_turn(served.settings, token, LATER)
    assert (link.game_id, link.seat in three.others) == (three.id, True)


def test_the_position_in_the_mail_is_what_its_reader_saw(three: Three, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    honest = compose.picture

    def watched(seen: Any, view: Any, say: Any) -> Any:
        drawn.append(view)
        return honest(seen, view, say)

    monkeypatch.setattr(compose, "picture", watched)
    three.propose(three.leader)
    three.send(LATER)
    with three.store.read() as conn:
        then = three.store.position(conn, three.id, three.led)
    assert sorted(map(repr, drawn)) == sorted(repr(then.title.rules.view(then.state, seat)) for seat in three.others)


def test_a_player_who_refuses_a_rewind_still_gets_the_turns_mail(served: Store, sink: Sink) -> None:
    """An answer to a proposal is no move: the interrupted turn still gets its mail."""
    people = [person(served, name) for name in ("Ann", "Bob", "Cleo")]
    game_id = table(served, *people)
    leader = lead(served, game_id)
    asked_since = give(served, game_id, leader, Stop()).plies[-1]
    refuser = next(seat for seat in game(served, game_id).asked if seat != leader)
    (turn,) = [row.id for row in outbox(served, "turn", refuser) if row.ply == asked_since]
    road.propose_rewind(served, game_id, leader, asked_since - 1, at=NOON)
    give(served, game_id, refuser, RefuseRewind())
    post_office.send_due(served, now=lambda: LATER)
    assert {row.state for row in outbox(served, "turn", refuser) if row.id == turn} == {"sent"}
    told = [text_of(mail) for mail in sink.of(("ann@example.org", "bob@example.org", "cleo@example.org")[refuser - 1])]
    assert sum("IT IS YOUR TURN" in text for text in told) == 1
