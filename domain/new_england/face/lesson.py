"""The lesson of New England Railways: a game of three, the reader as Anna."""

from pathlib import Path

from domain.lesson import ORDER, Lesson, LessonStep
from domain.words import Sentence

_SKIPPED = (Path(__file__).parent.parent / "data" / "lesson.txt").read_text(encoding="utf-8")
_BOUGHT_NOTHING, _MIDDLE = (tuple(part.splitlines()) for part in _SKIPPED.strip().split("\n\n"))
"""Orders, one a line: until the shipment that is skipped, and until the last shipments."""

LESSON = Lesson(
    players=("Anna", "Ben", "Clara"),
    secret=bytes([146]) * 32,
    new_game={"seat2": "sensible", "seat3": "sensible"},
    steps=(
        LessonStep(
            Sentence(
                "You are Anna. The richest railway wins. You begin with $10 and buy links between cities at "
                "auctions. Each turn starts with loans: everybody chooses in secret. For each $10 you owe, you "
                "pay $2 a turn, and $12 at the end. With more cash you can outbid the others."
            ),
            do=Sentence("Borrow $20."),
            lines=("borrow $20",),
            at=("account",),
            instead=Sentence(
                "You could. But for this lesson you need $20 more: less is too little, and more costs too much."
            ),
            numbers=(
                (10, "seats.0.cash"),
                (10, "NER 5.1"),
                (2, "NER 5.1"),
                (12, "NER 16.1"),
                (20, ORDER),
            ),
            then=("2 borrow $0", "3 borrow $0", "1 repay $0"),
        ),
        LessonStep(
            Sentence(
                "You paid back nothing. Your debt cost you $2 for each $10, so you have $26 left. New cubes "
                "lie in the cities. Boston–Providence is up for auction. Cubes wait at both ends, so it can "
                "earn money at once. The first player opens; that is you."
            ),
            do=Sentence("Bid $5 on Boston–Providence."),
            lines=("bid $5 on Boston–Providence",),
            at=("boston__providence",),
            instead=Sentence("You could. But start low, and see how much the others want this link. Bid $5."),
            numbers=(
                (2, "NER 5.1"),
                (10, "NER 5.1"),
                (26, "seats.0.cash"),
                (5, ORDER),
            ),
            then=("2 bid $7 on Boston–Providence", "3 pass"),
        ),
        LessonStep(
            Sentence(
                "Ben bids $7, and Clara is out: a pass is final for this link. You need not answer every bid "
                "yourself. A proxy always bids one dollar more than the others, up to your maximum, also while "
                "you are away. The others do not see it."
            ),
            do=Sentence("Leave a proxy for Boston–Providence, up to $9."),
            lines=("proxy $9 on Boston–Providence",),
            at=("boston__providence",),
            instead=Sentence("You could. But a proxy saves you the next bids, so leave one of $9."),
            numbers=(
                (7, "lot.bid"),
                (9, ORDER),
            ),
            then=("2 pass",),
        ),
        LessonStep(
            Sentence(
                "Your proxy bid $8, and Ben passed: the link is yours. Two dice decide whether it is built at "
                "once: from 5 on it is. You rolled one less, so you may pay the missing dollar, or wait for the "
                "next turn, when it is built for nothing. Unbuilt, it earns nothing."
            ),
            do=Sentence("Pay, and build Boston–Providence."),
            lines=("build Boston–Providence",),
            at=("boston__providence",),
            instead=Sentence(
                "You could wait, but then your link would earn nothing this turn, for the sake of one dollar."
            ),
            numbers=(
                (8, "lot.bid"),
                (2, "NER 1.10"),
                (5, "links.9.number"),
            ),
            then=("2 bid $4 on Boston–Worcester", "3 bid $5 on Boston–Worcester", "2 pass", "2 ship nothing"),
        ),
        LessonStep(
            Sentence(
                "Now cubes are shipped. A cube travels over built links to the first city that demands its colour. "
                "Each link on its way raises its owner's income by a dollar, which is paid in every turn from now"
                " on. Boston demands yellow."
            ),
            do=Sentence("Ship the yellow cube in Providence to Boston."),
            lines=("ship yellow Providence, Boston",),
            at=("cube.yellow.providence",),
            instead=Sentence("You could. But choose the yellow cube in Providence: its trip pays you alone."),
            then=("2 ship nothing", "3 ship yellow Worcester, Boston", "1 borrow $0", "2 borrow $0", "3 borrow $0"),
        ),
        LessonStep(
            Sentence(
                "You have received your first dollar of income, and a new turn has begun. Nobody borrowed this "
                "time. Now you can pay back debt, in steps of $10. You have $14 and owe $20. Less debt costs you "
                "less in every turn."
            ),
            do=Sentence("Pay back $10."),
            lines=("repay $10",),
            at=("account",),
            instead=Sentence("You could keep the money and go on paying for the debt. Here, please pay back $10."),
            numbers=(
                (10, ORDER),
                (14, "seats.0.cash"),
                (20, "seats.0.debt"),
            ),
        ),
        LessonStep(
            Sentence(
                "The next auction: Kingston–New London. It is far from your track, and $4 will not win much. You "
                "need not bid. If everybody passes, a link leaves the game for good."
            ),
            do=Sentence("Pass on Kingston–New London."),
            lines=("pass",),
            at=("kingston__new_london",),
            instead=Sentence("You could. But keep your last dollars for a link that joins yours, and pass."),
            numbers=((4, "seats.0.cash"),),
            then=_BOUGHT_NOTHING,
        ),
        LessonStep(
            Sentence(
                "We bid for you, but the others bid more. You bought nothing, so you ship before the buyers, "
                "and then once more with everybody. Your first shipment took a red cube to Providence, over "
                "your own link. The only other cube that can travel now would use Clara's link alone. You "
                "need not ship."
            ),
            do=Sentence("Ship nothing."),
            lines=("ship nothing",),
            instead=Sentence("You could. But that would raise Clara's income, and not yours."),
            then=_MIDDLE,
        ),
        LessonStep(
            Sentence(
                "We skip to the last turn. All links are sold. A cube may use up to five links, and each pays its"
                " owner, whoever ships it. So compare the ways: one of them uses only links of yours."
            ),
            do=Sentence("Ship the yellow cube in White River Junction by Bellows Falls and Fitchburg to Boston."),
            lines=("ship yellow White River Junction, Bellows Falls, Fitchburg, Boston",),
            at=(
                "cube.yellow.white_river_junction",
                "boston",
            ),
            instead=Sentence("You could, but look at the income: the shipment in the text pays you alone."),
            numbers=((5, "NER 11.5"),),
            then=(
                "2 ship red Manchester, Lowell, Boston, Fitchburg, Worcester, Providence",
                "3 ship blue Hartford, Plainfield, Worcester, Springfield, Pittsfield, Albany",
            ),
        ),
        LessonStep(
            Sentence(
                "The game ends when no link is left to sell or build. Your cash and the numbers of your links"
                " count, and each $10 of debt would cost $12. You win with $288. Of this, $246 is cash: "
                "income that shipments over your links have earned, turn after turn."
            ),
            numbers=(
                (10, "NER 16.1"),
                (12, "NER 16.1"),
                (288, "accounts.0.4"),
                (246, "accounts.0.1"),
            ),
            shows="scoring",
        ),
        LessonStep(
            Sentence(
                "Games here take days. When it is your turn, you get an email; this is the one of your first "
                "auction. You can open the table from it, or just reply with your moves in words, one a line."
                " Write a limit first: it pays what a low roll lacks, so nobody waits for you."
            ),
            do=Sentence("Reply with the lines below."),
            lines=(
                "limit $1 on Boston–Providence",
                "proxy $9 on Boston–Providence",
            ),
            instead=Sentence("In a real game, that would be your move. Here, please write the lines of the example."),
            shows="letter",
            again=2,
        ),
        LessonStep(
            Sentence(
                "That is all you need. Borrow early, while a loan buys many turns of income, and buy links "
                "that others have to use. The form for a game against bots is filled in. Without an account, "
                "you first sign in by email."
            ),
            shows="new_game",
        ),
    ),
)
