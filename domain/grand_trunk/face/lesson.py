"""The lesson of The Grand Trunk Journey: a game of two, the reader as Anna."""

from pathlib import Path

from domain.lesson import Lesson, LessonStep
from domain.words import Sentence

_SKIPPED = (Path(__file__).parent.parent / "data" / "lesson.txt").read_text(encoding="utf-8")
_BEN, _MIDDLE, _END = (tuple(part.splitlines()) for part in _SKIPPED.strip().split("\n\n"))
"""Orders, one a line: until the first terminal, until the last contract, and until the game is over."""

LESSON = Lesson(
    players=("Anna", "Ben"),
    secret=bytes(32),
    new_game={"seat2": "sensible"},
    steps=(
        LessonStep(
            Sentence(
                "You are Anna. Your train carries goods to cities and ports, and every trip costs days. The "
                "player with the fewest days is next. First you choose a railcar and the good it carries. A city "
                "not far away asks for coal. Start with the Hopper Car and coal."
            ),
            "start Hopper Car with coal",
            (
                "quebec_richmond.hopper_car",
                "coal",
            ),
            Sentence("You could start with that. But the first contract asks for coal, so take coal."),
            ("2 start Flat Car with iron",),
        ),
        LessonStep(
            Sentence(
                "Your train stands in Watertown. To move, play the card of a neighbouring place. The number "
                "beside the track is the days it takes. You hold the card of White River Jct, and that is where "
                "coal is wanted. Go there: it takes two days."
            ),
            "move White River Jct with White River Jct",
            (
                "white_river_jct",
                "quebec_richmond.white_river_jct",
            ),
            Sentence("You could. But your coal is wanted in White River Jct, so go there."),
            (),
        ),
        LessonStep(
            Sentence(
                "You have arrived. A contract names a city, a good and some days; deliver in time, and you score "
                "its points. Contract 1 asks for coal here, and today. Fulfil it from your Hopper Car."
            ),
            "contract 1 from Hopper Car",
            ("contract.1",),
            Sentence("You could. But the contract pays three points now, so fulfil it first."),
            (),
        ),
        LessonStep(
            Sentence(
                "Each card is used once a turn, and most cards can do one of several things. A Port builds a "
                "terminal or gets you an improvement, which helps you for the rest of the game. It costs days, "
                "too. Acquire Forest Exploitation with your Port."
            ),
            "acquire Forest Exploitation with Port 2",
            ("forest_exploitation",),
            Sentence("You could. But an improvement helps longest if you have it early."),
            (),
        ),
        LessonStep(
            Sentence(
                "Your Hopper Car is empty. You can load the goods that a place produces, and loading takes no "
                "days. An empty railcar is discarded at the end of your turn, so never leave one empty. Load iron"
                " on the Hopper Car."
            ),
            "load iron on Hopper Car",
            (
                "quebec_richmond.hopper_car",
                "iron",
            ),
            Sentence("You could. But without a load you would lose your railcar, so load iron first."),
            (),
        ),
        LessonStep(
            Sentence(
                "One card is still useful here: Richmond. Played as a High Capacity Railcar, it adds a second "
                "good of the same kind to one of your railcars. Two goods make one trip twice as good. Double the"
                " iron on your Hopper Car."
            ),
            "double Hopper Car with Richmond",
            ("quebec_richmond.richmond",),
            Sentence("You could. But use the card first: an iron more is a delivery more."),
            (),
        ),
        LessonStep(
            Sentence(
                "That was a full turn: you are on day 4, Ben is still at the beginning. So now he plays, perhaps "
                "several turns, until he has passed you. When you end your turn, you draw new cards from your own"
                " deck. End the turn."
            ),
            "end turn",
            (),
            Sentence("You could. But you have done enough here, so end the turn."),
            _BEN,
        ),
        LessonStep(
            Sentence(
                "Your second turn. A terminal belongs to you for good: it scores points at once, and its city "
                "gives you a new card for your deck. So your deck grows better with the game. Build a terminal in"
                " Québec with a Port."
            ),
            "build Québec with Port 1",
            ("quebec",),
            Sentence("You could. But points and a new card are worth more now: build the terminal."),
            _MIDDLE,
        ),
        LessonStep(
            Sentence(
                "We skip to the end. You have made more deliveries, and now and then done maintenance to throw "
                "weak cards away. A player on day 36 has finished. One contract is left for you: number 10 wants "
                "iron, here in Peterborough, for seven points. Fulfil it."
            ),
            "contract 10 from Hopper Car",
            ("contract.10",),
            Sentence("You could. But these seven points are the last you can get."),
            _END,
        ),
        LessonStep(
            Sentence(
                "Now the last points are added: for time that is left, for sets of different goods, and for "
                "improvements. Your contracts brought 21 points. But Ben was first at many places and has sets "
                "and improvements: he wins by one point. Sets were missing, so deliver different goods."
            ),
            shows="scoring",
        ),
        LessonStep(
            Sentence(
                "Games here take days: when it is your turn, you get an email like this one, from your first "
                "turn. You can open the table from it, or just reply with your move in words. Try it: write the "
                "line below, as you would in your reply."
            ),
            "move White River Jct with White River Jct",
            instead=Sentence("In a real game, that would be your move. Here, please write the line of the example."),
            again=2,
            shows="letter",
        ),
        LessonStep(
            Sentence(
                "That is all you need. Look where goods are wanted before you load them, and never travel empty. "
                "The form for a game against one bot is filled in: press the button, and you can begin at once."
            ),
            shows="new_game",
        ),
    ),
)
