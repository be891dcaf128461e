"""Photographs of the pages in a real browser, for people to look at: 1,280 and 360 pixels wide, light and dark.

    python -m tests.browser.shots DIRECTORY [--title toy] [--only table,lobby] [--lang de]

It fills a store with people and games, serves it on a free port and drives the system's Chromium through it. It also
names pages wider than the screen, elements outside their place, and complaints in the browser's console. Not part of
the tests.
"""

import logging
import random
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import msgspec
import structlog
import waitress
from flask import Flask
from msgspec.structs import replace
from playwright.sync_api import sync_playwright

import domain
from config.settings import Settings
from domain import play
from domain.chance import ChanceAsked
from domain.clock import CallTime
from domain.lifecycle import Resign, StartGame
from domain.pace import DAY, HOUR, MINUTE, PRESETS, Pace
from service.base import links, tally
from service.base.clock import now
from service.database.store import Store, open_store
from service.database.tables import table_of
from service.database.work import Work
from service.games import kept, lessons, lobby, notes, queries, rematches, sandboxes, saying, talk_reports
from service.games.rights import ByPerson
from service.notices import failing, figures, ledger, processes, webhooks
from service.notices.kinds import SWITCHED
from service.operators import acts
from service.people import accounts, feeds
from service.proof import checks
from service.record import profiles
from service.web.app import create_app
from service.wishes import gathering, wishes
from service.wishes.wishes import WantedGame
from tests import road, toy
from tests.answers import came

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
PATIENCE = 120_000
"""Milliseconds that a page may take on a busy machine."""
SIZES = {"wide": (1280, 900), "phone": (360, 800)}
THEMES = ("light", "dark")
STICKS_OUT = """[...document.querySelectorAll('main *')].filter(it => {
  const { display, overflowX } = getComputedStyle(it);
  return !it.closest('svg') && overflowX === 'visible' && display !== 'inline' && it.clientWidth > 1
    && it.scrollWidth > it.clientWidth + 10; }).map(it => `${it.localName}.${it.className}`)"""
"""Elements wider than their place; boards reach a little beyond theirs on phones."""


