"""Versions of the rules that this program decides by no longer: the code of a release that did is asked in its place.

An operator names the folder of that release (``slowtrain verify --release 1=FOLDER``). Its code sees the log and the
secret of the games that are proved, and is taken at its word.
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
    """What the code of a release says of a log; see `service.proof.again`. ``wrong``: a ply, and a sentence of it."""

    release: str
    knows: bool
    decided: frozenset[int]
    wrong: tuple[int, str, dict[str, str]] | None


class Former:
    """The code of the release in ``folder``, for a version of the rules. Its process starts when it is first asked."""

    def __init__(self, rules: int, folder: Path) -> None:
        self.rules, self.folder = rules, folder

    @cached_property
    def _code(self) -> Code:
        return Code(self.folder, python_of(self.folder), Path(again.__file__))

    def ask(self, game_id: str, title: str, secret: bytes, plies: Sequence[StoredPly]) -> Said:
        """Raises `checkouts.DoesNotRun`."""
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
    return raw.decode(errors="replace")  # what is no text was not written by any release, and is found to be wrong


Formers = Mapping[int, Former]
"""Version of the rules -> the release that decides it."""
NOBODY: Formers = MappingProxyType({})
