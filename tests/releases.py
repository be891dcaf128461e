"""Streams of every release, kept for ever: finished games of every title, as that release wrote them.

    python -m tests.releases            # before a release: add streams of the version in pyproject.toml

``tests/releases/<version>/<title>-<number>.jsonl.gz`` is a bundle as ``slowtrain export`` writes it (the game has
ended, so its secret is in it). As few games as possible hold every reachable event, among them a game with a rewind,
one that was closed before it began and one with clocks. ``finals.json.gz`` has the end of each game: status, plies,
result, and the whole position. An existing file is never written again: it shows that old logs still replay.
``flags.json`` has the flags of each class of events (`FLAGS`), which steer all replays and so hold for ever. A version
whose number ends in ".dev0" is in the making and has no folder: its logs may still change their shape.
"""

import gzip
import json
import random
import tomllib
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from domain import TITLES, clock, lifecycle, luck, sealed
from domain.chain import Ply, StoredPly, secret_commitment
from domain.game import Game, advance, fold
from domain.messages import Command, tag_of
from domain.pace import DAY, HOUR, Calendar, Pace
from domain.play import decide
from domain.rules import Action
from domain.timekeeping import by_calendars
from domain.title import Title
from service.proof.bundle.format import Bundle
from tests import record, samples
from tests.contract.games import SETTLE, RandomGame, Step, raw
from tests.service.proof.bundle.bundles import bundle_of, log_of

ROOT = Path(__file__).parent.parent
RELEASES = Path(__file__).parent / "releases"
MOST_GAMES = 300
NEVER = 2**52
FLAGS = ("BARRIER", "QUIET", "HIDDEN")
"""The flags of an event class that a replay uses."""


def version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def in_the_making() -> bool:
    return ".dev" in version()


def folders() -> list[Path]:
    return sorted(folder for folder in RELEASES.iterdir() if folder.is_dir())


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl.gz"))


def read(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes())


def finals(folder: Path) -> dict[str, Any]:
    """Return the final states of a release's games, by the names of their files."""
    found: dict[str, Any] = json.loads(gzip.decompress((folder / "finals.json.gz").read_bytes()))
    return found


def kept_flags(folder: Path) -> dict[str, Any]:
    """Return the flags of a release's event classes: title -> tag -> flags."""
    found: dict[str, Any] = json.loads((folder / "flags.json").read_text())
    return found


def flags(title: Title) -> dict[str, str]:
    """Return the flags of today, including the table's events."""
    kinds = (*lifecycle.EVENTS, *title.rules.events, *title.rules.upcasters)
    return {tag_of(kind): " ".join(flag for flag in FLAGS if getattr(kind, flag)) for kind in sorted(kinds, key=tag_of)}


def final(title: Title, game: Game) -> dict[str, Any]:
    """Return a game's state as plain data, which every later release must reach again."""
    view = None if game.table is None or game.table.status != "running" else title.rules.view(game.state, None)
    return {
        "status": game.status,
        "plies": game.version,
        "result": plain(game.result),
        "view": plain(view),
        "left": [] if game.table is None else [seat for seat, chair in sorted(game.table.chairs.items()) if chair.left],
    }


def plain(thing: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(thing))


def game_of(title: Title, bundle: Bundle) -> Game:
    """Return the game in a full bundle."""
    return fold(bundle.header.game, title, plies_of(title, bundle))


def plies_of(title: Title, bundle: Bundle) -> list[Ply]:
    return [
        title.chain.decode(ply.open.encode(), [_part(index, part) for index, part in enumerate(ply.sealed)])
        for ply in bundle.plies
    ]


def _part(index: int, part: Any) -> Any:
    from domain.chain import SealedPart

    return SealedPart(index, part.seat, part.body.encode())


# ==== choosing ====================================================================================
Played = tuple[str, bytes, list[StoredPly]]
"""A game's id, its secret and its log."""


