"""Hand by colour, market, and tickets with their missing routes."""

from domain.ticket_to_ride import TITLE
from domain.words import say
from tests.domain.ticket_to_ride.positions import ANN, BOB, claims, given, opening


def shelves(seat, *position):
    things = TITLE.face.things(TITLE.rules.view(given(opening(), *position).state, seat))
    return {it.name.template: it.things for it in things.shelves}


def said(it):
    return TITLE.face.words.english.name(it) if isinstance(it, str) else say(it, TITLE.face.words.english, str)


def test_the_hand_is_shown_by_colour_with_its_numbers():
    """TTR 9.2: one's own alone."""
    [red] = shelves(ANN)["Train cards"]
    assert (red.name, red.place, said(red.mark)) == ("red", "red", "4 ×")
    assert [it.name for it in shelves(BOB)["Train cards"]] == ["blue"]
    assert "Train cards" not in shelves(None)
    assert "Your tickets" not in shelves(None)


def test_market_slots_and_deck_sizes_are_shown():
    market = shelves(None)["Market"]
    assert [it.place for it in market] == [*(f"market.{slot}" for slot in range(1, 6)), "train_deck", "ticket_deck", ""]
    assert [it.name for it in market[:5]] == ["purple", "orange", "white", "purple", "black"]


def test_a_ticket_shows_the_fewest_missing_trains():
    """TTR 8.3: from Boston to Miami by New York, Pittsburgh, Raleigh and Charleston."""
    ticket = next(it for it in shelves(ANN)["Your tickets"] if said(it.name) == "Boston–Miami")
    assert said(ticket.mark) == "12 points"
    assert said(ticket.said[0]) == (
        "needs at least 12 trains more: Boston–New York 2 red or yellow, New York–Pittsburgh 2 green or white, "
        "Pittsburgh–Raleigh 2 gray, Charleston–Raleigh 2 gray and Charleston–Miami 4 purple"
    )
    assert ticket.sketches[0].map_box is not None


def test_a_seat_opens_to_its_routes_by_name_and_its_known_cards():
    things = TITLE.face.things(TITLE.rules.view(given(opening(), claims(BOB, "calgary__helena")).state, ANN))
    opened = {it.seat: {shelf.name.template: shelf.things for shelf in it.shelves} for it in things.seats}
    (route,) = opened[BOB]["Routes"]
    assert [said(it) for it in (route.name, route.mark, *route.said)] == ["Calgary–Helena", "4 trains", "7 points"]
    assert "Routes" not in opened[ANN]
    facts = dict(zip(map(said, things.compared), things.seats[BOB - 1].facts, strict=True))
    assert facts["trains"] == 41
