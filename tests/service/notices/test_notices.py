"""The owed mails and their times: exactly one for each turn, written with the plies."""

from typing import Any

import pytest

from domain.lifecycle import CancelGame, Resign, TakeBack
from domain.refusal import Refused
from service.database.store import Store
from service.notices import owing
from service.notices.hearers import Hearer
from tests import toy
from tests.service.lanterns import ANN, BOB, CLEO, NOON, SETTLE, game, give, lead, open_table, play_on
from tests.toy import Choose, Pick, Stop, Walk, Whisper
from tests.workers.post import ledger, outbox, person, sit_down, table


def keys(rows: list[Any]) -> list[tuple[str, int, int]]:
    return [(row.kind, row.seat, row.ply) for row in rows]


def test_each_player_asked_at_the_start_gets_one_mail(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    start = game(store, game_id).version
    assert keys(outbox(store)) == [("turn", ANN, start), ("turn", BOB, start)]


def test_bots_get_no_mail(store: Store) -> None:
    table(store, "random", person(store, "Bob"))
    assert [row.seat for row in outbox(store)] == [BOB]


def test_a_seat_that_is_asked_already_keeps_its_notice(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    first = len(outbox(store))
    leader = lead(store, game_id)
    told = len(outbox(store)) - first
    for _ in range(2):
        give(store, game_id, leader, Walk(1))
    assert len(outbox(store)) - first == told
    assert told == (0 if leader == BOB else 1)  # Bob chose last: he was asked all the time


def test_quiet_and_hidden_plies_owe_nobody_anything(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    before = len(outbox(store))
    give(store, game_id, ANN, Whisper(7))
    give(store, game_id, ANN, Choose(game(store, game_id).state.hands[ANN][0]))
    assert len(outbox(store)) == before


def hand_on(store: Store, at: int) -> tuple[str, int, int]:
    """Return a game in which the leader has ended the round but can take that back, the leader, and the other."""
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    leader = lead(store, game_id)
    give(store, game_id, leader, Stop(), at=at)
    return game_id, leader, BOB if leader == ANN else ANN


def test_a_mail_waits_while_its_ply_can_be_taken_back(store: Store) -> None:
    at = NOON + 5_000
    game_id, _, other = hand_on(store, at)
    last = outbox(store, "turn", other)[-1]
    assert (last.ply, last.due_at) == (game(store, game_id).version, at + SETTLE + 1)


def test_a_mail_leaves_at_once_when_nothing_can_be_taken_back(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    leader = lead(store, game_id)
    other = BOB if leader == ANN else ANN
    give(store, game_id, leader, Pick(), at=NOON + 5_000)  # a card is drawn
    assert outbox(store, "turn", other)[-1].due_at == NOON + 5_000


def test_a_player_who_takes_a_turn_back_gets_no_mail_about_it(store: Store) -> None:
    game_id, leader, other = hand_on(store, NOON)
    before = outbox(store)
    give(store, game_id, leader, TakeBack(game(store, game_id).version))
    assert game(store, game_id).asked == (leader,)
    assert outbox(store) == before
    give(store, game_id, leader, Stop())
    again = outbox(store, "turn", other)[-1]
    assert again.ply == game(store, game_id).version
    assert again.id != before[-1].id


def test_mail_after_a_bots_answer_waits_for_a_player_probably_at_the_table(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), "random")
    give(store, game_id, ANN, Choose(game(store, game_id).state.hands[ANN][0]))
    while ANN not in game(store, game_id).asked:
        now = game(store, game_id)
        give(store, game_id, BOB, now.title.rules.safe(now.state, BOB), cause="bot")
    assert outbox(store, "turn", ANN)[-1].due_at == NOON + SETTLE + 1


def test_a_notice_belongs_to_the_ply_that_asked(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    leader = lead(store, game_id)
    other = BOB if leader == ANN else ANN
    card = game(store, game_id).state.hands[leader][0]
    give(store, game_id, leader, Walk(1), Stop(), Choose(card))
    assert outbox(store, "turn", other)[-1].ply == game(store, game_id).version - 1


def test_all_hear_of_the_end_once(store: Store) -> None:
    people = [person(store, "Ann"), person(store, "Bob")]
    game_id = table(store, *people)
    over = play_on(store, game_id)
    assert keys(outbox(store, "over")) == [("over", ANN, over.version), ("over", BOB, over.version)]


def test_a_player_who_left_hears_only_of_the_end(store: Store) -> None:
    game_id = table(store, *(person(store, name) for name in ("Ann", "Bob", "Cleo")))
    give(store, game_id, CLEO, Resign())
    before = len(outbox(store, seat=CLEO))
    play_on(store, game_id)
    assert [row.seat for row in outbox(store, "over")] == [ANN, BOB, CLEO]
    assert len(outbox(store, seat=CLEO)) == before + 1


def test_a_player_whose_leaving_ends_the_game_hears_the_result(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    give(store, game_id, ANN, Resign())
    assert game(store, game_id).status == "over"
    assert [row.seat for row in outbox(store, "over")] == [ANN, BOB]


def test_seated_people_hear_that_the_table_was_closed(store: Store) -> None:
    game_id = open_table(store, 2)
    sit_down(store, game_id, person(store, "Ann"))
    give(store, game_id, None, CancelGame())
    assert keys(outbox(store)) == [("cancelled", ANN, game(store, game_id).version)]


def test_a_refusal_owes_nobody_anything(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    before = outbox(store)
    with pytest.raises(Refused):
        give(store, game_id, ANN, Stop())
    assert outbox(store) == before


def test_message_ids_are_stable_anonymous_and_unique(store: Store) -> None:
    people = [person(store, "Ann"), person(store, "Bob")]
    game_id = table(store, *people)
    play_on(store, game_id)
    ids = [row.message_id for row in outbox(store)]
    assert len(set(ids)) == len(ids)
    start = outbox(store)[0]
    assert start.message_id.startswith(f"<turn.{game_id}.{start.ply}.")
    assert start.message_id.endswith("@localhost>")
    assert "ann" not in start.message_id.replace(game_id, "")
    row = owing.row_of(store.settings, game_id, "turn", Hearer(people[0], ANN, start.ply), NOON)
    assert row["message_id"] == start.message_id


def test_an_address_is_invited_to_a_game_once(store: Store) -> None:
    host = person(store, "Ann")
    game_id = open_table(store, 2)
    invitation = {"game_id": game_id, "number": 0, "address": "new@example.org", "by": host, "lang": "de", "at": NOON}
    with store.write() as conn:
        assert owing.invite(conn, store.settings, **invitation)
        assert not owing.invite(conn, store.settings, **invitation)
        assert owing.invite(conn, store.settings, **invitation | {"address": "other@example.org"})
    assert [row.address for row in outbox(store, "invitation")] == ["new@example.org", "other@example.org"]


def test_the_ledger_is_the_persons_own(store: Store) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    table(store, ann, bob)
    assert [(entry.kind, [step.what for step in entry.steps]) for entry in ledger(store, ann)] == [("turn", ["queued"])]
    assert {entry.id for entry in ledger(store, ann)}.isdisjoint(entry.id for entry in ledger(store, bob))


def test_players_not_asked_at_the_start_hear_that_it_has_begun(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    only_bob = toy.ruled(asked=lambda state: tuple(seat for seat in toy.asked(state) if seat == BOB))
    monkeypatch.setattr(store, "titles", {"toy": only_bob})
    table(store, *(person(store, name) for name in ("Ann", "Bob", "Cleo")))
    assert [(row.kind, row.seat) for row in outbox(store)] == [("turn", BOB), ("started", ANN), ("started", CLEO)]