def played(title: Title) -> Iterator[Played]:
    """Yield games played by hand, then recorded ones, then new ones."""
    yield _of(_closed(title))
    yield _of(_gone_back(title))
    yield _of(_timed(title))
    yield _of(_nobody_there(title))
    yield _of(_sealed(title))
    yield from (_of(_eager(title, number)) for number in EAGER.get(title.id, ()))
    yield from (_of(_hoarded(title, *each)) for each in HOARDED.get(title.id, {}).items())
    for file in record.files(title.id):
        game = record.read(file)
        if {ply.rules for ply in game.plies} == {
            title.rules.version
        }:  # the decisions of an earlier release are among its own
            yield game.game_id, game.secret, game.stored
    for number in count():
        yield _of(record.play(title, number, sensible=number % 10 == 9))
        if number == MOST_GAMES:
            return


def _of(game: RandomGame) -> Played:
    return game.game.id, game.secret, log_of(game, game.game.id)


def _closed(title: Title) -> RandomGame:
    game = RandomGame(title, 1, mischief=False)
    next(game.steps())
    _give(game, None, lifecycle.CancelGame())
    return game


def _gone_back(title: Title) -> RandomGame:
    """Play a game in which a rewind is proposed and refused, proposed again and agreed; then play it out."""
    game = RandomGame(title, 30, mischief=False)  # at which people sit
    steps = game.steps()
    while game.game.status != "running" or len(game.plies) < 40:
        next(steps)
    proposer, *others = (seat for seat in game.game.table.playing if not game.is_bots(seat))
    to = game.game.version - 8
    _give(game, proposer, lifecycle.ProposeRewind(to, tuple(others), NEVER))
    _give(game, others[0], lifecycle.RefuseRewind())
    _give(game, proposer, lifecycle.ProposeRewind(to, tuple(others), NEVER))
    for seat in others:
        _give(game, seat, lifecycle.AgreeToRewind(to))
    for _ in steps:
        pass
    return game


EVERYBODY = {seat: Calendar() for seat in range(1, 11)}
CLOCKED = Pace(DAY, bank=2 * HOUR, gain=HOUR, cap=4 * HOUR, reminders=(3 * HOUR,), then="substitute")


class TimedGame(RandomGame):
    """A random game with clocks, among people: all are always present, and a bot plays a seat when it has to."""

    def take_seat(self, seat: int) -> lifecycle.TakeSeat1 | lifecycle.TakeSeat:
        taken = super().take_seat(seat)
        if isinstance(taken, lifecycle.TakeSeat1) or not taken.bot:
            return taken
        return replace(taken, bot=False, brought=self.dice.randbytes(32).hex())

    def give(self, seat: int | None, command: Command, cause: str | None = None, at: int = 0) -> Step:
        stands_in = self.time is not None and seat in self.time.bots and not isinstance(command, clock.COMMANDS)
        self.at = max(self._now(), at, self.time.waits.get(seat, 0) if stands_in else 0)
        cause = "bot" if stands_in else cause or "player"
        keeper = by_calendars(EVERYBODY)
        return self._took(decide(self.game, seat, command, self.at, cause, self.secret, timekeeper=keeper))

    @property
    def time(self) -> clock.Time | None:
        return self.game.table.time if self.game.table else None

    def miss(self) -> int:
        """Let some seat miss its deadline. Return the seat."""
        seat = self.game.asked[0]
        self.give(None, clock.CallTime(seat), "clock", at=self.game.table.clocks[seat])
        return seat


def _begun(title: Title, number: int, pace: Pace) -> tuple[TimedGame, Iterator[Step]]:
    """Return a game with clocks under way, and its further plies."""
    game = TimedGame(title, number, mischief=False)
    steps = game.steps()
    next(steps)
    game.give(None, clock.SetPace(pace))
    while game.game.status != "running" or len(game.plies) < 20:
        next(steps)
    return game, steps


