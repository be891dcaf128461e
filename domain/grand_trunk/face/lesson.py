"""The lesson of The Grand Trunk Journey: a game of two, the reader as Anna."""

from pathlib import Path

from domain.lesson import Lesson, LessonStep
from domain.words import Sentence

_SKIPPED = (Path(__file__).parent.parent / "data" / "lesson.txt").read_text(encoding="utf-8")
_BEN, _BEN_AGAIN, _BEN_BUILDS, _END = (tuple(part.splitlines()) for part in _SKIPPED.strip().split("\n\n"))
"""Orders, one a line: of Ben until Anna's second, third and fourth turn, and of both until the game is over."""

LESSON = Lesson(
    players=("Anna", "Ben"),
    secret=bytes(32),
    new_game={"seat2": "sensible"},
    steps=(
        LessonStep(
            Sentence(
                "You are Anna. Your train carries goods to cities and ports, and every trip costs days. The "
                "player furthest behind on the time track is next. First you choose a railcar and a good for it. "
                "The first contract, in White River Jct, asks for coal."
            ),
            do=Sentence("Start with the Hopper Car and coal."),
            lines=("start Hopper Car with coal",),
            at=(
                "quebec_richmond.hopper_car",
                "coal",
            ),
            instead=Sentence("You could start with that. But the first contract asks for coal, so take coal."),
            then=("2 start Flat Car with iron",),
        ),
        LessonStep(
            Sentence(
                "Your train stands in Watertown. To move, play a card: a city's card leads to this city. The "
                "train takes the shortest way, and each link on it costs a day. You hold the card of White "
                "River Jct, where your coal is needed. Beside its name stands its action, for later."
            ),
            do=Sentence("Go to White River Jct."),
            lines=("move White River Jct with White River Jct",),
            at=(
                "white_river_jct",
                "quebec_richmond.white_river_jct",
            ),
            instead=Sentence("You could. But your coal is needed in White River Jct, so go there."),
        ),
        LessonStep(
            Sentence(
                "You have arrived, on day 2. A contract names a city, a good, a range of days and points, and "
                "pays the first player to deliver in time. Contract 1 asks for coal here from day 2 to day 5, "
                "for three points."
            ),
            do=Sentence("Fulfil contract 1."),
            lines=("contract 1 from Hopper Car",),
            at=("contract.1",),
            instead=Sentence("You could. But the contract pays three points now, so fulfil it first."),
            numbers=(
                (2, "seats.0.day"),
                (1, "contracts.0.slot"),
                (2, "contracts.0.first_day"),
                (5, "contracts.0.last_day"),
                (3, "contracts.0.vp"),
            ),
            then=("1 load iron on Hopper Car",),
        ),
        LessonStep(
            Sentence(
                "We have loaded iron for you, which this city supplies. Now look at your cards. Each serves "
                "once: as a destination, as a railcar or for its action. A Port builds a terminal, or gets "
                "you an improvement for two days. Forest Exploitation counts as two delivered wood, and "
                "improvements score at the end."
            ),
            do=Sentence("Acquire Forest Exploitation with your Port."),
            lines=("acquire Forest Exploitation with Port 2",),
            at=("forest_exploitation",),
            instead=Sentence("You could. But an improvement helps longest if you have it early."),
            numbers=((2, "GTJ 12.8"),),
        ),
        LessonStep(
            Sentence(
                "That was a whole turn: you are on day 4, and Ben is still on day 0. So he plays now, several "
                "times if need be, until he has caught up with you. When you end your turn, you draw from your "
                "own deck until you hold five cards."
            ),
            do=Sentence("End the turn."),
            lines=("end turn",),
            instead=Sentence("You could. But you have done enough here, so end the turn."),
            numbers=(
                (4, "seats.0.day"),
                (0, "seats.1.day"),
                (5, "GTJ 10.1"),
            ),
            then=(*_BEN, "1 move Burlington with Grand Trunk Jct"),
        ),
        LessonStep(
            Sentence(
                "We have moved you on to Burlington with the Grand Trunk Jct card. It leads to any city with "
                "a terminal, for a day more. Burlington demands iron, so here you deliver without a "
                "contract. Delivered goods stay with you, and a set of coal, iron and wood scores at the end."
            ),
            do=Sentence("Deliver from your Hopper Car."),
            lines=("deliver iron from Hopper Car",),
            at=("quebec_richmond.hopper_car",),
            instead=Sentence("You could. But deliver first: after coupling or loading, you cannot unload any more."),
            then=("1 uncouple Hopper Car",),
        ),
        LessonStep(
            Sentence(
                "The iron has become two steel, free for everybody to take. Ports pay three points for each. A "
                "Hopper Car cannot carry steel, so it has been uncoupled: with Force I, your train has room for a"
                " single railcar."
            ),
            do=Sentence("Couple your Box Car, and load steel."),
            lines=("couple Box Car with steel",),
            at=(
                "quebec_richmond.box_car",
                "steel",
            ),
            instead=Sentence("You could. But Ben would like this steel, too, so take it now."),
            numbers=(
                (2, "places.2.steel"),
                (3, "GTJ 6.8"),
            ),
            then=("1 end turn", *_BEN_AGAIN, "1 move Montréal-Griffintown with Port 1", "1 deliver steel from Box Car"),
        ),
        LessonStep(
            Sentence(
                "You have brought the steel to a port, for three points. It also makes your train stronger: "
                "after your first steel, a card can raise your Force to II, and there is room for "
                "another railcar. That costs a day; the steel is not spent. Coal does the same for your "
                "Speed."
            ),
            do=Sentence("Increase your Force with Burlington (Force or Speed)."),
            lines=("force with Burlington",),
            at=("quebec_richmond.burlington",),
            instead=Sentence("You could. But a longer train carries more on every trip, so make it stronger early."),
            numbers=((3, "GTJ 6.8"),),
            then=(
                "1 couple Boston Gondola with coal",
                "1 double Boston Gondola with Richmond",
                "1 end turn",
                *_BEN_BUILDS,
            ),
        ),
        LessonStep(
            Sentence(
                "Then we coupled a Gondola for you, and the action of your Richmond card put a second coal on"
                " it. But none of your cards leads to a city that demands coal. So do maintenance instead of a "
                "move: for one day you discard any cards and draw new ones."
            ),
            do=Sentence("Do maintenance: discard Hopper Car and Flat Car."),
            lines=("maintenance discard Hopper Car, Flat Car",),
            at=(
                "quebec_richmond.hopper_car",
                "quebec_richmond.flat_car",
            ),
            instead=Sentence("You could. But two plain railcars lead nowhere: discard them, and draw better cards."),
            then=_END,
        ),
        LessonStep(
            Sentence(
                "You drew White River Jct, which demands coal, and the game went on to day 38. Sets of coal, "
                "iron and wood brought you 6 points, and your improvements 12: each of them scores by your "
                "place on the wood track. So you win, with 33 points to 26."
            ),
            numbers=(
                (38, "seats.0.day"),
                (6, "seats.0.points.sets"),
                (12, "seats.0.points.improvements"),
                (33, "seats.0.vp"),
                (26, "seats.1.vp"),
            ),
            shows="scoring",
        ),
        LessonStep(
            Sentence(
                "Games here take days. When it is your turn, you get an email; this is the one of your second"
                " turn. You can open the table from it, or just reply with your moves in words, one a line. "
                "This reply also builds a terminal, and doubles a load."
            ),
            do=Sentence("Reply with the lines below."),
            lines=(
                "build Québec with Port 1",
                "move Burlington with Grand Trunk Jct",
                "deliver iron from Hopper Car",
                "load coal on Hopper Car",
                "double Hopper Car with Richmond",
            ),
            instead=Sentence("In a real game, that would be your move. Here, please write the lines of the example."),
            shows="letter",
            again=5,
            since=("1 end turn", *_BEN),
        ),
        LessonStep(
            Sentence(
                "That is all you need. Look where goods are demanded before you load them, and deliver "
                "different goods. The form for a game against one bot is filled in. Without an account, you "
                "first sign in by email."
            ),
            shows="new_game",
        ),
    ),
)
