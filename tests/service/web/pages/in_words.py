"""Playing at a text table as its reader does: by headings, buttons and labelled fields, never by ids of the game."""

import random
from typing import Any

from tests.service.web.pages.browser import Element, Form, Page


def section(page: Page, heading: str) -> Element | None:
    """Return the part of the page under this heading of the second rank."""
    assert page.root is not None
    found = [it for it in page.root.all("section") if any(head.text == heading for head in it.all("h2"))]
    return found[0] if found else None


def headings(page: Page) -> list[str]:
    assert page.root is not None
    return [it.text for it in page.root.all("main")[0].all("h2")]


def status(page: Page) -> str:
    """Return what the status line says, "" without one."""
    assert page.root is not None
    said = page.root.all("p", **{"class": "said", "role": "status"})
    return said[0].text if said else ""


def options(page: Page, heading: str = "Your options") -> list[Element]:
    """Return the buttons of all actions."""
    part = section(page, heading)
    assert part is not None, headings(page)
    return [it for each in part.all("ul", **{"class": "deeds"}) for it in each.all("button")]


def press(page: Page, button: Element, dice: random.Random) -> Page:
    """Press a button of an action. Fields of its form are filled in at random."""
    owner = button.attrs.get("form")
    assert page.root is not None
    element = page.root.all("form", id=owner)[0] if owner else button.inside("form")
    assert element is not None
    form = Form(element, page.browser)
    sent: dict[str, Any] = dict(form.filled)
    for it in element.walk():
        if it.tag == "select":
            sent[it.attrs["name"]] = dice.choice(it.all("option")).attrs["value"]
        elif it.attrs.get("type") == "number":
            low, high, step = (int(it.attrs[name]) for name in ("min", "max", "step"))
            sent[it.attrs["name"]] = str(dice.randrange(low, min(high, low + 5 * step) + 1, step))
        elif it.attrs.get("type") == "checkbox":
            sent.setdefault(it.attrs["name"], [])
            if dice.random() < 0.3:
                sent[it.attrs["name"]].append(it.attrs["value"])
    if "name" in button.attrs:
        sent[button.attrs["name"]] = button.attrs["value"]
    return page.browser.post(form.address, sent)
