"""Finding a game, talk, rematches, reports and blocks in Chromium and Firefox, as three people use them, also by mail.

    python -m tests.browser.people [--firefox Ann] [--way thumb] [--without-scripts] [--shots DIRECTORY]

It runs ``slowtrain up``. Ann and Bob talk at a table, in the tab and by answering letters, in English and German. When
their game is over, Ann presses *Rematch*, and Bob follows to the table; Cleo gets one letter and answers ``join`` in
the mailbox. Ann and Bob look for a game, sit down, and both see its first move. Then Bob reports a line and blocks its
writer. ``--firefox``: this person uses Debian's Firefox, the others Chromium. It takes some minutes, and names the step
that fails.
"""

import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import sync_playwright
from sqlalchemy import insert, select

from config.settings import Settings
from domain.lifecycle import Resign, StartGame
from service.base.clock import DAY, now
from service.database.store import Store, open_store
from service.games import rematches
from service.notices.mailbox import MAILBOX
from service.people import accounts, acquaintances
from service.people.accounts import PERSONS
from service.wishes import wishes
from tests import road
from tests.browser.firefox import firefoxes
from tests.browser.shots import CHROMIUM, FLAGS, free_port
from tests.browser.windows import Chromium, Firefox, Way, Window, until
from tests.workers import processes

NAMES = {"Ann": "en", "Bob": "de", "Cleo": "en"}
TITLE = "grand_trunk"
AT_ONCE: dict[str, Any] = {"settle_seconds": 0, "presence_seconds": 0}
"""Letters do not wait."""


class People:
    """Three people, each with a window, at one installation. ``live``: do pages renew themselves?"""

    def __init__(self, settings: Settings, store: Store, live: bool, shots: Path | None) -> None:
        self.settings, self.store, self.live, self.shots = settings, store, live, shots
        self.numbers: dict[str, int] = {}
        self.windows: dict[str, Window] = {}

    def session(self, name: str) -> dict[str, Any]:
        """Make a person, and return the cookie of their session."""
        row = {"email": f"{name.lower()}@example.org", "name": name, "lang": NAMES[name], "zone": "UTC"}
        with self.store.write() as conn:
            added = conn.execute(insert(PERSONS).values(**row, created_at=now() - 30 * DAY, tips=False))
            self.numbers[name] = int(added.inserted_primary_key[0])  # type: ignore[index]
            token = accounts.open_session(conn, self.numbers[name], now())
        return {"name": "session", "value": token, "url": self.settings.site}

    def game(self) -> str:
        """Start a game of the three."""
        given = {"title": TITLE, "options": {}, "seats": 3, "name": "Monday trains", "public": True, "settle_ms": 0}
        opened = road.open_game(self.store, host_id=self.numbers["Ann"], at=now(), **given)
        for seat, number in enumerate(self.numbers.values(), 1):
            road.take_seat(self.store, opened.game_id, seat, choice={}, at=now(), person_id=number)
        road.submit(self.store, opened.game_id, None, [StartGame()], None, None, now())
        return opened.game_id

    def end(self, game_id: str) -> None:
        """Let Bob and Cleo resign."""
        for seat in (2, 3):
            road.submit(self.store, game_id, seat, [Resign()], None, None, now())

    def at(self, name: str, path: str) -> Window:
        """Open a page in a person's window."""
        window = self.windows[name]
        window.go(self.settings.site + path)
        return window

    def photograph(self, name: str) -> None:
        if self.shots:
            number = len(list(self.shots.glob("*.png"))) + 1
            self.windows[name].photograph(self.shots / f"{number:02}-{name}.png")

    def letters(self, name: str, subject: str) -> list[int]:
        """Return the numbers of a person's letters whose subject contains this."""
        its = MAILBOX.c.recipient == f"{name.lower()}@example.org", MAILBOX.c.subject.contains(subject)
        with self.store.read() as conn:
            return list(conn.scalars(select(MAILBOX.c.id).where(*its).order_by(MAILBOX.c.id)))

    def answer(self, name: str, subject: str, text: str) -> None:
        """Answer a person's last letter with this subject on the mailbox page."""
        number = until(lambda: self.letters(name, subject), f"a letter to {name} about “{subject}”")[-1]
        window = self.at(name, f"/mailbox/{number}")
        window.press("details.reply > summary")
        window.write("#answer", text)
        window.press("details.reply button[type=submit]")
        until(lambda: not window.has("#answer"), "the page behind the form")


