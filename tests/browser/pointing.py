"""Pointing at the table in a real browser: with a mouse, a finger, the keyboard, and without scripts.

    python -m tests.browser.pointing [--title new_england] [--whole]

It plays each title to the middle of a game, shows the table in the system's Chromium (Debian: ``apt install chromium``;
``pip install -e '.[browser]'``) at 360 and 1,280 pixels, and names the faults. It ends with 1 if there is any. With
``--whole`` it plays a game of each title to its end, one seat in the browser, in each way: by mouse, by touch, by the
keys alone (tab, arrows, Enter) and without scripts; on phones and wide screens, light and dark, in both languages.
"""

import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import click
import msgspec
from playwright.sync_api import sync_playwright

import domain
from config.settings import Settings
from domain.places import Aim
from domain.rules import Action
from service.base.clock import now
from service.database.store import open_store
from service.games import queries
from service.people import accounts
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, World, free_port, quietly, served
from tests.taps import is_of

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
QUIET = 450
"""Milliseconds after a form in which touches are ignored, and some more."""
PLIES = {"grand_trunk": 60, "ticket_to_ride": 70, "new_england": 40}
LOOKED_AT = 12
"""The number of places to point at, out of all lit ones."""
FORMS = ".actions form:has(input[name=command])"
SENT = f"""() => [...document.querySelectorAll('{FORMS}')].map(
  it => [it.elements.command.value, it.elements.field?.value])"""
LINKS = "[...document.querySelectorAll('.places a')]"
MIDDLE = """id => { const hit = document.getElementById(id).querySelector('.hit'), svg = hit.ownerSVGElement;
  hit.scrollIntoView({block: 'center', inline: 'center'});
  const at = hit.tagName === 'circle' ? new DOMPoint(hit.cx.baseVal.value, hit.cy.baseVal.value)
    : hit.getPointAtLength(hit.getTotalLength() / 2);
  const on = new DOMPoint(at.x, at.y).matrixTransform(svg.getScreenCTM()); return [on.x, on.y]; }"""


class Small(World):
    """One game, in its middle, when Ann must move."""

    def __init__(self, store: Any, title: str) -> None:
        self.store, self.title, self.at = store, store.titles[title], now()
        self.ann, self.bob = self.person("Ann", "ann@example.org"), self.person("Bob", "bob@example.org")
        with store.write() as conn:
            self.session = accounts.open_session(conn, self.ann, self.at)
        self.middle = self.game("Friday evening trains", started=True, plies=PLIES[title])
        while not self.points() and self.asked(self.middle):
            self.play_on(self.middle, 1)

    def version(self) -> int:
        with self.store.read() as conn:
            return int(self.store.load(conn, self.middle).game.version)

    def points(self) -> bool:
        """Must Ann move, and may she point at several places of both drawings?"""
        with self.store.read() as conn:
            seen = queries.game_for(self.store, conn, self.ann, self.middle)
        if 1 not in seen.game.asked:
            return False
        view, places = queries.view(seen), seen.title.face.places
        lit = places.narrow(places.targets(view, queries.actions(seen))).places
        return len(lit.keys() & places.areas(view, True).keys()) > 1


