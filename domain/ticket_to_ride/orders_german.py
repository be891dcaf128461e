"""The German of the lines."""

from collections.abc import Mapping

GERMAN: Mapping[str, str] = {
    "keep": "behalte | … behalten",
    "take | pick": "nimm | nehme | … nehmen",
    "draw": "ziehe | zieh | … ziehen",
    "draw card | draw blind | blind": "ziehe Karte | zieh Karte | Karte ziehen | ziehe verdeckt | verdeckt",
    "claim | build": "nutze | … nutzen | baue | … bauen | beanspruche | … beanspruchen",
    "draw tickets | take tickets | tickets":
        "ziehe Zielkarten | zieh Zielkarten | Zielkarten ziehen | nimm Zielkarten | Zielkarten",
    "locomotive | engine | wild | joker": "Lokomotive | Lok | Loks | Joker",
    "track {number}": "Gleis {number}",
    "all | everything": "alle | alles",
    "deck | pile | card": "Stapel | Nachziehstapel | Karte",
    "market | card": "Auslage | Karte",
    "tickets": "Zielkarten",
    "draw card": "ziehe Karte",
    "draw tickets": "ziehe Zielkarten",
    "take {card}": "nimm {card}",
    "keep {tickets}": "behalte {tickets}",
    "claim {route} with {cards}": "nutze {route} mit {cards}",
    "claim {route} {track} with {cards}": "nutze {route} {track} mit {cards}",
}  # fmt: skip
