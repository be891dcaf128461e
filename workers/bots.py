"""Bots: they play their seats through the same use case as people."""

import logging
import random
from collections.abc import Sequence

from sqlalchemy import select

from domain.game import Game
from domain.messages import Command
from domain.refusal import Refused
from service.database.store import GAMES, Away, Busy, NoSuchGame, Store
from service.database.work import Work
from service.games import clocks
from service.games.play import Stale, submit
from service.games.rights import ByBot, SeatChanged
from service.games.turn import submission

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Submissions after which a task yields to others. The game stays due, and the next sweep finds it."""
GAMES_AT_ONCE = 50


def play_due(store: Store) -> int:
    """Play in all games that wait for a bot. Return the number of accepted submissions."""
    at = store.now()
    with store.read() as conn:
        due = select(GAMES.c.id).where(GAMES.c.bot_at <= at).order_by(GAMES.c.moved_at)
        games = list(conn.scalars(due.limit(GAMES_AT_ONCE)))
    return sum(_play_or_leave(store, game_id) for game_id in games)


def _play_or_leave(store: Store, game_id: str) -> int:
    """Play one game. If a bot fails, log it and go on, so that no other game waits."""
    try:
        return play_game(store, game_id)
    except Away:
        raise  # the database is away for all games
    except Exception:
        log.exception("the bots of game %s failed", game_id)
        return 0


def play_game(store: Store, game_id: str) -> int:
    """Play until the game asks no bot that may move now. Return the number of accepted submissions.

    A refused plan is planned again, because chance or another seat has changed the game meanwhile. Several workers may
    play one game at once: each submission carries the version of its plan, and only the first one is accepted.
    """
    dice = random.Random()
    accepted = failures = 0
    while accepted < AT_ONCE and failures < 5:
        work = Work(store)
        try:
            stored = work.game(game_id)
        except NoSuchGame:
            return accepted
        game, title, at = stored.game, stored.game.title, stored.now()
        seat = next((seat for seat, since in clocks.bots_asked(game, stored.seats).items() if since <= at), None)
        if seat is None:
            return accepted
        bot = next(it.bot for it in stored.seats if it.seat == seat)
        commands = title.bots[bot](title.rules.view(game.state, seat), dice)
        try:
            _give(work, ByBot(seat, bot), game, commands)
            accepted, failures = accepted + 1, 0
        except (Stale, SeatChanged, Busy):
            failures += 1
        except Refused as refused:
            failures += 1
            log.error("bot %s in game %s was refused at version %s: %s", bot, game_id, game.version, refused)
    return accepted


def _give(work: Work, bot: ByBot, game: Game, plan: Sequence[Command]) -> None:
    """Submit the whole plan. If it is refused, submit only its first step; the rest is planned again."""
    version = game.version_for(bot.seat)
    try:
        submit(work, bot, submission(game.id, plan, version))
    except Refused:
        if len(plan) == 1:
            raise
        submit(work, bot, submission(game.id, plan[:1], version))
