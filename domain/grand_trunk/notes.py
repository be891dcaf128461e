"""What players are told of the material that is reconstructed, wherever the game is shown.

Each note stands for some statements of data/provenance.json and is said as long as one of them says "reconstructed".
"""

from domain.grand_trunk.material import STATEMENTS
from domain.words import Sentence

OPENING = Sentence("Not all of the printed game could be found. Reconstructed, so that all that is known holds:")

RECONSTRUCTED: tuple[tuple[tuple[str, ...], Sentence], ...] = (
    (("links",), Sentence("Map: which places the rail links join; they follow lines of the 19th century.")),
    (
        ("city_goods_tokens", "port_goods_tokens", "printed_port_goods"),
        Sentence("Goods tokens: which goods they demand and supply, Hamilton's included."),
    ),
    (("first_delivery_tokens",), Sentence("First delivery tokens: how many are worth 1 and how many 2 points.")),
    (
        ("contract_tokens", "contract_slots", "time_track/dark_spaces"),
        Sentence("Contracts: most of their cities and goods, most windows and values, and most dark spaces."),
    ),
    (("wood_track",), Sentence("Wood track: the value of each space.")),
    (("railcar_types",), Sentence("Railcars: which goods each of the four types carries.")),
    (
        ("companies", "companies/colours", "actions/days"),
        Sentence("Companies: which of their cards shows what, and their colours; that simple actions cost no days."),
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
