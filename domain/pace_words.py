"""A pace in words: the agreement of a table, sentence by sentence. `house_words` includes the names."""

from collections.abc import Mapping

from domain.pace import DAY, HOUR, MINUTE, PRESETS, Pace, wait
from domain.words import Name, Sentence

NAMES: Mapping[str, Name] = {
    "pace_none": "no clock",
    "pace_free": "a pace of its own",
    "pace_week": "a week a turn",
    "pace_three_days": "three days a turn",
    "pace_day": "a day a turn",
    "pace_weekdays": "weekdays only",
    "pace_evenings": "quick, in waking hours",
    "day_1": "Monday",
    "day_2": "Tuesday",
    "day_3": "Wednesday",
    "day_4": "Thursday",
    "day_5": "Friday",
    "day_6": "Saturday",
    "day_7": "Sunday",
}


def then(pace: Pace) -> Sentence:
    """Say the consequence of a missed deadline."""
    match pace.then:
        case "remind":
            return Sentence("When the time runs out, we tell the player and the game keeps waiting.")
        case "safe":
            return Sentence("When the time runs out, the safe move is made for you.")
        case "bot":
            return Sentence("When the time runs out, a bot plays on until the player returns.")
        case "substitute":
            return Sentence("When the time runs out, a substitute can take over the seat.")
    return Sentence("When the time runs out, the seat leaves the game.")


def described(pace: Pace) -> list[Sentence]:
    """Describe all of a pace."""
    said = [Sentence("Time for a turn: {time}.", {"time": duration(pace.turn)})]
    if pace.cap:
        facts = {"time": duration(pace.bank), "gain": duration(pace.gain), "cap": duration(pace.cap)}
        said.append(Sentence("Time in hand at the start: {time}. Each turn adds {gain}, up to {cap}.", facts))
    if pace.hour is not None:
        hour = f"{pace.hour // 60}:{pace.hour % 60:02}"
        said.append(Sentence("Deadlines fall at {hour} in each player's own time zone.", {"hour": hour}))
    if pace.days_off:
        days = tuple(f"day_{day}" for day in pace.days_off)
        said.append(Sentence("Days that do not count: {days}.", {"days": days}))
    if pace.waking:
        said.append(Sentence("Only each player's waking hours count."))
    if pace.absences:
        said.append(Sentence("Vacations and holidays do not count."))
    else:
        said.append(Sentence("Vacations and holidays count like other days."))
    if pace.renew:
        said.append(Sentence("The clock restarts with each move."))
    else:
        said.append(Sentence("This must be enough time for all the moves in a turn."))
    if pace.reminders:
        times = tuple(_in_one_unit(before) for before in pace.reminders)
        said.append(Sentence("Reminders before the deadline: {times}.", {"times": times}))
    said.append(then(pace))
    if pace.then == "bot":
        said.append(
            Sentence(
                "The bot plays the missed turn at once. Before each later turn, the bot waits {time}.",
                {"time": duration(wait(pace))},
            )
        )
    if pace.then != "remind":
        said.append(Sentence("When all players are away, the game pauses."))
    if pace.excuse:
        said.append(Sentence("The first missed deadline of each seat is excused."))
    return said


def _in_one_unit(time: int) -> Sentence:
    """Say a span of time in the largest unit that expresses it exactly; one among others in a list."""
    if time % DAY == 0:
        return Sentence("{days:day|days}", {"days": time // DAY})
    if time % HOUR == 0:
        return Sentence("{hours:hour|hours}", {"hours": time // HOUR})
    return Sentence("{minutes:minute|minutes}", {"minutes": time // MINUTE})


def duration(time: int) -> tuple[Sentence, ...]:
    """Say a span of time in its two largest units, rounded down to minutes; one sentence for each."""
    days, hours, minutes = time // DAY, time % DAY // HOUR, time % HOUR // MINUTE
    parts = [
        *([Sentence("{days:day|days}", {"days": days})] if days else []),
        *([Sentence("{hours:hour|hours}", {"hours": hours})] if hours else []),
        *([Sentence("{minutes:minute|minutes}", {"minutes": minutes})] if minutes else []),
    ]
    return tuple(parts[:2]) or (Sentence("{minutes:minute|minutes}", {"minutes": 0}),)


assert {f"pace_{name}" for name in PRESETS} <= NAMES.keys()
