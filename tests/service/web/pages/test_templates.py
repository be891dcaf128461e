"""Compiled templates in the data folder: a second start reads them, and nothing there can break a page."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment

from config.settings import Settings
from service.database.store import Store
from service.web.app import create_app, get_ready
from service.web.shared import templates
from service.web.shared.templates import FOLDER_NAME
from tests.service.web.api.test_hosts import PRODUCTION

Start = Callable[[], int]


@pytest.fixture(autouse=True)
def as_in_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the cache that all other tests share."""
    monkeypatch.setattr(Flask, "jinja_options", {})


@pytest.fixture
def folder(settings: Settings) -> Path:
    return settings.data_dir / FOLDER_NAME


@pytest.fixture
def start(settings: Settings, shelf: Store) -> Start:
    """Return a function that starts the site and returns the status of its first page."""
    return lambda: create_app(settings, shelf).test_client().get("/rules").status_code


def test_a_second_start_compiles_no_template(start: Start, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert start() == 200
    kept = list(folder.iterdir())
    assert kept
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(it.stat().st_mode) for it in kept} == {0o600}
    compiled: list[object] = []
    monkeypatch.setattr(Environment, "compile", lambda *given: compiled.append(given))
    assert start() == 200
    assert compiled == []


@pytest.mark.parametrize("damage", [0, 1, 40, 0.5, 0.9])
def test_a_file_that_was_cut_off_is_written_again(start: Start, folder: Path, damage: float) -> None:
    start()
    whole = {it: it.read_bytes() for it in folder.iterdir()}
    for file, written in whole.items():
        file.write_bytes(written[: int(damage if damage >= 1 else damage * len(written))])
    assert start() == 200
    assert {it: len(it.read_bytes()) for it in folder.iterdir()} == {it: len(was) for it, was in whole.items()}


def test_a_full_disk_breaks_no_page(start: Start, folder: Path) -> None:
    folder.write_text("")  # nothing can be written into it
    assert start() == 200


def test_files_of_other_releases_are_deleted(start: Start, folder: Path) -> None:
    folder.mkdir()
    (folder / "0123456789ab-old").touch()
    assert start() == 200
    assert not (folder / "0123456789ab-old").exists()


def test_production_keeps_none(settings: Settings) -> None:
    app = Flask(__name__)
    templates.init_app(app, settings.with_(**PRODUCTION, database_url="sqlite://"))
    assert app.jinja_env.bytecode_cache is None


def test_production_compiles_all_before_the_first_page(
    settings: Settings, shelf: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = settings.with_(**PRODUCTION, database_url="sqlite://")
    app = create_app(ours, shelf)
    get_ready(app)
    compiled: list[object] = []
    monkeypatch.setattr(Environment, "compile", lambda *given: compiled.append(given))
    assert app.test_client().get("/rules", base_url=ours.site).status_code == 200
    assert compiled == []
