"""What players are told about the edition: nothing of this title is reconstructed."""

from domain.words import Sentence

NOTES: tuple[Sentence, ...] = ()
