"""Plies of retired rules, proved by the code of the release that decided them: a toy release with looser rules."""

import pickle
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from domain.chain import Ply
from domain.lifecycle import TakeBack
from domain.title import Title
from service.cli import main
from service.database.store import Store
from service.proof.audit import Evidence, verify, verify_game
from service.proof.former import Former
from service.proof.verdicts import say
from tests import releases, toy
from tests.service.lanterns import game, give, lead, log, start
from tests.service.proof.bundle.bundles import bundle_of
from tests.service.proof.test_audit import evidence, first_with, forged, the_fault
from tests.toy import Stop, Walk

ROOT = Path(__file__).parents[3]


def checkout(folder: Path, titles: str) -> Path:
    """The code of a release called 0.0.9, which decided Lanterns by version 1 of the rules only."""
    shutil.copytree(ROOT / "domain", folder / "domain", ignore=shutil.ignore_patterns("__pycache__"))
    source = Path(toy.__file__).read_text()
    for new, old in ((f"version={toy.TITLE.rules.version}", "version=1"), ("older={1: {}, 2: {}}", "older={}")):
        assert source.count(new) == 1
        source = source.replace(new, old)
    (folder / "domain" / "toy.py").write_text(source)
    (folder / "domain" / "__init__.py").write_text(f"from domain.toy import TITLE\n\nTITLES = {titles}\n")
    (folder / "pyproject.toml").write_text('[project]\nname = "slowtrain"\nversion = "0.0.9"\n')
    return folder


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkout(tmp_path_factory.mktemp("v0.0.9"), "{'toy': TITLE}")


@pytest.fixture
def former(release: Path) -> Iterator[Former]:
    asked = Former(1, release)
    yield asked
    asked.end()


def one_step_at_a_time(state: Any, seat: int, command: Any, chance: Any) -> Any:
    """Today's rules, which never allowed a walk of two steps."""
    if isinstance(command, Walk) and command.steps > 1:
        raise toy.Refused("TOY 3", "{steps} steps are left.", steps=1)
    return toy.decide(state, seat, command, chance)


TODAY = toy.ruled(version=2, decide=one_step_at_a_time, older={})


class Mixed(NamedTuple):
    """A game whose first ``old`` plies were decided by version 1 of the rules."""

    store: Store
    game_id: str
    old: int

    def evidence(self, title: Title = TODAY) -> Evidence:
        return evidence(self.store, self.game_id, title)

    def __len__(self) -> int:
        return len(log(self.store, self.game_id))


@pytest.fixture
def mixed(store: Store, monkeypatch: pytest.MonkeyPatch) -> Mixed:
    monkeypatch.setitem(store.titles, "toy", toy.ruled(version=1, older={}))  # type: ignore[arg-type]
    game_id = start(store)
    leader = lead(store, game_id)
    give(store, game_id, leader, Walk(2))
    give(store, game_id, leader, TakeBack(game(store, game_id).version))
    give(store, game_id, leader, Walk(2), Stop())
    old = game(store, game_id).version
    monkeypatch.setitem(store.titles, "toy", TODAY)  # type: ignore[arg-type]
    for _ in range(3):
        give(store, game_id, lead(store, game_id), Walk(1), Stop())
    assert game(store, game_id).status == "over"
    return Mixed(store, game_id, old)


# ==== decisions of the release ====================================================================
def test_retired_rules_are_decided_only_by_a_named_release(mixed: Mixed, former: Former) -> None:
    report = verify_game(mixed.store, mixed.game_id)
    assert (report.verdict.kind, report.replayed, report.older, report.by) == ("replayed", mixed.old, (1,), {})
    report = verify_game(mixed.store, mixed.game_id, formers={1: former})
    assert report.proved, report.faults
    assert (report.decided, report.replayed, report.by) == (len(mixed), 0, {"0.0.9": mixed.old})
    notes = {lang: [say(note, lang) for note in report.verdict.notes] for lang in ("en", "de")}
    code = "rechecked by the code of release 0.0.9. We take that code's answers on trust."
    assert f"{mixed.old} plies were {code}" in notes["en"]
    assert any(f"{mixed.old} Züge wurden vom Code der Version 0.0.9" in note for note in notes["de"])


def walked(ply: Ply, steps: int, wished: int) -> Ply:
    return replace(ply, command=Walk(wished), events=(toy.Walked(ply.seat, steps),))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda ply: walked(ply, 3, 2), "rechecking it against the rules gives bytes that differ"),
        (lambda ply: walked(ply, 9, 9), "refuse its command: TOY 3"),
    ],
)
def test_a_ply_that_the_release_would_not_make_is_found(
    mixed: Mixed, former: Former, change: Callable[[Any], Any], said: str
) -> None:
    """A forger with the secret rewrites an old ply and hashes it anew."""
    honest = mixed.evidence()
    walk = first_with(honest, lambda ply: isinstance(ply.command, Walk))
    bent = forged(honest, walk.number, change)
    assert verify(bent)[0].verdict.kind == "replayed", "it is not seen where nothing is decided"
    report, _ = verify(replace(bent, formers={1: former}))
    number, what = the_fault(report)
    assert (number, said in what) == (walk.number, True)
    assert "by the code of release 0.0.9" in what
    assert verify(replace(honest, formers={1: former}))[0].proved, "and the next game is asked about all the same"


def test_later_plies_are_decided_by_this_program(mixed: Mixed, former: Former) -> None:
    honest = mixed.evidence()
    late = first_with(honest, lambda ply: isinstance(ply.command, Walk) and ply.rules == 2)
    far = forged(honest, late.number, lambda ply: walked(ply, 2, 2))
    report, _ = verify(replace(far, formers={1: former}))
    number, what = the_fault(report)
    assert (number, ": the rules refuse its command: TOY 3" in what) == (late.number, True)


