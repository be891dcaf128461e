"""An operator who wants to choose the cards, the words of players and their storage, and the verdict of the proof."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select, update

from domain import lifecycle, luck
from domain.chain import Ply, StoredPly, first_link, secret_commitment
from domain.chance import Bag, draw_key, in_order, length_prefixed, picks_of
from domain.game import advance, fold
from domain.lifecycle import StartGame
from domain.messages import Command
from domain.play import decide
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.cards import ALL_CARDS, HAND_DEALT, LOCOMOTIVE
from service.database.store import PERSONS, SEATS, Store
from service.games import opening, queries
from service.games.opening import SecretGone
from service.keeping import personal
from service.people import accounts
from service.proof.audit import Evidence, Report, verify, verify_game
from tests import road
from tests.service.lanterns import ANN, BOB, NOON, game, log, open_table

SECRET, GAME = bytes(range(32)), "grinding"
NOTHING = msgspec.Raw(b"{}")
WISHED = [LOCOMOTIVE] * HAND_DEALT
TRIES = 100_000
"""Attempts of the operator. One deal in 11,500 gives four locomotives to seat 1 as the first seat of two."""


# ==== the operator ================================================================================
class Operator:
    """Knows the secret from the start, writes the log as it likes, and would like to play seat 1 itself."""

    def __init__(self, *opening: tuple[int | None, Command]) -> None:
        self.game = fold(GAME, TITLE, ())
        self.plies: list[Ply] = []
        for seat, command in opening:
            ply = decide(self.game, seat, command, NOON + len(self.plies), "player", SECRET)
            self.plies.append(ply)
            self.game = advance(self.game, ply)

    @property
    def hand(self) -> list[str]:
        return in_order(Bag(self.game.state.players[1].hand))

    def proof(self, change: Callable[[Ply], Ply] = lambda ply: ply) -> Report:
        """The report on the log after each ply is changed and all is hashed anew."""
        link, stored = first_link(GAME), list[StoredPly]()
        for ply in self.plies:
            stored.append(TITLE.chain.store(change(ply), link, GAME, SECRET))
            link = stored[-1].link
        return verify(Evidence(GAME, TITLE, stored, SECRET))[0]


def first_hand(entropies: Sequence[str]) -> list[str]:
    """The first dealt hand if seat 1 begins, else none: computed without a game, for speed."""
    mixed, key = length_prefixed(bytes.fromhex(each) for each in entropies), draw_key(SECRET)
    if picks_of(key, mixed, "TTR 2.2 first seat", 0, 2, 1) != (0,):
        return []
    deck = in_order(Bag(ALL_CARDS))
    return [deck.pop(at) for at in picks_of(key, mixed, "TTR 4.1 train deck", 0, len(deck), HAND_DEALT)]


def first_with_locomotives(tries: Iterator[Any], entropies: Callable[[Any], Sequence[str]]) -> Any:
    return next((each for each in tries if first_hand(entropies(each)) == WISHED), None)


def opened(shape: Any) -> tuple[None, Command]:
    return None, shape(TITLE.id, 2, NOTHING, secret_commitment(SECRET), 0)


BOBS = luck.brought("", "words of Bob")


def test_at_a_table_of_the_older_shape_four_locomotives_could_be_had_and_the_proof_says_so() -> None:
    """Bob's entropy is known, and the service adds bytes of its choice to seat 1."""
    mixed = (f"{number:064x}" for number in range(TRIES))
    lucky = first_with_locomotives(mixed, lambda entropy: (entropy, BOBS))
    assert lucky is not None
    table = Operator(
        opened(lifecycle.OpenTable1),
        (2, lifecycle.TakeSeat1(2, NOTHING, BOBS)),
        (1, lifecycle.TakeSeat1(1, NOTHING, lucky)),
        (None, StartGame()),
    )
    assert table.hand == WISHED
    report = table.proof()
    assert report.proved
    assert report.luck is not None
    assert "operator could have chosen these draws" in report.luck.template


def worded(ann: str | None = None, bot: bool = True) -> Operator:
    """A table to which Bob has brought words before somebody sits down at seat 1."""
    return Operator(
        opened(lifecycle.OpenTable),
        (2, lifecycle.TakeSeat(2, NOTHING, BOBS, False)),
        (1, lifecycle.TakeSeat(1, NOTHING, ann, bot)),
        (None, StartGame()),
    )