class Table:
    """A table as one browser shows it."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address, self.wrong = page, address, list[str]()
        page.on("pageerror", lambda it: self.wrong.append(f"a script failed: {it}"))
        page.on("console", lambda it: self.wrong.append(f"console: {it.text}") if it.type == "error" else None)
        page.set_default_timeout(PATIENCE)

    def open(self, query: str = "") -> None:
        self.page.goto(self.address + query)

    def lit(self) -> list[str]:
        """Return the ids of the links on the board."""
        return list(self.page.evaluate(f"{LINKS}.map(it => it.id)"))

    def kinds(self) -> list[str]:
        """Return the offered kinds of actions."""
        self.open()
        return [str(it.get_attribute("id")).removeprefix("do-") for it in self.page.locator(".ways [id^=do-]").all()]

    def chosen(self) -> list[str]:
        return [value for name, value in parse_qsl(urlsplit(self.page.url).query) if name == "at"]

    def focus(self) -> str:
        return str(self.page.evaluate("document.activeElement.id"))

    def must(self, holds: bool, what: str) -> None:
        if not holds:
            self.wrong.append(what)

    def until(self, script: str, argument: Any = None) -> bool:
        try:
            self.page.wait_for_function(script, arg=argument)
        except Exception as late:
            self.wrong.append(f"this never came: {script} ({argument}): {type(late).__name__}")
            return False
        return True

    def until_chosen(self, place: str) -> bool:
        """Wait until the place, or its only remaining meaning, is chosen."""
        return self.until(
            "id => (it => it.has('try') || it.getAll('at').includes(id))(new URL(location).searchParams)", place
        )

    def tried(self) -> list[Any]:
        """Return the commands of the tried turn."""
        return [json.loads(value) for name, value in parse_qsl(urlsplit(self.page.url).query) if name == "try"]


def some(ids: list[str]) -> list[str]:
    return ids[:: max(1, len(ids) // LOOKED_AT)]


def by_mouse(table: Table) -> None:
    """Check that a click on a place chooses it, and that its chip removes it."""
    table.open()
    for link in some(table.lit()):
        table.page.mouse.click(*table.page.evaluate(MIDDLE, link))
        if table.until_chosen(link.removeprefix("at-")):
            table.page.locator(".ways.chosen a, [data-back]").last.click()
            table.until("() => !new URL(location).search")


def by_finger(table: Table) -> None:
    """Check that a tap chooses the nearest place, or names those nearby; at a zoom of two it means one,
    or one of two.
    """
    for zoom in (1, 2):
        table.open()
        table.page.locator(f".zoom [value='{zoom}']").check(force=True)
        for link in some(table.lit()):
            table.page.touchscreen.tap(*table.page.evaluate(MIDDLE, link))
            table.until("() => new URL(location).search || document.querySelector('.which')")
            asked = table.page.locator(".which a")
            if names := asked.count():
                table.must(zoom == 1 or names <= 2, f"{link}: {names} places at a zoom of two")
                said = table.page.evaluate("id => document.getElementById(id).textContent", link).strip()
                table.must(said in asked.all_text_contents(), f"{link} is not among what is asked")
                table.page.keyboard.press("Escape")
                table.must(table.page.locator(".which").count() == 0, "Escape leaves the names open")
            else:
                meant = bool(table.tried()) or table.chosen() == [link.removeprefix("at-")]
                table.must(meant, f"a tap on {link} chose {table.chosen()}")
                table.open()
                table.page.locator(f".zoom [value='{zoom}']").check(force=True)


def by_keyboard(table: Table) -> None:
    """Check one stop of the tab key; arrows move on, Enter chooses and focus stays, Escape removes."""
    table.open()
    stops = table.page.evaluate(f"{LINKS}.filter(it => it.tabIndex === 0).length")
    table.must(stops == 1, f"the tab key stops {stops} times on the board")
    for _ in range(60):
        table.page.keyboard.press("Tab")
        if table.focus().startswith("at-"):
            break
    reached = {table.focus()}
    for _ in range(4):
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            for _ in range(6):
                table.page.keyboard.press(key)
                reached.add(table.focus())
    table.must(all(it.startswith("at-") for it in reached), f"focus has left the board: {reached}")
    table.must(len(reached) > 1 or len(table.lit()) < 2, "arrows lead nowhere")
    place = table.focus()
    table.page.keyboard.press("Enter")
    table.until_chosen(place.removeprefix("at-"))
    table.until(
        "id => [id, 'tried'].includes(document.activeElement.id)", place
    )  # the chosen place may be gone from there
    table.page.keyboard.press("Escape")
    table.until("() => !new URL(location).search")
    table.until("id => document.activeElement.id === id", place)
    chip = table.page.locator(".ways a[id]").first
    if chip.count():
        name = chip.get_attribute("id")
        chip.focus()
        table.page.keyboard.press("Enter")
        table.until("() => new URL(location).search")
        table.until("id => [id, 'tried'].includes(document.activeElement.id)", name)  # nothing tried is a chip


NEAR = "(within) => document.querySelectorAll(within).length"


def lights(table: Table) -> None:
    """Check that pointing at a line lights its places, and at a place its lines, without moving anything."""
    for query in ("", *(f"?do={it}" for it in table.kinds())):
        table.open(query)
        lines = table.page.locator(".actions [data-at]:visible")
        for number in range(min(lines.count(), 3)):
            told = lines.nth(number).get_attribute("data-at").split()
            shown = {it for it in told if table.page.locator(f"[id='at-{it}'], [data-place='{it}']").count()}
            before = table.page.evaluate("document.documentElement.scrollHeight")
            for point in (lines.nth(number).hover, lines.nth(number).locator("button, input").last.focus):
                table.page.mouse.move(0, 0)
                point()
                lit = table.page.evaluate(NEAR, ".places .near, .thing.near") if shown else 0
                table.must(bool(shown) <= bool(lit), f"{told} are not lit by their line")
                table.must(table.page.evaluate(NEAR, ".actions .near") == 0, "a line lights another one")
            table.must(table.page.evaluate("document.documentElement.scrollHeight") == before, "the page has grown")
        for link in some(table.lit())[:3]:
            table.page.locator(f"[id='{link}']").focus()
            wanted = table.page.evaluate(NEAR, f"[data-at~='{link.removeprefix('at-')}']")
            table.must(
                table.page.evaluate(NEAR, ".actions .near") == wanted, f"{link} lights other lines than its {wanted}"
            )


def without_scripts(table: Table) -> None:
    """Check that every place is a link that can be hit, and that the remaining actions are shown."""
    table.open()
    for link in some(table.lit()):
        at = table.page.evaluate(MIDDLE, link)
        with table.page.expect_navigation():
            table.page.mouse.click(*at)
        meant = bool(table.tried()) or table.chosen() == [link.removeprefix("at-")]
        table.must(meant, f"without scripts {link} leads to {table.chosen()}")
        table.must(table.page.locator("#actions, #tried").count() > 0, f"without scripts nothing is left behind {link}")
        table.open()


# ==== a whole game ================================================================================
WITHIN = 14
"""The most steps in which pointing reaches a command."""


class Hand:
    """The way to play: by mouse."""

    def __init__(self, table: Table) -> None:
        self.table, self.page = table, table.page

    def point(self, link: str) -> None:
        """Point at a place on the board, by the id of its link."""
        self.page.mouse.click(*self.page.evaluate(MIDDLE, link))

    def press(self, what: Any) -> None:
        what.click()

    def tick(self, box: Any) -> None:
        self.press(box)

    def write(self, field: Any, text: str) -> None:
        self.press(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)


class Finger(Hand):
    """By touch: among nearby places, the intended one is chosen by name."""

    def point(self, link: str) -> None:
        before, name = self.page.url, self.page.locator(f"[id='{link}'] title").text_content()
        self.page.touchscreen.tap(*self.page.evaluate(MIDDLE, link))
        self.table.until("url => location.href !== url || document.querySelector('.which')", before)
        if self.page.locator(".which").count():
            self.press(self.page.locator(".which a").get_by_text(name, exact=True).first)

    def press(self, what: Any) -> None:
        what.tap()


class Keys(Hand):
    """By the keys alone: tab to the place, arrows on the board, Enter, blank."""

    def point(self, link: str) -> None:
        self._to(self.page.locator(".places a[tabindex='0']"))
        tried: set[tuple[str, str]] = set()
        while (here := self.table.focus()) != link:
            keys = [it for it in self.page.evaluate(TOWARDS, link) if (here, it) not in tried]
            if not keys:
                self.table.wrong.append(f"no arrow leads on from {here} to {link}")
                return
            tried.add((here, keys[0]))
            self.page.keyboard.press(keys[0])
        self.page.keyboard.press("Enter")

    def press(self, what: Any) -> None:
        self._to(what)
        self.page.keyboard.press("Enter")

    def tick(self, box: Any) -> None:
        self._to(box)
        self.page.keyboard.press("Space")

    def write(self, field: Any, text: str) -> None:
        self._to(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def _to(self, what: Any) -> None:
        """Tab to an element: over all stops in between at once, and if that was wrong, with a look after each."""
        for number in range(STOPS):
            way, between = what.evaluate(WAY)
            if not way:
                return
            for _ in range(1 if number else 1 + between):
                self.page.keyboard.press(way)
        self.table.wrong.append(f"the tab key does not reach {what}")


STOPS = 300
"""The most stops of the tab key to reach everything."""
WAY = """it => {
  const now = document.activeElement, on = now.compareDocumentPosition(it) & 4, [from, to] = on ? [now, it] : [it, now];
  if (now === it) return ['', 0];
  const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter(each => each.tabIndex >= 0 && each.checkVisibility())
    .filter(each => from.compareDocumentPosition(each) & 4 && each.compareDocumentPosition(to) & 4);
  return [on ? 'Tab' : 'Shift+Tab', stops.length]; }"""
"""The key that leads to an element, and the number of stops in between."""
TOWARDS = """id => {
  const at = it => { const b = it.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] };
  const [x, y] = at(document.activeElement), [to, down] = at(document.getElementById(id));
  const keys = [['ArrowRight', to - x], ['ArrowLeft', x - to], ['ArrowDown', down - y], ['ArrowUp', y - down]];
  return keys.sort((a, b) => b[1] - a[1]).map(it => it[0]); }"""
"""The arrow keys, those that lead nearer to a place first."""


def a_game(table: Table, world: Small, how: type[Hand]) -> None:
    """Play to the end: Ann gives the sensible bot's commands by pointing; the others play by themselves."""
    dice, hand = random.Random(3), how(table)
    while asked := world.asked(world.middle):
        if 1 not in asked:
            world.play_on(world.middle, 1)
            continue
        with world.store.read() as conn:
            seen = queries.game_for(world.store, conn, world.ann, world.middle)
        view, places = queries.view(seen), seen.title.face.places
        command = seen.title.bots["sensible"](view, dice)[0]
        action = listed(seen, view, command)
        command = action.command if action.span is None else command
        table.open()
        if not made(hand, places.aim(view, action), action, command):
            table.wrong.append(f"{command} was not reached at {table.page.url}")
            return
        for _ in range(100):
            if world.version() > seen.game.version:
                break
            confirm(hand)
            table.page.wait_for_timeout(100)
        else:
            table.wrong.append(f"{command} was not made at {table.page.url}")
            return


