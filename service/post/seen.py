"""Tells hidden text of a page from visible text, by the style of its element. No style sheet is read."""

import re
from collections.abc import Mapping

_COMMENT = re.compile(r"/\*[^*]*+\*/")
_NUMBER = re.compile(r"[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})")
_RGB = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,([\d.]{1,9}))?\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_NAMED = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "yellow": "#ffff00", "lime": "#00ff00"}
_IMPORTANT = "!important"
TRANSPARENT = "transparent"
_TINY = 1
"""Pixels or points of letters too small to read."""
_FAR = -99
"""Pixels or points to the left or above that are off the page."""


def declarations(style: str) -> dict[str, str]:
    """Return the properties of an element's style, in lower case and without spaces."""
    plain = _COMMENT.sub("", "".join(style.lower().split()))
    found: dict[str, str] = {}
    for name, _, value in (each.partition(":") for each in plain.split(";")):
        if value.endswith(_IMPORTANT) or not found.get(name, "").endswith(_IMPORTANT):
            found[name] = value
    return {name: value.removesuffix(_IMPORTANT) for name, value in found.items()}


def is_hidden(said: Mapping[str, str]) -> bool:
    """Do these declarations hide an element, or strike it out?"""
    return (
        said.get("display") == "none"
        or said.get("visibility") in ("hidden", "collapse")
        or said.get("content-visibility") == "hidden"
        or said.get("mso-hide") == "all"
        or "line-through" in said.get("text-decoration", "") + said.get("text-decoration-line", "")
        or _number(said, "opacity") == 0
        or _is_tiny(said)
        or _number(said, "max-height") == 0
        or ("hidden" in said.get("overflow", "") and 0 in (_number(said, "height"), _number(said, "width")))
        or _is_far(said)
    )


def ink(said: Mapping[str, str], attribute: str = "") -> str:
    """Return the text's colour, "#rrggbb" or `TRANSPARENT`; "" if none is set. ``attribute``: the HTML attribute."""
    return _colour(said.get("color", attribute))


def ground(said: Mapping[str, str], attribute: str = "") -> str:
    """Return the background colour; "" if none is set, or no colour."""
    found = _colour(said.get("background-color", "") or said.get("background", "") or attribute)
    return "" if found == TRANSPARENT else found


def _is_tiny(said: Mapping[str, str]) -> bool:
    size = _number(said, "font-size")
    if size is None:
        return False
    return size == 0 or (size <= _TINY and said["font-size"].endswith(("px", "pt")))


def _is_far(said: Mapping[str, str]) -> bool:
    places = ["text-indent"]
    if said.get("position") in ("absolute", "fixed"):
        places += ["left", "top"]
    return any((_number(said, it) or 0) <= _FAR for it in places)


def _number(said: Mapping[str, str], name: str) -> float | None:
    """Return the number at the start of a property, whatever its unit."""
    found = _NUMBER.match(said.get(name, ""))
    return float(found.group()) if found else None


def _colour(value: str) -> str:
    value = "".join(value.lower().split())
    if (rgb := _RGB.match(value)) is not None:
        if rgb[4] and not rgb[4].strip("0."):
            return TRANSPARENT
        return "#" + "".join(f"{min(int(it), 255):02x}" for it in rgb.groups()[:3])
    if (written := _HEX.fullmatch(value)) is not None:
        digits = written.group()[1:]
        return "#" + (digits if len(digits) == 6 else "".join(it * 2 for it in digits))
    return TRANSPARENT if value == TRANSPARENT else _NAMED.get(value, "")
