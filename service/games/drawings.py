"""Pictures of boards for pages, as SVG. They need no pixels, so pages never load the library that draws for mails."""

from html import escape

from domain.face import Picture, Piece


def svg(picture: Picture, label: str, *, name: str = "board", ground: str = "", under: str = "", over: str = "") -> str:
    """Return ``picture`` as one SVG. ``label``: its description in words. ``name``: begins the label's id.

    ``ground``: the address of its ground, if that is a file of its own; else the SVG needs no other file. ``under``:
    SVG between the ground and the pieces. ``over``: SVG that lies over the picture: links.
    """
    pieces = f'<g class="pieces">{"".join(map(laid, picture.pieces))}</g>'
    below = f'<use href="{escape(ground)}"/>' if ground else f"<defs>{picture.defs}</defs>{picture.ground}"
    drawn = f"{below}{under}{pieces}"
    drawn = f'<g aria-hidden="true">{drawn}</g>' if over else drawn
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box(picture)}" role="{"group" if over else "img"}"'
        f' aria-labelledby="{name}-label"><title id="{name}-label">{escape(label)}</title>{drawn}{over}</svg>'
    )


def laid(piece: Piece) -> str:
    """Return a piece in its place, with the number of its owner's seat."""
    seat = "" if piece.seat is None else f' data-seat="{piece.seat}"'
    return f'<g transform="translate({piece.x:.1f} {piece.y:.1f})"{seat}>{piece.svg}</g>'


def view_box(picture: Picture) -> str:
    """Return the attribute ``viewBox`` of an SVG of ``picture``."""
    return " ".join(f"{side:g}" for side in picture.box)