@contextlib.contextmanager
def serving() -> Iterator[tuple[Settings, Store]]:
    with tempfile.TemporaryDirectory() as folder:
        settings = processes.embedded(Path(folder), port=free_port(), mailbox_port=free_port(), **AT_ONCE)
        command = sys.executable, "-c", "from service.cli.main import main; main()", "up"
        with processes.process(settings, *command), contextlib.closing(open_store(settings.database)) as store:
            until(lambda: is_ready(store), "the service")
            yield settings, store


def is_ready(store: Store) -> bool:
    with contextlib.suppress(Exception), store.read() as conn:  # its tables are still being made
        return conn.execute(select(MAILBOX.c.id)).all() is not None
    return False


# ==== steps =======================================================================================
def say(window: Window, text: str) -> None:
    window.write("#say", text)
    window.press("form.say button[type=submit]")
    until(lambda: any(text in it for it in window.texts("#talk-lines .words")), "one's own line")


def talk(people: People, game_id: str) -> None:
    """A line in the tab reaches the other player"""
    ann, bob = (people.at(name, f"/games/{game_id}?show=talk") for name in ("Ann", "Bob"))
    say(ann, "@Bob: is it your turn?")
    bob.waits("#talk-lines strong", live=people.live)
    assert bob.texts("#talk-lines strong") == ["@Bob"]
    say(bob, "Gleich, @Ann. Siehe https://example.org")
    ann.waits("#talk-lines a[rel~=ugc]", live=people.live)
    assert len(ann.texts("#talk-lines li")) == 2
    people.photograph("Ann")


def by_mail(people: People, game_id: str) -> None:
    """“say:” and “sage:” in answers to letters publish, and nothing else does"""
    for name, word in (("Ann", "say"), ("Bob", "sage")):
        people.answer(name, "Monday trains", f"Hello there\n{word}: By mail from {name}\nSay hello to Cleo")

    def words() -> list[str]:
        return people.at("Cleo", f"/games/{game_id}/talk/players").texts("#talk-lines .words")[2:]

    until(lambda: len(words()) == 2, "the lines by mail")
    assert sorted(words()) == ["By mail from Ann", "By mail from Bob"], words()


def rematch(people: People, game_id: str) -> None:
    """One presses “Rematch”, another follows to the table, and the third answers one letter with “join”"""
    people.end(game_id)
    for name, button in (("Ann", "form.again button"), ("Bob", "a.button.primary")):
        window = people.at(name, f"/games/{game_id}")
        people.photograph(name)
        window.press(button)
        until(lambda window=window: game_id not in window.url, f"the rematch of {name}")
    people.windows["Bob"].press("button.primary[name=seat]")
    with people.store.read() as conn:
        table = rematches.following(conn, game_id)
    people.answer("Cleo", "again", "join\n\nSee you soon")
    until(lambda: seats(people, table.id) == 3, "Cleo's seat")
    assert len(people.letters("Cleo", "again")) == 1


def seats(people: People, game_id: str) -> int:
    with people.store.read() as conn:
        return len(people.store.load(conn, game_id).seats)


OTHERS = f"input[name=title]:checked:not([value={TITLE}])"


def find(people: People, game_id: str) -> None:
    """Two who look for a game find each other, sit down, and both see the first move"""
    for name in ("Ann", "Bob"):
        window = people.at(name, "/games/find")
        while window.has(f"label:has(> {OTHERS})"):
            window.press(OTHERS)
        window.press("form[action$='/games/find'] button.primary")
        window.waits("[data-mine] li", live=True)
    for name in ("Ann", "Bob"):
        window = people.windows[name]
        window.waits("[data-mine] a.button.primary", live=people.live)
        people.photograph(name)
        window.press("[data-mine] a.button.primary")
        window.waits("button.primary[name=seat]", live=True)
        people.photograph(name)
        window.press("button.primary[name=seat]")
    with people.store.read() as conn:
        [mine] = wishes.of_person(conn, people.numbers["Ann"], now())
    [found] = until(lambda: games_of(people, mine.id), "the start")
    for name in ("Ann", "Bob"):
        people.windows[name].waits("body.at-table .board", live=people.live)
    for name in ("Ann", "Bob"):
        before = version(people, found)
        first_move(people.windows[name])
        until(lambda before=before: version(people, found) > before, f"the first move of {name}")
    for name in ("Ann", "Bob"):  # both chose at the same time; now one of them is to move
        until(lambda name=name: shows_a_move(people, name), f"the move on the page of {name}")
        people.photograph(name)


