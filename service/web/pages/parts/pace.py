"""The pace on the pages: choosing one for a table, by name or freely, and showing the pace of a table."""

from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from domain import house_words, pace_words, words
from domain.pace import DAY, HOUR, MINUTE, PRESETS, Pace, preset_of
from domain.words import Sentence
from service.web.pages.frame import _, reader
from service.words import spoken

UNITS = {"minutes": MINUTE, "hours": HOUR, "days": DAY}
FREELY = Pace(2 * DAY, reminders=(12 * HOUR, 3 * HOUR), then="bot")
"""The first values in the fields of a custom pace."""
SPANS = ("turn", "bank", "gain", "cap", "first", "second")


class BadPace(ValueError):
    """The fields of a custom pace are invalid."""


def say(sentence: Sentence | str) -> str:
    """Return a sentence about time, or the name of an id, in the reader's language."""
    language = spoken(house_words.WORDS, reader().lang)
    return language.name(sentence) if isinstance(sentence, str) else words.say(sentence, language, str)


def left(time: int) -> str:
    """Return a span of time in words: "1 day and 4 hours"."""
    return say(Sentence("{time}", {"time": pace_words.duration(time)}))


def described(pace: Pace) -> list[str]:
    return [say(sentence) for sentence in pace_words.described(pace)]


# ==== the form ====================================================================================
def fields(form: Mapping[str, Any] | None, now: Pace | None = None) -> dict[str, Any]:
    """Return the facts for the form of a pace: the named paces, and the fields of a custom one.

    They hold the values that were sent or, before that, the table's pace ``now``.
    """
    sent = form is not None and "pace" in form
    free = _plain(now or FREELY)
    if sent and form is not None:
        free = {
            **{name: form.get(name, "") for name in (*SPANS, *(f"{span}_unit" for span in SPANS), "hour", "then")},
            **{name: name in form for name in ("waking", "absences", "excuse", "renew")},
            "days_off": form.getlist("days_off") if isinstance(form, MultiDict) else [],
        }
    return {
        "chosen": form["pace"] if sent and form is not None else preset_of(now),
        "named": [(name, say(f"pace_{name}"), described(pace)) for name, pace in PRESETS.items()],
        "free": free, "days": [(str(day), say(f"day_{day}")) for day in range(1, 8)],
        "units": [("minutes", _("minutes")), ("hours", _("hours")), ("days", _("days"))],
        "thens": [
            ("remind", _("an email only; the game waits")), ("safe", _("the safe move is made for you")),
            ("bot", _("a bot plays on until the player returns")),
            ("substitute", _("a substitute can take over the seat")),
            ("resign", _("the seat leaves the game")),
        ],
    }  # fmt: skip


def _plain(pace: Pace) -> dict[str, Any]:
    first, second, *_others = (*pace.reminders, 0, 0)
    spans = dict(zip(SPANS, (pace.turn, pace.bank, pace.gain, pace.cap, first, second), strict=True))
    hour = "" if pace.hour is None else "{:02}:{:02}".format(*divmod(pace.hour, 60))
    free: dict[str, Any] = {"hour": hour, "days_off": [str(day) for day in pace.days_off], "then": pace.then}
    for name, span in spans.items():
        unit = next((unit for unit in ("days", "hours") if span % UNITS[unit] == 0), "minutes")
        unit = "hours" if not span else unit
        free |= {name: str(span // UNITS[unit]), f"{name}_unit": unit}
    return {**free, "waking": pace.waking, "absences": pace.absences, "excuse": pace.excuse, "renew": pace.renew}


def read(form: Any) -> Pace | None:
    """Read the pace in a form; None for no clock. Raises `BadPace`; the domain checks the bounds."""
    chosen = form.get("pace", "none")
    if chosen == "none":
        return None
    if chosen in PRESETS:
        return PRESETS[chosen]
    if chosen != "free":
        raise BadPace
    turn, bank, gain, cap, first, second = (_span(form, name) for name in SPANS)
    days = form.getlist("days_off")
    if not all(day in list("1234567") for day in days) or form.get("then") not in dict(fields(None)["thens"]):
        raise BadPace
    return Pace(
        turn,
        bank=bank,
        gain=gain,
        cap=max(cap, bank),
        hour=_hour(form.get("hour", "")),
        days_off=tuple(sorted({int(day) for day in days})),
        waking="waking" in form,
        absences="absences" in form,
        excuse="excuse" in form,
        renew="renew" in form,
        reminders=tuple(sorted({span for span in (first, second) if span}, reverse=True)),
        then=form["then"],
    )


def _span(form: Any, name: str) -> int:
    number, unit = form.get(name, "").strip() or "0", form.get(f"{name}_unit", "")
    if not (number.isascii() and number.isdecimal() and len(number) <= 5 and unit in UNITS):
        raise BadPace
    return int(number) * UNITS[unit]


def _hour(given: str) -> int | None:
    if not given:
        return None
    minutes = minutes_of(given)
    if minutes is None:
        raise BadPace
    return minutes


def minutes_of(given: str) -> int | None:
    """Return minutes after midnight for a browser's time of day ("08:30"); None if it is none."""
    hours, colon, minutes = given[:5].partition(":")
    if not (colon and hours.isascii() and hours.isdecimal() and minutes.isascii() and minutes.isdecimal()):
        return None
    return int(hours) * 60 + int(minutes) if int(hours) < 24 and int(minutes) < 60 else None


def none() -> str:
    return _("These settings are not valid: please use whole numbers, and times of day like 20:00.")