def test_a_named_release_decides_also_what_this_program_still_knows(mixed: Mixed, former: Former) -> None:
    known = toy.ruled(version=2, decide=one_step_at_a_time, older={1: {"decide": toy.decide}})
    assert verify(mixed.evidence(known))[0].by == {}
    report, _ = verify(replace(mixed.evidence(known), formers={1: former}))
    assert (report.proved, report.by) == (True, {"0.0.9": mixed.old})


def test_code_that_does_not_decide_by_that_version_changes_nothing(mixed: Mixed, release: Path) -> None:
    stranger, later = Former(1, ROOT), Former(2, release)  # the one has no Lanterns, the other no version 2
    try:
        report, _ = verify(replace(mixed.evidence(), formers={1: stranger, 2: later}))
    finally:
        stranger.end()
        later.end()
    assert (report.verdict.kind, report.decided, report.replayed) == ("replayed", len(mixed) - mixed.old, mixed.old)


def test_bytes_that_are_no_text_are_wrong_and_stop_no_proof(mixed: Mixed, former: Former) -> None:
    honest = mixed.evidence()
    plies = [*honest.plies[:3], replace(honest.plies[3], open=b'{"ply":4,\xff'), *honest.plies[4:]]
    assert the_fault(verify(replace(honest, plies=plies, formers={1: former}))[0])[0] == 4


def test_it_can_be_handed_to_other_processes_before_it_is_asked(former: Former) -> None:
    again = pickle.loads(pickle.dumps(former))
    assert (again.rules, again.folder) == (former.rules, former.folder)


# ==== the command =================================================================================
@pytest.fixture
def slowtrain(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", database_url)
    return lambda *arguments: CliRunner().invoke(main.main, [str(it) for it in arguments], prog_name="slowtrain")


def test_the_command_names_the_releases_that_decided(
    mixed: Mixed, release: Path, slowtrain: Callable[..., Result]
) -> None:
    alone = slowtrain("verify", mixed.game_id)
    assert (alone.exit_code, "Not fully checked against the rules." in alone.output) == (3, True)
    asked = slowtrain("verify", mixed.game_id, "--release", f"1={release}")
    assert asked.exit_code == 0, asked.output
    assert f"{len(mixed)} commands rechecked against the rules" in asked.output
    assert f"{mixed.old} plies were rechecked by the code of release 0.0.9" in asked.output
    every = slowtrain("verify", "--all", "--release", f"1={release}")
    assert every.exit_code == 0, every.output
    assert f"{len(mixed)} plies rechecked against the rules, 0 only replayed" in every.output


def test_a_file_is_proved_with_it_too(
    mixed: Mixed, release: Path, slowtrain: Callable[..., Result], tmp_path: Path
) -> None:
    honest, file = mixed.evidence(), tmp_path / "game.jsonl"
    file.write_bytes(bundle_of(TODAY, mixed.game_id, honest.secret, honest.plies))
    assert slowtrain("verify", file).exit_code == 3
    asked = slowtrain("verify", file, "--release", f"1={release}")
    assert asked.exit_code == 0, asked.output
    assert f"{mixed.old} plies were rechecked by the code of release 0.0.9" in asked.output


@pytest.mark.parametrize("name", ["ticket_to_ride-3", "ticket_to_ride-7", "new_england-8"])
def test_streams_of_the_first_release_are_decided_by_another_checkout(
    name: str, tmp_path: Path, slowtrain: Callable[..., Result]
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(releases.read(releases.RELEASES / "0.1.0" / f"{name}.jsonl.gz"))
    asked = slowtrain("verify", file, "--release", f"1={ROOT}")
    assert asked.exit_code == 0, asked.output
    plies = releases.finals(releases.RELEASES / "0.1.0")[f"{name}.jsonl.gz"]["plies"]
    assert f"{plies} plies were rechecked by the code of release {releases.version()}" in asked.output


def test_code_that_does_not_run_is_reported(mixed: Mixed, slowtrain: Callable[..., Result], tmp_path: Path) -> None:
    broken = checkout(tmp_path / "broken", "there is nothing")
    answer = slowtrain("verify", mixed.game_id, "--release", f"1={broken}")
    assert answer.exit_code == 1
    assert f"The code in {broken} does not run" in answer.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--release", "1"], "is not RULES=FOLDER"),
        (["--release", "0=."], "is not RULES=FOLDER"),
        (["--release", "one=."], "is not RULES=FOLDER"),
        (["--release", "1=tests"], "is not a checkout"),
        (["--release", "1="], "is not a checkout"),
        (["--release", f"1={ROOT}", "--release", f"01={ROOT}"], "Two releases are given"),
        (["--release", f"1={ROOT}", "--quick"], "it cannot ask a release"),
    ],
)
def test_a_release_that_cannot_be_asked_is_reported(given: list[str], said: str) -> None:
    answer = CliRunner().invoke(main.main, ["verify", "nothing", *given])
    assert (answer.exit_code, said in answer.output) == (2, True), answer.output


def test_older_rules_are_said_to_be_those_of_a_release(slowtrain: Callable[..., Result]) -> None:
    from service.proof.report import older_rules
    from service.proof.verdicts import say

    ((_, line),) = older_rules("ticket_to_ride", [1])
    assert not isinstance(line, str)
    assert say(line) == "release 0.1.0 (7cd0f4c1aa05) has version 1. Use it with --release 1=FOLDER"
    assert older_rules("toy", [1]) == []
