"""The style sheet: fonts, the colours of the boards in light and dark, and `static/site.css`, as one text.

The boards in pages use the same CSS variables, so a board and the page around it change together.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

from domain import TITLES
from domain.drawing import VARIABLE, css_variables
from service.base import fonts

STATIC = Path(__file__).parent / "static"

FACES = (  # family, weight, file without its suffix
    ("Alegreya", "600 900", "Alegreya-Bold"),
    ("Alegreya", "400 500", "AlegreyaSans-Medium"),
    ("Alegreya Sans", "400 500", "AlegreyaSans-Medium"),
    ("Alegreya Sans", "600 900", "AlegreyaSans-Bold"),
)
"""Only names of waters have the second face. Browsers slant it, which saves a file of 16 kB for an italic."""


def _file(cut: str) -> Path:
    return fonts.FOLDER / f"{cut}.woff2"


@cache
def _with_digest(file: Path) -> str:
    return f"{file.stem}.{hashlib.sha256(file.read_bytes()).hexdigest()[:8]}{file.suffix}"


FONTS = {_with_digest(file): file for file in (_file(cut) for _, _, cut in FACES)}
"""The name by which a font is served -> its file. The name changes with the bytes."""

OF_THE_BOARD = ("ink", "paper", "panel", "frame", "rail", "accent", "on-accent")
"""Colours that pages share with the boards."""

SEATS = ("red", "blue", "green", "yellow", "purple", "orange", "black", "white")
"""Colours that the pieces of a seat may have, in any title."""

LIGHT = {
    "land": "#f6efe0", "soft": "#655a4d", "field": "#fffefa", "line": "#d9cbac", "accent-deep": "#7d2219",
    "link": "#8a2a1f", "focus": "#0b5488", "good": "#28846d", "fresh": "#ffb400",
}  # fmt: skip
DARK = {
    "land": "#151718", "soft": "#b9ad95", "field": "#1b1e1f", "line": "#45463f", "accent-deep": "#ec8b77",
    "link": "#f0947f", "focus": "#7fb4cc", "good": "#83b995", "fresh": "#ffc233",
}  # fmt: skip
"""Colours of the pages alone. Text has a contrast of at least 4.5 to its background; a test measures it."""


@cache
def style_sheet(font_address: str) -> str:
    """Return the whole sheet. ``font_address``: where fonts are served, up to the name in `FONTS`."""
    faces = "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-display: swap;'
        f' src: url("{font_address}{_with_digest(_file(cut))}") format("woff2"); }}'
        for family, weight, cut in FACES
    )
    light, dark = (css_variables(theme, TITLES.values()) for theme in ("light", "dark"))
    return "\n".join(
        (
            "/* Fonts: SIL Open Font License. Colours: those of the boards. */",
            faces,
            f":root {{ {light} {_variables(LIGHT)} {_shared()} }}",
            f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} {_variables(DARK)} }} }}",
            _without_remarks((STATIC / "site.css").read_text()),
            *map(_seat, SEATS),
            *(_lit(seat) for seat in range(1, MOST_SEATS + 1)),
        )
    )


TYPES = {
    ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml; charset=utf-8", ".wav": "audio/wav",
}  # fmt: skip
"""Content types of the files in `STATIC` that are served by their names."""


@cache
def static(name: str) -> bytes | None:
    """Return a file as it is served, without indents and comment lines; None if there is no such file."""
    file = STATIC / Path(name).name
    if file.suffix not in TYPES or not file.is_file():
        return None
    if not TYPES[file.suffix].endswith("utf-8"):
        return file.read_bytes()
    return re.sub(rb"^[ \t]*(//.*\n)?", b"", file.read_bytes(), flags=re.MULTILINE)


def _without_remarks(sheet: str) -> str:
    """Remove comments, and white space without meaning."""
    said = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    return re.sub(r":\s+", ":", re.sub(r"\s*([{};,])\s*", r"\1", said)).replace(";}", "}").strip()


def _seat(colour: str) -> str:
    """Return the mark of a seat's colour, with readable text on it."""
    ground, letter = (f"var({VARIABLE.format(name)})" for name in (colour, f"on-{colour}"))
    return f".c-{colour} {{ background: {ground}; color: {letter}; }}"


MOST_SEATS = max(title.seating.seats[-1] for title in TITLES.values())


def _lit(seat: int) -> str:
    """Light the pieces of a seat while the reader points at the seat, or has opened it. Those of others fade."""
    pointed, own = ":is(:hover, :focus-visible)", f'[data-seat="{seat}"]'
    here = f':has([data-of="{seat}"]{pointed}), [data-lit="{seat}"]:not(:has([data-of]{pointed}))'
    glow = "drop-shadow(0 0 6px var(--focus)) drop-shadow(0 0 2px var(--focus))"
    return (
        f".game:is({here}) .board {own} {{ filter: {glow}; }}"
        f" .game:is({here}) .board [data-seat]:not({own}) {{ opacity: .15; }}"
    )


def _shared() -> str:
    return _variables({name: f"var({VARIABLE.format(name)})" for name in OF_THE_BOARD})


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


@cache
def digest_of(name: str) -> str:
    """Return a digest of a file in `STATIC`; "" if there is no such file."""
    served = static(name)
    return hashlib.sha256(served).hexdigest()[:8] if served else ""


@cache
def fingerprint(text: str) -> str:
    """Return a digest of ``text`` for its address: browsers may then cache it for ever."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
