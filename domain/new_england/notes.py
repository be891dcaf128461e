"""What players are told about the edition: which parts of it are reconstructed."""

from domain.words import Sentence

NOTES: tuple[Sentence, ...] = (
    Sentence(
        "No public copy of the map and the cards could be reached. Most links, most of their numbers, most demands of "
        "cities and most growth cards are reconstructed so that everything the rule text states holds."
    ),
    Sentence("The split of the 46 cubes into four colours is reconstructed."),
)
