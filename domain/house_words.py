"""Texts that are the same in every title: names, and sentences for the house's own events.

Titles merge `NAMES` into theirs and pass events of `lifecycle` to `narrate`. `EventsOfPly` lets their own narrators
look at the other events of the ply.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from domain import clock, lifecycle, pace_words, sealed
from domain.messages import Event
from domain.pace import HOUR, MINUTE
from domain.words import Name, Sentence, Words

E = TypeVar("E", bound=Event)

NAMES: Mapping[str, Name] = {
    **pace_words.NAMES,
    "": "any",
    "yes": "yes",
    "no": "no",
    "open": "open",
    "running": "running",
    "over": "over",
    "cancelled": "cancelled",
    "resigned": "gave up",
    "timed_out": "out of time",
}


WORDS = Words(NAMES, Path(__file__).parent / "words")
"""The words for speaking outside any title."""


def narrate(event: Event) -> list[Sentence]:
    """Return the sentence for an event of `lifecycle`, if there is one. (How a game begins is narrated
    by the title.)
    """
    match event:
        case lifecycle.TableOpened() | lifecycle.TableOpened2():
            return [Sentence("A table for {seats} is opened.", {"seats": event.seats})]
        case lifecycle.SeatTaken() | lifecycle.SeatTaken2():
            return [Sentence("{seat} sits down.", {"seat": event.seat})]
        case sealed.WordsCalled():
            return [Sentence("All seats are taken. The game is waiting for the sealed words.")]
        case sealed.WordsSealed():
            return [Sentence("{seat} seals new words.", {"seat": event.seat})]
        case sealed.WordsRevealed():
            return [Sentence("{seat} opens the sealed words.", {"seat": event.seat})]
        case sealed.SeatLost():
            return [
                Sentence(
                    "{seat} did not open the sealed words in time, so the seat is free again.", {"seat": event.seat}
                )
            ]
        case sealed.WordsVoided():
            return [Sentence("Nothing has been dealt; everybody seals new words.")]
        case lifecycle.SeatGivenUp():
            return [Sentence("{seat} leaves the table.", {"seat": event.seat})]
        case lifecycle.GameCancelled():
            return [Sentence("The game is called off.")]
        case lifecycle.GameClosed(cause="fault"):
            return [Sentence("An operator closes the table because of a fault in the service. Nobody wins.")]
        case lifecycle.GameClosed(cause="conduct"):
            return [Sentence("An operator closes the table because of a player's conduct. Nobody wins.")]
        case lifecycle.GameClosed(cause="wish"):
            return [Sentence("An operator closes the table at the players' request. Nobody wins.")]
        case lifecycle.GameClosed():
            return [Sentence("An operator closes the table. Nobody wins.")]
        case lifecycle.SeatRetired(why="resigned"):
            return [Sentence("{seat} gives up the game.", {"seat": event.seat})]
        case lifecycle.SeatRetired():
            return [Sentence("{seat} has run out of time and leaves the game.", {"seat": event.seat})]
        case lifecycle.TakenBack():
            number = len(event.plies)
            return [Sentence("{seat} takes back {number:move|moves}.", {"seat": event.seat, "number": number})]
        case lifecycle.RewindProposed():
            return [Sentence("{seat} proposes a rewind to move {to}.", {"seat": event.seat, "to": event.to})]
        case lifecycle.RewindAgreed():
            return [Sentence("{seat} agrees to rewind.", {"seat": event.seat})]
        case lifecycle.RewindRefused():
            return [Sentence("{seat} does not want to rewind.", {"seat": event.seat})]
        case lifecycle.Rewound():
            return [Sentence("The game is rewound to move {to}.", {"to": event.to})]
    return _of_time(event)


def of_luck(table: lifecycle.Table) -> Sentence | None:
    """Say whether the draws of a game could have been chosen; None before it has begun."""
    if table.status != "running":
        return None
    if table.older:
        return Sentence(
            "This table was opened before words of luck could be checked. The operator could have chosen these draws."
        )
    if table.choosable:
        return Sentence("Nobody added words of luck, so the operator could have chosen these draws.")
    if table.sealed:
        return Sentence(
            "Words were sealed before any were opened ({words:seat|seats}: {numbers}). Nobody could have chosen these"
            " draws, not even an operator who played. {failed:attempt|attempts} before that failed.",
            {"words": len(table.brought), "numbers": table.brought, "failed": table.sealed.failed},
        )
    return Sentence(
        "Words of luck were added at {words:seat|seats} ({numbers}). After that, the operator could choose these "
        "draws only by playing and sitting down last.",
        {"words": len(table.brought), "numbers": table.brought},
    )


def _of_time(event: Event) -> list[Sentence]:
    """Return the sentence for an event of time. (Clocks and waiting stand-ins are shown beside the seats instead.)"""
    match event:
        case clock.PaceSet(pace=pace) if pace is not None:
            return [Sentence("The table agrees on a pace."), *pace_words.described(pace)]
        case clock.PaceSet():
            return [Sentence("The table agrees to play without a clock.")]
        case clock.ClockMoved():
            return [Sentence("{seat} is away: the clock waits.", {"seat": event.seat})]
        case clock.TimeGivenBack(lost=lost) if lost < 2 * HOUR:
            return [
                Sentence(
                    "The service was down for {minutes:minute|minutes}. Everybody gets that time back.",
                    {"minutes": max(1, lost // MINUTE)},
                )
            ]
        case clock.TimeGivenBack(lost=lost):
            return [
                Sentence(
                    "The service was down for {hours:hour|hours}. Everybody gets that time back.",
                    {"hours": lost // HOUR},
                )
            ]
        case clock.ClocksSetRight():
            return [
                Sentence(
                    "The service's clock was fast and has been corrected. Deadlines that it had made too late are "
                    "earlier again."
                )
            ]
        case clock.TimeRanOut():
            return [Sentence("{seat} has run out of time.", {"seat": event.seat})]
        case clock.MissExcused():
            return [Sentence("This first missed deadline is excused, and the turn starts again.")]
        case clock.BotPlaysOn():
            return [Sentence("A bot plays on for {seat}.", {"seat": event.seat})]
        case clock.SeatOpened():
            return [Sentence("A substitute may now take over the seat of {seat}.", {"seat": event.seat})]
        case clock.SeatReturned():
            return [Sentence("{seat} is back.", {"seat": event.seat})]
        case clock.SeatTakenOver():
            return [Sentence("{seat} takes over the seat.", {"seat": event.seat})]
        case clock.GamePaused():
            return [Sentence("All players are away. The game pauses until somebody is back.")]
        case clock.GameResumed():
            return [Sentence("The game goes on.")]
    return []


class EventsOfPly:
    """The events of one ply, for narrators that look at more than their own event."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events

    def each(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def has(self, kind: type[Event]) -> bool:
        return any(isinstance(event, kind) for event in self.events)