class World:
    """People and games for the photographs."""

    def __init__(self, store: Store, title: str) -> None:
        self.store, self.title, self.at = store, store.titles[title], now()
        self.ann, self.bob = self.person("Ann Äpfelin", "ann@example.org"), self.person("Bob", "bob@example.org")
        with store.write() as conn:
            self.session = accounts.open_session(conn, self.ann, self.at)
        self.running = self.game("Friday evening trains", started=True, plies=0)
        self.middle = self.game("Coal for Québec", started=True, plies=60)
        self.waits = self.game("Slow as a snail", started=True, plies=45, ann_moves=False)
        self.waiting = self.game("A table with a free seat", started=False)
        self.paced = self.game("A day a turn", started=True, plies=20, pace=PRESETS["day"])
        hard = replace(PRESETS["weekdays"], excuse=False)
        self.vacant = self.game("Who plays on?", started=True, plies=12, pace=hard)
        while (seat := self.asked(self.vacant)[0]) > 2:
            self.play_on(self.vacant, 1)
        if seat:
            road.submit(self.store, self.vacant, None, [CallTime(seat)], None, None, self.at + 30 * DAY, "clock")
        self.closed = self.game("Closed by mistake", started=True, plies=30)
        self.over = self.game("The last of the season", started=True, plies=100_000)
        self.again, self.rematch = self.resigned()
        self.kept, self.sat = self.searches()
        self.sandbox, self.tried = self.trial(self.middle), self.trial(self.middle)
        sandboxes.set_bots(Work(store), ByPerson(self.ann), self.tried, {2: "sensible"}, at=self.at)
        sandboxes.play_on(Work(store), ByPerson(self.ann), self.tried, everybody="sensible", revision=None, at=self.at)
        sandboxes.step(Work(store), ByPerson(self.ann), self.tried, 14, revision=None, at=self.at)
        note = "Coal first, then timber?\nNo: the port is too far."
        by = ByPerson(self.ann)
        sandboxes.describe(Work(store), by, self.tried, name="What if I go north", note=note, at=self.at)
        self.ended = self.trial(self.over)

    def trial(self, game_id: str) -> str:
        """Return a sandbox of Ann's, in the middle of a game."""
        with self.store.read() as conn:
            seen = queries.game_for(self.store, conn, self.ann, game_id)
        return sandboxes.begin(Work(self.store), ByPerson(self.ann), game_id, min(seen.game.version, 60), at=self.at)

    def resigned(self) -> tuple[str, str]:
        """Return a game that is over since all but Ann resigned, and the table of the rematch that Bob asked for."""
        game_id, seats = self.game("To be played again", started=False), self.title.seating.seats[1]
        others = [self.bob, *(self.person(f"Cleo {seat}", f"cleo{seat}@example.org") for seat in range(3, seats + 1))]
        for seat, person in enumerate(others, 2):
            road.take_seat(self.store, game_id, seat, choice={}, at=self.at, person_id=person)
        road.submit(self.store, game_id, None, [StartGame()], None, None, self.at)
        for seat in range(2, seats + 1):
            road.submit(self.store, game_id, seat, [Resign()], None, None, self.at)
        asked = rematches.ask(Work(self.store), ByPerson(self.bob), game_id, at=self.at)
        return game_id, asked.game_id

    def searches(self) -> tuple[str, str]:
        """Let Ann look for games: one search goes on, one has ended, and two have led to tables.

        Return the table at which a seat is kept for her, and the one at which she has sat down.
        """
        fewest = self.title.seating.seats[0]
        others = [self.person(f"Dora {it}", f"dora{it}@example.org") for it in range(1, fewest)]
        everybody, alone = [self.ann, *others], [self.ann]
        with self.store.write() as conn:
            for pace, people in (("day", everybody), ("three_days", everybody), ("weekdays", alone), ("none", alone)):
                wanted = WantedGame(titles=(self.title.id,), paces=(pace,), seats=(fewest,))
                made = [wishes.add(conn, self.store.titles, it, wanted, self.at) for it in people]
            conn.execute(kept.WISHES.update().where(kept.WISHES.c.id == made[0]).values(ended_at=self.at, missed=2))
        gathering.sweep(self.store, self.at)
        with self.store.read() as conn:
            offered, taken = (it.game_id for it in wishes.offers_to(conn, self.ann))
        lobby.join(Work(self.store), ByPerson(self.ann), taken, choice={}, at=self.at)
        return offered, taken

    def person(self, name: str, email: str) -> int:
        with self.store.write() as conn:
            row = {"email": email, "name": name, "lang": "en", "zone": "Europe/Berlin", "created_at": self.at}
            made = conn.execute(accounts.PERSONS.insert().values(**row))
            return int(made.inserted_primary_key[0])

    def game(
        self, name: str, *, started: bool, plies: int = 0, ann_moves: bool = True, pace: Pace | None = None
    ) -> str:
        seats = self.title.seating.seats[1]
        game_id = road.open_game(
            self.store,
            title=self.title.id,
            options={},
            seats=seats,
            name=name,
            host_id=self.ann,
            public=True,
            at=self.at,
            settle_ms=60_000,
            pace=pace,
        ).game_id
        road.take_seat(self.store, game_id, 1, choice={}, at=self.at, person_id=self.ann)
        if not started:
            return game_id
        road.take_seat(self.store, game_id, 2, choice={}, at=self.at, person_id=self.bob)
        for seat in range(3, seats + 1):
            road.take_seat(self.store, game_id, seat, choice={}, at=self.at, bot="sensible")
        road.submit(self.store, game_id, None, [StartGame()], None, None, self.at)
        self.play_on(game_id, plies)
        while ann_moves and plies and self.asked(game_id) and 1 not in self.asked(game_id):
            self.play_on(game_id, 1)
        return game_id

    def asked(self, game_id: str) -> tuple[int, ...]:
        with self.store.read() as conn:
            return self.store.load(conn, game_id).game.asked

    def profile(self) -> str:
        """Give Bob's profile an address, and return it."""
        with self.store.write() as conn:
            return profiles.renew(conn, self.bob)

    def tap(self, made_at: int | None = None) -> str:
        """Return the page of a one-tap link for Ann's seat in the middle of a game; ``made_at``: in a
        mail of long ago.
        """
        with self.store.read() as conn:
            seen = queries.game_for(self.store, conn, self.ann, self.middle)
            version = made_at or seen.version
            while not (legal := queries.actions(seen, queries.position(self.store, conn, seen, version))):
                version += 1
        command = legal[0].command
        settings = self.store.settings
        address = links.one_tap(settings, self.middle, 1, version, self.ann, self.at, since=0, command=command)
        return address.removeprefix(settings.site)

    def trial_of_a_turn(self, made_at: int | None = None) -> str:
        """Return the table in the middle of a game, with the sensible bot's turn tried; ``made_at``: long ago."""
        with self.store.read() as conn:
            seen = queries.game_for(self.store, conn, self.ann, self.middle)
        dice, game, turn = random.Random(5), seen.game, list[str]()
        while 1 in game.asked:
            for command in game.title.bots["sensible"](game.title.rules.view(game.state, 1), dice):
                turn.append(quote(msgspec.json.encode(command).decode()))
                try:
                    game, _events = play.foresee(game, 1, command, self.at)
                except ChanceAsked:
                    return f"/games/{self.middle}?v={made_at or seen.version}&try=" + "&try=".join(turn)
        return f"/games/{self.middle}?v={made_at or seen.version}&try=" + "&try=".join(turn)

    def play_on(self, game_id: str, plies: int) -> None:
        dice = random.Random(5)
        for _ in range(plies):
            with self.store.read() as conn:
                game = self.store.load(conn, game_id).game
            if not game.asked:
                return
            seat = game.asked[-1]
            bot = game.title.bots["sensible"]
            command = bot(game.title.rules.view(game.state, seat), dice)[0]
            road.submit(self.store, game_id, seat, [command], None, None, self.at, "bot" if seat > 2 else "player")


