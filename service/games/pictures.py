"""Pictures of boards for mails, in pixels; and those of plots (`chart`).

A mail's picture is always the light one, since mail readers do not change pictures with their theme. The ground (the
board without pieces) is drawn once and kept in few colours. Each piece is drawn once and kept. A picture is a copy of
the ground with the pieces pasted on, at 8 bits a pixel. The palette holds the colours of the ground, chosen once and
with care, and colours for the pieces, chosen quickly for each picture. So only the pixels under pieces are quantized
again, and a picture never depends on earlier ones. The fonts come from our own files only, so pictures are alike on
every machine.
"""

import io
import struct
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import msgspec
import resvg_py
from isal import igzip_lib
from PIL import Image

from domain.face import Picture
from domain.title import Title
from service.base import fonts
from service.words import spoken

FONTS = tuple(str(file) for file in sorted(fonts.FOLDER.glob("*.ttf")))
GROUND_COLOURS, PIECE_COLOURS = 136, 88
"""One quick choice of 128 colours for the whole picture doubles the mean error, and takes longer."""
SETTLED = 1000
"""Pixels: the palette of a ground is refined until fewer than these change their colour."""
BEHIND = bytes(min(GROUND_COLOURS + place, 255) for place in range(256))
PATCH_WORTH = 2000
"""Pixels that take as long as one more patch."""
PACKING = 2
"""The compression level of ISA-L, with small blocks. Means over 24 positions of the three titles (ms of a core, kB):

zlib 5: 9.9, 145; 6: 14.5, 142. zlib-ng 2: 3.2, 155; 5: 6.5, 141. libdeflate 2: 3.7, 150; 5: 4.6, 143; 6: 5.7, 141.
ISA-L 1: 1.3, 162; 2: 1.4, 161; 3: 3.0, 166.
"""
PIECES_KEPT, GROUNDS_KEPT = 32 * 1024 * 1024, 12 * 1024 * 1024
"""Bytes. The pieces of all titles take some 16 MB, without those that show a player's numbers: hardly two positions
share these. A ground takes 1.2 MB for each title and language."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels; right and bottom lie outside."""


def png(title: Title, view: Any, lang: str, width: int = 1200) -> bytes:
    """Draw the board as ``view`` shows it, ``width`` pixels wide, in the light theme with its own ground and frame."""
    return paint(title.face.picture(view, "light", spoken(title.face.words, lang)), width)


def paint(picture: Picture, width: int) -> bytes:
    """Return the pixels of a picture in literal colours, packed as PNG."""
    return _packed(*_in_few_colours(*_laid(picture, width)))


CHART_COLOURS = 16