def test_with_words_nothing_is_left_to_choose() -> None:
    """The operator cannot write the bytes it needs at seat 1: the share there is fixed, and the proof checks it."""
    honest = worded()
    report = honest.proof()
    assert report.proved
    assert report.brought == {2: BOBS}
    assert report.luck is not None
    assert report.luck.facts == {"words": 1, "numbers": (2,)}
    bobs = honest.game.table.chairs[2].entropy  # type: ignore[union-attr]
    shares = (f"{number:064x}" for number in range(TRIES))
    ours = first_with_locomotives(shares, lambda share: (luck.entropy(None, share), bobs))
    assert ours is not None, "there is such a share"
    assert ours != luck.ours(SECRET, GAME, 1)
    report = honest.proof(lambda ply: _seat_1(ply, ours=ours))
    assert (report.proved, report.faults[0].ply) == (False, 3)
    assert "ours" in str(report.faults[0])
    assert report.luck is None, "of what is not proved it says nothing"


def _seat_1(ply: Ply, **fields: Any) -> Ply:
    (event, *others) = ply.events
    if not isinstance(event, lifecycle.SeatTaken) or event.seat != 1:
        return ply
    return replace(ply, events=(replace(event, **fields), *others))


def test_bobs_words_cannot_be_exchanged_for_others() -> None:
    """Neither in the event alone nor with the command: the draws were made with Bob's own words."""
    honest, others = worded(), luck.brought("", "words of Eve")

    def event_alone(ply: Ply) -> Ply:
        if not isinstance(ply.command, lifecycle.TakeSeat) or ply.seat != 2:
            return ply
        return replace(ply, events=(replace(ply.events[0], brought=others),))

    def both(ply: Ply) -> Ply:
        changed = event_alone(ply)
        return changed if changed is ply else replace(changed, command=replace(ply.command, brought=others))

    assert honest.proof(event_alone).faults[0].ply == 2
    assert honest.proof(both).faults[0].ply == 4


def test_an_operator_who_plays_and_sits_down_last_can_still_try_words() -> None:
    """This remains possible, and the explanation of proofs says so."""
    bobs = worded().game.table.chairs[2].entropy  # type: ignore[union-attr]
    ours = luck.ours(SECRET, GAME, 1)
    tried = (luck.brought("", str(number)) for number in range(TRIES))
    lucky = first_with_locomotives(tried, lambda brought: (luck.entropy(brought, ours), bobs))
    assert lucky is not None
    assert worded(lucky, bot=False).hand == WISHED


# ==== in the store ================================================================================
@pytest.fixture
def ann(store: Store) -> int:
    return person(store, "ann")


def person(store: Store, name: str) -> int:
    with store.write() as conn:
        number, _ = accounts.person_at(conn, f"{name}@example.org", "en", NOON)
        accounts.change(conn, number, 0, name=name.title())
    return number


SALT = "ab" * 32


def sit(store: Store, game_id: str, seat: int, person_id: int, words: str = "seven geese", salt: str = SALT) -> None:
    road.take_seat(store, game_id, seat, choice={}, at=NOON, person_id=person_id, words=words, salt=salt)


def mine(store: Store, game_id: str, person_id: int | None) -> queries.Brought | None:
    with store.read() as conn:
        return queries.brought(store, conn, queries.game_for(store, conn, person_id, game_id))


def test_the_log_holds_the_hash_and_the_seat_keeps_the_words_for_its_player(store: Store, ann: int) -> None:
    game_id = open_table(store, seats=2)
    sit(store, game_id, BOB, ann, "  seven geese\t")
    assert mine(store, game_id, ann) == queries.Brought(BOB, SALT, "seven geese", luck.brought(SALT, "seven geese"), 2)
    assert all(b"geese" not in ply.open and SALT.encode() not in ply.open for ply in log(store, game_id))
    for other in (person(store, "bob"), None):
        assert mine(store, game_id, other) is None


def test_a_bot_and_who_brings_nothing_keep_nothing(store: Store, ann: int) -> None:
    game_id = open_table(store, seats=2)
    road.take_seat(store, game_id, ANN, choice={}, at=NOON, bot="random", words="never")
    sit(store, game_id, BOB, ann, "   ")
    assert mine(store, game_id, ann) is None
    table = game(store, game_id).table
    assert table is not None
    assert [(it.brought, it.bot) for it in table.chairs.values()] == [(None, True), (None, False)]
    with store.read() as conn:
        assert conn.execute(select(SEATS.c.words, SEATS.c.salt)).all() == [("", "")] * 2