def shows_a_move(people: People, name: str) -> bool:
    """Does a page tell of the first cars of both, which come to light together? Without scripts it is loaded anew."""
    window = people.windows[name]
    if not people.live:
        window.go(window.url)
    return any("sets off with" in it or "fährt mit" in it for it in window.texts("main"))


def games_of(people: People, wish: int) -> list[str]:
    with people.store.read() as conn:
        mine = wishes.of_person(conn, people.numbers["Ann"], now())
    return [it for each in mine if each.id == wish for it in each.games]


def version(people: People, game_id: str) -> int:
    with people.store.read() as conn:
        return people.store.load(conn, game_id).game.version


STEP, WAYS = ".actions form[action$='/try'] button[type=submit]", ".actions .ways:not(.chosen) a"
CONFIRM = ".trial form button.primary"


def first_move(window: Window) -> None:
    """Choose the first of what is offered until a step is tried, and confirm it."""
    for _ in range(6):
        until(lambda: any(map(window.has, (CONFIRM, STEP, WAYS))), "something to choose")
        if window.has(CONFIRM):
            break
        window.press(STEP if window.has(STEP) else WAYS)
        time.sleep(0.5)  # A page takes no press in the moment after a form
    until(lambda: window.has(CONFIRM), "a step that is tried")
    window.press(CONFIRM)


def report(people: People, game_id: str) -> None:
    """A line is reported, and its writer blocked: then no line of theirs is shown"""
    window = people.at("Bob", f"/games/{game_id}/talk/players")
    window.press("a[href*='/report']")
    window.waits("input[name=line]:checked", live=True)  # the line whose link was followed
    window.write("[name=why]", "Unfreundlich")
    people.photograph("Bob")
    window.press("main form[action$='/report'] button[type=submit]")
    until(lambda: not window.has("[name=why]"), "the answer to the report")
    people.photograph("Bob")
    with people.store.read() as conn:
        address = conn.execute(select(PERSONS.c.profile).where(PERSONS.c.id == people.numbers["Ann"])).scalar_one()
    window = people.at("Bob", f"/people/{address}")
    people.photograph("Bob")
    window.press("form[action$='/account/people/blocked'] button")
    until(lambda: blocked(people), "the block")
    window = people.at("Bob", f"/games/{game_id}/talk/players")
    assert "Ann" not in " ".join(window.texts("#talk-lines .who"))
    people.photograph("Bob")


def blocked(people: People) -> bool:
    with people.store.read() as conn:
        return bool(acquaintances.apart(conn, [people.numbers[name] for name in ("Ann", "Bob")]))


STEPS = (talk, by_mail, rematch, find, report)


@click.command()
@click.option("--firefox", type=click.Choice(list(NAMES)), help="The person with Firefox; the others use Chromium.")
@click.option("--way", type=click.Choice(["mouse", "thumb", "keys"]), default="mouse", show_default=True)
@click.option("--without-scripts", is_flag=True, help="Switch JavaScript off.")
@click.option("--shots", type=click.Path(path_type=Path), help="Where to put photographs of the pages.")
def main(firefox: str | None, way: Way, without_scripts: bool, shots: Path | None) -> None:
    """Take all steps."""
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    size = "phone" if way == "thumb" else "wide"
    with serving() as (settings, store), sync_playwright() as driver, contextlib.ExitStack() as stack:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        people = People(settings, store, not without_scripts, shots)
        for name in NAMES:
            session = people.session(name)
            if name == firefox:
                fox = stack.enter_context(firefoxes(size, "light", scripts=not without_scripts))
                people.windows[name] = Firefox(fox, session, way)
            else:
                people.windows[name] = Chromium(browser, session, way, not without_scripts)
        game_id = people.game()
        for step in STEPS:
            began = time.monotonic()
            try:
                step(people, game_id)
            except Exception:
                for name in NAMES:
                    click.echo(f"{name} is at {people.windows[name].url}")
                    people.photograph(name)
                raise
            click.echo(f"{step.__doc__}: yes ({time.monotonic() - began:.0f} s)")
        browser.close()


if __name__ == "__main__":
    main()