def confirm(hand: Hand) -> None:
    button = hand.page.locator(".trial button[type=submit]")
    if button.count():
        hand.page.wait_for_timeout(QUIET)
        hand.press(button)
        hand.table.until("() => !document.querySelector('.trial')")


def send(hand: Hand, form: Any, action: Action, command: Any, aim: Aim) -> None:
    """Fill in the open number, and press the button."""
    for fold in form.locator("xpath=ancestor::details").all():
        if fold.get_attribute("open") is None:
            hand.press(fold.locator("summary").first)
    if action.span is not None:
        hand.write(form.locator("input[type=number]"), str(getattr(command, action.span.field)))
    for box in form.locator("input[type=checkbox]").all():
        if box.is_checked() != (box.get_attribute("value") in aim.more):
            hand.tick(box)
    hand.press(form.locator("button[type=submit]"))


def listed(seen: queries.Seen, view: Any, command: Any) -> Action:
    """Return the action of a command, as a page lists it: once for interchangeable things."""
    title = seen.title
    legal = (it for it in title.rules.actions(seen.game.state, 1) if is_of(it, command))
    [wanted] = title.face.orders.options(view, [min(legal, key=lambda it: it.command != command)])
    same = wanted.same(title.face.orders.alike)
    options = title.face.orders.options(view, queries.actions(seen))
    return next(it.action for it in options if it.same(title.face.orders.alike) == same)


