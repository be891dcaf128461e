"""The lesson of Ticket to Ride: a game of two, the reader as Anna."""

from pathlib import Path

from domain.lesson import Lesson, LessonStep
from domain.words import Sentence

_SKIPPED = Path(__file__).parent.parent / "data" / "lesson.txt"
"""The turns between the first tickets drawn and the last round, one order a line."""

_FIRST = Sentence("You can do that on a later turn. Here, please make the move in the text.")
_FINISH = Sentence("Your turn is not over yet, so finish it as the text says.")

LESSON = Lesson(
    players=("Anna", "Ben"),
    secret=bytes([11]) * 32,
    new_game={"seat2": "sensible"},
    steps=(
        LessonStep(
            Sentence(
                "You are Anna. A ticket names two cities; connect them with your trains by the end and you score "
                "its points, otherwise you lose them. You have three tickets and keep at least two. Two of yours "
                "lie close together; the third is long."
            ),
            do=Sentence("Keep Chicago–New Orleans and Houston–Kansas City."),
            lines=("keep Chicago–New Orleans, Houston–Kansas City",),
            at=(
                "chicago__new_orleans",
                "houston__kansas_city",
            ),
            instead=Sentence("A long ticket scores more, but it is hard to complete. Keep the two short ones for now."),
            numbers=(
                (2, "TTR 2.6"),
                (3, "TTR 2.6"),
            ),
            then=("2 keep Denver–El Paso, Denver–Pittsburgh",),
        ),
        LessonStep(
            Sentence(
                "Now the turns begin. A turn is one of three things: take cards, claim a route or draw tickets. "
                "Routes are paid for with cards of one colour. You hold one red card, and another one lies face "
                "up in the market."
            ),
            do=Sentence("Take the red card in the market."),
            lines=("take red",),
            at=("market.1",),
            instead=Sentence("You can do that, too. But two red cards are a pair, and a pair pays for a route."),
            numbers=((3, "TTR 3.2"),),
        ),
        LessonStep(
            Sentence(
                "You have taken one card, and a turn has two. The other one can come from the market or, unseen, "
                "from the deck. Nobody sees a card from the deck but you, and it may be a locomotive."
            ),
            do=Sentence("Draw a card from the deck."),
            lines=("draw card",),
            at=("train_deck",),
            instead=_FINISH,
            numbers=((2, "TTR 4.1"),),
            then=("2 take purple", "2 draw card"),
        ),
        LessonStep(
            Sentence(
                "Your ticket to Houston runs through Dallas and Oklahoma City. The route between them is gray, so"
                " cards of any one colour pay for it. It has two spaces, and you have two red cards. Your trains "
                "stay there for good, and you score two points at once."
            ),
            do=Sentence("Claim Dallas–Oklahoma City, and pay in red."),
            lines=("claim Dallas–Oklahoma City with 2 red",),
            at=(
                "dallas__oklahoma_city__gray_1",
                "red",
            ),
            instead=Sentence(
                "You could. But your ticket needs this route, and your black cards may pay for a later one, "
                "so pay in red."
            ),
            numbers=(
                (2, "seats.0.private.hand.red"),
                (2, "TTR 5.6"),
            ),
            then=("2 draw card", "2 draw card"),
        ),
        LessonStep(
            Sentence(
                "A locomotive lies in the market. It counts as a card of any colour. But if you take it face up, "
                "it is the only card of your turn. Take it anyway: you will need it."
            ),
            do=Sentence("Take the locomotive in the market."),
            lines=("take locomotive",),
            at=("market.5",),
            instead=Sentence("That would be a sound move, too. But locomotives are rare, so take this one."),
            then=("2 draw card", "2 draw card"),
        ),
        LessonStep(
            Sentence(
                "Go on to Kansas City. The route from Oklahoma City is gray, too. A locomotive counts as any "
                "colour, so your yellow card and the locomotive pay for its two spaces, and you keep your two "
                "black cards for a later route."
            ),
            do=Sentence("Claim Kansas City–Oklahoma City, and pay in yellow."),
            lines=("claim Kansas City–Oklahoma City with 1 yellow 1 locomotive",),
            at=(
                "kansas_city__oklahoma_city__gray_1",
                "yellow",
            ),
            instead=Sentence("That is allowed. But the way to Kansas City is still missing, and Ben could take it."),
            numbers=((2, "seats.0.private.hand.black"),),
            then=("2 claim El Paso–Santa Fe with 2 purple",),
        ),
        LessonStep(
            Sentence(
                "Ben is building, too, and a route that is taken is taken. The third thing you can do with a turn"
                " is to draw three tickets. More tickets mean more points, if you complete them."
            ),
            do=Sentence("Draw tickets."),
            lines=("draw tickets",),
            at=("ticket_deck",),
            instead=_FIRST,
            numbers=((3, "TTR 6.1"),),
        ),
        LessonStep(
            Sentence(
                "Look where they go. Montréal–New Orleans can pass through Chicago, so it shares its southern "
                "half with Chicago–New Orleans: the same trains count for both tickets. At least one has to stay;"
                " the others go back under the pile."
            ),
            do=Sentence("Keep Montréal–New Orleans."),
            lines=("keep Montréal–New Orleans",),
            at=("montreal__new_orleans",),
            instead=Sentence(
                "The others lie far from your trains, and tickets that you do not complete cost you their points."
            ),
            then=tuple(_SKIPPED.read_text(encoding="utf-8").splitlines()),
        ),
        LessonStep(
            Sentence(
                "We skip to the end: both of you have built a lot, and your three tickets are complete. As soon "
                "as somebody ends a turn with two trains or fewer, everybody has one last turn. You have four "
                "trains."
            ),
            do=Sentence("Claim Raleigh–Washington, and pay in yellow: the end begins."),
            lines=("claim Raleigh–Washington with 1 yellow 1 locomotive",),
            at=(
                "raleigh__washington__gray_1",
                "yellow",
            ),
            instead=Sentence("That would give Ben more time. You are ahead, so end the game."),
            numbers=(
                (3, "seats.0.tickets"),
                (2, "TTR 7.1"),
                (4, "seats.0.trains"),
            ),
            then=("2 claim Kansas City–Omaha with 1 blue", "1 take green", "1 take red"),
        ),
        LessonStep(
            Sentence(
                "Now everything counts. Completed tickets add their points, the others subtract theirs. The "
                "longest unbroken path earns ten points; it is Ben's. Your routes and tickets are worth more "
                "together, so you win. Long routes pay best: two spaces score two points, but six score fifteen."
            ),
            numbers=(
                (10, "TTR 8.6"),
                (2, "TTR 5.6"),
                (6, "TTR 5.6"),
                (15, "TTR 5.6"),
            ),
            shows="scoring",
        ),
        LessonStep(
            Sentence(
                "Games here take days. When it is your turn, you get an email; this is the one of your second"
                " turn. You can open the table from it, or just reply with your moves in words, one a line."
            ),
            do=Sentence("Reply with the line below."),
            lines=("claim Dallas–Oklahoma City with 2 red",),
            instead=Sentence("In a real game, that would be your move. Here, please write the line of the example."),
            shows="letter",
            again=4,
        ),
        LessonStep(
            Sentence(
                "That is all you need. In your first game, look at your tickets first, collect colours that "
                "fit them, and build narrow passages before somebody else does. The form for a game against "
                "one bot is filled in. Without an account, you first sign in by email."
            ),
            shows="new_game",
        ),
    ),
)
