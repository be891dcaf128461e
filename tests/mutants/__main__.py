"""The command: ``python -m tests.mutants --help``."""

import hashlib
import sys
import time
from collections import Counter
from collections.abc import Mapping

import click

from domain import TITLES
from tests.mutants.equivalents import EQUIVALENTS
from tests.mutants.operators import Mutant, mutants
from tests.mutants.runner import FailsAsItIs, Tester, as_it_is, files_of

SECONDS_BETWEEN = 15


@click.command()
@click.option("--title", type=click.Choice(list(TITLES)), required=True)
@click.option("--mutants", "number", default=150, show_default=True, help="How many are drawn; 0 for all there are.")
@click.option("--seed", default=1, show_default=True, help="Another sample.")
@click.option("--file", default="", help="Only of this module, for example rules/auction.py.")
@click.option("--tests", default="test_*.py", show_default=True, help="Only with the title's test files of this name.")
@click.option("--processes", default=2, show_default=True)
@click.option("--at-least", default=97.0, show_default=True, help="Per cent that must die, or the command fails.")
@click.option("--verbose", is_flag=True, help="Say which test each mutant died of.")
def main(
    title: str, number: int, seed: int, file: str, tests: str, processes: int, at_least: float, verbose: bool
) -> None:
    """Change the rules of a title in many small ways, and see whether its own tests notice."""
    everything = [each for each in mutants(title) if each.file.startswith(file)]
    if not everything:
        raise click.BadParameter(f"{title} has no module {file} that is changed.", param_hint="--file")
    effective = [each for each in everything if each.key not in EQUIVALENTS[title]]
    drawn = sample(effective, number or len(effective), seed)
    known = len(everything) - len(effective)
    click.echo(f"{title}: {len(drawn)} of {len(effective)} mutants, seed {seed}; {known} more are known equivalents")
    files = files_of(title, tests)
    try:
        usual = as_it_is(files)
    except FailsAsItIs as failure:
        raise click.ClickException(f"The tests fail on the rules as they are: {failure}") from failure
    click.echo(f"{len(usual)} tests pass on the rules as they are, in {sum(usual.values()):.1f} s of a processor.")
    heard = Heard(len(drawn), verbose)
    Tester(files, usual, processes, heard.tell).try_all(drawn)
    _report(heard.killers)
    died = sum(map(bool, heard.killers.values()))
    share = 100 * died / len(drawn)
    click.echo(f"{died} of {len(drawn)} died: {share:.1f} %")
    if share < at_least:
        sys.exit(1)


def sample(mutants: list[Mutant], number: int, seed: int) -> list[Mutant]:
    """Return ``number`` of them at random. A mutant added or removed changes as little of the sample as possible."""
    drawn = sorted(mutants, key=lambda each: hashlib.sha256(f"{seed} {each.key}".encode()).digest())[:number]
    return [each for each in mutants if each in drawn]


class Heard:
    """Prints the cause of death of each of ``number`` mutants, and the progress."""

    def __init__(self, number: int, verbose: bool) -> None:
        self.number, self.verbose = number, verbose
        self.killers: dict[Mutant, str] = {}
        self.began = self.told = time.monotonic()

    def tell(self, mutant: Mutant, killer: str) -> None:
        self.killers[mutant] = killer
        if not killer or self.verbose:
            click.echo(f"  {_line(mutant)}  {f'died of {killer}' if killer else 'LIVES'}")
        if (now := time.monotonic()) - self.told > SECONDS_BETWEEN or len(self.killers) == self.number:
            self.told, died = now, sum(map(bool, self.killers.values()))
            click.echo(f"{len(self.killers)} of {self.number} tried, {died} died, {now - self.began:.0f} s")


def _report(killers: Mapping[Mutant, str]) -> None:
    tried = Counter(mutant.file for mutant in killers)
    died = Counter(mutant.file for mutant, killer in killers.items() if killer)
    for file, count in sorted(tried.items()):
        click.echo(f"  {file:<24}{died[file]:>5} of {count}")
    living = [mutant for mutant, killer in killers.items() if not killer]
    if living:
        click.echo("Living:")
    for mutant in living:
        click.echo(f"  {_line(mutant)}")


def _line(mutant: Mutant) -> str:
    return f"{mutant.file}:{mutant.line} {mutant.key.partition(' ')[2]}"


if __name__ == "__main__":
    main()