@lru_cache(64)
def chart(svg: str, size: tuple[float, float], paper: str, width: int) -> bytes:
    """Return a drawing of few colours on ``paper`` as PNG. It is kept, as all players of a game get the same ones."""
    box = (0, 0, *size)
    laid = f'<rect width="{size[0]}" height="{size[1]}" fill="{paper}"/>{svg}'
    drawn = _drawn(laid, box, width, round(width * size[1] / size[0])).convert("RGB")
    few = drawn.quantize(CHART_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    file = io.BytesIO()
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


CARD_COLOURS = 240


def card(picture: Picture, inside: tuple[int, int, int, int], svg: str, paper: str, size: tuple[int, int]) -> bytes:
    """Return a board within a box (left, top, width, height) of a sheet with a drawing, as PNG. It is not kept."""
    left, top, width, height = inside
    scale = min(width / picture.box[2], height / picture.box[3])
    _ground, board, _laid_on = _laid(picture, round(picture.box[2] * scale))
    whole = f'<rect width="{size[0]}" height="{size[1]}" fill="{paper}"/>{svg}'
    sheet = _drawn(whole, (0, 0, *size), *size).convert("RGB")
    sheet.paste(board, (left + (width - board.width) // 2, top + (height - board.height) // 2))
    few = sheet.quantize(CARD_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    file = io.BytesIO()
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


class Ground(msgspec.Struct, frozen=True):
    """The sheet without pieces, as indices into a palette (RGB).

    Its true colours would take 5 MB more for each ground. Without them a picture takes 0.5 ms longer, and the mean
    error of the ground under the edges of pieces is half a step of 255.
    """

    places: Image.Image
    palette: bytes

    def in_colour(self) -> Image.Image:
        sheet = self.places.copy()
        sheet.putpalette(self.palette)
        return sheet.convert("RGB")


class Patch(msgspec.Struct, frozen=True):
    """A part of a piece: its corner within the piece, its pixels, and the mask of the visible ones."""

    x: int
    y: int
    pixels: Image.Image
    covers: Image.Image


P = ParamSpec("P")
Drawn = TypeVar("Drawn", Ground, tuple[Patch, ...])

Laid = list[tuple[Image.Image, tuple[int, int]]]
"""The images that cover the ground, with their positions."""


def _laid(picture: Picture, width: int) -> tuple[Ground, Image.Image, Laid]:
    """The ground, and the sheet with all pieces laid on it."""
    left, top, across, _ = picture.box
    scale = width / across
    ground = _ground(picture.box, picture.defs, picture.ground, width)
    sheet = ground.in_colour()
    laid = []
    for piece in picture.pieces:
        x, y = round((piece.x - left) * scale), round((piece.y - top) * scale)
        for patch in _piece(piece.svg, piece.width, piece.height, scale):
            at = (x + patch.x, y + patch.y)
            sheet.paste(patch.pixels, at, patch.pixels)
            laid.append((patch.covers, at))
    return ground, sheet, laid


def _in_few_colours(ground: Ground, sheet: Image.Image, laid: Laid) -> tuple[Image.Image, bytes]:
    """Return ``sheet`` as indices into a palette, and the palette.

    All pixels of patches stand in one row while colours are chosen for them. They come from the finished sheet, so the
    order of overlapping patches does not matter.
    """
    places = ground.places.copy()
    boxes = [(x, y, x + covers.width, y + covers.height) for covers, (x, y) in laid]
    if not (row := b"".join([sheet.crop(box).tobytes() for box in boxes])):
        return places, ground.palette
    chosen = Image.frombytes("RGB", (len(row) // 3, 1), row).quantize(
        PIECE_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
    )
    of_row, begin = chosen.tobytes().translate(BEHIND), 0
    for covers, at in laid:
        end = begin + covers.width * covers.height
        places.paste(Image.frombytes("L", covers.size, of_row[begin:end]), at, covers)
        begin = end
    return places, ground.palette + bytes(chosen.getpalette() or ())


def _packed(places: Image.Image, palette: bytes) -> bytes:
    """Pack a PNG (RFC 2083) with a palette of 8 bits. No line is filtered, which is best with a palette (9.6)."""
    pixels, (width, height) = places.tobytes(), places.size
    lines = b"".join([b"\0" + pixels[begin : begin + width] for begin in range(0, len(pixels), width)])
    packed = igzip_lib.compress(lines, PACKING, igzip_lib.COMP_ZLIB, igzip_lib.MEM_LEVEL_SMALL)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(name)))
            for name, body in chunks
        ]
    )


# ==== the cache ===================================================================================
def _kept(most: int) -> Callable[[Callable[P, Drawn]], Callable[P, Drawn]]:
    """Cache the drawings used last, up to ``most`` bytes. Threads share the cache."""

    def decorate(draw: Callable[P, Drawn]) -> Callable[P, Drawn]:
        things: OrderedDict[Any, tuple[Drawn, int]] = OrderedDict()
        lock, size = threading.Lock(), 0

        @wraps(draw)
        def kept(*key: P.args, **named: P.kwargs) -> Drawn:
            nonlocal size
            with lock:
                if (known := things.get(key)) is not None:
                    things.move_to_end(key)
                    return known[0]
            drawn = draw(*key, **named)
            with lock:
                if key not in things:
                    things[key] = drawn, _bytes(key, drawn)
                    size += things[key][1]
                while size > most:
                    _, (_, gone) = things.popitem(last=False)
                    size -= gone
            return drawn

        return kept

    return decorate


def _bytes(key: tuple[Any, ...], drawn: Ground | Sequence[Patch]) -> int:
    """Estimate the bytes of a cached drawing. Pillow has four bytes for a pixel in colour and one for any other."""
    words = sum(len(it) for it in key if isinstance(it, str))
    if isinstance(drawn, Ground):
        return words + drawn.places.width * drawn.places.height + OVERHEAD
    return words + sum(5 * it.pixels.width * it.pixels.height + OVERHEAD for it in drawn)


OVERHEAD = 2000
"""Bytes beside the pixels of an image."""


@_kept(GROUNDS_KEPT)
def _ground(box: tuple[float, float, float, float], defs: str, ground: str, width: int) -> Ground:
    few = _true(box, defs, ground, width).quantize(
        GROUND_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=SETTLED, dither=Image.Dither.NONE
    )
    palette = bytes(few.getpalette() or ()).ljust(3 * GROUND_COLOURS, b"\0")
    return Ground(Image.frombytes("L", few.size, few.tobytes()), palette)


def _true(box: tuple[float, float, float, float], defs: str, ground: str, width: int) -> Image.Image:
    """The sheet in its true colours."""
    return _drawn(f"<defs>{defs}</defs>{ground}", box, width, round(width * box[3] / box[2])).convert("RGB")


@_kept(PIECES_KEPT)
def _piece(svg: str, width: float, height: float, scale: float) -> tuple[Patch, ...]:
    """Draw a piece on whole pixels, so its box grows by less than one."""
    across, down = max(1, -int(-width * scale // 1)), max(1, -int(-height * scale // 1))
    drawn = _drawn(svg, (0, 0, across / scale, down / scale), across, down)
    covers = drawn.getchannel("A").point([0] + [255] * 255, "1")
    boxes = _patches(covers, (0, 0, across, down))
    return tuple(Patch(box[0], box[1], drawn.crop(box), covers.crop(box)) for box in boxes)


def _patches(covers: Image.Image, box: Box) -> list[Box]:
    """The boxes to cut a piece into: they cover all visible pixels, and each box saves more than it costs.

    A slanted row of cars, for example, fills little of its own box.
    """
    found = covers.crop(box).getbbox()
    if found is None:
        return []
    left, top, right, bottom = whole = (box[0] + found[0], box[1] + found[1], box[0] + found[2], box[1] + found[3])
    if _area(whole) < PATCH_WORTH:
        return [whole]
    x, y = (left + right) // 2, (top + bottom) // 2
    if right - left > bottom - top:
        halves = (left, top, x, bottom), (x, top, right, bottom)
    else:
        halves = (left, top, right, y), (left, y, right, bottom)
    parts = [part for half in halves for part in _patches(covers, half)]
    spared = _area(whole) - sum(map(_area, parts))
    return parts if spared > PATCH_WORTH * (len(parts) - 1) else [whole]


def _area(box: Box) -> int:
    left, top, right, bottom = box
    return (right - left) * (bottom - top)


def _drawn(body: str, box: tuple[float, float, float, float], width: int, height: int) -> Image.Image:
    sides = " ".join(f"{side:.4f}" for side in box)
    sized = f'viewBox="{sides}" width="{width}" height="{height}"'
    packed = resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" {sized}>{body}</svg>',
        skip_system_fonts=True,
        font_files=list(FONTS),
        font_family="Alegreya Sans",
        sans_serif_family="Alegreya Sans",
        serif_family="Alegreya",
    )
    image = Image.open(io.BytesIO(bytes(packed)))
    image.load()
    return image
