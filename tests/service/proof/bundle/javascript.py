"""The verifier of the page, run unchanged by a JavaScript engine (V8, from a wheel)."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from py_mini_racer import MiniRacer

import service.proof.bundle
from service.proof.bundle import page

words_of_scripts = cache(page.words_of_scripts)
"""They are cached: reading them parses the scripts, and tests word thousands of faults."""
SOURCE = Path(service.proof.bundle.__file__).with_name("verifier.js")


class JavaScript:
    """``verifier.js``, loaded."""

    def __init__(self) -> None:
        self._engine = MiniRacer()
        self._engine.eval(SOURCE.read_text())
        self._engine.eval("function hashes(digits) { return hex(sha256(unhex(digits))); }")
        self._engine.eval("function macs(key, digits) { return hex(hmac(unhex(key), unhex(digits))); }")
        self._engine.eval("function utf8Of(text) { return hex(utf8(text)); }")

    def verify(self, raw: bytes, pasted: str = "", newest: int = 2**31) -> dict[str, Any]:
        """The page's proof of a bundle, whose bytes it gets as from a browser.

        ``newest``: the version of the rules that the page knows.
        """
        return dict(self._engine.call("verifyBundle", raw.decode(errors="replace"), pasted, newest))

    def verdict(self, proof: dict[str, Any], lang: str = "en") -> str:
        """The page's verdict on a proof, in words."""
        said = dict(self._engine.call("sayVerdict", proof, words_of_scripts(lang)))
        return f"{said['head']} {said['said']}"

    def say(self, fault: Any, lang: str = "en") -> str:
        return str(self._engine.call("sayFault", fault, words_of_scripts(lang)))

    def call(self, name: str, *given: Any) -> Any:
        return self._engine.call(name, *given)

    def value(self, expression: str) -> Any:
        return self._engine.execute(expression)

    def close(self) -> None:
        self._engine.close()


def loaded() -> Iterator[JavaScript]:
    engine = JavaScript()
    yield engine
    engine.close()
