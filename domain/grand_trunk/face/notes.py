"""Notes for players about reconstructed material, shown wherever the game is shown.

Each note stands for some statements of data/provenance.json. It is shown while one of them says "reconstructed".
"""

from domain.grand_trunk.material import STATEMENTS
from domain.words import Sentence

OPENING = Sentence(
    "We could not find all parts of the printed game. We reconstructed these to fit everything that we know:"
)

RECONSTRUCTED: tuple[tuple[tuple[str, ...], Sentence], ...] = (
    (("links",), Sentence("Map: the rail links between places; they follow lines of the 19th century.")),
    (
        ("city_goods_tokens", "port_goods_tokens", "printed_port_goods"),
        Sentence("Goods tokens: their demands and supplies, including those of Hamilton."),
    ),
    (("first_delivery_tokens",), Sentence("First delivery tokens: how many score 1 point and how many 2.")),
    (
        ("contract_tokens", "contract_slots", "time_track/dark_spaces"),
        Sentence("Contracts: most of their cities, goods, days and values, and most dark spaces."),
    ),
    (("wood_track",), Sentence("Wood track: the value of each space.")),
    (("railcar_types",), Sentence("Railcars: the goods that each of the four types carries.")),
    (
        ("companies", "companies/colours", "actions/days"),
        Sentence("Companies: the actions on their cards, and their colours. Simple actions cost no days."),
    ),
)

NOTES: tuple[Sentence, ...] = (
    OPENING,
    *(
        note
        for statements, note in RECONSTRUCTED
        if any(STATEMENTS[statement].kind == "reconstructed" for statement in statements)
    ),
)
