"""Texts that are the same in every title: names, and sentences for the house's own events.

Titles merge `NAMES` into theirs and narrate each event by `tell`. `EventsOfPly` lets their own narrators look at the
other events of the ply.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import asdict

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


TOLD: Mapping[type[Event], Sentence] = {
    **dict.fromkeys((lifecycle.TableOpened1, lifecycle.TableOpened), Sentence("A table for {seats} is opened.")),
    **dict.fromkeys((lifecycle.SeatTaken1, lifecycle.SeatTaken), Sentence("{seat} sits down.")),
    sealed.WordsCalled: Sentence("All seats are taken. The game is waiting for the sealed words."),
    sealed.WordsSealed: Sentence("{seat} seals new words."),
    sealed.WordsRevealed: Sentence("{seat} opens the sealed words."),
    sealed.SeatLost: Sentence("{seat} did not open the sealed words in time, so the seat is free again."),
    sealed.WordsVoided: Sentence("Nothing has been dealt; everybody seals new words."),
    lifecycle.SeatGivenUp: Sentence("{seat} leaves the table."),
    lifecycle.GameCancelled: Sentence("The game is called off."),
    lifecycle.RewindProposed: Sentence("{seat} proposes a rewind to move {to}."),
    lifecycle.RewindAgreed: Sentence("{seat} agrees to rewind."),
    lifecycle.RewindRefused: Sentence("{seat} does not want to rewind."),
    lifecycle.Rewound: Sentence("The game is rewound to move {to}."),
    clock.ClockMoved: Sentence("{seat} is away: the clock waits."),
    clock.ClocksSetRight: Sentence(
        "The service's clock was fast and has been corrected. Deadlines that it had made too late are earlier again."
    ),
    clock.TimeRanOut: Sentence("{seat} has run out of time."),
    clock.MissExcused: Sentence("This first missed deadline is excused, and the turn starts again."),
    clock.BotPlaysOn: Sentence("A bot plays on for {seat}."),
    clock.SeatOpened: Sentence("A substitute may now take over the seat of {seat}."),
    clock.SeatReturned: Sentence("{seat} is back."),
    clock.SeatTakenOver: Sentence("{seat} takes over the seat."),
    clock.GamePaused: Sentence("All players are away. The game pauses until somebody is back."),
    clock.GameResumed: Sentence("The game goes on."),
}
"""Sentences that the fields of an event complete. (Clocks and waiting stand-ins are shown beside the seats instead.)"""


def narrate(event: Event) -> list[Sentence]:
    """Return the sentence for an event of `lifecycle`, if there is one. (Its title narrates how a game begins.)"""
    match event:
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
        case clock.PaceSet(pace=pace) if pace is not None:
            return [Sentence("The table agrees on a pace."), *pace_words.described(pace)]
        case clock.PaceSet():
            return [Sentence("The table agrees to play without a clock.")]
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
    return _about(event, TOLD[type(event)]) if type(event) in TOLD else []


def _about(event: Event, template: Sentence) -> list[Sentence]:
    """Return the sentence with the event's fields as facts. (A template need not use them all.)"""
    return [Sentence(template.template, asdict(event))]


class EventsOfPly:
    """The events of one ply, for narrators that look at more than their own event."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events

    def each(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def has(self, kind: type[Event]) -> bool:
        return any(isinstance(event, kind) for event in self.events)


Teller = Sentence | Callable[..., list[Sentence]]
"""Narrates an event: a sentence that its fields complete, or a function of the event and its ply."""


def tell(event: Event, tellers: Mapping[type[Event], Teller], *beside: Any) -> list[Sentence]:
    """Return the sentences for an event; none without a teller. ``beside``: passed on to a function."""
    if isinstance(event, lifecycle.EVENTS):
        return narrate(event)
    teller = tellers.get(type(event))
    if teller is None:
        return []
    return _about(event, teller) if isinstance(teller, Sentence) else teller(event, *beside)
