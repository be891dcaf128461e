"""Talk on pages: who reads and writes where, what is new, and what a line becomes."""

import re

import pytest
from sqlalchemy import update

from domain.clock import FreeSeat
from domain.lifecycle import Resign
from service.base import links
from service.base.clock import now
from service.database.store import GAMES
from service.database.work import Work
from service.games import lobby, talk
from service.games.rights import ByPerson
from service.operators import acts
from service.people import acquaintances
from service.people.accounts import PERSONS
from tests import road
from tests.service.web.pages.tables import game_id, load, open_table, start


def say(browser, table, text, room="players"):
    return browser.get(f"{table}/talk/{room}").form(f"{table}/talk/{room}").submit(text=text)


def words(page):
    """The lines on a page."""
    return [" ".join(it.text.split()) for it in page.root.all("span", **{"class": "words"})]


def test_players_talk_on_the_page_and_in_the_tab(ann, bob):
    table = start(ann, bob)
    assert say(ann, table, "Hello Bob").status == 200
    page = bob.get(table)
    (tab,) = [it for it in page.root.all("a") if it.attrs.get("id") == "tab-talk"]
    assert tab.text == "Talk 1 unread"
    page = bob.get(f"{table}?show=talk")
    assert words(page) == ["Hello Bob"]
    page = page.form(f"{table}/talk/players").submit(text="Hello Ann")
    assert words(page) == ["Hello Bob", "Hello Ann"]
    (tab,) = [it for it in bob.get(table).root.all("a") if it.attrs.get("id") == "tab-talk"]
    assert tab.text == "Talk"
    assert words(ann.get(f"{table}/talk/players")) == ["Hello Bob", "Hello Ann"]
