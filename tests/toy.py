"""Lanterns: the smallest title that has a hidden hand, draws, a sealed answer and a hidden order.

It is for the tests of everything that is the same for all titles, and the shortest example of a title. Its rules are in
``TOY.md``.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain import house_words
from domain.chance import Chance
from domain.decision import NO_SEAT, Decision
from domain.drawing import placed
from domain.face import CommandFace, Face, Picture, Piece, Theme, deeds_of, orders_of, places_of
from domain.lifecycle import GameStarted, Why
from domain.messages import Command, Event, Own
from domain.orders import NUMBER, Amount, Names, One, Order, Part, Verb
from domain.places import Aim, Area, NamedPlace, box
from domain.refusal import Refused
from domain.report import Description, Grid, of_seat
from domain.rules import Action, Chapter, Outcome, Result, Rules, Span, Standing, answers_of, legal
from domain.things import Seated, Shelf, Thing, Things, Use
from domain.title import Seating, Title
from domain.words import Language, Sentence, Words

CARDS = range(1, 10)
STEPS = 3
FULL_HAND = 3


class Options(msgspec.Struct, frozen=True):
    length: Literal["short", "long"] = "short"
    lively: bool = True


class Choice(msgspec.Struct, frozen=True):
    colour: Literal["", "red", "green", "blue"] = ""


# ==== commands ====================================================================================
class Choose(Command, frozen=True):
    card: Own[int] = UNSET


class Walk(Command, frozen=True):
    steps: int


class Stop(Command, frozen=True):
    pass


class Pick(Command, frozen=True):
    pass


class Whisper(Command, frozen=True):
    number: int
    HIDDEN: ClassVar = True


# ==== events ======================================================================================
class LanternsLit(Event, frozen=True):
    seats: tuple[int, ...]
    rounds: int


class CardDrawn(Event, frozen=True):
    seat: int
    card: Own[int] = UNSET
    BARRIER: ClassVar = True


class CardChosen(Event, frozen=True):
    seat: int
    card: Own[int] = UNSET
    QUIET: ClassVar = True


class CardsShown(Event, frozen=True):
    cards: tuple[tuple[int, int], ...]
    leader: int
    BARRIER: ClassVar = True


class Walked(Event, frozen=True):
    seat: int
    steps: int


class RoundEnded(Event, frozen=True):
    seat: int


class Whispered(Event, frozen=True):
    seat: int
    number: int
    HIDDEN: ClassVar = True


class SeatLeft(Event, frozen=True):
    seat: int
    BARRIER: ClassVar = True


# ==== state =======================================================================================
class State(msgspec.Struct, frozen=True):
    """``leader``: None while cards are chosen. ``left``: the remaining rounds, this one included."""

    seats: tuple[int, ...] = ()
    left: int = 0
    hands: dict[int, tuple[int, ...]] = {}
    chosen: dict[int, int] = {}
    leader: int | None = None
    steps: int = STEPS
    walked: dict[int, int] = {}
    whispers: dict[int, int] = {}
    gone: tuple[int, ...] = ()

    @property
    def playing(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.gone)


EVENTS = (LanternsLit, CardDrawn, CardChosen, CardsShown, Walked, RoundEnded, Whispered, SeatLeft)


def evolve(state: State, event: Any) -> State:
    match event:
        case CardChosen(seat, card):
            return replace(state, chosen={**state.chosen, seat: card})
        case Walked(seat, steps):
            walked = {**state.walked, seat: state.walked[seat] + steps}
            return replace(state, steps=state.steps - steps, walked=walked)
        case RoundEnded():
            return replace(state, leader=None, steps=STEPS, chosen={}, left=state.left - 1)
        case CardDrawn(seat, card):
            return replace(state, hands={**state.hands, seat: (*state.hands[seat], card)})
        case CardsShown(cards, leader):
            hands = {**state.hands, **{seat: _without(state.hands[seat], card) for seat, card in cards}}
            return replace(state, hands=hands, chosen=dict(cards), leader=leader)
        case Whispered(seat, number):
            return replace(state, whispers={**state.whispers, seat: number})
        case LanternsLit(seats, rounds):
            return State(seats, rounds, dict.fromkeys(seats, ()), walked=dict.fromkeys(seats, 0))
        case SeatLeft(seat):
            gone = replace(state, gone=(*state.gone, seat), hands={**state.hands, seat: ()})
            if state.leader == seat:
                return replace(gone, leader=None, steps=STEPS, chosen={}, left=state.left - 1)
            return replace(gone, chosen={who: card for who, card in state.chosen.items() if who != seat})
    raise TypeError(event)


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


class Now(Decision[State]):
    """The decision that every rule gets."""

    __slots__ = ()
    bookkeeping: ClassVar = dict.fromkeys(EVENTS, evolve)


def check_table(options: Options, seats: int) -> None:
    if not 2 <= seats <= 3:
        raise Refused("TOY 1", "Lanterns is for two or three.")


def check_choice(options: Options, choice: Choice, taken: Sequence[Choice]) -> None:
    if choice.colour and choice in taken:
        raise Refused("TOY 1", "{colour} is taken.", colour=choice.colour)


def setup(options: Options, choices: Mapping[int, Choice], chance: Chance) -> Outcome:
    """TOY 1 Everybody draws two cards."""
    now = Now(State(), NO_SEAT, chance)
    now.happens(LanternsLit(tuple(choices), 4 if options.length == "short" else 1000))
    for seat in choices:
        draw(now, seat)
        draw(now, seat)
    return Outcome(now.events, now.state)


# ==== rules =======================================================================================
def decide(state: State, seat: int, command: Any, chance: Chance) -> Outcome:
    now = Now(state, seat, chance)
    RULES[type(command)](now, command)
    return Outcome(now.events, now.state)


def choose(now: Now, command: Choose) -> None:
    """TOY 2 Everybody chooses a card of the hand; the last choice shows them all."""
    must_still_choose(now)
    card = must_have(now, command.card)
    now.happens(CardChosen(now.seat, card))
    show(now)


def must_still_choose(now: Now) -> None:
    """TOY 2 The cards must not be shown yet."""
    if now.state.leader is not None:
        raise Refused("TOY 2", "The cards of this round are shown already.")


def must_have(now: Now, card: Any) -> int:
    """TOY 2 The card must be in the hand."""
    if card not in now.state.hands[now.seat]:
        raise Refused("TOY 2", "You do not have this card.")
    return int(card)


def show(now: Now) -> None:
    """TOY 2 The last choice shows all; the highest card leads, and everybody draws."""
    playing, chosen = now.state.playing, now.state.chosen
    if any(seat not in chosen for seat in playing):
        return
    leader = max(playing, key=lambda seat: (chosen[seat], -seat))
    now.happens(CardsShown(tuple((seat, chosen[seat]) for seat in playing), leader))
    for seat in playing:
        draw(now, seat)


def draw(now: Now, seat: int) -> None:
    """TOY 2 Each card is as likely as the others, however often it was drawn."""
    [card] = now.chance.draw(f"TOY 2 card of seat {seat}", CARDS, seat=seat)
    now.happens(CardDrawn(seat, card))


def walk(now: Now, command: Walk) -> None:
    """TOY 3 The leader walks up to three steps in a round."""
    must_lead(now)
    must_be_left(now, command.steps)
    now.happens(Walked(now.seat, command.steps))


def must_be_left(now: Now, steps: int) -> None:
    """TOY 3 At most three steps in a round."""
    if not 1 <= steps <= now.state.steps:
        raise Refused("TOY 3", "{steps} steps are left.", steps=now.state.steps)


def stop(now: Now, command: Stop) -> None:
    """TOY 3 The leader ends the round."""
    must_lead(now)
    now.happens(RoundEnded(now.seat))


def pick(now: Now, command: Pick) -> None:
    """TOY 3 The leader ends the round with one more card."""
    must_lead(now)
    must_have_room(now)
    draw(now, now.seat)
    now.happens(RoundEnded(now.seat))


def must_have_room(now: Now) -> None:
    """TOY 3 There must be room for one more card."""
    if len(now.state.hands[now.seat]) >= FULL_HAND:
        raise Refused("TOY 3", "Your hand is full.")


def must_lead(now: Now) -> None:
    """TOY 3 The seat must lead the round."""
    if now.state.leader != now.seat:
        raise Refused("TOY 3", "You do not lead this round.")


def whisper(now: Now, command: Whisper) -> None:
    """TOY 4 Nobody else notices."""
    must_be_a_whisper(command.number)
    now.happens(Whispered(now.seat, command.number))


def must_be_a_whisper(number: int) -> None:
    """TOY 4 The whisper must be a number of at most two digits."""
    if not 0 <= number <= 99:
        raise Refused("TOY 4", "Whisper a number from 0 to 99.")


def candidates(now: Now) -> Iterator[Action]:
    """Return the cards of the hand, the leader's actions, and a whisper."""
    for card in sorted(set(now.state.hands[now.seat])):
        yield Action(Choose(card), "choose", Sentence("Choose the {card}.", {"card": card}))
    yield Action(Walk(1), "lead", Sentence("Walk."), Span("steps", 1, now.state.steps))
    yield Action(Stop(), "lead", Sentence("Stop."))
    yield Action(Pick(), "lead", Sentence("Draw a card and stop."))
    yield Action(Whisper(0), "whisper", Sentence("Whisper."), Span("number", 0, 99))