def a_letter(store: Store) -> None:
    """Return a mail in the local mailbox."""
    from email.message import EmailMessage

    from service.database.tables import MailboxMessage

    letter = EmailMessage()
    letter["Subject"], letter["From"], letter["To"] = "Your turn", "Slow Train <trains@localhost>", "ann@example.org"
    letter.set_content("It is your turn.\n\nhttp://127.0.0.1:8000/sign-in/abc\n")
    letter.add_alternative('<p style="color:#9c2f23">It is <b>your turn</b>.</p>', subtype="html")
    with store.write() as conn:
        conn.execute(
            table_of(MailboxMessage)
            .insert()
            .values(
                received_at=now(),
                sender="trains@localhost",
                recipient="ann@example.org",
                subject="Your turn",
                message_id="",
                source=letter.as_bytes(),
            )
        )


def channels_of(world: World) -> None:
    """Make Ann's webhooks, one working and one given up, and a calendar."""
    hooks, at, settings = webhooks.WEBHOOKS, world.at, world.store.settings
    with world.store.write() as conn:
        feeds.make(conn, world.ann, "calendar", at)
        for path in ("T024BE7LD/B0912/turns-of-ann-and-everybody-else", "trains"):
            webhooks.make(conn, settings, world.ann, f"https://hooks.example.org/{path}", SWITCHED, at)
        conn.execute(hooks.update().where(hooks.c.id == 1).values(accepted_at=at))
        conn.execute(
            hooks.update()
            .where(hooks.c.id == 2)
            .values(enabled=False, disabled_for="answered 404", failed_at=at, error="answered 404")
        )