def _nobody_there(title: Title) -> RandomGame:
    """Play a game on by the clock until nobody is present and somebody comes back; then play it out."""
    game, steps = _begun(title, 4, replace(CLOCKED, then="safe", excuse=False))
    while not game.time.paused:
        game.miss()
    game.give(game.game.table.playing[0], clock.ReturnToSeat())
    for _ in steps:
        pass
    return game


def _timed(title: Title) -> RandomGame:
    """Play a game in which everything happens that can happen to a clock; then the seats leave it."""
    game, steps = _begun(title, 3, CLOCKED)
    ((seat, due), *_) = game.game.table.clocks.items()
    game.give(None, clock.MoveClocks(((seat, due + DAY),), "away"), "service")
    later = tuple((seat, due + HOUR) for seat, due in sorted(game.game.table.clocks.items()))
    game.give(None, clock.MoveClocks(later, "outage", HOUR), "service")
    game.give(None, clock.MoveClocks(tuple((seat, due - 1) for seat, due in later), "set_right"), "service")
    game.miss()  # this first miss is excused
    away = game.miss()
    game.give(None, clock.StandIn(away))
    while away not in game.time.waits:
        next(steps)
    for _ in range(4):
        next(steps)
    game.give(away, clock.ReturnToSeat())
    seat = game.miss()
    seat = seat if seat in game.time.vacant else game.miss()
    game.give(None, clock.TakeOver(seat))
    for _ in range(4):
        next(steps)
    for seat in game.game.table.playing:
        if game.game.status == "running":
            game.give(seat, lifecycle.Resign())
    return game


class SealedGame(RandomGame):
    """A random game with sealed words: one seat is lost over them, and everybody seals new ones."""

    def opening(self) -> Iterator[Step]:
        commitment = secret_commitment(self.secret)
        opened = lifecycle.OpenTable(self.title.id, self.seats, raw(self.options), commitment, SETTLE, True)
        yield self.give(None, opened, "service")
        seats, late = range(1, self.seats + 1), self.seats
        for seat in seats:
            yield self.give(seat, self._sits(seat, 1))
        for seat in seats[:-1]:
            yield self.give(seat, sealed.RevealWords(_words(seat, 1)))
        self.at += sealed.WAIT
        yield self.give(None, sealed.CallWords(), "clock")
        yield self.give(late, self._sits(late, 2))
        for seat in seats[:-1]:
            yield self.give(seat, sealed.SealWords(_seal(seat, 2), self.at + sealed.WAIT))
        for seat in seats:
            yield self.give(seat, sealed.RevealWords(_words(seat, 2)))

    def _sits(self, seat: int, attempt: int) -> lifecycle.TakeSeat:
        choice = self.take_seat(seat).choice
        return lifecycle.TakeSeat(seat, choice, _seal(seat, attempt), False, self.at + sealed.WAIT)


def _words(seat: int, attempt: int) -> str:
    return f"{16 * seat + attempt:02x}" * 32


def _seal(seat: int, attempt: int) -> str:
    return luck.brought("", _words(seat, attempt))


def _sealed(title: Title) -> RandomGame:
    """Play a game that begins with sealed words, and that an operator closes."""
    game = SealedGame(title, 6, mischief=False)
    for step in game.steps():
        if step.after.status == "running" and len(game.plies) > 40:
            break
    _give(game, None, lifecycle.CloseGame("fault"), "service")
    return game


EAGER = {"grand_trunk": {11: ('"foreign_steel_contract"', '"foreign_steel":true')}}
"""By title and number of a game: actions that a player takes whenever they are legal, since bots hardly ever do."""


def _eager(title: Title, number: int) -> RandomGame:
    """Play a game of sensible players who take every action that `EAGER` names."""
    dice = random.Random(number)

    def choose(game: Game, seat: int, actions: Sequence[Action]) -> Command:
        for action in actions:
            if any(word in msgspec.json.encode(action.command).decode() for word in EAGER[title.id][number]):
                return action.command
        return title.bots["sensible"](title.rules.view(game.state, seat), dice)[0]

    game = RandomGame(title, number, mischief=False, choose=choose)
    for _ in game.steps():
        pass
    return game


