"""Every text of a title exists in both languages: refusals, stories, actions, hands, standings, labels of pictures.

The texts are found in two ways: in the sources, and during random games.
"""

import random
import re
import string
from collections.abc import Iterator

import pytest

from domain import lifecycle, report
from domain.chance import FreeChance
from domain.messages import owner_of, redact
from domain.play import decide
from domain.refusal import Refused
from domain.things import Things
from domain.title import Title
from domain.words import Language, Sentence, say
from service.words import languages, spoken
from tests.contract.games import JUNK, Forger, RandomGame

BENDING = re.compile("[a-zäöü]|[A-ZÄÖÜ][a-zäöüß]+(er|es) [A-ZÄÖÜ]")
"""The start of a German name that changes with its case: a bare adjective, or one before its noun."""


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_every_id_has_a_name_in_every_language(title: Title):
    assert title.id in title.face.words.names
    for tag in languages():
        language = spoken(title.face.words, tag)
        assert [it for it in title.face.words.names if not language.name(it)] == []


class Listener:
    """A check that every sentence can be said in all languages, with all its facts."""

    def __init__(self, title: Title) -> None:
        self.title, self.heard, self.whole = title, set(), set()
        self.languages = [spoken(title.face.words, tag) for tag in languages()]
        self.bending = {
            language.code: {key.partition(":")[0] for key in language.names if ":" in key}
            for language in self.languages
        }

    def hear(self, sentence: Sentence) -> None:
        """Check a sentence once, as most repeat."""
        if (whole := repr(sentence)) in self.whole:
            return
        self.whole.add(whole)
        words = self.title.face.words
        assert fields(sentence.template) <= set(sentence.facts), sentence
        self.heard.add(sentence.template)
        for language in self.languages:
            assert language.code == "en" or sentence.template in language.texts, sentence
            said = say(sentence, language, "seat {}".format)
            assert said
            assert "{" not in said
            self.hear_forms(sentence, language)
        for fact in (sentence.facts[name] for name in fields(sentence.template)):
            for each in fact if isinstance(fact, tuple | list) else (fact,):
                if isinstance(each, str) and each != JUNK and re.fullmatch("[a-z][a-z0-9_.]*", each):  # an id
                    assert each in words.names, f"no name for {each!r} in {sentence}"

    def hear_any(self, said: str | Sentence) -> None:
        """Check a sentence, or an id that has a name."""
        if isinstance(said, Sentence):
            self.hear(said)
        else:
            assert said in self.title.face.words.names, said

    def hear_forms(self, sentence: Sentence, language: Language) -> None:
        """A count needs its nouns, and a declined name each form that the language uses."""
        template = language.texts.get(sentence.template, sentence.template)
        for _, name, form, _ in string.Formatter().parse(template):
            if form and "|" in form:
                assert language.code == "en" or form in language.counts, f"no {form!r} in {sentence}"
                continue
            fact = sentence.facts[name] if form else ()
            for each in fact if isinstance(fact, tuple | list) else (fact,):
                if isinstance(each, str) and self.bends(each, language):
                    assert f"{each}:{form}" in language.names, f"no form {form!r} of {each!r} in {sentence}"

    def bends(self, id_: str, language: Language) -> bool:
        looks_so = language.code == "de" and BENDING.match(language.name(id_)) is not None
        return looks_so or id_ in self.bending[language.code]


def of_things(things: Things) -> Iterator[str | Sentence]:
    """Yield all texts of things."""
    yield from things.said
    for cell in (*things.compared, *(fact for seat in things.seats for fact in seat.facts)):
        if isinstance(cell, str | Sentence):
            yield cell
    for seat in things.seats:
        yield from seat.said
    for shelf in (*things.shelves, *(each for seat in things.seats for each in seat.shelves)):
        yield shelf.name
        for thing in shelf.things:
            yield from (thing.name, *thing.said, *((thing.mark,) if thing.mark else ()))
            yield from (each for each in (thing.shows, *(use.name for use in thing.uses)) if each)
        yield from (use.text for each in (shelf, *shelf.things) for use in each.uses)


@pytest.mark.long("3", "4", "5")
@pytest.mark.parametrize("number", range(6))
def test_all_sentences_of_random_games_can_be_said_in_every_language(title: Title, number: int):
    listener, dice = Listener(title), random.Random(number)
    forger = Forger(title, dice)
    game = RandomGame(title, number)
    for step in game.steps():
        for viewer in (None, 1, 2):
            seen = [part for e in step.ply.events if (part := redact(e, owner_of(e), viewer)) is not None]
            for sentence in title.face.narrate(seen):
                listener.hear(sentence)
        if step.after.status not in ("running", "over"):
            continue
        view = title.rules.view(step.after.state, 1)
        for sentence in (*title.face.hand(view), *title.face.standing(view)):
            listener.hear(sentence)
        why = title.face.why_asked(view)
        assert (why is None) == (step.after.asked == ())
        if why is not None:
            listener.hear(why)
            listener.hear(title.face.asks(view))
        for spoken_of in of_things(title.face.things(view)):
            listener.hear_any(spoken_of)
        if step.ply.number % 7 == 0:
            for sentence in report.sentences(title.face.report(view)):
                listener.hear(sentence)
            for option in title.face.orders.options(view, title.rules.actions(step.after.state, 1)):
                if (remark := title.face.orders.listing.remark(view, option.action)) is not None:
                    listener.hear(remark)
            listener.hear(title.face.picture(view, "light", listener.languages[0]).label)
            for seat in step.after.table.playing:
                actions = title.rules.actions(step.after.state, seat)
                for action in actions:
                    listener.hear(action.sentence)
                    assert action.group in title.face.words.names, action.group
                forger.learn(actions)
                for command in forger.forge(actions, 20):
                    try:
                        title.rules.decide(step.after.state, seat, command, FreeChance(dice))
                    except Refused as refusal:
                        listener.hear(refusal.sentence)
    for note in title.face.notes:
        listener.hear(note)
    for command in (lifecycle.Resign(), lifecycle.StartGame(), lifecycle.CancelGame(), lifecycle.TakeBack(1)):
        with pytest.raises(Refused) as refusal:
            decide(game.game, 1, command, game.at, "player", game.secret)
        listener.hear(refusal.value.sentence)
    assert len(listener.heard) > 20
