"""The rooms of the pages: each folder is a blueprint, nested in that of all pages."""

from pathlib import Path

import pytest
from flask import Flask

import service.web.pages

FOLDER = Path(service.web.pages.__file__).parent
SHARED = ("frame", "parts")
"""Folders without a blueprint of their own: the frame of all pages, and parts that several rooms show."""
ROOMS = sorted(file.parent.name for file in FOLDER.glob("*/__init__.py") if file.parent.name not in SHARED)


def test_each_folder_is_a_room_behind_the_guard_of_forms(app: Flask) -> None:
    rooms = [name for name in app.blueprints if name.startswith("pages.")]
    assert sorted(rooms) == [f"pages.{room}" for room in ROOMS]
    assert [guard.__name__ for guard in app.before_request_funcs["pages"]] == ["guard_forms"]


@pytest.mark.parametrize("room", ROOMS)
def test_the_views_of_a_folder_belong_to_its_room(app: Flask, room: str) -> None:
    inside = f"service.web.pages.{room}."
    views = {name for name, view in app.view_functions.items() if view.__module__.startswith(inside)}
    assert views
    assert {name.rpartition(".")[0] for name in views} == {f"pages.{room}"}


@pytest.mark.parametrize(
    ("prefix", "room", "guard"),
    [
        ("/account", "account", "only_signed_in"),
        ("/mailbox", "mailbox", "only_embedded"),
        ("/operate", "operators", "only_operators"),
    ],
)
def test_each_address_below_a_guarded_one_belongs_to_the_guarded_room(
    app: Flask, prefix: str, room: str, guard: str
) -> None:
    views = {rule.endpoint for rule in app.url_map.iter_rules() if f"{rule.rule}/".startswith(f"{prefix}/")}
    assert {name.rpartition(".")[0] for name in views} == {f"pages.{room}"}
    assert [it.__name__ for it in app.before_request_funcs[f"pages.{room}"]] == [guard]
