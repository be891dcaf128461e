"""Texts of the pages: facts, languages, times. (`tests.test_catalogues` finds sentences without a translation.)"""

import ast
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from service.web import pages
from service.web.pages.frame import say
from tests.service.web.pages.browser import Browser

PAGES = Path(pages.__file__).parent


@pytest.mark.parametrize("module", sorted(PAGES.rglob("*.py")), ids=lambda module: str(module.relative_to(PAGES)))
def test_modules_translate_only_written_texts_and_tables(module):
    """The extractor finds a text where it is written (`tests.test_catalogues`); it cannot find one that is composed."""
    calls = [each for each in ast.walk(ast.parse(module.read_text())) if isinstance(each, ast.Call)]
    said = [each.args[0] for each in calls if isinstance(each.func, ast.Name) and each.func.id == "_"]
    assert [ast.unparse(each) for each in said if not isinstance(each, FROM_TABLES)] == []


FROM_TABLES = (ast.Constant, ast.Subscript, ast.Attribute, ast.Name)


@pytest.mark.parametrize("template", sorted(PAGES.rglob("*.html")), ids=lambda template: template.stem)
def test_templates_translate_only_texts_written_there(template):
    calls = Environment().parse(template.read_text()).find_all(nodes.Call)
    said = [call for call in calls if isinstance(call.node, nodes.Name) and call.node.name == "_"]
    assert [call.lineno for call in said if not isinstance(call.args[0], nodes.Const)] == []


def test_facts_are_escaped_and_markup_is_not():
    from markupsafe import Markup

    _ = say.sayer("de")
    assert _("The game is waiting for {names}.", names="<b>Ann</b>") == "Die Partie wartet auf &lt;b&gt;Ann&lt;/b&gt;."
    assert "<i>x</i>" in _("Since {time}", time=Markup("<i>x</i>"))


@pytest.mark.parametrize(
    ("asked", "lang"),
    [
        ("de-AT,en;q=0.5", "de"),
        ("fr,de;q=0.1", "de"),
        ("en", "en"),
        ("fr", "en"),
        ("", "en"),
        ("en;q=0.1,de;q=0.9", "de"),
        ("den", "en"),
        ("de;q=0,en", "en"),
    ],
)
def test_pages_and_api_read_the_browsers_languages_alike(app, asked, lang):
    assert Browser(app, asked).get("/").root.all("html")[0].attrs["lang"] == lang
    missing = app.test_client().get("/api/v1/games/nothing", headers={"Accept-Language": asked})
    assert missing.json["title"] == {"en": "Not found", "de": "Nicht gefunden"}[lang]
