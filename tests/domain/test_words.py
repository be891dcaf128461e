"""How facts are filled into templates: numbers with nouns, lists with verbs, names in a form."""

import pytest

from domain import house_words, lifecycle
from domain.grand_trunk.face.words import WORDS as GRAND_TRUNK
from domain.new_england.face.words import WORDS as NEW_ENGLAND
from domain.ticket_to_ride.face.words import WORDS as TICKET_TO_RIDE
from domain.words import Language, Sentence, say
from service.words import spoken

ENGLISH = Language(names={"box": "Box Car", "flat": "Flat Car"})
OTHER = Language(
    "de",
    {
        "{seat} couples {car}.": "{seat} koppelt {car:acc} an.",
        "Couple {car}": "{car:acc} ankoppeln",
    },
    {"box": "Gedeckter Wagen", "flat": "Flachwagen", "box:acc": "gedeckten Wagen"},
    {"lies|lie": ("liegt", "liegen")},
    joined=" und ".join,
)


def said(template, facts, language=OTHER):
    return say(Sentence(template, facts), language, "Ann {}".format)


def test_a_german_name_is_said_in_the_form_asked_for():
    assert said("{seat} couples {car}.", {"seat": 1, "car": "box"}) == "Ann 1 koppelt gedeckten Wagen an."
    assert said("{seat} couples {car}.", {"seat": 1, "car": "box"}, ENGLISH) == "Ann 1 couples Box Car."


def test_names_in_a_list_are_said_in_the_form_if_they_have_it():
    facts = {"seat": 1, "car": ("flat", "box")}
    assert said("{seat} couples {car}.", facts) == "Ann 1 koppelt Flachwagen und gedeckten Wagen an."


def test_a_form_at_the_beginning_has_a_capital():
    assert said("Couple {car}", {"car": "box"}) == "Gedeckten Wagen ankoppeln"


@pytest.mark.parametrize(
    ("cars", "en", "de"),
    [
        (("flat",), "Here lies Flat Car.", "Here liegt Flachwagen."),
        (("flat", "box"), "Here lie Flat Car and Box Car.", "Here liegen Flachwagen und Gedeckter Wagen."),
        ((), "Here lie –.", "Here liegen –."),
    ],
)
def test_a_list_is_preceded_by_the_fitting_verb(cars, en, de):
    assert said("Here {cars:lies|lie}.", {"cars": cars}, ENGLISH) == en
    assert said("Here {cars:lies|lie}.", {"cars": cars}) == de


@pytest.mark.parametrize(
    ("words", "template", "facts", "german"),
    [
        (
            GRAND_TRUNK,
            "Dump {good} from {railcar}",
            {"good": "coal", "railcar": "box_car"},
            "Kohle von gedecktem Güterwagen mit Verlust abladen",
        ),
        (GRAND_TRUNK, "Uncouple {railcar}", {"railcar": "gondola"}, "Offenen Güterwagen abkoppeln"),
        (
            GRAND_TRUNK,
            "{seat} loads {good} on {railcar}.",
            {"seat": 1, "good": "wood", "railcar": "box_car"},
            "Ann 1 lädt Holz auf gedeckten Güterwagen.",
        ),
        (
            GRAND_TRUNK,
            "{place} demands {good}, so you cannot dump it there.",
            {"place": "albany", "good": "steel"},
            "Albany fragt Stahl nach. Deshalb kannst du es dort nicht mit Verlust abladen.",
        ),
        (
            GRAND_TRUNK,
            "You do not meet the conditions of {objective}.",
            {"objective": "common_carrier"},
            "Du erfüllst die Bedingungen von Gewöhnlichen Lieferungen nicht.",
        ),
        (
            GRAND_TRUNK,
            "On top of your deck: {cards}.",
            {"cards": ("utica",)},
            "Oben auf deinem Deck: Utica.",
        ),
        (
            NEW_ENGLAND,
            "{seat} ships a {colour} cube from {city} to {end}.",
            {"seat": 1, "colour": "red", "city": "boston", "end": "albany"},
            "Ann 1 liefert einen roten Warenstein von Boston nach Albany.",
        ),
        (
            NEW_ENGLAND,
            "{seat} ends with −${total}: ${cash} in cash, ${values} in links, a debt of ${debt}.",
            {"seat": 1, "total": 30, "cash": 10, "values": 0, "debt": 40},
            "Ann 1 endet mit −$30: $10 Bargeld, $0 Streckenwert, $40 Schulden.",
        ),
        (
            NEW_ENGLAND,
            "There is no {colour} cube in {city}.",
            {"colour": "blue", "city": "boston"},
            "In Boston liegt kein blauer Warenstein.",
        ),
        (
            NEW_ENGLAND,
            "All choices on {step} are revealed.",
            {"step": "loans"},
            "Alle Antworten zu Krediten werden aufgedeckt.",
        ),
        (TICKET_TO_RIDE, "{seat} plays {colour}.", {"seat": 1, "colour": "blue"}, "Ann 1 spielt Blau."),
        (
            TICKET_TO_RIDE,
            "{seat} is dealt {cards}.",
            {"seat": 1, "cards": ("3 blue", "1 purple", "2 locomotive")},
            "Ann 1 erhält 3 blaue, 1 lila und 2 Lokomotiven.",
        ),
        (
            TICKET_TO_RIDE,
            "{seat} takes a card from the market: {card}. The new card is {new}.",
            {"seat": 1, "card": "red", "new": "green"},
            "Ann 1 nimmt eine Karte aus der Auslage: rot. Nachgelegt wird eine grüne.",
        ),
    ],
)
def test_titles_inflect_their_german_names(words, template, facts, german):
    assert said(template, facts, spoken(words, "de")) == german


@pytest.mark.parametrize(
    ("plies", "en", "de"),
    [
        ((4,), "Ann 1 takes back 1 move.", "Ann 1 nimmt 1 Spielzug zurück."),
        ((4, 3), "Ann 1 takes back 2 moves.", "Ann 1 nimmt 2 Spielzüge zurück."),
    ],
)
def test_german_moves_are_never_called_trains(plies, en, de):
    [told] = house_words.narrate(lifecycle.TakenBack(1, plies))
    assert said(told.template, told.facts, spoken(house_words.WORDS, "en")) == en
    assert said(told.template, told.facts, spoken(house_words.WORDS, "de")) == de
