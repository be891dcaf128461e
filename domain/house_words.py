"""What is said alike in every title: the German of the house templates, and sentences for the house's own events.

Titles merge `GERMAN` and `NAMES` into their words and hand events of `lifecycle` to `narrate`; what their own tellers
ask of the ply beside their event is `EventsOfPly`.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from domain import clock, lifecycle, pace_words, sealed
from domain.messages import Event
from domain.pace import HOUR, MINUTE
from domain.words import Sentence, Tables

E = TypeVar("E", bound=Event)

GERMAN: Mapping[str, str] = {
    **pace_words.GERMAN,
    # words for every title, and the small words of lines
    "look | show | position": "zeige | zeig | … zeigen | Stellung | schau",
    "help": "Hilfe | hilf",
    "preview | try": "Vorschau | probe",
    "take back | undo | take … back": "zurücknehmen | nimm … zurück | rückgängig",
    "take back all | undo all | take all back": "alles zurücknehmen | nimm alles … zurück",
    "agree | consent": "zustimmen | stimme zu | einverstanden",
    "refuse | decline | disagree": "ablehnen | lehne ab",
    "vacation | holiday": "Urlaub | Ferien",
    "faster": "schneller",
    "slower": "langsamer",
    "note": "Notiz",
    "resign": "aufgeben | gib … auf | gebe … auf",
    "stop": "Ende | Stopp | Schluss",
    "with | to | from | in | on | onto | the | and | a | an | of | for | by | through | into | at | my |"
    " please":
        "mit | nach | von | vom | in | im | auf | am | ins | bei | beim | aus | an | der | die | das | den |"
        " dem | des | und | ein | eine | einen | einer | einem | für | über | durch | zu | zum | zur | mein"
        " | meine | meinen | meinem | meiner | bitte",
    "off | up | out | away | down | back": "ab | an | aus | auf | weg | ein | zurück",
    "0 zero nothing none | 1 one | 2 two | 3 three | 4 four | 5 five | 6 six | 7 seven | 8 eight | 9"
    " nine | 10 ten | 11 eleven | 12 twelve":
        "0 null nichts | 1 eins | 2 zwei zwo | 3 drei | 4 vier | 5 fünf | 6 sechs | 7 sieben | 8 acht | 9"
        " neun | 10 zehn | 11 elf | 12 zwölf",
    "saint st | sainte ste | junction jct | mount mt | fort ft":
        "Saint St | Sainte Ste | Junction Jct | Mount Mt | Fort Ft",
    # refusals of lifecycle and game
    "The game has started: no seat can be taken.": "Die Partie hat begonnen: Es kann kein Platz mehr genommen werden.",
    "This table has {seats} seats.": "Dieser Tisch hat {seats} Plätze.",
    "Seat {number} is taken.": "Platz {number} ist besetzt.",
    "A table goes on in the shape it was opened in.": "Ein Tisch geht in der Form weiter, in der er eröffnet wurde.",
    "A bot brings no words.": "Ein Bot bringt keine Worte mit.",
    "The game has started: a seat can only be resigned.":
        "Die Partie hat begonnen: Einen Platz kann man nur noch aufgeben.",
    "Nobody sits there.": "Dort sitzt niemand.",
    "This game has started already, or was cancelled.": "Diese Partie hat schon begonnen oder wurde abgesagt.",
    "1 of {seats} seats is still free.": "Von {seats} Plätzen ist noch 1 frei.",
    "{missing} of {seats} seats are still free.": "Von {seats} Plätzen sind noch {missing} frei.",
    "Only a game that has not started can be cancelled.":
        "Nur eine Partie, die noch nicht begonnen hat, kann abgesagt werden.",
    "Only a running game can be left.": "Nur eine laufende Partie kann man verlassen.",
    "This seat does not play any more.": "Dieser Platz spielt nicht mehr mit.",
    "This table has not been opened.": "Dieser Tisch ist nicht eröffnet.",
    "This table is open already.": "Dieser Tisch ist schon eröffnet.",
    "The game is over.": "Die Partie ist zu Ende.",
    "The game is not running.": "Die Partie läuft nicht.",
    "There is nothing to take back.": "Es gibt nichts zurückzunehmen.",
    "The turn was handed on, and the time to take it back is over.":
        "Der Zug ist weitergegeben, und die Frist zum Zurücknehmen ist vorbei.",
    "Another seat has acted since.": "Seither hat ein anderer Platz gehandelt.",
    "Chance was asked, or something hidden came to light.":
        "Der Zufall wurde befragt, oder etwas Verdecktes kam ans Licht.",
    "You have played nothing that could be taken back.": "Du hast nichts gespielt, was sich zurücknehmen ließe.",
    "Only plies since {oldest} can be taken back.": "Zurücknehmen kann man nur Züge ab Nummer {oldest}.",
    "The game can go back to plies {first} to {last}.": "Die Partie kann zu den Zügen {first} bis {last} zurückgehen.",
    "It is proposed to go back to ply {to}.": "Vorgeschlagen ist, zu Zug {to} zurückzugehen.",
    "A rewind is proposed already.": "Es liegt schon ein Vorschlag vor, zurückzugehen.",
    "Your consent is not needed, or given already.": "Deine Zustimmung ist nicht nötig oder schon gegeben.",
    "Only who plays in a running game can go back with it.":
        "Nur wer in einer laufenden Partie mitspielt, kann mit ihr zurückgehen.",
    "No rewind is proposed.": "Niemand hat vorgeschlagen zurückzugehen.",
    "The game has gone on: the proposal has fallen.": "Die Partie ist weitergegangen: Der Vorschlag ist hinfällig.",
    "The proposal has expired.": "Die Frist des Vorschlags ist abgelaufen.",
    "There is no title {title} here.": "Ein Spiel {title} gibt es hier nicht.",
    "There is no option {option}.": "Eine Wahl {option} gibt es nicht.",
    "{value} cannot be chosen for {option}.": "{value} steht für {option} nicht zur Wahl.",
    "There is no such bot.": "Diesen Bot gibt es nicht.",
    "You have a seat at this table already.": "Du sitzt schon an diesem Tisch.",
    "You have {most} sandboxes already. Delete one first.":
        "Du hast schon {most} Probepartien. Lösche zuerst eine davon.",
    "A sandbox has {most} plies at most. Step back, or begin another.":
        "Eine Probepartie hat höchstens {most} Züge. Geh zurück oder beginne eine andere.",
    "This sandbox has plies 0 to {last}.": "Diese Probepartie hat die Züge 0 bis {last}.",
    "{seat} is to move, and is played by hand.": "{seat} ist am Zug und wird von Hand gespielt.",
    "Times of a pace are from one minute to sixty days.":
        "Zeiten eines Tempos gehen von einer Minute bis sechzig Tage.",
    "Time in hand and what a turn adds to it are at most what can be in hand: sixty days.":
        "Zeit im Vorrat und was ein Zug hinzufügt sind höchstens so groß wie der größte Vorrat: sechzig Tage.",
    "A deadline falls at a time of day.": "Eine Frist endet zu einer Uhrzeit.",
    "Up to six days of the week can be off.": "Bis zu sechs Wochentage können frei sein.",
    "There are up to four reminders, each later than the one before.":
        "Es gibt bis zu vier Erinnerungen, jede später als die vorige.",
    "The pace is agreed on before the game starts.": "Das Tempo wird vereinbart, bevor die Partie beginnt.",
    "The clocks of this move are not those of the seats it is about.":
        "Die Uhren dieses Zuges sind nicht die der Plätze, um die es geht.",
    "Only a clock that runs can be moved.": "Nur eine laufende Uhr lässt sich verstellen.",
    "A clock is due in the future.": "Eine Uhr läuft in der Zukunft ab.",
    "Lost time is given back, not taken.": "Verlorene Zeit wird zurückgegeben, nicht genommen.",
    "No clock runs for this seat.": "Für diesen Platz läuft keine Uhr.",
    "The time of this seat is not over.": "Die Zeit dieses Platzes ist nicht um.",
    "A bot plays this seat: take it back first.": "Ein Bot spielt diesen Platz: Nimm ihn erst zurück.",
    "This seat stands open: take it back first.": "Dieser Platz steht offen: Nimm ihn erst zurück.",
    "Nobody else plays this seat.": "Diesen Platz spielt niemand sonst.",
    "The game waits for its people.": "Die Partie wartet auf ihre Spieler.",
    "The bot that stands in waits for the player still.": "Der Bot, der einspringt, wartet noch auf den Spieler.",
    "Somebody is there: the game does not pause.": "Es ist jemand da: Die Partie pausiert nicht.",
    "Nobody is there: the game pauses.": "Es ist niemand da: Die Partie pausiert.",
    "This seat does not look for a substitute.": "Dieser Platz sucht keine Vertretung.",
    "This table has no clock.": "Dieser Tisch hat keine Uhr.",
    "The table agrees to play without a clock.": "Der Tisch einigt sich darauf, ohne Uhr zu spielen.",
    # who brought words
    "Nobody brought words of luck: the operator could have chosen these draws.":
        "Niemand hat Glücksworte mitgebracht: Der Betreiber könnte diese Ziehungen ausgesucht haben.",
    "The table was opened before what seats add to chance could be checked: the operator could have chosen these "
    "draws.":
        "Der Tisch wurde eröffnet, bevor sich prüfen ließ, was die Plätze zum Zufall beitragen: Der Betreiber könnte "
        "diese Ziehungen ausgesucht haben.",
    "Words of luck were brought to {words:seat|seats} ({numbers}): from then on nothing was left by which the operator "
    "could have chosen these draws, unless it played along and sat down last.":
        "Glücksworte kamen an {words:Platz|Plätze} ({numbers}): Von da an blieb dem Betreiber nichts, womit er diese "
        "Ziehungen hätte aussuchen können, außer er spielte mit und setzte sich als Letzter.",
    "Words were sealed before any of them was opened ({words:seat|seats}: {numbers}): nobody could have chosen these "
    "draws, not even an operator who played along. {failed:attempt|attempts} before came to nothing.":
        "Worte wurden versiegelt, bevor eines geöffnet war ({words:Platz|Plätze}: {numbers}): Niemand könnte diese "
        "Ziehungen ausgesucht haben, auch kein Betreiber, der mitspielte. {failed:Versuch|Versuche} davor blieben ohne "
        "Ergebnis.",
    "At this table one sits down with sealed words.": "An diesen Tisch setzt man sich mit versiegelten Worten.",
    "The deadline for words lies in the future.": "Die Frist für Worte liegt in der Zukunft.",
    "There is nothing to seal.": "Es gibt nichts zu versiegeln.",
    "There is nothing to open.": "Es gibt nichts zu öffnen.",
    "Your words are open already.": "Deine Worte sind schon offen.",
    "Words are opened when all have sat down and sealed theirs.":
        "Worte werden geöffnet, wenn alle sitzen und ihre versiegelt haben.",
    "These are not the words that were sealed.": "Das sind nicht die Worte, die versiegelt wurden.",
    "No time runs for words.": "Für Worte läuft keine Frist.",
    "The time for words is not over.": "Die Frist für Worte ist nicht um.",
    "The game begins when all words are open.": "Die Partie beginnt, wenn alle Worte offen sind.",
    # the story of the table
    "All seats are taken: sealed words are awaited.": "Alle Plätze sind besetzt: Versiegelte Worte werden erwartet.",
    "{seat} seals other words.": "{seat} versiegelt andere Worte.",
    "{seat} opens the sealed words.": "{seat} öffnet die versiegelten Worte.",
    "{seat} has not opened them in time: the seat is free again.":
        "{seat} hat sie nicht rechtzeitig geöffnet: Der Platz ist wieder frei.",
    "Nothing is dealt, and everybody seals other words.":
        "Nichts wird ausgeteilt, und alle versiegeln andere Worte.",
    "A table for {seats} is opened.": "Ein Tisch für {seats} wird eröffnet.",
    "{seat} sits down.": "{seat} setzt sich.",
    "{seat} stands up again.": "{seat} steht wieder auf.",
    "The game is called off.": "Die Partie wird abgesagt.",
    "An operator closes the table because of a fault of the service. Nobody wins.":
        "Der Betrieb schließt den Tisch wegen eines Fehlers des Dienstes. Niemand gewinnt.",
    "An operator closes the table because of somebody's conduct. Nobody wins.":
        "Der Betrieb schließt den Tisch, weil sich jemand nicht benommen hat. Niemand gewinnt.",
    "An operator closes the table, as its players wished. Nobody wins.":
        "Der Betrieb schließt den Tisch auf Wunsch derer, die spielen. Niemand gewinnt.",
    "An operator closes the table. Nobody wins.": "Der Betrieb schließt den Tisch. Niemand gewinnt.",
    "Only a running game can be closed by an operator.": "Nur eine laufende Partie kann der Betrieb schließen.",
    "No person plays this seat.": "Diesen Platz spielt kein Mensch.",
    "{seat} gives up the game.": "{seat} gibt die Partie auf.",
    "{seat} has run out of time and leaves the game.": "{seat} hat die Zeit überschritten und scheidet aus.",
    "{seat} takes back {number:move|moves}.": "{seat} nimmt {number:Spielzug|Spielzüge} zurück.",
    "{seat} proposes to go back to ply {to}.": "{seat} schlägt vor, zu Zug {to} zurückzugehen.",
    "{seat} agrees to go back.": "{seat} stimmt zu, zurückzugehen.",
    "{seat} does not want to go back.": "{seat} möchte nicht zurückgehen.",
    "The game goes back to ply {to}.": "Die Partie geht zu Zug {to} zurück.",
    # time
    "The table agrees on a pace.": "Der Tisch einigt sich auf ein Tempo.",
    "{seat} is away: the clock waits.": "{seat} ist nicht da: Die Uhr wartet.",
    "The service stood still for {minutes:minute|minutes}; everybody gets the time back.":
        "Der Dienst stand {minutes:Minute|Minuten} still; alle bekommen die Zeit zurück.",
    "The service stood still for {hours:hour|hours}; everybody gets the time back.":
        "Der Dienst stand {hours:Stunde|Stunden} still; alle bekommen die Zeit zurück.",
    "The time of {seat} is over.": "Die Zeit von {seat} ist um.",
    "It was the first time: it is excused, and the turn begins again.":
        "Es war das erste Mal: Es ist entschuldigt, und der Zug beginnt neu.",
    "A bot plays on for {seat}.": "Ein Bot spielt für {seat} weiter.",
    "The seat of {seat} opens to a substitute.": "Der Platz von {seat} steht einer Vertretung offen.",
    "{seat} is back.": "{seat} ist wieder da.",
    "{seat} takes over the seat.": "{seat} übernimmt den Platz.",
    "Nobody is there any more: the game waits until somebody is back.":
        "Es ist niemand mehr da: Die Partie wartet, bis jemand zurückkommt.",
    "The game goes on.": "Die Partie geht weiter.",
}  # fmt: skip

NAMES: Mapping[str, tuple[str, str]] = {
    **pace_words.NAMES,
    "": ("any", "beliebig"),
    "yes": ("yes", "ja"),
    "no": ("no", "nein"),
    "open": ("open", "offen"),
    "running": ("running", "läuft"),
    "over": ("over", "beendet"),
    "cancelled": ("cancelled", "abgesagt"),
    "resigned": ("gave up", "aufgegeben"),
    "timed_out": ("out of time", "Zeit überschritten"),
}


WORDS = Tables(GERMAN, NAMES)
"""For what the house says where no title speaks."""


def narrate(event: Event) -> list[Sentence]:
    """The sentence for an event of `lifecycle`, if it is one to tell of. (A title tells itself how a game begins.)"""
    match event:
        case lifecycle.TableOpened() | lifecycle.TableOpened2():
            return [Sentence("A table for {seats} is opened.", {"seats": event.seats})]
        case lifecycle.SeatTaken() | lifecycle.SeatTaken2():
            return [Sentence("{seat} sits down.", {"seat": event.seat})]
        case sealed.WordsCalled():
            return [Sentence("All seats are taken: sealed words are awaited.")]
        case sealed.WordsSealed():
            return [Sentence("{seat} seals other words.", {"seat": event.seat})]
        case sealed.WordsRevealed():
            return [Sentence("{seat} opens the sealed words.", {"seat": event.seat})]
        case sealed.SeatLost():
            return [Sentence("{seat} has not opened them in time: the seat is free again.", {"seat": event.seat})]
        case sealed.WordsVoided():
            return [Sentence("Nothing is dealt, and everybody seals other words.")]
        case lifecycle.SeatGivenUp():
            return [Sentence("{seat} stands up again.", {"seat": event.seat})]
        case lifecycle.GameCancelled():
            return [Sentence("The game is called off.")]
        case lifecycle.GameClosed(cause="fault"):
            return [Sentence("An operator closes the table because of a fault of the service. Nobody wins.")]
        case lifecycle.GameClosed(cause="conduct"):
            return [Sentence("An operator closes the table because of somebody's conduct. Nobody wins.")]
        case lifecycle.GameClosed(cause="wish"):
            return [Sentence("An operator closes the table, as its players wished. Nobody wins.")]
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
            return [Sentence("{seat} proposes to go back to ply {to}.", {"seat": event.seat, "to": event.to})]
        case lifecycle.RewindAgreed():
            return [Sentence("{seat} agrees to go back.", {"seat": event.seat})]
        case lifecycle.RewindRefused():
            return [Sentence("{seat} does not want to go back.", {"seat": event.seat})]
        case lifecycle.Rewound():
            return [Sentence("The game goes back to ply {to}.", {"to": event.to})]
    return _of_time(event)


def of_luck(table: lifecycle.Table) -> Sentence | None:
    """Whether the draws of a game could have been chosen; None before it has begun."""
    if table.status != "running":
        return None
    if table.older:
        return Sentence(
            "The table was opened before what seats add to chance could be checked: the operator could have chosen "
            "these draws."
        )
    if table.choosable:
        return Sentence("Nobody brought words of luck: the operator could have chosen these draws.")
    if table.sealed:
        return Sentence(
            "Words were sealed before any of them was opened ({words:seat|seats}: {numbers}): nobody could have chosen "
            "these draws, not even an operator who played along. {failed:attempt|attempts} before came to nothing.",
            {"words": len(table.brought), "numbers": table.brought, "failed": table.sealed.failed},
        )
    return Sentence(
        "Words of luck were brought to {words:seat|seats} ({numbers}): from then on nothing was left by which the "
        "operator could have chosen these draws, unless it played along and sat down last.",
        {"words": len(table.brought), "numbers": table.brought},
    )


def _of_time(event: Event) -> list[Sentence]:
    """(That a clock starts or stops, or a stand-in waits, is shown beside the seats, and no story.)"""
    match event:
        case clock.PaceSet(pace=pace) if pace is not None:
            return [Sentence("The table agrees on a pace."), *pace_words.described(pace)]
        case clock.PaceSet():
            return [Sentence("The table agrees to play without a clock.")]
        case clock.ClockMoved():
            return [Sentence("{seat} is away: the clock waits.", {"seat": event.seat})]
        case clock.TimeGivenBack(lost=lost) if lost < 2 * HOUR:
            return [Sentence(
                "The service stood still for {minutes:minute|minutes}; everybody gets the time back.",
                {"minutes": max(1, lost // MINUTE)},
            )]  # fmt: skip
        case clock.TimeGivenBack(lost=lost):
            return [Sentence(
                "The service stood still for {hours:hour|hours}; everybody gets the time back.",
                {"hours": lost // HOUR},
            )]  # fmt: skip
        case clock.TimeRanOut():
            return [Sentence("The time of {seat} is over.", {"seat": event.seat})]
        case clock.MissExcused():
            return [Sentence("It was the first time: it is excused, and the turn begins again.")]
        case clock.BotPlaysOn():
            return [Sentence("A bot plays on for {seat}.", {"seat": event.seat})]
        case clock.SeatOpened():
            return [Sentence("The seat of {seat} opens to a substitute.", {"seat": event.seat})]
        case clock.SeatReturned():
            return [Sentence("{seat} is back.", {"seat": event.seat})]
        case clock.SeatTakenOver():
            return [Sentence("{seat} takes over the seat.", {"seat": event.seat})]
        case clock.GamePaused():
            return [Sentence("Nobody is there any more: the game waits until somebody is back.")]
        case clock.GameResumed():
            return [Sentence("The game goes on.")]
    return []


class EventsOfPly:
    """The events of one ply, for tellers that look beside their own event."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events

    def each(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def has(self, kind: type[Event]) -> bool:
        return any(isinstance(event, kind) for event in self.events)
