"""``slowtrain check-settings``: errors in the settings, warnings, and the settings that are fine."""

import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

import click
from dotenv import dotenv_values

from config.review import Finding, findings_of, review
from config.settings import AsGiven, Settings
from service.cli.shared import escape, terminal

STYLES = {"wrong": "bold red", "look": "yellow", "unchecked": "cyan", "well": "green"}
PREFIX = "SLOWTRAIN_"


@click.command("check-settings")
@click.option("--connect", is_flag=True, help="Also try what the settings name: DNS, certificate, servers, mailbox.")
def check_settings(connect: bool) -> None:
    """Check the settings and say which are wrong.

    Like every command, this one reads the environment (SLOWTRAIN_…) and the file .env. The exit status is 1 if the
    service would not start, or if something that --connect tries does not work. Without --connect, the command connects
    to nothing. It shows no secrets.
    """
    found = [*_reviewed(), *_unknown()]
    wrong = any(it.grade == "wrong" for it in found)
    if connect and not wrong:
        from service.setup.trials import tried

        found += tried(Settings())
    tell(found)
    console = terminal()
    if wrong:
        console.print("The service cannot start with these settings.")
    elif any(it.grade == "wrong" for it in found):
        console.print("The service can start with these settings, but something that they name does not work.")
        wrong = True
    else:
        console.print("The service can start with these settings.")
    raise SystemExit(1 if wrong else 0)


def tell(found: Sequence[Finding]) -> None:
    """Print findings, the worst first."""
    console = terminal()
    width = max((len(it.grade) for it in found), default=0)
    for grade, style in STYLES.items():
        for it in found:
            if it.grade == grade:
                line = f"[{style}]{grade:<{width}}[/]  {escape(it.variable)}  {escape(it.words)}"
                console.print(line, highlight=False)


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
