"""``slowtrain check-settings``: errors in the settings, warnings, and the settings that are fine."""

import os
from collections.abc import Iterator
from difflib import get_close_matches

import click
from dotenv import dotenv_values

from config.review import Finding, findings_of, review
from config.settings import AsGiven, Settings
from service.cli.shared import escape, terminal

STYLES = {"wrong": "bold red", "look": "yellow", "well": "green"}
PREFIX = "SLOWTRAIN_"


@click.command("check-settings")
def check_settings() -> None:
    """Check the settings and say which are wrong.

    Like every command, this one reads the environment (SLOWTRAIN_…) and the file .env. The exit status is 1 if the
    service would not start. The command connects to nothing and shows no secrets.
    """
    found = [*_reviewed(), *_unknown()]
    console = terminal()
    for grade, style in STYLES.items():
        for it in found:
            if it.grade == grade:
                console.print(f"[{style}]{grade:<5}[/]  {escape(it.variable)}  {escape(it.words)}", highlight=False)
    wrong = any(it.grade == "wrong" for it in found)
    console.print(
        "The service cannot start with these settings." if wrong else "The service can start with these settings."
    )
    raise SystemExit(1 if wrong else 0)


def _reviewed() -> list[Finding]:
    try:
        return review(AsGiven())
    except ValueError as error:
        found = findings_of(error)
        if found is None:
            raise
        return found


def _unknown() -> Iterator[Finding]:
    """Variables that look like settings and are none."""
    known = [PREFIX + name.upper() for name in Settings.model_fields]
    given = {name.upper() for name in (*os.environ, *dotenv_values(Settings.model_config["env_file"]))}  # type: ignore[arg-type]
    for name in sorted(each for each in given if each.startswith(PREFIX) and each not in known):
        meant = get_close_matches(name, known, 1, 0.8)
        yield Finding("look", name, "there is no such setting" + (f"; did you mean {meant[0]}?" if meant else ""))
