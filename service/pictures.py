"""Boards as they leave the house: one SVG for a page, and pixels for a mail.

A mail's picture is always the light one, since mail readers do not change pictures with their theme. Its ground is
drawn once and kept as pixels; each piece is drawn once and kept; a picture is a copy of the ground with the pieces
pasted on. The fonts come from files beside this module and nowhere else, so that pictures are alike on every machine.
"""

import io
import re
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import resvg_py
from PIL import Image

from domain.title import Picture, Title

FONTS = tuple(str(file) for file in sorted((Path(__file__).parent / "fonts").glob("*.ttf")))
COLOURS = 128
PACKING = 5
"""Of zlib: 6, the usual one, takes 6 ms more for 3 kB less."""
PIECES_KEPT = 4096
GROUNDS_KEPT = 16


# ==== for pages ===================================================================================
def svg(picture: Picture, label: str, *, name: str = "board") -> str:
    """``picture`` as one self-contained SVG; ``label``: its sentence, said; ``name``: told apart on one page by it.

    Every id in it begins with ``name``, so that several boards can stand in one page.
    """
    pieces = "".join(
        f'<g transform="translate({piece.x:.1f} {piece.y:.1f})">{piece.svg}</g>' for piece in picture.pieces
    )
    body = _own_ids(f"<defs>{picture.defs}</defs>{picture.ground}{pieces}", name)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_box(picture)}" role="img"'
        f' aria-labelledby="{name}-label"><title id="{name}-label">{escape(label)}</title>{body}</svg>'
    )


def _own_ids(body: str, name: str) -> str:
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", body)


def _box(picture: Picture) -> str:
    return " ".join(f"{side:g}" for side in picture.box)


# ==== for mails ===================================================================================
def png(title: Title, view: Any, lang: str, width: int = 1200) -> bytes:
    """The board as ``view`` shows it, ``width`` pixels wide, in the light theme with its own ground and frame."""
    return paint(title.picture(view, "light", lang), width)


def paint(picture: Picture, width: int) -> bytes:
    """The pixels of a picture in literal colours, packed as PNG."""
    left, top, across, _ = picture.box
    scale = width / across
    sheet = _ground(picture.box, picture.defs, picture.ground, width).copy()
    for piece in picture.pieces:
        pixels = _piece(piece.svg, piece.width, piece.height, scale)
        sheet.paste(pixels, (round((piece.x - left) * scale), round((piece.y - top) * scale)), pixels)
    return _packed(sheet)


def _packed(sheet: Image.Image) -> bytes:
    """No loss that can be seen, and a quarter of the bytes."""
    few = sheet.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=PACKING)
    return out.getvalue()


@lru_cache(GROUNDS_KEPT)
def _ground(box: tuple[float, float, float, float], defs: str, ground: str, width: int) -> Image.Image:
    height = round(width * box[3] / box[2])
    return _drawn(f"<defs>{defs}</defs>{ground}", box, width, height).convert("RGB")


@lru_cache(PIECES_KEPT)
def _piece(svg: str, width: float, height: float, scale: float) -> Image.Image:
    """A piece's pixels: whole ones, so the box grows by less than one."""
    across, down = max(1, -int(-width * scale // 1)), max(1, -int(-height * scale // 1))
    return _drawn(svg, (0, 0, across / scale, down / scale), across, down)


def _drawn(body: str, box: tuple[float, float, float, float], width: int, height: int) -> Image.Image:
    sides = " ".join(f"{side:.4f}" for side in box)
    sized = f'viewBox="{sides}" width="{width}" height="{height}"'
    packed = resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" {sized}>{body}</svg>',
        skip_system_fonts=True, font_files=list(FONTS),
        font_family="Alegreya Sans", sans_serif_family="Alegreya Sans", serif_family="Alegreya",
    )  # fmt: skip
    image = Image.open(io.BytesIO(bytes(packed)))
    image.load()
    return image
