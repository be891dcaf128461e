"""The record of a command in its chapter: the rule that answers it, and its words in the list of legal actions.

Bots read the chapters' candidates bare, so they are commands, and only those that are listed are put into words.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import asdict

from domain.grand_trunk.state import State
from domain.messages import Command
from domain.rules import Action, Rule
from domain.words import Sentence


class CommandRule(NamedTuple):
    """``group``: as in `domain.rules.Action`. ``said``: a sentence about the fields of the command, or its maker."""

    rule: Rule
    group: str
    said: Sentence | Callable[[State, int, Any], Sentence]

    def action(self, state: State, seat: int, it: Command) -> Action:
        """A legal command in words."""
        said = self.said
        sentence = Sentence(said.template, asdict(it)) if isinstance(said, Sentence) else said(state, seat, it)
        return Action(it, self.group, sentence)