def talk_of(world: World) -> None:
    """Let the players of two games talk, Ann report a line, and make notes."""
    store, at, rude = world.store, world.at, "You are a bad loser."
    for game_id in (world.middle, world.over):
        for person, text in ((world.bob, "@Ann: see move 5, and https://example.org/x"), (world.ann, "I see."),
                             (world.bob, rude)):  # fmt: skip
            saying.say(Work(store), ByPerson(person), game_id, text, at, key=f"{game_id}{text}")
    cleo = world.person("Cleo", "cleo@example.org")
    saying.say(Work(store), ByPerson(cleo), world.over, "Well played, both of you.", at, room="spectators", key="cleo")
    talk_reports.report(Work(store), ByPerson(world.ann), world.middle, "players", [3], "An insult", at)
    with store.write() as conn:
        notes.add(conn, world.ann, world.middle, "Coal first, then timber.", "note1", at, version=20)
        notes.add(conn, world.ann, world.middle, "Bob saves for something.", "note2", at)


def operated(world: World) -> None:
    """Make Ann an operator, with a few actions done."""
    store, at, us = world.store, world.at, acts.AT_THE_COMMAND_LINE
    acts.add(store, us, world.ann, at)
    acts.block(store, us, world.bob, "Rude words at three tables, after two warnings", at)
    acts.give_time(store, us, world.paced, 180, "Mail was not sent for three hours", at)
    acts.close(store, us, world.closed, "wish", "All three of you asked for it", at)
    with store.write() as conn:
        flagged = {"mail_flagged_at": at, "mail_flag": "550 5.1.1 <ann@example.org>: no such user here"}
        conn.execute(accounts.PERSONS.update().where(accounts.PERSONS.c.id == world.bob).values(**flagged))


def troubled(world: World) -> None:
    """Let email fail, processes fall silent and answers break, and give the operators' pictures a day of figures."""
    store, at, dice = world.store, now(), random.Random(5)
    tally.taken()
    for minutes in (*range(60), *range(60, 24 * 60, 60)):
        for what, longest in ((tally.MOVES, 0.3), (tally.REQUESTS, 4.0), (tally.LETTERS, 9_000.0)):
            for _ in range(dice.randrange(12)):
                tally.took(what, dice.random() * longest)
        for what in (tally.FAILED_LETTERS, tally.ANSWERS, tally.FAILED_REQUESTS, tally.ERRORS):
            tally.count(what, dice.randrange(2000))
        for kind in ("mail", "clocks", "webhooks"):
            tally.reached(f"{figures.AGE}{kind}", dice.randrange(3 * HOUR))
        figures.write(store, at - minutes * MINUTE)
    for role, ago in ((processes.WEB, 0), ("bots,clock", 0), ("mail", HOUR)):
        processes.report(store, processes.this_one(role, at - DAY), at - ago)
    with store.write() as conn:
        for number, reason in enumerate(("away", "away", "server", "mailbox", "ours", None)):
            fails = {"failing_since": at - HOUR, "failing_for": reason} if reason else {}
            letter = {"person_id": world.bob, "game_id": world.middle, "ply": 0, "kind": "turn", "key": f"bad{number}"}
            letter |= {"payload": {}, "message_id": f"<bad{number}@x>", "created_at": at - HOUR, "due_at": at + HOUR}
            conn.execute(
                ledger.OUTBOX.insert().values(**letter, **fails, state="pending" if reason else "dead", attempts=3)
            )
        for minutes in range(9):
            failing.note(conn, "away", at - minutes * MINUTE)
        for what in ("failed", "unreadable", "unknown"):
            came(conn, at - HOUR, state="done", done_at=at, what=what, detail="ValueError", attempts=5)


