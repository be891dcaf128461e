"""A whole game in the mailbox page alone, in Chromium: each letter is opened, *Reply* pressed, orders written, sent.

    python -m tests.browser.by_mail [--title ticket_to_ride] [--lang de] [--without-scripts]

Three people are invited, join and play to the final score; no page but the mailbox is opened. A few minutes; ``--title
toy`` takes less than one. Not part of the tests.
"""

import re
import sys
import tempfile
import time
from email.message import EmailMessage
from pathlib import Path

import click
from playwright.sync_api import Page, sync_playwright
from sqlalchemy import insert, select

import domain
from config.settings import Settings
from service.database.store import Store, open_store
from service.notices.mailbox import MAILBOX
from tests import toy
from tests.browser.shots import CHROMIUM, FLAGS, PATIENCE, free_port, quietly, served
from tests.by_mail import GameByMail


class GameInTheMailbox(GameByMail):
    """A game whose letters lie in the mailbox page, and are answered there."""

    def __init__(self, store: Store, title: str, lang: str, page: Page) -> None:
        self.page = page
        super().__init__(store, title, lang, 1, take=lambda _raw, _to: None)

    def deliver(self) -> None:
        self.post.at = self.store.time() + 1
        for mail in self.post.deliver():
            row = {"received_at": self.post.at, "sender": "trains@localhost", "recipient": mail["To"]}
            named = {"subject": mail["Subject"], "message_id": mail["Message-ID"], "source": mail.as_bytes()}
            with self.store.write() as conn:
                conn.execute(insert(MAILBOX).values(**row, **named))

    def answer(self, letter: EmailMessage, text: str) -> None:
        self.mails += 1
        with self.store.read() as conn:
            known = select(MAILBOX.c.id).where(MAILBOX.c.message_id == letter["Message-ID"])
            number = conn.scalars(known.order_by(MAILBOX.c.id.desc())).first()
        self.page.goto(f"{self.store.settings.site}/mailbox/{number}")
        self.page.click("details.reply > summary")
        quoted = self.page.input_value("#answer")
        self.page.fill("#answer", f"{text}\n{quoted}")
        self.page.click("details.reply button[type=submit]")
        self.page.wait_for_url("**/mailbox/newest**")
        self.post.at = self.store.time()
        self.post.work_off()
        self.deliver()
        self.page.wait_for_url(re.compile(r"/mailbox/[0-9]+$"))


@click.command()
@click.option("--title", default="ticket_to_ride", show_default=True)
@click.option("--lang", default="en", show_default=True)
@click.option("--without-scripts", is_flag=True, help="Switch JavaScript off.")
def main(title: str, lang: str, without_scripts: bool) -> None:
    """Play one game."""
    quietly()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = Settings(_env_file=None, data_dir=Path(folder), port=free_port(), rate_limits=False)  # type: ignore[call-arg]
        store = open_store(settings.database, titles={"toy": toy.TITLE, **domain.TITLES}, settings=settings)
        store.migrate()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(locale=lang, java_script_enabled=not without_scripts)
        context.set_default_timeout(PATIENCE)
        with served(store, settings):
            began, by_mail = time.monotonic(), GameInTheMailbox(store, title, lang, context.new_page())
            game = by_mail.play()
        assert game.result is not None
        points = ", ".join(f"seat {it.seat}: {it.total}" for it in game.result.standings)
        click.echo(f"{title} ({lang}): {by_mail.mails} mails in {time.monotonic() - began:.0f} s; {points}")
        browser.close()
        store.close()


if __name__ == "__main__":
    sys.exit(main())
