"""The road into games for tests that play seats by their numbers, without checks of the caller's rights."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain import lifecycle
from domain.messages import Command
from service.base import links
from service.database.store import Store
from service.database.work import Work
from service.games import house, lobby, moves, opening, play, seats
from service.games.opening import Opened
from service.games.play import Answer, Submission
from service.games.rights import ByPerson, ByService, Cause, Holder


def submit(
    store: Store,
    game_id: str,
    seat: int | None,
    commands: Sequence[Command],
    expected_version: int | None,
    submission_id: str | None,
    at: int | None = None,
    cause: Cause | None = None,
    *,
    holder: Holder | None = None,
    work: Work | None = None,
) -> Answer:
    """Give commands for a seat. ``cause``: if it is not the seat itself. ``holder``: the seat's person. ``work``: may
    know the game already.
    """
    work = work or Work(store)
    given = Submission(game_id, "house", commands, expected_version, submission_id, at)
    return play.submit(work, ByService(cause or _cause(work, game_id, seat, commands), seat, holder), given)


def _cause(work: Work, game_id: str, seat: int | None, commands: Sequence[Command]) -> Cause:
    """Return the cause of a bot that moves for its own seat."""
    table = work.game(game_id).game.table
    chair = table.chairs.get(seat or 0) if table else None
    of_the_title = not any(isinstance(it, lifecycle.COMMANDS) for it in commands)
    return "bot" if chair is not None and chair.bot and of_the_title else "player"


def open_game(store: Store, *, host_id: int | None, **given: Any) -> Opened:
    return opening.open_table(Work(store), ByService("player") if host_id is None else ByPerson(host_id), **given)


def take_seat(
    store: Store,
    game_id: str,
    seat: int,
    *,
    choice: Mapping[str, Any],
    at: int | None = None,
    person_id: int | None = None,
    bot: str | None = None,
    invitation: int | None = None,
    submission_id: str | None = None,
    **brought: str,
) -> Answer:
    """Sit down a bot, or a person by the invitation of this number (None: the present one)."""
    if person_id is None:
        return lobby.seat_bot(Work(store), ByService("player"), game_id, bot or "", seat=seat, choice=choice, at=at)[0]
    work = Work(store)
    number = work.game(game_id).row.invites if invitation is None else invitation
    invite = links.invitation(store.settings, game_id, number)
    return lobby.join(
        work,
        ByPerson(person_id, invite=invite),
        game_id,
        choice=choice,
        seat=seat,
        at=at,
        submission_id=submission_id,
        **brought,
    )[0]


def give_up_seat(
    store: Store, game_id: str, seat: int, *, at: int | None = None, holder: Holder | None = None
) -> Answer:
    return lobby.leave(Work(store), ByService("player", seat, holder), game_id, at=at)


def seal_words(store: Store, game_id: str, seat: int, seal: str, *, at: int, holder: int) -> Answer:
    return lobby.seal_words(Work(store), ByService("player", seat, holder), game_id, seal, at=at)


def propose_rewind(store: Store, game_id: str, seat: int, to: int, *, at: int) -> Answer:
    return moves.propose_rewind(Work(store), ByService("player", seat), game_id, to, at=at)


def give_time_back(store: Store, game_id: str, lost: int, *, at: int) -> Answer:
    return house.give_time_back(Work(store), game_id, lost, at=at)


def return_to_seat(store: Store, game_id: str, seat: int, *, at: int) -> Answer:
    return seats.return_to_seat(Work(store), ByService("player", seat), game_id, at=at)


def take_over(
    store: Store, game_id: str, seat: int, *, person_id: int, at: int, invitation: int | None = None
) -> Answer:
    invite = "" if invitation is None else links.invitation(store.settings, game_id, invitation)
    return seats.take_over(Work(store), ByPerson(person_id, invite=invite), game_id, seat, at=at)


def stand_in(store: Store, game_id: str, seat: int, *, at: int) -> Answer:
    return seats.stand_in(Work(store), ByService("player"), game_id, seat, at=at)


def renew_invitation(store: Store, game_id: str) -> int:
    """Renew the invitation and return its number."""
    token = lobby.renew_invitation(Work(store), ByService(), game_id)
    return links.open_invitation(store.settings, token).number
