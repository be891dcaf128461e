"""Windows of Chromium and Firefox that people use by mouse, by thumb or by the keys alone.

A window shows one page at a time. Parts of pages are named by CSS selectors; the first visible one is meant.
"""

import base64
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import click
from marionette_driver.by import By
from marionette_driver.errors import MarionetteException
from marionette_driver.keys import Keys as Pressed
from marionette_driver.marionette import Marionette
from playwright.sync_api import Browser, Error

from tests.browser.pointing import STOPS, Finger, Hand, Keys, Table
from tests.browser.shots import PATIENCE
from tests.workers import post

Way = Literal["mouse", "thumb", "keys"]
HANDS: dict[Way, type[Hand]] = {"mouse": Hand, "thumb": Finger, "keys": Keys}
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
WITHIN = 180.0
"""Seconds in which a letter or a live page comes, on a busy machine."""


def until(condition: Callable[[], Any], what: str) -> Any:
    return post.until(condition, WITHIN, what, every=0.2)


class Window(ABC):
    """A window of a browser, with the session of one person."""

    def go(self, address: str) -> None:
        """Open a page, again if the page before has just loaded itself anew and took its place."""

        def arrived() -> bool:
            self._go(address)
            return self.url.partition("#")[0] == address

        until(arrived, address)

    @abstractmethod
    def _go(self, address: str) -> None: ...

    @property
    @abstractmethod
    def url(self) -> str: ...

    @abstractmethod
    def press(self, css: str) -> None:
        """Press a button, a link or a box, as soon as there is one."""

    @abstractmethod
    def write(self, css: str, text: str) -> None:
        """Write a text into a field, in place of what stands there."""

    @abstractmethod
    def texts(self, css: str) -> list[str]:
        """Return the words of all visible parts like this."""

    @abstractmethod
    def photograph(self, file: Path) -> None: ...

    def has(self, css: str) -> bool:
        return bool(self.texts(css))

    def waits(self, css: str, *, live: bool) -> None:
        """Wait for a part to come: by itself on a ``live`` page, and otherwise by loading the page again and again."""

        def come() -> bool:
            if not live and not self.has(css):
                self.go(self.url)
            return self.has(css)

        until(come, f"{css} at {self.url}")


class Chromium(Window):
    """A window of a Chromium."""

    def __init__(self, browser: Browser, session: dict[str, Any], way: Way, scripts: bool) -> None:
        thumb = way == "thumb"
        context = browser.new_context(
            viewport=PHONE if thumb else WIDE,
            has_touch=thumb,
            is_mobile=thumb,
            locale="en",
            java_script_enabled=scripts,
        )  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        context.add_cookies([session])  # type: ignore[list-item]
        self.page = context.new_page()
        self._table = Table(self.page, "")
        self._hand = HANDS[way](self._table)

    def _go(self, address: str) -> None:
        with contextlib.suppress(Error):
            self.page.goto(address, wait_until="load")

    @property
    def url(self) -> str:
        with contextlib.suppress(
            Error
        ):  # The page has just changed. Playwright's own address is only as new as its events.
            return str(self.page.evaluate("location.href"))
        return self.page.url

    def press(self, css: str) -> None:
        found = self._visible(css).first
        found.wait_for()
        if found.get_attribute("type") in ("checkbox", "radio"):
            self._hand.tick(found)
        else:
            self._hand.press(found)
        self.page.wait_for_load_state()

    def write(self, css: str, text: str) -> None:
        self._hand.write(self._visible(css).first, text)

    def texts(self, css: str) -> list[str]:
        with contextlib.suppress(Error):  # The page has just changed.
            return list(self._visible(css).all_inner_texts())
        return []

    def photograph(self, file: Path) -> None:
        self.page.screenshot(path=file, full_page=True)

    def _visible(self, css: str) -> Any:
        return self.page.locator(css).locator("visible=true")


class Firefox(Window):
    """The window of a Firefox. ``way``: a thumb is a pointer that touches."""

    def __init__(self, firefox: Marionette, session: dict[str, Any], way: Way) -> None:
        self.firefox, self._way = firefox, way
        firefox.navigate(session["url"] + "/legal")
        firefox.add_cookie({"name": session["name"], "value": session["value"]})

    def _go(self, address: str) -> None:
        self.firefox.navigate(address)

    @property
    def url(self) -> str:
        return str(self.firefox.get_url())

    def press(self, css: str) -> None:
        one = self._one(css)
        if self._way == "keys":
            self._tab_to(one)
            self._type(Pressed.SPACE if one.get_attribute("type") in ("checkbox", "radio") else Pressed.ENTER)
        elif self._way == "thumb":
            self.firefox.execute_script("arguments[0].scrollIntoView({block: 'center'})", script_args=[one])
            finger = self.firefox.actions.sequence("pointer", "thumb", {"pointerType": "touch"})
            finger.pointer_move(0, 0, origin=one).click().perform()
        else:
            one.click()
        time.sleep(0.5)  # Only a click waits for the page behind it.

    def write(self, css: str, text: str) -> None:
        one = self._one(css)
        if self._way == "keys":
            self._tab_to(one)
        one.clear()
        one.send_keys(text)

    def texts(self, css: str) -> list[str]:
        with contextlib.suppress(MarionetteException):  # The page has just changed.
            return [it.text for it in self.firefox.find_elements(By.CSS_SELECTOR, css) if it.is_displayed()]
        return []

    def photograph(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.firefox.screenshot(full=True)))

    def _one(self, css: str) -> Any:
        def found() -> Any:
            with contextlib.suppress(MarionetteException):
                return next((it for it in self.firefox.find_elements(By.CSS_SELECTOR, css) if it.is_displayed()), None)

        return until(found, css)

    def _tab_to(self, one: Any) -> None:
        for _ in range(STOPS):
            if self.firefox.get_active_element() == one:
                return
            self._type(Pressed.TAB)
        raise click.ClickException("The tab key does not reach it.")

    def _type(self, key: str) -> None:
        self.firefox.actions.sequence("key", "keyboard").send_keys(key).perform()
