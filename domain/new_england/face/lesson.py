"""The lesson of New England Railways: a game of three, the reader as Anna."""

from pathlib import Path

from domain.lesson import Lesson, LessonStep
from domain.words import Sentence

_SKIPPED = Path(__file__).parent.parent / "data" / "lesson.txt"
"""The plies between the second auction and the last shipments, one order a line."""

LESSON = Lesson(
    players=("Anna", "Ben", "Clara"),
    secret=bytes([146]) * 32,
    new_game={"seat2": "sensible", "seat3": "sensible"},
    steps=(
        LessonStep(
            Sentence(
                "You are Anna. The richest railway wins. You begin with $10 and buy links between cities at auctions."
                " Each turn starts with loans: everybody chooses in secret. For each $10 you owe, you pay $2 a turn, "
                "and $12 at the end. Borrow $20, so that you can outbid the others."
            ),
            "borrow $20",
            ("account",),
            Sentence("You could. But for this lesson you need $20 more: less is too little, and more costs too much."),
            ("2 borrow $0", "3 borrow $0", "1 repay $0"),
        ),
        LessonStep(
            Sentence(
                "You have paid $4 for your debt. New cubes lie in the cities. Boston–Providence is up for auction. "
                "Cubes wait at both ends, so it will earn money at once. The first player opens; that is you. Bid $5."
            ),
            "bid $5 on Boston–Providence",
            ("boston__providence",),
            Sentence("You could. But start low, and see how much the others want this link. Bid $5."),
            ("2 bid $6 on Boston–Providence", "3 pass"),
        ),
        LessonStep(
            Sentence(
                "Ben bids $6, and Clara is out: a pass is final for this link. It goes round until one bidder is "
                "left. You buy at most one link a turn, so make it a good one. Bid $8."
            ),
            "bid $8 on Boston–Providence",
            ("boston__providence",),
            Sentence("You could. But this link earns from the first turn, so outbid Ben with $8."),
            ("2 pass",),
        ),
        LessonStep(
            Sentence(
                "It is yours. Now two dice decide: 5 or more builds it at once. You rolled 4, so you may pay the "
                "missing $1, or wait until next turn, when it is built for nothing. A link without track earns "
                "nothing. Pay, and build now."
            ),
            "build Boston–Providence",
            ("boston__providence",),
            Sentence("You could wait, but then your link would earn nothing this turn, for the sake of one dollar."),
            ("2 bid $4 on Boston–Worcester", "3 bid $5 on Boston–Worcester", "2 pass", "2 ship nothing"),
        ),
        LessonStep(
            Sentence(
                "Now cubes are shipped. A cube travels over built links to the first city that wants its colour, and "
                "each link on its way earns its owner one more dollar, every turn from now on. Boston wants yellow. "
                "Ship the yellow cube from Providence to Boston, over your link."
            ),
            "ship yellow Providence, Boston",
            ("cube.yellow.providence",),
            Sentence("You could. But choose the yellow cube in Providence: its trip pays you alone."),
            (
                "2 ship nothing",
                "3 ship yellow Worcester, Boston",
                "1 borrow $0",
                "2 borrow $0",
                "3 borrow $0",
            ),
        ),
        LessonStep(
            Sentence(
                "You have received your first dollar of income, and a new turn has begun. Nobody borrowed this time, "
                "and you paid $4 for your debt again. Now you can pay back, in steps of $10. You have $14. Pay back "
                "$10: that saves you $2 a turn."
            ),
            "repay $10",
            ("account",),
            Sentence("You could keep the money and go on paying for the debt. Here, please pay back $10."),
        ),
        LessonStep(
            Sentence(
                "The next auction: Kingston–New London. It is far from your track, and $4 will not win much. You need"
                " not bid. If everybody passes, a link leaves the game for good. Pass."
            ),
            "pass",
            ("kingston__new_london",),
            Sentence("You could. But keep your last dollars for a link that joins yours, and pass."),
            tuple(_SKIPPED.read_text(encoding="utf-8").splitlines()),
        ),
        LessonStep(
            Sentence(
                "We skip to the last turn. All links are sold, and the map is full of track. A cube may use up to "
                "five links, and each of them pays its owner, whoever ships it. Ship the yellow cube from White River"
                " Junction to Boston: three links, all yours."
            ),
            "ship yellow White River Junction, Bellows Falls, Fitchburg, Boston",
            ("cube.yellow.white_river_junction", "boston"),
            Sentence(
                "You could, but look at the income: the shipment in the text pays you three times, and nobody else."
            ),
            (
                "2 ship red Manchester, Lowell, Boston, Fitchburg, Worcester, Providence",
                "3 ship blue Hartford, Plainfield, Worcester, Springfield, Pittsfield, Albany",
            ),
        ),
        LessonStep(
            Sentence(
                "The game ends when no link is left to sell or build. Now your cash and the values of your links "
                "count, and each $10 of debt costs $12. Cash came from income, and income came from shipments over "
                "your links: you win."
            ),
            shows="scoring",
        ),
        LessonStep(
            Sentence(
                "Games here take days: when it is your turn, you get an email like this one, from your first auction."
                " You can open the table from it, or just reply with your move in words. Try it: write the line "
                "below, as you would in your reply."
            ),
            "bid $8 on Boston–Providence",
            instead=Sentence("In a real game, that would be your move. Here, please write the line of the example."),
            shows="letter",
            again=3,
        ),
        LessonStep(
            Sentence(
                "That is all you need. Borrow early, while a loan buys many turns of income, and buy links that "
                "others have to use. The form for a game against two bots is filled in: press the button, and you can"
                " begin at once."
            ),
            shows="new_game",
        ),
    ),
)
