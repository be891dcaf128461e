"""Rights at a table: the actions that are offered and those that pass agree, for everybody at every stage of a game."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, get_args

import pytest
from sqlalchemy import Connection

from domain.clock import CallTime
from domain.lifecycle import CancelGame, StartGame
from domain.pace import DAY, HOUR, Pace
from domain.refusal import Refused
from service.base import links
from service.database.store import NoSuchGame, Store
from service.database.work import Work
from service.games import lobby, moves, opening, rights, seats
from service.games.offers import Offer
from service.games.play import Submission, submit
from service.games.rights import RIGHTS, Actor, ByLink, ByPerson, Forbidden, May, SeatChanged
from service.games.turn import submission
from service.people.accounts import SCOPES
from tests import road
from tests.service.games.test_faster import people
from tests.service.lanterns import ANN, BOB, NOON, game, give, lead, play_on
from tests.toy import Walk

OFTEN = Pace(turn=DAY, excuse=False, then="substitute")


class Passed(Exception):
    """The submission was written."""


class Dry(Work):
    """Work that rolls back all writes."""

    @contextmanager
    def writing(self, *, append_only: bool = False) -> Iterator[Connection]:
        with super().writing() as conn:
            yield conn
            raise Passed


def tries(store: Store, game_id: str, at: int) -> dict[May, Callable[[Work, Any], Any]]:
    """Action -> a function that does it."""
    table = game(store, game_id).table
    assert table is not None
    to = table.proposal.to if table.proposal else 1
    vacant = next(iter(sorted(table.time.vacant)), ANN) if table.time else ANN

    def wish(what: Any, *commands: Any) -> Callable[[Work, Any], Any]:
        return lambda work, actor: submit(work, actor, Submission(game_id, what, commands, at=at))

    def move(work: Work, actor: ByPerson) -> Any:
        now = work.game(game_id).game
        seat = rights.see(work, actor, game_id).seat
        if now.status == "open" or seat not in now.asked:
            raise Refused("ST 8", "This seat is not asked.")
        return submit(work, actor, submission(game_id, [now.title.rules.safe(now.state, seat)], None, at=at))

    def take_back(work: Work, actor: ByPerson) -> Any:
        for ply in range(work.game(game_id).game.version, 0, -1):  # the seat's last ply may be a proposal
            with suppress(Refused):
                return wish("take_back", moves.TakeBack(ply))(work, actor)
        raise Refused("ST 7", "No ply can be taken back.")

    def invite(work: Work, actor: ByPerson) -> Any:
        lobby.invitation(work, actor, game_id)
        raise Passed

    return {
        "join": lambda work, actor: lobby.join(work, actor, game_id, choice={}, at=at),
        "decline": lambda work, actor: lobby.decline(work, actor, game_id, at=at),
        "leave": lambda work, actor: lobby.leave(work, actor, game_id, at=at),
        "start": lambda work, actor: lobby.start(work, actor, game_id, at=at),
        "cancel": lambda work, actor: lobby.cancel(work, actor, game_id, at=at),
        "invite": invite,
        "move": move,
        "take_back": take_back,
        "propose_rewind": lambda work, actor: moves.propose_rewind(
            work, actor, game_id, work.game(game_id).game.version - 1, at=at
        ),
        "agree_to_rewind": wish("agree_to_rewind", moves.AgreeToRewind(to)),
        "refuse_rewind": wish("refuse_rewind", moves.RefuseRewind()),
        "resign": wish("resign", moves.Resign()),
        "return_to_seat": lambda work, actor: seats.return_to_seat(work, actor, game_id, at=at),
        "take_over": lambda work, actor: seats.take_over(work, actor, game_id, vacant, at=at),
        "stand_in": lambda work, actor: seats.stand_in(work, actor, game_id, vacant, at=at),
        "set_pace": lambda work, actor: lobby.set_pace(work, actor, game_id, None, at=at),
        "set_offer": lambda work, actor: lobby.set_offer(work, actor, game_id, Offer(), by_invitation=False),
    }


def passes(attempt: Callable[[Work, Any], Any], store: Store, actor: Actor) -> bool:
    try:
        attempt(Dry(store), actor)
    except Passed:
        return True
    except (Refused, Forbidden):
        return False
    raise AssertionError("it was written")


Stage = Callable[[Store, str, int, int], int]
"""Brings a table to a stage, and returns the time there."""


def free(store: Store, game_id: str, ann: int, bob: int) -> int:
    road.take_seat(store, game_id, ANN, choice={}, at=NOON, person_id=ann)
    return NOON


def full(store: Store, game_id: str, ann: int, bob: int) -> int:
    free(store, game_id, ann, bob)
    road.take_seat(store, game_id, BOB, choice={}, at=NOON, person_id=bob)
    return NOON


def cancelled(store: Store, game_id: str, ann: int, bob: int) -> int:
    full(store, game_id, ann, bob)
    give(store, game_id, None, CancelGame())
    return NOON


def begun(store: Store, game_id: str, ann: int, bob: int) -> int:
    full(store, game_id, ann, bob)
    give(store, game_id, None, StartGame())
    return NOON


def walked(store: Store, game_id: str, ann: int, bob: int) -> int:
    begun(store, game_id, ann, bob)
    give(store, game_id, lead(store, game_id), Walk(1))
    return NOON


def proposed(store: Store, game_id: str, ann: int, bob: int) -> int:
    walked(store, game_id, ann, bob)
    road.propose_rewind(store, game_id, ANN, game(store, game_id).version - 1, at=NOON)
    return NOON + HOUR


def vacant(store: Store, game_id: str, ann: int, bob: int) -> int:
    begun(store, game_id, ann, bob)
    give(store, game_id, BOB, game(store, game_id).title.rules.safe(game(store, game_id).state, BOB))
    road.submit(store, game_id, None, [CallTime(ANN)], None, None, NOON + DAY + HOUR, "clock")
    return NOON + DAY + 2 * HOUR


def played_for(store: Store, game_id: str, ann: int, bob: int) -> int:
    at = vacant(store, game_id, ann, bob)
    road.stand_in(store, game_id, ANN, at=at)
    return at + 1


def paused(store: Store, game_id: str, ann: int, bob: int) -> int:
    begun(store, game_id, ann, bob)  # both are asked, and late
    road.submit(store, game_id, None, [CallTime(ANN)], None, None, NOON + DAY + HOUR, "clock")
    return NOON + DAY + 2 * HOUR


def over(store: Store, game_id: str, ann: int, bob: int) -> int:
    begun(store, game_id, ann, bob)
    play_on(store, game_id)
    return NOON + HOUR


STAGES: tuple[Stage, ...] = (free, full, cancelled, begun, walked, proposed, vacant, played_for, paused, over)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
def test_exactly_the_offered_actions_pass(store: Store, stage: Stage) -> None:
    host, ann, bob, stranger = people(store, "Harriet", "Ann", "Bob", "Cleo")
    game_id = road.open_game(
        store,
        title="toy",
        options={"length": "short"},
        seats=2,
        name="A table",
        host_id=host,
        public=True,
        at=NOON,
        settle_ms=60_000,
        pace=OFTEN if stage in (vacant, played_for, paused) else None,
    ).game_id
    at = stage(store, game_id, ann, bob)
    attempts = tries(store, game_id, at)
    assert list(attempts) == list(get_args(May))
    for who in (None, host, ann, bob, stranger):
        actor = ByPerson(who)
        said = rights.may(rights.see(Work(store), actor, game_id), at)
        assert said == [what for what, attempt in attempts.items() if passes(attempt, store, actor)], who


def test_joining_is_offered_at_a_table_of_sealed_words_too(store: Store) -> None:
    (ann,) = people(store, "Ann")
    game_id = road.open_game(
        store, title="toy", options={}, seats=2, name="x", host_id=None, public=True, at=NOON, settle_ms=0, sealed=True
    ).game_id
    assert rights.may(rights.see(Work(store), ByPerson(ann), game_id), NOON) == ["join"]


# ==== tokens and links ============================================================================
@pytest.mark.parametrize("what", RIGHTS)
def test_a_token_does_what_its_scopes_allow(store: Store, what: Any) -> None:
    host, ann, bob = people(store, "Harriet", "Ann", "Bob")
    game_id = road.open_game(
        store, title="toy", options={}, seats=2, name="x", host_id=host, public=True, at=NOON, settle_ms=0
    ).game_id
    full(store, game_id, ann, bob)
    who = host if RIGHTS[what].who == "host" else ann
    work, scope = Work(store), RIGHTS[what].scope
    others = tuple(sorted({*SCOPES} - {scope}))
    assert rights.must_have(work, ByPerson(who, (scope,)), work.game(game_id), what).cause == "player"
    with pytest.raises(Forbidden) as forbidden:
        rights.must_have(work, ByPerson(who, others), work.game(game_id), what)
    assert (forbidden.value.why, forbidden.value.scope) == ("scope", scope)
    with pytest.raises(Forbidden) as unknown:
        rights.must_have(work, ByPerson(None), work.game(game_id), what)
    assert unknown.value.why == "sign_in"


def test_no_token_does_what_only_a_browser_may_do() -> None:
    assert rights.must_be(ByPerson(7), None) == 7
    with pytest.raises(Forbidden, match="browser_only"):
        rights.must_be(ByPerson(7, SCOPES), None)


@pytest.mark.parametrize("what", RIGHTS)
def test_the_link_of_a_mail_plays_its_turn_and_opens_words_and_no_more(store: Store, what: Any) -> None:
    host, ann, bob = people(store, "Harriet", "Ann", "Bob")
    game_id = road.open_game(
        store, title="toy", options={}, seats=2, name="x", host_id=host, public=False, at=NOON, settle_ms=0
    ).game_id
    work = Work(store)
    for seat, who in ((ANN, ann), (BOB, bob)):
        invite = links.invitation(store.settings, game_id, 0)
        lobby.join(work, ByPerson(who, invite=invite), game_id, choice={}, seat=seat, at=NOON)
    version = work.game(game_id).game.version
    link = ByLink(links.TurnLink(game_id, ANN, version, ann, NOON + DAY))
    by_link = RIGHTS[what].by_link
    if by_link == "never":
        with pytest.raises(Forbidden, match="by_link"):
            rights.must_have(work, link, work.game(game_id), what)
    else:
        assert rights.must_have(work, link, work.game(game_id), what).seat == ANN
    give(store, game_id, None, StartGame())
    later = Work(store)
    if by_link == "that turn":
        with pytest.raises(Forbidden, match="earlier_turn"):
            rights.must_have(later, link, later.game(game_id), what)
    road.submit(store, game_id, ANN, [moves.Resign()], None, None, NOON)
    elsewhere = ByLink(links.TurnLink(game_id, BOB, version, ann, NOON + DAY))
    with pytest.raises(NoSuchGame):
        rights.must_have(later, elsewhere, later.game(game_id), what)


# ==== bots and hosts ==============================================================================
def test_a_bot_that_has_left_its_seat_does_nothing(store: Store) -> None:
    (host,) = people(store, "Harriet")
    game_id = road.open_game(
        store, title="toy", options={}, seats=2, name="x", host_id=host, public=True, at=NOON, settle_ms=0
    ).game_id
    work = Work(store)
    lobby.seat_bot(work, ByPerson(host), game_id, "random", at=NOON)
    assert rights.must_have(work, rights.ByBot(ANN, "random"), work.game(game_id), "move").cause == "bot"
    for seat, name in ((ANN, "sensible"), (BOB, "random")):
        with pytest.raises(SeatChanged):
            rights.must_have(work, rights.ByBot(seat, name), work.game(game_id), "move")


def test_only_who_may_host_opens_a_table(store: Store) -> None:
    given: dict[str, Any] = {"title": "toy", "options": {}, "seats": 2, "name": "x", "public": True, "settle_ms": 0}
    for actor in (ByPerson(None), ByPerson(7, ("read", "play"))):
        with pytest.raises(Forbidden):
            opening.open_table(Work(store), actor, **given)
