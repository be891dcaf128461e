"""The words that every table shares: orders that do not move a piece, and the small words of a language.

Texts are English; a bar separates synonyms. Other languages give their own in their files.
"""

from typing import Literal

import msgspec

from domain.words import Sentence

Asks = Literal["nothing", "alone", "text", "aloud", "days", "name", "talk"]
"""The words that may follow: only filling words; nothing at all, not even filling words; any text of the player; a text
behind a colon, without which the line is talk; days, which have numbers; a name of one to three words; or the line is
no order, whatever follows.
"""
SMALL_TALK = "small talk"
"""The id of phrases that begin like an order, but are talk."""


class HouseWord(msgspec.Struct, frozen=True, eq=False):
    """A word for every title, by its id in programs. ``whole``: its beginning alone never stands for it."""

    id: str
    words: Sentence
    asks: Asks = "nothing"
    whole: bool = False


HOUSE_WORDS = (
    HouseWord("join", Sentence("join | take part")),
    HouseWord("join", Sentence("join as | take part as"), "name", whole=True),
    HouseWord("rematch", Sentence("rematch | i want a rematch | play again"), "alone", whole=True),
    HouseWord("look", Sentence("look | show | position | show position | status")),
    HouseWord("help", Sentence("help")),
    HouseWord("preview", Sentence("preview | try")),
    HouseWord(
        "take_back",
        Sentence(
            "take back | undo | take … back | take it back | take that back | undo it | undo that | undo move"
            " | undo last move | take move back | take last move back"
        ),
    ),
    HouseWord(
        "take_back_all",
        Sentence(
            "take back all | undo all | take all back | take it all back | take everything back | undo everything"
        ),
    ),
    HouseWord("agree", Sentence("agree | consent | i agree | i consent")),
    HouseWord("refuse", Sentence("refuse | decline | disagree | i refuse | i decline | i disagree | i do not agree")),
    HouseWord("vacation", Sentence("vacation | holiday | holidays"), "days"),
    HouseWord("faster", Sentence("faster")),
    HouseWord("slower", Sentence("slower")),
    HouseWord("note", Sentence("note"), "text"),
    HouseWord("say", Sentence("say"), "aloud", whole=True),
    HouseWord("name", Sentence("name"), "name", whole=True),
    HouseWord(
        "pictures_off",
        Sentence("pictures off | no pictures | turn pictures off | turn off pictures | turn the pictures off"),
        "alone",
        whole=True,
    ),
    HouseWord(
        "pictures_on",
        Sentence("pictures on | turn pictures on | turn on pictures | turn the pictures on"),
        "alone",
        whole=True,
    ),
    HouseWord("short_receipts", Sentence("short receipts | short receipt"), "alone", whole=True),
    HouseWord("long_receipts", Sentence("long receipts | long receipt"), "alone", whole=True),
    HouseWord(
        "tips_off", Sentence("tips off | hints off | no tips | turn tips off | turn off tips"), "alone", whole=True
    ),
    HouseWord("tips_on", Sentence("tips on | hints on | turn tips on | turn on tips"), "alone", whole=True),
    HouseWord("resign", Sentence("resign | i resign | give up | i give up"), whole=True),
    HouseWord("stop", Sentence("stop"), whole=True),
    HouseWord(
        SMALL_TALK,
        Sentence(
            "note that | note how | couple days | couple weeks | double nothing | keep … mind | leave … alone"
            " | take look | swap stories | wait here"
        ),
        "talk",
        whole=True,
    ),
)

FILLING = Sentence(
    "with | to | from | in | on | onto | the | and | a | an | of | for | by | through | into | at | my | or | please"
    " | pls | then | thanks | route | link | cube | cubes | train | them"
)
"""Words that may stand anywhere and mean nothing."""
PARTICLES = Sentence("off | up | out | away | down | back")
"""At the end of a line they belong to its verb, and are never filling words."""
PREFACE = Sentence(
    "i | im | i m | i am | ill | i ll | i will | i want to | i would like to | id like to | i d like to | im going to"
    " | i m going to | i am going to | let me"
)
"""Beginnings of a sentence with an order: "I'll bid 12". The first text follows the verb in languages that place it
there ("dann biete ich 12").
"""
ASSENT = Sentence("ok | okay | yes | yeah | alright")
"""Words before an order of two words at least: "OK, ship nothing". Before one word they may be talk: "OK, wait"."""
POINTING = Sentence("that one | this one | that | this | it | here")
"""At the end of a line that names something, these point at that thing: "bid 4 on that one"."""
NUMBERED = Sentence("number | no | line | option")
"""The words before the number of a line: "number 1"."""
OTHER_WAYS = Sentence("other ways | other way")
"""In a list, the words after the number of ways that lead to the same."""
THEN = Sentence("and then | then | and")
"""The words between two orders in one line, like a comma or a semicolon."""
NUMBERS = Sentence(
    "0 zero nothing none | 1 one | 2 two | 3 three | 4 four | 5 five | 6 six | 7 seven | 8 eight | 9 nine | 10 ten"
    " | 11 eleven | 12 twelve"
)
"""Each number, and the words for it."""
POLITE = Sentence("please | and | then | thanks")
"""Words that an order may begin with."""
TALK = Sentence(
    "i | im | ill | you | your | yourself | it | its | me | us | we | he | she | him | her | they | them | this | that"
    " | these | those | what | when | how | why | who | if | but | or | as | so | not | dont | is | are | was | were"
    " | be | do | can | could | will | would | should | have | has | had | well | care | careful | carefully | safe"
    " | safely | soon | later | again | touch | forward | luck | easy | time | fun | good | great | nice | happy"
    " | attention | today | tomorrow | here | there | everybody | everyone | everything | work"
    " | farewell | bye | regards | cheers | greetings | thanks | thank | revenge | some | any | never | always | just"
)
"""Words of small talk: "Take care", "Keep in touch", "Pass it on". No order has them."""
COURTESY = Sentence(
    "hi | hello | hey | dear | thanks | thank | thx | you | very | much | many | lot | best | kind | warm | regards"
    " | wishes | greetings | cheers | bye | see | soon | sorry | delay | good | morning | evening | day | night | luck"
    " | fun | all | both | everybody | everyone"
)
"""Words of greetings, thanks and good wishes. A line with no other words is no order."""
SHORT = Sentence("saint st | sainte ste | junction jct | mount mt | fort ft")
"""A word in names, and its abbreviations."""
