"""``slowtrain fetch``: fetch answers to letters from an ordinary mailbox once, and say what was done."""

from contextlib import closing

import click

from service.cli.shared import opened_store
from service.post.fetching import Fetched, Fetcher
from service.post.imap import TROUBLES


@click.command()
def fetch() -> None:
    """Fetch the answers that lie in the mailbox of SLOWTRAIN_IMAP_HOST now.

    The workers do this by themselves, every few seconds. The command stores each mail, and then deletes it in the
    mailbox. It touches no mail but answers to letters and reports about them. The exit status is 1 if the mailbox
    cannot be used.
    """
    with closing(opened_store()) as store:
        if not store.settings.fetches:
            raise click.ClickException("No answers are fetched from a mailbox: see SLOWTRAIN_IMAP_HOST.")
        fetcher = Fetcher(store)
        done = fetcher.round(store.time(), at_once=True)
        fetcher.hang_up()
    if done is None:
        raise click.ClickException("A worker is fetching at this moment. Try again in a minute.")
    if done.trouble not in ("", "full"):
        raise click.ClickException(f"Nothing was fetched: {TROUBLES[done.trouble]}.")
    for line in _said(done):
        click.echo(line)


def _said(done: Fetched) -> list[str]:
    lines = [f"Kept and deleted there: {done.kept}."]
    if done.postponed:
        lines.append("More mails wait for a later round.")
    if done.left:
        lines.append(f"Flagged and left there, since they could not be kept: {done.left}.")
    if done.trouble:
        lines.append(f"Careful: {TROUBLES[done.trouble]}.")
    return lines
