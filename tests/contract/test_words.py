"""Whatever a title says is said in both languages: refusals, stories, actions, hands, standings, labels of pictures.

Two ways to find what can be said: written in the sources, and said during random games.
"""

import ast
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain
from domain import lifecycle
from domain.chance import FreeChance
from domain.messages import owner_of, redact
from domain.play import decide
from domain.refusal import Refused
from domain.title import Title
from domain.words import Sentence, say
from service.words import spoken
from tests.contract.games import JUNK, Forger, RandomGame

BENDING = re.compile("[a-zäöü]|[A-ZÄÖÜ][a-zäöüß]+(er|es) [A-ZÄÖÜ]")
"""What a German name begins with that is said otherwise in another case: a bare adjective, or one before its noun."""

ROOT = Path(domain.__file__).parent
TEMPLATE_AT = {"Refused": 1, "Sentence": 0}


def written(file: Path) -> Iterator[tuple[str, str]]:
    """(where, template) of each literal template in a call of `Refused` or `Sentence`."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEMPLATE_AT:
            at = TEMPLATE_AT[node.func.id]
            for part in ast.walk(node.args[at]) if len(node.args) > at else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield f"{file.name}:{node.lineno}", part.value


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_every_template_in_the_sources_has_a_german_one(title: Title):
    house = ("game.py", "lifecycle.py", "timekeeping.py", "pace.py", "pace_words.py", "house_words.py")
    files = [*(ROOT / name for name in house), *sorted((ROOT / title.id).rglob("*.py"))]
    templates = [each for file in files for each in written(file)]
    assert len(templates) > 60
    assert [each for each in templates if each[1] not in title.words.german] == []


def test_german_templates_have_the_same_fields(title: Title):
    for english, german in title.words.german.items():
        assert fields(english) == fields(german), english


def test_every_id_has_two_names(title: Title):
    for id_, (english, german) in title.words.names.items():
        assert english, id_
        assert german, id_


def test_forms_are_asked_for_in_german_and_are_of_known_ids(title: Title):
    asked = {form for german in title.words.german.values() for _, _, form, _ in string.Formatter().parse(german)}
    for id_, forms in title.words.forms.items():
        assert id_ in title.words.names
        assert set(forms) <= asked, id_
        assert all(forms.values()), id_


class Listener:
    """Hears every sentence and checks that it can be said in both languages, with nothing left unsaid."""

    def __init__(self, title: Title) -> None:
        self.title, self.heard = title, set()

    def hear(self, sentence: Sentence) -> None:
        words = self.title.words
        assert sentence.template in words.german, sentence
        assert fields(sentence.template) <= set(sentence.facts), sentence
        self.heard.add(sentence.template)
        for lang in ("en", "de"):
            said = say(sentence, spoken(words, lang), "seat {}".format)
            assert said
            assert "{" not in said
        self.hear_forms(sentence)
        for fact in (sentence.facts[name] for name in fields(sentence.template)):
            for each in fact if isinstance(fact, tuple | list) else (fact,):
                if isinstance(each, str) and each != JUNK and re.fullmatch("[a-z][a-z0-9_.]*", each):  # an id
                    assert each in words.names, f"no name for {each!r} in {sentence}"

    def hear_forms(self, sentence: Sentence) -> None:
        """A name that bends has each form that German asks for."""
        words, german = self.title.words, spoken(self.title.words, "de")
        for _, name, form, _ in string.Formatter().parse(words.german[sentence.template]):
            fact = sentence.facts[name] if name is not None else ()
            for each in fact if isinstance(fact, tuple | list) else (fact,):
                bends = isinstance(each, str) and (each in words.forms or BENDING.match(german.name(each)))
                if form and bends:
                    assert form in words.forms.get(each, {}), f"no form {form!r} of {each!r} in {sentence}"


@pytest.mark.parametrize("number", range(6))
def test_everything_said_in_random_games(title: Title, number: int):
    listener, dice = Listener(title), random.Random(number)
    forger = Forger(title, dice)
    game = RandomGame(title, number)
    for step in game.steps():
        for viewer in (None, 1, 2):
            seen = [part for e in step.ply.events if (part := redact(e, owner_of(e), viewer)) is not None]
            for sentence in title.narrate(seen):
                listener.hear(sentence)
        if step.after.status not in ("running", "over"):
            continue
        view = title.view(step.after.state, 1)
        for sentence in (*title.hand(view), *title.standing(view)):
            listener.hear(sentence)
        if step.ply.number % 7 == 0:
            listener.hear(title.picture(view, "light", title.words.english).label)
            for seat in step.after.table.playing:
                actions = title.actions(step.after.state, seat)
                for action in actions:
                    listener.hear(action.sentence)
                    assert action.group in title.words.names, action.group
                forger.learn(actions)
                for command in forger.forge(actions, 20):
                    try:
                        title.decide(step.after.state, seat, command, FreeChance(dice))
                    except Refused as refusal:
                        listener.hear(refusal.sentence)
    for note in title.notes:
        listener.hear(note)
    for command in (lifecycle.Resign(), lifecycle.StartGame(), lifecycle.CancelGame(), lifecycle.TakeBack(1)):
        with pytest.raises(Refused) as refusal:
            decide(game.game, 1, command, game.at, "player", game.secret)
        listener.hear(refusal.value.sentence)
    assert len(listener.heard) > 30
