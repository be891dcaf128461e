"""The operators' overview on a bad day in Chromium, for people to look at.

    python -m tests.browser.bad_day DIRECTORY

For an hour the mail server has been dead, the worker for bots and clocks has stopped, and the disk is nearly full. The
check photographs the overview on a phone and a wide screen, in English and German: the whole page, and what is seen at
once. Somebody who has not seen it should say within ten seconds what is wrong, and find within a minute what can be
mended there. The check says which problems are out of sight at first, and retries the email of one reason by hand.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import click
from playwright.sync_api import BrowserContext, Page, sync_playwright
from sqlalchemy import insert

from config.celery import QUEUES, sweeps
from config.settings import Settings
from service.base import tally
from service.base.clock import DAY, HOUR, MINUTE, SECOND, now
from service.database.store import Store, open_store
from service.notices import failing, figures, processes, watch
from service.notices.owing import OUTBOX
from service.notices.processes import PROCESSES
from service.notices.watch import HEARTBEATS
from service.operators import acts, rules
from service.people import accounts
from service.people.recipients import RECIPIENTS
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, SIZES, free_port, quietly, served
from tests.service.lanterns import start
from tests.toy import TITLE

STOPPED = "bots,clock"
"""The queues of the worker that has stopped."""
FULL = mock.Mock(total=250_000_000_000, used=246_000_000_000, free=4_000_000_000)
FAILS = {"away": 23, "mailbox": 2}
"""The number of failing mails by reason."""
LANGS = ("en", "de")


class BadDay:
    """The store of a club on a bad day, with the key of an operator's session."""

    def __init__(self, store: Store) -> None:
        self.store, self.at = store, now()
        self.since = self.at - HOUR
        with store.write() as conn:
            self.olga, _ = accounts.person_at(conn, "olga@example.org", "en", self.at - 30 * DAY)
            accounts.change(conn, self.olga, self.at, name="Olga", zone="Europe/Berlin")
        acts.add(store, acts.AT_THE_COMMAND_LINE, self.olga, self.at)
        with store.write() as conn:
            self.session = accounts.open_session(conn, self.olga, self.at)
        for _ in range(3):
            start(store)
        self._past()
        self._work()
        self._mail()
        self._alarms()

    def _past(self) -> None:
        """Write the figures of a quiet day, whose last hour is bad."""
        for minute in range(26 * 60, 0, -1):
            at = self.at - minute * MINUTE
            is_bad = at > self.since
            for number in range(3):
                tally.took(tally.REQUESTS, 0.02 + 0.2 * (number == 2))
            tally.took(tally.MOVES, 0.03)
            if is_bad:
                tally.count(tally.FAILED_LETTERS, 4)
                tally.reached(f"{figures.AGE}mail", at - self.since)
                tally.reached(f"{figures.AGE}clocks", at - self.since)
            elif minute % 3 == 0:
                tally.took(tally.LETTERS, 1.5)
                tally.count(tally.ANSWERS)
            figures.write(self.store, at)

    def _work(self) -> None:
        """Write the reports of all processes, one of which is silent; and the work that waits for it."""
        others = [it for it in QUEUES if it not in STOPPED.split(",")]
        for job in (processes.WEB, STOPPED, *others):
            last = self.since if job == STOPPED else self.at
            processes.report(self.store, processes.this_one(job, self.at - 9 * DAY), last)
        beats = [
            {"name": it, "at": self.since if it.partition(".")[0] in STOPPED.split(",") else self.at - SECOND}
            for it in sweeps(self.store.settings)
        ]
        copies = [{"name": it, "at": self.at - 9 * HOUR} for it in (watch.BACKED_UP, watch.PROVED)]
        with self.store.write() as conn:
            conn.execute(PROCESSES.update().values(memory=64_000_000, pool=10))
            conn.execute(HEARTBEATS.delete())
            conn.execute(insert(HEARTBEATS), beats + copies)

    def _mail(self) -> None:
        row = {"game_id": "", "kind": "sign_in", "payload": {}, "state": "pending", "created_at": self.since}
        with self.store.write() as conn:
            for reason, number in FAILS.items():
                for each in range(number):
                    who = f"{reason}{each}@example.org"
                    which = {"ply": each, "key": who, "message_id": f"<{who}>", "address": who, "attempts": 5}
                    failed = {"due_at": self.at + 10 * MINUTE, "failing_for": reason, "failing_since": self.since}
                    conn.execute(insert(OUTBOX).values(**row, **which, **failed))
                    conn.execute(insert(RECIPIENTS).values(who=who, next_at=self.at + 10 * MINUTE))
            for minute in range(60):
                failing.note(conn, "away", self.since + minute * MINUTE)

    def _alarms(self) -> None:
        with self.store.write() as conn:
            for it in rules.holding(self.store, conn, self.at):
                conn.execute(insert(rules.ALARMS).values(what=it.rule.key, since=self.since, tried_at=self.at))


@contextmanager
def visitor(browser: Any, settings: Settings, day: BadDay, size: str, lang: str) -> Iterator[BrowserContext]:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    cookies = {"lang": lang, "session": day.session}
    context.add_cookies([{"name": name, "value": it, "url": settings.site} for name, it in cookies.items()])
    yield context
    context.close()


def look(page: Page, settings: Settings, directory: Path, name: str) -> None:
    """Photograph the overview, and name what is wrong but out of sight."""
    page.goto(f"{settings.site}/operate")
    page.evaluate("document.fonts.ready")
    for full in (False, True):
        page.screenshot(path=str(directory / f"{name}-{'page' if full else 'screen'}.png"), full_page=full)
    for problem in page.locator(".wrong > li").all():
        box = problem.bounding_box()
        assert box is not None
        if box["y"] + box["height"] > SIZES[name.partition("-")[0]][1]:
            click.secho(
                f"{name}: “{problem.inner_text().splitlines()[0]}” is {box['y']:.0f} pixels from the top", fg="yellow"
            )


def mend(page: Page) -> None:
    """Retry the emails that a mailbox refused, as an operator would."""
    page.locator("details:has(input[name=reason][value=mailbox]) > summary").click()
    form = page.locator("form:has(input[name=reason][value=mailbox])")
    form.locator("input[name=why]").fill("They have emptied it")
    form.locator("button").click()
    page.wait_for_url("**said=noted*")


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
def main(directory: Path) -> None:
    """Photograph the overview of a bad day into DIRECTORY."""
    quietly()
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room, mock.patch.object(shutil, "disk_usage", return_value=FULL):
        settings = Settings(_env_file=None, data_dir=Path(room), port=free_port(), smtp_host="mail.example.net")  # type: ignore[call-arg]
        store = open_store(settings.database, titles={"toy": TITLE}, settings=settings)
        store.migrate()
        day = BadDay(store)
        with served(store, settings), sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for size in SIZES:
                for lang in LANGS:
                    with visitor(browser, settings, day, size, lang) as context:
                        look(context.new_page(), settings, directory, f"{size}-{lang}")
            with visitor(browser, settings, day, "phone", "en") as context:
                page = context.new_page()
                page.goto(f"{settings.site}/operate")
                mend(page)
            browser.close()
        store.close()


if __name__ == "__main__":
    main()