def pages_of(world: World) -> dict[str, tuple[str, bool]]:
    """Return name of a photograph -> address and whether Ann is signed in."""
    title, steps = world.title.id, len(lessons.moments(world.title))
    return {
        "first": ("/", False), "home": ("/", True), "signin": ("/sign-in", False), "sent": ("/sign-in/sent", False),
        "account": ("/account", True), "lobby": ("/games", True), "new": (f"/games/new?title={title}", True),
        "channels": ("/account/channels", True),
        "open": (f"/games/{world.waiting}", True), "start": (f"/games/{world.running}", True),
        "table": (f"/games/{world.middle}", True), "watch": (f"/games/{world.waits}", False),
        "over": (f"/games/{world.over}", True), "position": (f"/games/{world.middle}/at/20", True),
        "large": (f"/games/{world.middle}/at/20/board", True),
        "changes": (f"/games/{world.middle}/at/45?since=20", True),
        "eyes": (f"/games/{world.over}/at/40?seat=2", True),
        "log": (f"/games/{world.middle}/log", True), "audit": (f"/games/{world.middle}/audit", True),
        "sandbox": (f"/sandboxes/{world.sandbox}", True), "tried": (f"/sandboxes/{world.tried}", True),
        "ended": (f"/sandboxes/{world.ended}", True), "sandboxes": ("/sandboxes", True),
        "rules": (f"/rules/{title}", False), "how": (f"/rules/{title}/how", False),
        "legal": ("/legal", False), "mailbox": ("/mailbox", False),
        "mail": ("/mailbox/1", False), "missing": ("/nothing", False),
        "checks": ("/checks", False), "times": ("/account/times", True),
        "operate": ("/operate", True), "people": ("/operate/people", True),
        "person": (f"/operate/people/{world.bob}", True), "games": ("/operate/games", True),
        "game": (f"/operate/games/{world.paced}", True), "mails": ("/operate/mails", True),
        "owed": ("/operate/mails/1", True), "hooks": ("/operate/webhooks", True),
        "entries": ("/operate/entries", True), "closed": (f"/games/{world.closed}", False),
        "arrivals": ("/operate/arrivals", True), "second": ("/operate/second-factor", True),
        "record": ("/account/record", True), "profile": (f"/people/{world.profile()}", True),
        "acquainted": ("/account/people", True), "letters": ("/account/mail", True),
        "sent_letters": ("/account/mail/sent", True), "offline": ("/offline", False),
        "talk": (f"/games/{world.middle}/talk/players", True),
        "report": (f"/games/{world.middle}/talk/players/report", True), "notes": (f"/games/{world.middle}/notes", True),
        "talk_over": (f"/games/{world.over}/talk/players", True),
        "spectators": (f"/games/{world.over}/talk/spectators", True), "reports": ("/operate/reports", True),
        "month": ("/operate?over=month", True), "failing": ("/operate/mails?state=failing", True),
        "again": (f"/games/{world.again}", True), "rematch": (f"/games/{world.rematch}", True),
        "find": ("/games/find", True), "kept": (f"/games/{world.kept}", True), "sat": (f"/games/{world.sat}", True),
        "filtered": (f"/games?title={title}&speed=slow", True),
        "house": ("/rules/house", False), "searched": (f"/rules/{title}?find=end", False),
        "all_rules": ("/rules", False), "orders": (f"/rules/{title}/orders", False),
        "glossary": (f"/rules/{title}/words", False), "review": (f"/games/{world.over}/review", True),
        "learn": ("/learn", False),
        **{f"lesson_{it}": (f"/learn/{title}/{it}", False) for it in range(1, steps + 1)},
        "tried_large": (f"/sandboxes/{world.tried}/board", True),
        "trial": (world.trial_of_a_turn(), True), "stale": (world.trial_of_a_turn(made_at=20), True),
        "tap": (world.tap(), False), "tapped": (world.tap(made_at=20), False),
        "paced": (f"/games/{world.paced}", True), "vacant": (f"/games/{world.vacant}", False),
        **{f"words_{name}": page for name, page in in_words(world).items()},
    }  # fmt: skip