CHAPTERS = (Chapter({Choose: choose, Walk: walk, Stop: stop, Pick: pick, Whisper: whisper}, candidates),)
RULES = answers_of(CHAPTERS)


def leave(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
    """TOY 6 The others go on; if a round waited only for the leader, it is shown."""
    now = Now(state, seat, chance)
    now.happens(SeatLeft(seat))
    if state.leader is None and len(now.state.playing) > 1:
        show(now)
    return Outcome(now.events, now.state)


# ==== what one may do, and what comes out =========================================================
def over(state: State) -> bool:
    return bool(state.seats) and (state.left == 0 or len(state.playing) < 2)


def asked(state: State) -> tuple[int, ...]:
    if over(state):
        return ()
    if state.leader is not None:
        return (state.leader,)
    return tuple(seat for seat in state.playing if seat not in state.chosen)


def actions(state: State, seat: int) -> list[Action]:
    return [] if over(state) or seat not in state.playing else legal(Now.trial(state, seat), CHAPTERS)


def safe(state: State, seat: int) -> Command:
    return Stop() if state.leader == seat else Choose(min(state.hands[seat]))


def result(state: State) -> Result | None:
    if not over(state):
        return None
    totals = sorted((state.walked[seat] for seat in state.playing), reverse=True)
    standings = tuple(
        Standing(
            seat,
            totals.index(state.walked[seat]) + 1 if seat in state.playing else None,
            state.walked[seat],
            (("steps", state.walked[seat]),),
        )
        for seat in state.seats
    )
    return Result(tuple(line.seat for line in standings if line.place == 1), standings)


# ==== what one may see ============================================================================
class View(msgspec.Struct, frozen=True):
    """``hands`` and ``whispers``: one's own; when the game is over, everybody's. ``cards``: the number of cards in each
    hand.
    """

    seats: tuple[int, ...]
    viewer: int | None
    left: int
    hands: dict[int, tuple[int, ...]]
    cards: dict[int, int]
    chosen: dict[int, int | None]
    leader: int | None
    steps: int
    walked: dict[int, int]
    whispers: dict[int, int]
    gone: tuple[int, ...]


def view(state: State, seat: int | None) -> View:
    everything = over(state)
    return View(
        state.seats,
        seat,
        state.left,
        {who: tuple(sorted(hand)) for who, hand in state.hands.items() if everything or who == seat},
        {who: len(hand) for who, hand in state.hands.items()},
        {who: state.chosen[who] if everything or state.leader or who == seat else None for who in sorted(state.chosen)},
        state.leader,
        state.steps,
        state.walked,
        {who: number for who, number in sorted(state.whispers.items()) if everything or who == seat},
        state.gone,
    )


def imagine(view: View, chance: Chance) -> State:
    hands = {
        who: view.hands[who]
        if who in view.hands
        else tuple(chance.draw("imagined card", CARDS)[0] for _ in range(view.cards[who]))
        for who in view.cards
    }
    chosen = {
        who: card if card is not None else chance.draw("imagined choice", hands[who])[0]
        for who, card in view.chosen.items()
    }
    return State(view.seats, view.left, hands, chosen, view.leader, view.steps, view.walked, view.whispers, view.gone)


def narrate(events: Sequence[Event]) -> list[Sentence]:
    said = []
    for event in events:
        match event:
            case GameStarted():
                said.append(Sentence("The lanterns are lit."))
            case CardDrawn(seat, card):
                if card is UNSET:
                    said.append(Sentence("{seat} draws a card.", {"seat": seat}))
                else:
                    said.append(Sentence("{seat} draws the {card}.", {"seat": seat, "card": card}))
            case CardChosen(seat):
                said.append(Sentence("{seat} has chosen.", {"seat": seat}))
            case CardsShown(cards, leader):
                facts = {"cards": tuple(card for _, card in cards), "leader_seat": leader}
                said.append(Sentence("The cards are {cards}: {leader_seat} leads.", facts))
            case Walked(seat, steps):
                said.append(Sentence("{seat} walks {steps}.", {"seat": seat, "steps": steps}))
            case RoundEnded(seat):
                said.append(Sentence("{seat} stops.", {"seat": seat}))
            case Whispered(seat, number):
                said.append(Sentence("{seat} whispers {number}.", {"seat": seat, "number": number}))
            case _:
                said += house_words.narrate(event)
    return said


def hand(view: View) -> list[Sentence]:
    return [Sentence("Your cards: {cards}.", {"cards": view.hands[view.viewer]})] if view.viewer in view.hands else []


def standing(view: View) -> list[Sentence]:
    return [Sentence("{seat}: {steps} steps.", {"seat": seat, "steps": steps}) for seat, steps in view.walked.items()]


def report(view: View) -> Description:
    who = None if view.viewer is None else of_seat(view.viewer)
    rows = tuple((of_seat(seat), steps) for seat, steps in view.walked.items())
    walkers = Grid(Sentence("Walkers"), (Sentence("steps"),), rows, drawn=1)
    return Description(Sentence("by lantern light"), who, (walkers,))


def why_asked(view: View) -> Sentence | None:
    if view.left == 0 or len(view.gone) > len(view.seats) - 2:
        return None
    return Sentence("all choose at once") if view.leader is None else Sentence("the highest card")


def asks(view: View) -> Sentence:
    return Sentence("Choose a card") if view.leader is None else Sentence("Walk or halt")


def things(view: View) -> Things:
    cards = [
        Thing(Sentence("the {card}", {"card": it}), f"card.{it}", uses=(USE,)) for it in view.hands.get(view.viewer, ())
    ]
    colours = ("red", "green", "blue")
    return Things(
        tuple(
            Seated(
                seat,
                colours[seat - 1],
                str(seat),
                said=(Sentence("{steps} steps", {"steps": view.walked.get(seat, 0)}),),
                facts=(view.walked.get(seat, 0),),
                shelves=(
                    Shelf(
                        Sentence("Lantern"),
                        "aside",
                        (Thing(Sentence("at step {steps}", {"steps": view.walked.get(seat, 0)})),),
                    ),
                ),
            )
            for seat in view.seats
        ),
        (Shelf(Sentence("Your cards"), "own", tuple(cards)),) if cards else (),
        compared=(Sentence("steps"),),
    )


USE = Use(Sentence("The highest card leads."), "TOY 2")


def picture(view: View, theme: Theme, language: Language, small: bool = False, alone: bool = False) -> Picture:
    ink = {"light": "#222", "dark": "#ddd", "page": "var(--board-ink)"}[theme]
    lantern = f'<circle cx="10" cy="10" r="8" fill="{ink}"/>'
    pieces = tuple(
        Piece(20.0 + walked * 25 % 360, 20.0 * row, 20.0, 20.0, lantern, f"lantern.{seat}", seat)
        for row, (seat, walked) in enumerate(view.walked.items())
    )
    ground = placed("path", f'<rect width="400" height="80" fill="none" stroke="{ink}"/>')
    return Picture((0, 0, 400, 80), "", ground, pieces, Sentence("The path with its lanterns."))


NAMES = {
    **house_words.NAMES,
    "toy": "Lanterns",
    "length": "Length",
    "short": "four rounds",
    "long": "a thousand rounds",
    "lively": "Lively",
    "colour": "Colour",
    "red": "Red",
    "green": "Green",
    "blue": "Blue",
    "choose": "Choose a card",
    "lead": "Lead",
    "whisper": "Whisper",
    "steps": "Steps",
    "number": "Number",
    "path": "path",
    "do choose": "Choose",
    "do walk": "Walk",
    "do stop": "Stop",
    "do pick": "Draw",
    "do whisper": "Whisper",
}


def random_bot(view: View, dice: random.Random) -> tuple[Command, ...]:
    assert view.viewer is not None
    if view.leader is None:
        return (Choose(dice.choice(view.hands[view.viewer])),)
    if view.steps and dice.random() < 0.7:
        return (Walk(dice.randint(1, view.steps)),)
    return (Stop(),) if len(view.hands[view.viewer]) >= FULL_HAND or dice.random() < 0.5 else (Pick(),)


def sensible_bot(view: View, dice: random.Random) -> tuple[Command, ...]:
    assert view.viewer is not None
    if view.leader is None:
        return (Choose(max(view.hands[view.viewer])),)
    end = Stop() if len(view.hands[view.viewer]) >= FULL_HAND else Pick()
    return (Walk(view.steps), end) if view.steps else (end,)


# ==== the commands as people meet them ============================================================
STEPS_TOLD = (One("step", "step"),)


def shown(view: View) -> tuple[NamedPlace, ...]:
    cards = sorted(set(view.hands[view.viewer])) if view.viewer in view.hands else ()
    named = (NamedPlace(f"card.{card}", Sentence("the {card}", {"card": card})) for card in cards)
    return (NamedPlace("path", on_board=True), *named)


def areas(view: View, small: bool) -> Mapping[str, Area]:
    return {"path": box(0, 0, 400, 80)}


def amount(span: Span | None) -> dict[str, Part]:
    assert span is not None
    return {span.field: Amount(span.field, span.low, span.high)}


FACES = (
    CommandFace(
        Choose,
        verbs=(Verb(Sentence("choose | play"), "TOY 2"),),
        lines=(Sentence("choose {card}"),),
        tell=lambda view, it, action: Order(FACES[0].lines[0], {"card": One(NUMBER, str(it.card))}),
        kind="choose",
        aim=lambda view, it: Aim("choose", (f"card.{it.card}",)),
        fields={"card": NUMBER},
    ),
    CommandFace(
        Walk,
        verbs=(Verb(Sentence("walk | go"), "TOY 3"),),
        lines=(Sentence("walk {steps}"),),
        tell=lambda view, it, action: Order(FACES[1].lines[0], amount(action.span), STEPS_TOLD),
        kind="walk",
        aim=lambda view, it: Aim("walk", ("path",)),
        deed=Sentence("Walk {steps}"),
        fields={"steps": NUMBER},
    ),
    CommandFace(
        Stop,
        verbs=(Verb(Sentence("halt | enough"), "TOY 3"),),
        lines=(Sentence("halt"),),
        tell=lambda view, it, action: Order(FACES[2].lines[0]),
        kind="stop",
        aim=lambda view, it: Aim("stop"),
    ),
    CommandFace(
        Pick,
        verbs=(Verb(Sentence("pick | draw card"), "TOY 3"),),
        lines=(Sentence("pick"),),
        tell=lambda view, it, action: Order(FACES[3].lines[0]),
        kind="pick",
        aim=lambda view, it: Aim("pick"),
    ),
    CommandFace(
        Whisper,
        verbs=(Verb(Sentence("whisper"), "TOY 4"),),
        lines=(Sentence("whisper {number}"),),
        tell=lambda view, it, action: Order(FACES[4].lines[0], amount(action.span), STEPS_TOLD),
        kind="whisper",
        aim=lambda view, it: Aim("whisper"),
        deed=Sentence("Whisper {number}"),
        fields={"number": NUMBER},
    ),
)
NAMES_IN_LINES = Names({"step": {"step": (Sentence("steps | step"),)}})

TITLE = Title(
    id="toy",
    prefix="TOY",
    cites={"take_back": "ST 7", "over": "TOY 5"},
    catalogue=Path(__file__).with_name("TOY.md"),
    seating=Seating((2, 3), Options, Choice, check_table, check_choice),
    rules=Rules(
        version=3,
        commands=tuple(RULES),
        events=EVENTS,
        start=State(),
        setup=setup,
        decide=decide,
        bookkeeping=Now.bookkeeping,
        leave=leave,
        asked=asked,
        actions=actions,
        safe=safe,
        result=result,
        view=view,
        imagine=imagine,
        older={1: {}, 2: {}},
    ),
    face=Face(
        words=Words(NAMES, Path(__file__).parent / "words"),
        notes=(Sentence("The path with its lanterns."),),
        narrate=narrate,
        hand=hand,
        standing=standing,
        why_asked=why_asked,
        asks=asks,
        report=report,
        things=things,
        picture=picture,
        orders=orders_of(FACES, lambda view: NAMES_IN_LINES),
        places=places_of(FACES, shown, areas),
        deeds=deeds_of(FACES),
    ),
    bots={"random": random_bot, "sensible": sensible_bot},
)


def ruled(**others: Any) -> Title:
    """Return Lanterns with other rules: these fields of `domain.rules.Rules` are replaced."""
    return replace(TITLE, rules=replace(TITLE.rules, **others))
