"""Commands of operators and their output: help, proofs with exit statuses, the story of a game."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import domain
from domain.title import Title
from service.cli import main
from service.database import migrations
from service.database.store import Store
from tests import toy
from tests.servers import free_port
from tests.service.lanterns import ANN, game, give, log, open_table, play_on, start
from tests.service.proof.test_audit import Burglar
from tests.toy import Whisper

ROOT = Path(__file__).parents[3]


@pytest.fixture
def slowtrain(store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch) -> object:
    """``slowtrain`` with the store's database in its environment."""
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", database_url)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main.main, arguments, prog_name="slowtrain")

    return run


# ==== help ========================================================================================
def test_help_lists_every_command_with_a_line() -> None:
    said = CliRunner().invoke(main.main, ["--help"]).output
    for name in (*main.ELSEWHERE, "verify", "show", "migrate"):
        line = next(line for line in said.splitlines() if line.split()[:1] == [name])
        assert len(line.split()) > 3, line
        assert not line.endswith("..."), line


def test_help_imports_nothing_heavy() -> None:
    heavy = ("flask", "celery", "sqlalchemy", "sqlmodel", "msgspec", "rich", "domain", "pydantic", "waitress")
    code = (
        "import sys; from service.cli.main import main; main(['--help'], standalone_mode=False); "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", sorted(main.ELSEWHERE))
def test_every_command_elsewhere_is_there_and_has_help(name: str) -> None:
    result = CliRunner().invoke(main.main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert "Usage:" in result.output


def test_an_unknown_command_is_reported() -> None:
    result = CliRunner().invoke(main.main, ["fly"])
    assert result.exit_code == 2
    assert "No such command" in result.output


# ==== verify ======================================================================================
def test_a_sound_game_is_proved(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    game_id = start(store)
    play_on(store, game_id)
    plies = log(store, game_id)
    result = slowtrain("verify", game_id, "--fingerprint", plies[5].fingerprint, "-f", plies[-1].fingerprint)
    assert result.exit_code == 0
    assert "Proved." in result.output
    assert f"{plies[5].fingerprint} belongs to ply 6" in result.output
    assert f"{len(plies)} commands rechecked against the rules" in result.output


def test_all_texts_of_a_proof_are_in_german(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    game_id = start(store)
    play_on(store, game_id)
    plies = log(store, game_id)
    said = slowtrain("verify", game_id, "--lang", "de", "-f", plies[5].fingerprint, "-w", "sieben Gänse").output
    lines = [" ".join(line.split()) for line in said.splitlines()]
    assert lines[0] == f"Partie {game_id} (toy), zu Ende"
    assert f"Entscheidungen {len(plies)} Befehle nachgerechnet, Byte für Byte gleich; 0 Züge" in said
    assert f"Fingerabdruck {plies[5].fingerprint} gehört zu Zug 6" in lines
    assert "Worte diese Worte wurden auf keinem Platz verwendet" in lines
    assert any(line.startswith("Bewiesen. Nichts wurde geändert") for line in lines)
    everything = slowtrain("verify", "--all", "--lang", "de").output
    assert f"Bewiesen. 1 Partie mit {len(plies)} Zügen: {len(plies)} nachgerechnet" in everything
    assert "Es gibt keine Partie nothing." in slowtrain("verify", "nothing", "--lang", "de").output


def test_a_changed_game_ends_with_one_and_names_the_ply(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    sound, changed = start(store), start(store)
    Burglar(store).do("UPDATE ply SET body = :b WHERE ply = 3 AND game_id = :g", b=b"{}", g=changed)
    result = slowtrain("verify", changed)
    assert result.exit_code == 1
    assert "Wrong. Ply 3: " in result.output
    result = slowtrain("verify", "--all")
    assert result.exit_code == 1
    assert f"Game {changed}: Ply 3: " in result.output
    assert "1 of 2 games" in result.output
    assert sound not in result.output


def test_the_verdict_is_in_the_requested_language(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    game_id = start(store)
    proved = slowtrain("verify", game_id, "--lang", "de-AT")
    assert "Bewiesen. Nichts wurde geändert" in " ".join(proved.output.split())
    unknown = slowtrain("verify", game_id, "--lang", "fr")
    assert (unknown.exit_code, "Choose from: en, de" in unknown.output) == (2, True)


def test_a_fingerprint_of_another_log_ends_with_one(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    result = slowtrain("verify", start(store), "-f", "0123456789ab")
    assert result.exit_code == 1
    assert "No ply has the fingerprint 0123456789ab" in result.output


def test_a_wrong_fingerprint_is_quoted_as_typed(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    """The terminal's library would print ":b:" as an emoji, and "[b]" as bold type."""
    result = slowtrain("verify", start(store), "-f", "a:b:c", "-f", "[b]")
    assert result.exit_code == 1
    assert all(f"“{typed}” is not a fingerprint" in result.output for typed in ("a:b:c", "[b]"))


def test_all_games_are_proved(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    plies = sum(len(log(store, each)) for each in (start(store), open_table(store), start(store, 3)))
    result = slowtrain("verify", "--all")
    assert result.exit_code == 0
    said = f"Proved. 3 games with {plies} plies in all: {plies} plies rechecked against the rules, 0 only replayed."
    assert said in result.output
    result = slowtrain("verify", "--all", "--quick")
    assert result.exit_code == 3
    assert f"3 of 3 games with {plies} plies in all: 0 plies rechecked against the rules" in result.output
    assert "Proved." not in result.output


def test_plies_that_are_only_replayed_end_with_three(store: Store, slowtrain, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """Their rules are retired. A fault weighs more."""
    older, changed = start(store), start(store)
    title = toy.ruled(version=toy.TITLE.rules.version + 1, older={})
    monkeypatch.setattr(domain, "TITLES", {**domain.TITLES, "toy": title})
    plies = len(log(store, older))
    said = f"Not fully checked against the rules. 0 plies were rechecked, {plies} only replayed: this program"
    result = slowtrain("verify", older)
    assert (result.exit_code, said in result.output, "Proved." in result.output) == (3, True, False)
    assert slowtrain("verify", older, "--words", "seven geese").exit_code == 1
    assert slowtrain("verify", "--all").exit_code == 3
    Burglar(store).do("UPDATE ply SET body = :b WHERE ply = 3 AND game_id = :g", b=b"{}", g=changed)
    assert slowtrain("verify", "--all").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["verify"], 2, "Name a game"),
        (["verify", "x", "--all"], 2, "Name a game"),
        (["verify", "--all", "-f", "0123456789ab"], 2, "one game"),
        (["verify", "nothing"], 1, "There is no game nothing"),
        (["show", "nothing"], 1, "There is no game nothing"),
    ],
)
def test_wrong_arguments_get_a_clear_answer(slowtrain, arguments: list[str], code: int, words: str) -> None:  # type: ignore[no-untyped-def]
    result = slowtrain(*arguments)
    assert result.exit_code == code
    assert words in result.output


def test_a_missing_database_is_not_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", f"sqlite:///{tmp_path}/none.db")
    result = CliRunner().invoke(main.main, ["verify", "--all"])
    assert result.exit_code == 1
    assert "There is no database" in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        "migrate", "migrate --list", "backup copy", "restore --here", "verify --all", "checks", "show G", "export G",
        "operate status", "operator list", "erase ann@example.org --yes", "partition --into 4",
    ],
)  # fmt: skip
def test_an_unreachable_database_is_reported_with_its_setting(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", f"postgresql+psycopg://slowtrain@127.0.0.1:{free_port()}/slowtrain")
    result = CliRunner().invoke(main.main, command.split())
    assert result.exit_code == 1
    said = result.output[result.output.index("Error:") :]
    assert said.startswith("Error: The database cannot be reached: ")
    assert "SLOWTRAIN_DATABASE_URL" in said
    assert len(said.splitlines()) <= 3


def test_an_unreadable_folder_is_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path, **_: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied", ".env") if self.name == ".env" else FileNotFoundError(self)

    monkeypatch.setattr(Path, "stat", refused)  # root, who runs the tests in a container, may read everything
    result = CliRunner().invoke(main.main, ["operator", "list"])
    assert result.exit_code == 1
    assert result.output.startswith("Error: You may not read the settings in .env here.")


def test_outdated_tables_are_reported_and_migrated(
    database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", database_url)
    if database_url.startswith("sqlite"):
        (tmp_path / "slowtrain.db").touch()
    result = CliRunner().invoke(main.main, ["verify", "--all"])
    assert result.exit_code == 1
    assert "slowtrain migrate" in result.output
    assert CliRunner().invoke(main.main, ["migrate"]).exit_code == 0
    result = CliRunner().invoke(main.main, ["verify", "--all"])
    assert (result.exit_code, result.output.strip()) == (3, "There are no games here.")


# ==== show ========================================================================================
def test_the_story_is_told_as_each_may_see_it(store: Store, slowtrain, toy_title: Title) -> None:  # type: ignore[no-untyped-def]
    game_id = start(store)
    give(store, game_id, ANN, Whisper(42))
    spectator, ann, bob = (slowtrain("show", game_id, *more) for more in ((), ("--seat", "1"), ("--seat", "2")))
    assert spectator.exit_code == ann.exit_code == bob.exit_code == 0
    assert "whispers 42" in ann.output
    assert "whispers" not in spectator.output + bob.output
    hands = game(store, game_id).state.hands
    assert f"Your cards: {' and '.join(map(str, sorted(hands[1])))}." in ann.output
    assert "Your cards" not in spectator.output
    assert "draws the" not in spectator.output


def test_a_past_position_is_shown(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    game_id = start(store)
    play_on(store, game_id)
    result = slowtrain("show", game_id, "--at", "5", "--lang", "de")
    assert result.exit_code == 0
    assert "After ply 4: running" in result.output or "After ply 5: running" in result.output
    assert "0 Schritte" in result.output
    assert slowtrain("show", game_id, "--at", "9999").exit_code == 1
    assert slowtrain("show", game_id, "--seat", "3").exit_code == 1


def test_show_tells_how_lines_of_a_seat_are_read(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    game_id = start(store)
    result = slowtrain("show", game_id, "--seat", "1", "--line", "whisp 7", "--line", "walk 2", "--line", "whisper 8")
    assert result.exit_code == 0
    assert "  whisper 7: " in result.output
    assert "whispers 7." in result.output
    assert "(TOY 3)" in result.output
    assert "whisper 8" not in result.output
    assert slowtrain("show", game_id, "--line", "walk 2").exit_code == 2


def test_a_private_table_is_shown_to_the_operator_too(store: Store, slowtrain) -> None:  # type: ignore[no-untyped-def]
    result = slowtrain("show", open_table(store, public=False, name="[red]Our own[/] table"))
    assert result.exit_code == 0
    assert "[red]Our own[/] table" in result.output


# ==== the tables ==================================================================================
def test_the_steps_of_the_tables_are_listed_and_those_without_a_way_back_are_not_undone(
    slowtrain: Callable[..., Result],
) -> None:
    listed = slowtrain("migrate", "--list").output
    assert f"* {migrations.newest()}" in listed
    assert "no way back: these tables hold everything" in listed
    result = slowtrain("migrate", "--to", "0007", "--yes")
    assert result.exit_code == 1
    assert f"There is no way back from {migrations.FIRST_TO_SAY}" in result.output
    unasked = slowtrain("migrate", "--to", "0007").output
    assert f"There is no way back from {migrations.FIRST_TO_SAY}" in unasked
    assert "Undo these steps" not in unasked, "who is asked believes that it can be done"
    assert "These tables have had no step 0099" in slowtrain("migrate", "--to", "0099").output
    assert slowtrain("migrate", "--to", migrations.newest()).exit_code == 0
    assert slowtrain("migrate").exit_code == 0
