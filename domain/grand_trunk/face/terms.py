"""The words of the Grand Trunk Journey that its pages explain."""

from domain.terms import Term
from domain.words import Sentence

TERMS = (
    Term(
        "time_track",
        Sentence("time track"),
        Sentence(
            "Your marker moves forward on it by the days that you spend. The player furthest behind has the turn."
        ),
        "GTJ 3.1",
    ),
    Term(
        "maintenance",
        Sentence("maintenance | Maintenance"),
        Sentence("Instead of a move: for one day you discard any number of cards, and draw new ones."),
        "GTJ 14.1",
    ),
    Term(
        "terminal",
        Sentence("terminal | terminals"),
        Sentence("Trains can only stop in cities that have one. A Development card builds it, for everybody."),
        "GTJ 12.5",
    ),
    Term(
        "port",
        Sentence("port | ports"),
        Sentence("One of four places that need no terminal. Only ports demand steel."),
        "GTJ 1.5",
    ),
    Term(
        "demand",
        Sentence("demands | demand | demanded"),
        Sentence("The goods that you can deliver in a place. They stand on its goods token, and can change."),
        "GTJ 6.2",
    ),
    Term(
        "railcar",
        Sentence("railcar | railcars | Railcars"),
        Sentence("A card behind your locomotive that carries one cube of a good that fits its type."),
        "GTJ 4.3",
    ),
    Term(
        "force",
        Sentence("Force"),
        Sentence("The number of railcars that your train can pull, from I to IV. Delivered steel lets you raise it."),
        "GTJ 4.2",
    ),
    Term(
        "fast",
        Sentence("Fast | Slow | fast train | Speed"),
        Sentence("A fast train saves a day on each move. You need three delivered coal for it."),
        "GTJ 12.4",
    ),
    Term(
        "development",
        Sentence("Development"),
        Sentence("Cards that raise Force or Speed, build a terminal, or acquire an improvement, for some days."),
        "GTJ 12.1",
    ),
    Term(
        "improvement",
        Sentence("improvement | improvements | Improvements"),
        Sentence("A card with a lasting advantage. At the end it scores the value of your space on the wood track."),
        "GTJ 15.7",
    ),
    Term(
        "objective",
        Sentence("objective | objectives | Objectives"),
        Sentence("A card that scores at once if you meet its conditions. You take it with any Development card."),
        "GTJ 16.2",
    ),
    Term(
        "contract",
        Sentence("contract | contracts | Contracts"),
        Sentence("Scores for the first player who unloads its good in its city on one of its days."),
        "GTJ 7.3",
    ),
    Term(
        "first_delivery",
        Sentence("first delivery | First delivery"),
        Sentence("The first good that is delivered in a city scores 1 or 2 points more."),
        "GTJ 6.3",
    ),
    Term(
        "wood_track",
        Sentence("wood track"),
        Sentence("Each delivered wood moves you up. At the end your space decides what your improvements score."),
        "GTJ 6.5",
    ),
    Term(
        "dump",
        Sentence("dump | dumps | dumped"),
        Sentence("Unload a good where nobody demands it. That costs a point."),
        "GTJ 6.9",
    ),
    Term(
        "couple",
        Sentence("couple | couples | coupled"),
        Sentence("Add a railcar from your hand to your train, together with its first good."),
        "GTJ 8.4",
    ),
    Term(
        "discard_pile",
        Sentence("discard pile"),
        Sentence("Your used cards. When your deck is empty, they are shuffled and become your new deck."),
        "GTJ 10.2",
    ),
)
