"""Helpers that start games of the toy title."""

from domain.game import Game
from domain.messages import Command
from service.base.clock import now
from service.database.store import Store
from service.database.work import Work
from service.games import lobby, opening
from service.games.rights import ByPerson
from service.web.pages.parts.forms import command_text
from tests import road
from tests.service.web.pages.browser import Browser, Page


def open_table(host: Browser, **entries: str) -> str:
    """Open a table for two with the host at seat 1. Return its address."""
    page = host.get("/games/new").form("/games/new?title=toy").submit("Open the table", **entries)
    assert page.status == 200, page.text
    return page.address.partition("?")[0]


def players(*others: str) -> dict[str, str]:
    """Return the entries for the seats after the host's."""
    return {f"seat{seat}": player for seat, player in enumerate(others, 2)}


def start(host: Browser, other: Browser, **entries: str) -> str:
    """Start a game of two. Return the address of its table. Only ``entries`` need the pages, which take longer."""
    if not entries:
        return started(host, other)
    address = open_table(host, **entries)
    other.get(address).form("/join").submit("Take seat 2")
    assert "is your turn" in host.get(address).form("/start").submit().text
    return address


def started(host: Browser, other: Browser) -> str:
    """Make the same game as the pages' unchanged forms, below the pages."""
    site = host.client.application.extensions["slowtrain"]
    given = {"title": "toy", "options": {}, "seats": 2, "name": f"{host.name}'s game", "public": True}
    settle = int(site.settings.settle_seconds * 1000)
    work, by = Work(site.store), ByPerson(host.number)
    opened = opening.open_table(work, by, settle_ms=settle, **given)
    for each in (host, other):
        lobby.join(work, ByPerson(each.number), opened.game_id, choice={})
    lobby.start(work, by, opened.game_id)
    return f"/games/{opened.game_id}"


def game_id(address: str) -> str:
    return address.removeprefix("/games/")


def to_choose(page: Page) -> list[str]:
    """Return the commands that the page offers, in order; of a long list, also those behind its kinds."""
    return [it.attrs["value"] for each in (page, *kinds_of(page)) for it in each.root.all("input", name="command")]  # type: ignore[union-attr]


def kinds_of(page: Page) -> list[Page]:
    """Return the pages to which the kinds of a long list of actions lead."""
    assert page.root is not None
    lists = page.root.all("ul", **{"class": "ways"})
    links = [it.attrs["href"].partition("#")[0] for each in lists for it in each.all("a")]
    return [page.browser.get(it) for it in links if "at=" not in it]


def confirming(browser: Browser, how: str) -> Browser:
    """Set when this person's moves count."""
    browser.get("/account").form("/account/confirm").submit(confirm=how, confirm_live=how)
    return browser


def add(page: Page, command: Command) -> Page:
    """Return the page after choosing another command of a turn."""
    return page.form("/try").submit(command=command_text(command), field=None, value=None)


def steps(page: Page) -> list[str]:
    """Return the steps of the turn that is tried on a page."""
    assert page.root is not None
    return [it.text for each in page.root.all("ol", **{"class": "tried"}) for it in each.all("strong")]


def made(page: Page) -> Page:
    """Return the page after confirming the tried turn of ``page``."""
    return page.form("/move").submit()


def load(store: Store, address: str) -> Game:
    with store.read() as conn:
        return store.load(conn, game_id(address)).game


def leading(first: Browser, second: Browser, table: str, store: Store) -> tuple[Browser, Browser]:
    """Let both players show their cards. Return the leader of the round, who may walk, and the other."""
    for each in (first, second):
        each.get(table).forms[0].submit()
    return (first, second) if load(store, table).state.leader == 1 else (second, first)


def play_bots(store: Store, address: str) -> None:
    """Play the commands of all seats but the first, as the workers would."""
    import random

    while True:
        with store.read() as conn:
            game = store.load(conn, game_id(address)).game
        others = [seat for seat in game.asked if seat != 1]
        if not others:
            return
        command = game.title.bots["random"](game.title.rules.view(game.state, others[0]), random.Random(game.version))[
            0
        ]
        road.submit(store, game.id, others[0], [command], None, None, now(), "bot")