def same_as(command: Any, sent: list[Any]) -> bool:
    """Is the command exactly the sent one?"""
    wished = json.loads(msgspec.json.encode(command))
    bare = [{name: value for name, value in it.items() if value is not None} for it in (wished, *sent)]
    return bare == bare[:1] * 2


def form_of(page: Any, command: Any) -> Any:
    """Return the form that makes a command, exactly or with its open number; None if the page has none."""
    for number, (text, field) in enumerate(page.evaluate(SENT)):
        sent = json.loads(text)
        if field:
            sent[field] = json.loads(msgspec.json.encode(command)).get(field)
        if same_as(command, [sent]):
            return page.locator(FORMS).nth(number)
    return None


def made(hand: Hand, aim: Aim, action: Action, command: Any) -> bool:
    """Point until the form of the command is there, and send it."""
    table = hand.table
    ways = [f"do-{aim.kind}", *(f"{board}-{it}" for it in aim.all for board in ("at", "to"))]
    for _ in range(WITHIN):
        if same_as(command, table.tried()):
            return True
        form = form_of(table.page, command)
        if form is not None:
            send(hand, form, action, command, aim)
            return True
        done = {f"{board}-{it}" for it in table.chosen() for board in ("at", "to")}
        here = set(table.page.evaluate("[...document.querySelectorAll('.places a, .ways a')].map(it => it.id)"))
        kind = dict(parse_qsl(urlsplit(table.page.url).query)).get("do")
        following = [it for it in ways if it in here and it not in done and it != f"do-{kind}"]
        more = table.page.locator(".beside a", has_text="+")
        before = table.page.url
        if following and following[0].startswith("at-"):
            hand.point(following[0])
        elif following:
            hand.press(table.page.locator(f"[id='{following[0]}']"))
        elif more.count():
            hand.press(more.first)
        else:
            return False
        if not table.until("before => location.href !== before && document.readyState === 'complete'", before):
            return False
    return False