def test_words_that_did_not_go_in_are_told_of(store: Store, ann: int) -> None:
    """If salts of two seats are swapped, or other words were hashed, Ann is told that no ply holds hers."""
    game_id, bob = open_table(store, seats=2), person(store, "bob")
    sit(store, game_id, ANN, ann)
    sit(store, game_id, BOB, bob, "a fox", salt="cd" * 32)
    with store.write() as conn:
        for who, salt in ((ann, "cd" * 32), (bob, SALT)):
            conn.execute(update(SEATS).where(SEATS.c.person_id == who).values(salt=salt))
    for who in (ann, bob):
        kept = mine(store, game_id, who)
        assert kept is not None
        assert kept.ply is None
    with store.write() as conn:
        conn.execute(update(SEATS).where(SEATS.c.person_id == ann).values(salt=SALT, words="seven  geese"))
    kept = mine(store, game_id, ann)
    assert kept is not None
    assert kept.ply is None


def test_words_go_with_the_seat_and_with_the_person(store: Store, ann: int) -> None:
    bob = person(store, "bob")
    one, two = open_table(store, seats=2), open_table(store, seats=2)
    for game_id in (one, two):
        sit(store, game_id, ANN, ann)
        sit(store, game_id, BOB, bob, "a fox")
    road.give_up_seat(store, one, ANN, at=NOON, holder=ann)
    assert mine(store, one, ann) is None
    road.submit(store, two, None, [StartGame()], None, None, NOON)
    personal.erase(store, ann, NOON)
    with store.read() as conn:
        rows = conn.execute(select(SEATS.c.game_id, SEATS.c.words).order_by(SEATS.c.joined_at)).all()
    assert sorted(it.words for it in rows) == ["", "a fox", "a fox"]
    assert verify_game(store, two).proved


def test_a_table_that_was_opened_in_the_older_shape_goes_on_in_it(
    store: Store, ann: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        then.setattr(opening, "OpenTable", lambda *given: lifecycle.OpenTable1(*given[:5]))
        game_id = open_table(store, seats=2)
    sit(store, game_id, ANN, ann)
    road.take_seat(store, game_id, BOB, choice={}, at=NOON, bot="random")
    road.submit(store, game_id, None, [StartGame()], None, None, NOON)
    assert mine(store, game_id, ann) is None
    table = game(store, game_id).table
    assert table is not None
    assert table.older
    report = verify_game(store, game_id)
    assert report.proved
    assert report.luck is not None
    assert "before words of luck could be checked" in report.luck.template


# ==== the secret of the next table ================================================================
def test_a_host_is_shown_the_hash_of_the_secret_before_opening_a_table(store: Store, ann: int) -> None:
    shown = opening.next_table(store, ann)
    assert opening.next_table(store, ann) == shown, "it stays until a table is opened with it"
    game_id = open_table(store, host_id=ann, commitment=shown)
    table = game(store, game_id).table
    assert table is not None
    assert table.commitment == shown
    assert verify_game(store, game_id).proved
    with pytest.raises(SecretGone):
        open_table(store, host_id=ann, commitment=shown)
    assert opening.next_table(store, ann) != shown


@pytest.mark.parametrize("commitment", ["", "00" * 32, "nothing"])
def test_no_table_is_opened_with_a_secret_that_was_not_promised(store: Store, ann: int, commitment: str) -> None:
    other = opening.next_table(store, person(store, "bob"))
    for given in (commitment, other):
        with pytest.raises(SecretGone):
            open_table(store, host_id=ann, commitment=given)


def test_the_same_submission_finds_its_table_though_the_secret_is_used(store: Store, ann: int) -> None:
    shown = opening.next_table(store, ann)
    given: dict[str, Any] = {"host_id": ann, "commitment": shown, "submission_id": "a-form"}
    assert open_table(store, **given) == open_table(store, **given)


def test_the_next_secret_is_nobodys_to_see(store: Store, ann: int) -> None:
    opening.next_table(store, ann)
    with store.read() as conn:
        secret = conn.execute(select(PERSONS.c.next_secret).where(PERSONS.c.id == ann)).scalar_one()
    exported = personal.export(store, ann, NOON)
    assert secret.hex().encode() not in exported
