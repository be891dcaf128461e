"""Retired versions of the rules: the code of a release that still has them decides in place of this program.

An operator names the folder of that release (``slowtrain verify --release 1=FOLDER``). Its code sees the log and the
secret of the games to prove, and its answer is trusted.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import msgspec

from domain.chain import StoredPly
from service.proof import again
from service.proof.checkouts import Code, python_of


class Said(msgspec.Struct, frozen=True):
    """The answer of a release's code about a log; see `service.proof.again`. ``wrong``: a ply, and the sentence."""

    release: str
    knows: bool
    decided: frozenset[int]
    wrong: tuple[int, str, dict[str, str]] | None


class Former:
    """The code of the release in ``folder``, for a version of the rules. Its process starts with the first question."""

    def __init__(self, rules: int, folder: Path) -> None:
        self.rules, self.folder = rules, folder

    @cached_property
    def _code(self) -> Code:
        return Code(self.folder, python_of(self.folder), Path(again.__file__))

    def ask(self, game_id: str, title: str, secret: bytes, plies: Sequence[StoredPly]) -> Said:
        """Ask about one log. Raises `checkouts.DoesNotRun`."""
        asked = {
            "game": game_id,
            "title": title,
            "secret": secret.hex(),
            "rules": self.rules,
            "plies": [[_text(it.open), [[part.seat, _text(part.body)] for part in it.sealed]] for it in plies],
        }
        self._code.ask(msgspec.json.encode(asked))
        return msgspec.convert(self._code.answer(), Said)

    def end(self) -> None:
        if "_code" in self.__dict__:
            self._code.end()


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")  # no release writes bytes that are no text; they are found wrong


Formers = Mapping[int, Former]
"""Version of the rules -> the release that decides it."""
NOBODY: Formers = MappingProxyType({})