def in_words(world: World) -> dict[str, tuple[str, bool]]:
    """Return the text tables in the same way."""
    middle, tried = f"/games/{world.middle}/text", world.trial_of_a_turn().replace("?", "/text?", 1)
    return {
        "table": (middle, True), "line": (f"{middle}?line=0", True), "trial": (tried, True),
        "watch": (f"/games/{world.waits}/text", False), "over": (f"/games/{world.over}/text", True),
        "vacant": (f"/games/{world.vacant}/text", True), "past": (f"{middle}/at/20", True),
        "lesson": (f"/learn/{world.title.id}/2/text", False),
        "eyes": (f"/games/{world.over}/text/at/40?seat=2", True), "sandbox": (f"/sandboxes/{world.tried}/text", True),
        "ended": (f"/sandboxes/{world.ended}/text", True),
    }  # fmt: skip


def quietly() -> None:
    """Log only warnings."""
    logging.getLogger("waitress").setLevel(logging.ERROR)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))


@contextmanager
def served(store: Store, settings: Settings) -> Iterator[Flask]:
    app = create_app(settings, store)
    server: Any = waitress.create_server(app, host=settings.host, port=settings.port, threads=4)
    threading.Thread(target=server.run, daemon=True).start()
    try:
        yield app
    finally:
        server.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--title", default="grand_trunk", show_default=True)
@click.option("--only", default="", help="Names of pages, with commas between.")
@click.option("--lang", default="en", show_default=True)
@click.option("--sizes", default="wide,phone", show_default=True)
@click.option("--themes", default="light,dark", show_default=True)
@click.option("--full/--screen", default=True, help="The whole page, or what is seen at once.")
def main(directory: Path, title: str, only: str, lang: str, sizes: str, themes: str, full: bool) -> None:
    """Photograph the pages into DIRECTORY."""
    quietly()
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port())  # type: ignore[call-arg]
        titles = {title: toy.TITLE} if title == "toy" else {title: domain.TITLES[title], **domain.TITLES}
        store = open_store(settings.database, titles=titles, settings=settings)
        store.migrate()
        a_letter(store)
        world = World(store, title)
        channels_of(world)
        talk_of(world)
        operated(world)
        troubled(world)
        while checks.step(store):
            pass
        wanted = {name: page for name, page in pages_of(world).items() if not only or name in only.split(",")}
        with served(store, settings), sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for size in sizes.split(","):
                for theme in themes.split(","):
                    photograph(browser, settings, world, wanted, directory, size, theme, lang, full)
            browser.close()
        store.close()


def photograph(
    browser: Any,
    settings: Settings,
    world: World,
    wanted: dict[str, tuple[str, bool]],
    directory: Path,
    size: str,
    theme: str,
    lang: str,
    full: bool,
) -> None:
    width, height = SIZES[size]
    for name, (address, signed_in) in wanted.items():
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
        cookies = [{"name": "lang", "value": lang, "url": settings.site}]
        if signed_in:
            cookies.append({"name": "session", "value": world.session, "url": settings.site})
        context.add_cookies(cookies)
        page = context.new_page()
        page.on("console", lambda said, name=name: click.echo(f"{name}: console: {said.text}", err=True))
        page.goto(settings.site + address)
        page.evaluate("document.fonts.ready")
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if too_wide > 0:
            click.echo(f"{name} {size}: {too_wide} pixels too wide", err=True)
        if out := page.evaluate(STICKS_OUT):
            click.echo(f"{name} {size}: {', '.join(out)}", err=True)
        page.screenshot(path=str(directory / f"{name}-{size}-{theme}.png"), full_page=full)
        context.close()


if __name__ == "__main__":
    main()
