"""The pictures of README, taken in Chromium: a table, and a letter in a mail program.

    python -m tests.browser.pictures

It writes docs/pictures/*.png and the digests of their contents (`tests.pictures`). Run it when `tests.test_pictures`
says that the page or the letter has changed.
"""

import io
import json
import logging
import tempfile
from pathlib import Path
from typing import Any

import click
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import sync_playwright

from config.settings import Settings
from service.web.app import create_app
from tests import pictures
from tests.browser.shots import CHROMIUM, FLAGS

SITE = "http://127.0.0.1:8000/"
SIZES = {"table": (1200, 860), "letter": (760, 980)}
"""Width and height of each picture, in pixels."""
COLOURS = 128


def main() -> None:
    """Take both pictures."""
    logging.disable()
    with tempfile.TemporaryDirectory() as room, sync_playwright() as driver:
        shown = pictures.shown(Path(room))
        files = create_app(Settings(_env_file=None, data_dir=Path(room))).test_client()  # type: ignore[call-arg]
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = {"table": shown.page, "letter": pictures.in_a_frame(shown.letter)}
        for name, html in pages.items():
            file = pictures.FOLDER / f"{name}.png"
            _small(_photographed(browser, html, files, SIZES[name])).save(file, optimize=True)
            click.echo(f"{file}: {file.stat().st_size // 1000} kB")
        browser.close()
    pictures.DIGESTS.write_text(json.dumps(shown.digests(), indent=2) + "\n")


def _photographed(browser: Any, html: str, files: FlaskClient, size: tuple[int, int]) -> bytes:
    """Return ``html`` as a PNG; its styles, fonts and scripts come from the application."""
    width, height = size

    def answer(route: Any, request: Any) -> None:
        if request.url == SITE:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            given = files.get(request.url.removeprefix(SITE.rstrip("/")), base_url=SITE)
            route.fulfill(body=given.data, status=given.status_code, content_type=given.content_type)

    page = browser.new_page(viewport={"width": width, "height": height})
    page.route("**/*", answer)
    page.goto(SITE)
    page.evaluate("document.fonts.ready")
    taken: bytes = page.screenshot()
    page.close()
    return taken


def _small(png: bytes) -> Image.Image:
    """Return the picture in few colours: a third of the bytes, without a visible difference."""
    return Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
