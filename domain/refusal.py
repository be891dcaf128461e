"""The only form of a refusal: a rule number, words, and the facts that fill them.

A refusal is the player's mistake. Our own mistakes are ordinary exceptions.
"""

from domain.words import Fact, Sentence


class Refused(Exception):
    """A command the rules forbid. It leaves everything as it was.

    ``rule``: the number of the one rule it breaks, such as ``"GTJ 5.3"``.
    ``sentence``: an English template (with a translation in the title's words) and its facts, which are ids.
    """

    def __init__(self, rule: str, template: str, /, **facts: Fact) -> None:
        self.rule = rule
        self.sentence = Sentence(template, facts)

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence.template} {self.sentence.facts or ''}".rstrip()
