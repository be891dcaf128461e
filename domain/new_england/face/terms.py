"""The words of New England Railways that its pages explain, in the order of a turn."""

from domain.terms import Term
from domain.words import Sentence

TERMS = (
    Term(
        "link",
        Sentence("link | links"),
        Sentence("A railway between two cities. Its owner earns when cubes travel over it."),
        "NER 1.3",
    ),
    Term(
        "cube",
        Sentence("cube | cubes"),
        Sentence("Goods of one colour that wait in a city. Cubes are shipped to cities that demand their colour."),
        "NER 1.5",
    ),
    Term(
        "debt", Sentence("debt | Debt"), Sentence("All your loans. At the end each $10 of debt costs $12."), "NER 16.1"
    ),
    Term(
        "debt_service",
        Sentence("debt service"),
        Sentence("A fifth of your debt, which you pay to the bank in every turn."),
        "NER 5.1",
    ),
    Term(
        "growth",
        Sentence("growth | growth card | growth cards"),
        Sentence("Growth cards name the cities that get new cubes in this turn."),
        "NER 7.1",
    ),
    Term(
        "cup",
        Sentence("cup | Cup"),
        Sentence("New cubes are drawn from the cup, and shipped ones go back there."),
        "NER 7.2",
    ),
    Term(
        "proxy",
        Sentence("proxy | proxies | Proxy"),
        Sentence("It bids for you, one dollar more than the others, up to a maximum that nobody else sees."),
        "NER 20.4",
    ),
    Term(
        "build_number",
        Sentence("build number | number"),
        Sentence(
            "Two dice must reach the number of a link to build it at once. It is also the link's value at the end."
        ),
        "NER 1.4",
    ),
    Term(
        "shortfall",
        Sentence("shortfall | shortfalls"),
        Sentence("The difference between a build roll and the link's number. The buyer may pay it to build at once."),
        "NER 10.13",
    ),
    Term(
        "build_limit",
        Sentence("build limit | build limits | Build limit"),
        Sentence("The largest shortfall that is paid for you at once if you buy the link."),
        "NER 20.13",
    ),
    Term(
        "round",
        Sentence("round A | round B | round"),
        Sentence("Players who bought no link ship in round A. Afterwards, everybody ships in round B."),
        "NER 11.1",
    ),
    Term(
        "market",
        Sentence("market | loss number | Market"),
        Sentence(
            "After shipping, two dice are rolled. With a loss number of 7 (the roll plus 1), everybody loses a seventh "
            "of the income."
        ),
        "NER 12.1",
    ),
    Term(
        "income",
        Sentence("income | Income"),
        Sentence("Cash that you receive in every turn. A cube that travels over your link raises it by 1."),
        "NER 13.1",
    ),
    Term(
        "first_player",
        Sentence("first player"),
        Sentence("Bids and ships first. In the next turn, this is the player with the highest income."),
        "NER 14.1",
    ),
)
