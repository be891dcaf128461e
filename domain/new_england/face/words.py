"""The English names of things in New England Railways.

Other languages are in `words/`; sentences stand in the code that says them. City names stay as they are printed; German
words follow the glossary of the catalogue (part b).
"""

from collections.abc import Mapping
from pathlib import Path

from domain import house_words
from domain.drawing import map_names
from domain.new_england.board import CITIES, COLOURS, GROWTH_CARDS, LINKS
from domain.new_england.face.picture import BASE
from domain.words import Name, Sentence, Words

OUR_OWN: Mapping[str, Name] = {
    "new_england": "New England Railways",
    # colours of cubes
    "blue": "blue",
    "purple": "purple",
    "red": "red",
    "yellow": "yellow",
    # the eleven steps
    "loans": "loans",
    "service": "debt service",
    "retirement": "paying back",
    "growth": "growth",
    "completion": "completion",
    "future_links": "future links",
    "auction": "auction",
    "shipping": "shipping",
    "market": "market",
    "income": "income",
    "first_player": "first player",
    # groups of actions
    "in_advance": "in advance",
    "building": "building",
    "proxies": "proxies and build limits",
    # categories of the result
    "cash": "cash",
    "links": "links",
    "debt": "debt, paid back",
    # fields of actions
    "amount": "amount in $",
    "maximum": "maximum in $",
    # kinds of actions
    "do loan": "Borrow",
    "do repay": "Repay",
    "do bid": "Bid",
    "do pass": "Pass",
    "do build": "Build",
    "do wait": "Wait",
    "do ship": "Ship",
    "do skip": "Ship nothing",
    "do proxy": "Proxy",
    "do no_proxy": "No proxy",
    "do limit": "Build limit",
    "do no_limit": "No build limit",
    # where links are
    "link.lot": "on offer now",
    "link.row": "on offer this turn",
    "link.future": "on offer next turn",
    "link.built": "built",
    "link.owned": "bought, not built",
    "link.unsold": "unsold, gone",
    "link.deck": "in the deck",
    # places
    "account": "account",
}

NAMES: Mapping[str, Name] = {
    **house_words.NAMES,
    **map_names(BASE),
    **{city.id: city.name for city in CITIES.values()},
    **{link.id: Sentence("{a}–{b}", {"a": link.a, "b": link.b}) for link in LINKS.values()},
    **{card.id: Sentence("{a}, {b}", dict(zip("ab", card.cities, strict=True))) for card in GROWTH_CARDS.values()},
    **OUR_OWN,
    **{
        f"cube.{colour}.{city}": Sentence("{colour} in {city}", {"colour": colour, "city": city})
        for colour in COLOURS
        for city in CITIES
    },
}

WORDS = Words(NAMES, Path(__file__).parents[1] / "words")
