"""Helpers of all commands: opening the store, and printing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

    from service.database.store import Store


def opened_store() -> Store:
    """Open the store of the settings, which must exist and have up-to-date tables."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import DatabaseError

    from config.settings import Settings
    from service.database import migrations
    from service.database.store import open_store

    settings = Settings()
    address = make_url(settings.database)
    if address.drivername == "sqlite" and not Path(address.database or "").exists():
        raise click.ClickException(f'There is no database {address.database}. "slowtrain up" creates one.')
    store = open_store(settings.database, settings=settings)
    try:
        with store.read() as conn:
            fit, at = migrations.fits(conn), migrations.present(conn)
    except DatabaseError as error:
        raise click.ClickException(f"The database does not answer: {error.orig}") from None
    if not fit:
        store.close()
        if not migrations.is_known(at):
            raise click.ClickException(newer_tables(migrations.NewerTables(at)))
        raise click.ClickException('The tables are out of date: run "slowtrain migrate" first.')
    return store


def tongue(context: click.Context, option: click.Parameter, given: str) -> str:
    """The language of ours that ``--lang`` (a tag of BCP 47) stands for."""
    from service.words import known, languages

    ours = known(given)
    if ours is None:
        spoken = ", ".join(languages())
        raise click.BadParameter(f"The language {given} is not available. Choose from: {spoken}.", context, option)
    return ours


def terminal() -> Console:
    """Return the terminal. It prints the text “:b:” as it is, not as “🅱”."""
    from rich.console import Console

    return Console(soft_wrap=True, emoji=False)


def escape(text: str) -> str:
    """Escape ``text``, such as a player's name, so that nothing in it is mark-up."""
    from rich.markup import escape as escaped

    return escaped(text)


def newer_tables(error: Exception) -> str:
    return (
        f"The tables ({error}) were changed by a later release. This release cannot work with them. Use that release, "
        f'or let its "slowtrain migrate --to" bring them back.'
    )
