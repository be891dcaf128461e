"""Notes for players about the edition: which parts of it are reconstructed."""

from domain.words import Sentence

NOTES: tuple[Sentence, ...] = (
    Sentence(
        "We found no public copy of the map and the cards. Most links and their numbers, most demands and most growth "
        "cards are reconstructed to fit what the rules say about them."
    ),
    Sentence("The split of the 46 cubes into four colours is reconstructed."),
)
