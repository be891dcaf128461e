"""What is said alike at every table: the words for everything but the game itself, and the small words of a language.

Texts are English; a bar stands between words that mean the same. Other languages give their own in their files.
"""

from typing import Literal

import msgspec

from domain.words import Sentence

Asks = Literal["nothing", "text"]
"""What may follow a word: nothing but filling words, or whatever its player writes."""


class HouseWord(msgspec.Struct, frozen=True, eq=False):
    """A word for every title, by the id that it has in programs. ``whole``: it is never reached by its beginning."""

    id: str
    words: Sentence
    asks: Asks = "nothing"
    whole: bool = False


HOUSE_WORDS = (
    HouseWord("join", Sentence("join | take part")),
    HouseWord("look", Sentence("look | show | position")),
    HouseWord("help", Sentence("help")),
    HouseWord("preview", Sentence("preview | try")),
    HouseWord("take_back", Sentence("take back | undo | take … back")),
    HouseWord("take_back_all", Sentence("take back all | undo all | take all back")),
    HouseWord("agree", Sentence("agree | consent")),
    HouseWord("refuse", Sentence("refuse | decline | disagree")),
    HouseWord("vacation", Sentence("vacation | holiday"), "text"),
    HouseWord("faster", Sentence("faster")),
    HouseWord("slower", Sentence("slower")),
    HouseWord("note", Sentence("note"), "text"),
    HouseWord("resign", Sentence("resign"), whole=True),
    HouseWord("stop", Sentence("stop"), whole=True),
)

FILLING = Sentence(
    "with | to | from | in | on | onto | the | and | a | an | of | for | by | through | into | at | my | please"
)
"""Words that may stand anywhere and mean nothing."""
PARTICLES = Sentence("off | up | out | away | down | back")
"""At the end of a line they belong to its verb, and are never filling words."""
NUMBERS = Sentence(
    "0 zero nothing none | 1 one | 2 two | 3 three | 4 four | 5 five | 6 six | 7 seven | 8 eight | 9 nine | 10 ten"
    " | 11 eleven | 12 twelve"
)
"""Each number, and the words for it."""
POLITE = Sentence("please | and | then")
"""Words that an order may begin with."""
TALK = Sentence(
    "i | im | ill | you | your | yourself | it | its | me | us | we | he | she | him | her | they | them | this | that"
    " | these | those | what | when | how | why | who | if | but | or | as | so | not | dont | is | are | was | were"
    " | be | do | can | could | will | would | should | have | has | had | well | care | careful | carefully | safe"
    " | safely | soon | later | again | touch | forward | luck | easy | time | fun | good | great | nice | happy"
    " | attention | today | tomorrow | here | there | everybody | everyone | everything | work"
    " | farewell | bye | regards | cheers | greetings | thanks | thank | revenge | some | any | never | always | just"
)
"""Words of what people say to each other: "Take care", "Keep in touch", "Pass it on". No order has them."""
SHORT = Sentence("saint st | sainte ste | junction jct | mount mt | fort ft")
"""A word of names, and what is written for it."""