HOARDED = {"ticket_to_ride": {10: 3}}
"""By title and number of a game: how many seats draw everything and then leave, while the others spend."""


def _hoarded(title: Title, number: int, hoarders: int) -> RandomGame:
    """Play a game in which the remaining seats can do nothing any more."""
    game = RandomGame(title, number, seats=title.seating.seats[1], options=title.seating.options(), mischief=False)

    def choose(_: Game, seat: int, actions: Sequence[Action]) -> Command:
        first = ("KeepTickets", "DrawTickets", *(() if seat <= hoarders else ("ClaimRoute",)), "DrawBlindCard")
        kinds = {tag_of(type(action.command)): action.command for action in actions}
        return next((kinds[kind] for kind in first if kind in kinds), actions[0].command)

    game.choose = choose
    for step in game.steps():
        asked = step.after.asked
        if len(asked) != 1 or step.after.status != "running" or asked[0] > hoarders:
            continue
        tags = {tag_of(type(action.command)) for action in title.rules.actions(step.after.state, asked[0])}
        if tags == {"ClaimRoute"}:
            _give(game, asked[0], lifecycle.Resign())
    return game


def _give(game: RandomGame, seat: int | None, command: Any, cause: str | None = None) -> None:
    def past(number: int) -> Game:
        return fold(game.game.id, game.title, game.plies[:number])

    cause = cause or game.cause_of(seat, command)
    ply = decide(game.game, seat, command, game.at, cause, game.secret, past)
    game.game = advance(game.game, ply, past)
    game.plies.append(ply)


def tags(title: Title, log: list[StoredPly]) -> set[str]:
    """Return the names of the events in a log."""
    return {tag_of(type(event)) for stored in log for event in title.chain.decode(stored.open, stored.sealed).events}


def chosen(title: Title, have: set[str]) -> tuple[list[Played], set[str]]:
    """Return as few games as hold every event that is not among ``have``, and the events that were not met."""
    missing = samples.recorded_today(title) - have
    games, pool = [], []
    for game in played(title):
        if not missing - set().union(*(found for found, _ in pool)):
            break
        pool.append((tags(title, game[2]), game))
    while missing:
        found, game = max(pool, key=lambda each: (len(each[0] & missing), -len(each[1][2])))
        if not found & missing:
            break
        games.append(game)
        missing -= found
    return games, missing


def write(folder: Path) -> None:
    """Add games with events that no game of the folder has."""
    folder.mkdir(parents=True, exist_ok=True)
    ends = finals(folder) if (folder / "finals.json.gz").exists() else {}
    for title in TITLES.values():
        mine = [end for name, end in ends.items() if name.startswith(f"{title.id}-")]
        games, missing = chosen(title, {event for end in mine for event in end["events"]})
        for number, (game_id, secret, log) in enumerate(games, len(mine) + 1):
            file = folder / f"{title.id}-{number}.jsonl.gz"
            file.write_bytes(gzip.compress(bundle_of(title, game_id, secret, log), 9, mtime=0))
            plies = [title.chain.decode(each.open, each.sealed) for each in log]
            ends[file.name] = {**final(title, fold(game_id, title, plies)), "events": sorted(tags(title, log))}
        print(title.id, len(games), "new games; events not met:", ", ".join(sorted(missing)) or "none")
    text = json.dumps(ends, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    (folder / "finals.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    if not (folder / "flags.json").exists():
        said = {title.id: flags(title) for title in TITLES.values()}
        (folder / "flags.json").write_text(json.dumps(said, indent=1) + "\n")


if __name__ == "__main__":
    if in_the_making():
        raise SystemExit(f"{version()} is in the making: give the release its number in pyproject.toml first.")
    write(RELEASES / version())