Check = Callable[[Table, Small], None]


def looked(check: Callable[[Table], None]) -> Check:
    return lambda table, _: check(table)


TOUCHED = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
CHECKS: dict[str, tuple[Check, dict[str, Any]]] = {
    "mouse": (looked(by_mouse), {"viewport": WIDE}),
    "finger": (looked(by_finger), TOUCHED),
    "keyboard": (looked(by_keyboard), {"viewport": WIDE}),
    "keyboard, narrow": (looked(by_keyboard), {"viewport": PHONE, "is_mobile": True}),
    "light": (looked(lights), {"viewport": WIDE}),
    "no scripts": (looked(without_scripts), {"viewport": WIDE, "java_script_enabled": False}),
}
GAMES: dict[str, tuple[Check, dict[str, Any]]] = {
    "a game by mouse": (partial(a_game, how=Hand), {"viewport": WIDE}),
    "a game by touch, dark, in German": (
        partial(a_game, how=Finger),
        {**TOUCHED, "color_scheme": "dark", "locale": "de"},
    ),
    "a game by the keys alone, dark": (partial(a_game, how=Keys), {"viewport": WIDE, "color_scheme": "dark"}),
    "a game by the keys alone, narrow, in German": (partial(a_game, how=Keys), {"viewport": PHONE, "locale": "de"}),
    "a game without scripts": (partial(a_game, how=Hand), {"viewport": WIDE, "java_script_enabled": False}),
    "a game without scripts, by touch, in German": (
        partial(a_game, how=Finger),
        {**TOUCHED, "java_script_enabled": False, "locale": "de"},
    ),
}


@contextmanager
def a_table(title: str) -> Iterator[tuple[Settings, Small]]:
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        store = open_store(settings.database, titles=domain.TITLES, settings=settings)
        store.migrate()
        world = Small(store, title)
        with served(store, settings):
            yield settings, world
        store.close()


@click.command()
@click.option("--whole", is_flag=True, help="Whole games: minutes.")
@click.option("--title", "titles", multiple=True, type=click.Choice(list(domain.TITLES)), help="One, or several.")
def main(titles: tuple[str, ...], whole: bool) -> None:
    """Point at the tables of all titles, and name the faults."""
    sys.exit(1 if look_at(GAMES if whole else CHECKS, titles) else 0)


def look_at(checks: Mapping[str, tuple[Check, dict[str, Any]]], titles: Sequence[str]) -> int:
    """Check a table of each title in each kind of browser, and name the faults. Return their number."""
    quietly()
    wrong = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in titles or domain.TITLES:
            for name, (check, kind) in checks.items():
                with a_table(title) as (settings, world):
                    context = browser.new_context(**kind)
                    drawing = "narrow" if kind["viewport"] is PHONE else "wide"
                    for cookie in (("session", world.session), ("lang", kind.get("locale", "en")), ("board", drawing)):
                        context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": settings.site}])
                    table = Table(context.new_page(), f"{settings.site}/games/{world.middle}")
                    check(table, world)
                    context.close()
                wrong += len(table.wrong)
                click.echo(f"{title}, {name}: " + ("; ".join(table.wrong) or "all holds"))
        browser.close()
    return wrong


if __name__ == "__main__":
    main()
