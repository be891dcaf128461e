"""What Ticket to Ride can say: the names of its ids in both languages, and its templates in German.

City names stay as they are printed; German words follow the glossary of the catalogue (appendix B).
"""

from collections.abc import Mapping

from domain import house_words
from domain.ticket_to_ride import orders_german
from domain.ticket_to_ride.board import CITIES, ROUTES, TICKETS, Route
from domain.ticket_to_ride.cards import ALL_CARDS, KINDS, LOCOMOTIVE
from domain.words import Tables

Names = dict[str, tuple[str, str]]

OUR_OWN: Mapping[str, tuple[str, str]] = {
    "ticket_to_ride": ("Ticket to Ride", "Zug um Zug"),
    # colours, of cards, routes and seats
    "purple": ("purple", "lila"),
    "blue": ("blue", "blau"),
    "orange": ("orange", "orange"),
    "white": ("white", "weiß"),
    "green": ("green", "grün"),
    "yellow": ("yellow", "gelb"),
    "black": ("black", "schwarz"),
    "red": ("red", "rot"),
    "gray": ("gray", "grau"),
    "locomotive": ("locomotive", "Lokomotive"),
    # choices
    "colour": ("Colour", "Farbe"),
    # phases and steps of a turn
    "setup": ("setup", "Spielvorbereitung"),
    "play": ("play", "Spiel"),
    "one_card": ("second train card", "zweite Wagenkarte"),
    "complete": ("complete", "abgeschlossen"),
    # categories of the result
    "routes": ("routes", "Strecken"),
    "tickets": ("tickets", "Zielkarten"),
    "longest_path": ("longest path", "längste durchgehende Strecke"),
    # groups of actions
    "draw_cards": ("Draw train cards", "Wagenkarten nehmen"),
    "claim": ("Claim a route", "Strecke nutzen"),
    "claim_with_more": ("Claim a route, with more locomotives", "Strecke nutzen, mit mehr Lokomotiven"),
    "draw_tickets": ("Draw tickets", "Zielkarten ziehen"),
    "keep": ("Keep tickets", "Zielkarten behalten"),
}

FORMS: Mapping[str, Mapping[str, str]] = {
    "purple": {"noun": "Lila", "one": "eine lila"},
    "blue": {"noun": "Blau", "one": "eine blaue"},
    "orange": {"noun": "Orange", "one": "eine orange"},
    "white": {"noun": "Weiß", "one": "eine weiße"},
    "green": {"noun": "Grün", "one": "eine grüne"},
    "yellow": {"noun": "Gelb", "one": "eine gelbe"},
    "black": {"noun": "Schwarz", "one": "eine schwarze"},
    "red": {"noun": "Rot", "one": "eine rote"},
    "locomotive": {"one": "eine Lokomotive"},
}
"""The colour that somebody plays, and one card of a kind."""


# ==== names =======================================================================================
def _route(route: Route) -> tuple[str, str]:
    """As in "Denver–Kansas City (orange, 4)"; of two gray tracks beside each other also which one."""
    cities = f"{CITIES[route.a].name}–{CITIES[route.b].name}"
    en, de = OUR_OWN[route.colour]
    alike = route.twin is not None and ROUTES[route.twin].colour == route.colour
    track = (f", track {route.lane}", f", Gleis {route.lane}") if alike else ("", "")
    return f"{cities} ({en}, {route.spaces}{track[0]})", f"{cities} ({de}, {route.spaces}{track[1]})"


def _printed() -> Names:
    names = {city.id: (city.name, city.name) for city in CITIES.values()}
    names |= {route.id: _route(route) for route in ROUTES.values()}
    for ticket in TICKETS.values():
        name = f"{CITIES[ticket.a].name}–{CITIES[ticket.b].name} ({ticket.points})"
        names[ticket.id] = (name, name)
    return names


def _counted() -> Names:
    """Cards with their number: "3 white", "2 locomotives"; in German "3 weiße", "2 Lokomotiven"."""
    names = {}
    for kind in KINDS:
        en, de = OUR_OWN[kind][0], FORMS[kind]["one"].removeprefix("eine ")
        for number in range(1, ALL_CARDS[kind] + 1):
            many = kind == LOCOMOTIVE and number > 1
            names[f"{number} {kind}"] = (f"{number} {en}{'s' if many else ''}", f"{number} {de}{'n' if many else ''}")
    return names


NAMES: Names = {**house_words.NAMES, **_printed(), **_counted(), **OUR_OWN}


# ==== templates ===================================================================================
NARRATE: Mapping[str, str] = {
    "The game begins. {first_seat} plays first.": "Die Partie beginnt. {first_seat} fängt an.",
    "{seat} plays {colour}.": "{seat} spielt {colour:noun}.",
    "The market shows {cards}.": "In der Auslage: {cards}.",
    "{seat} is dealt {cards}.": "{seat} erhält {cards}.",
    "{seat} has chosen tickets.": "{seat} hat Zielkarten gewählt.",
    "{seat} chooses to keep {tickets}.": "{seat} will {tickets} behalten.",
    "{seat} now chooses to keep {tickets}.": "{seat} will jetzt {tickets} behalten.",
    "{seat} keeps {number:ticket|tickets}.": "{seat} behält {number:Zielkarte|Zielkarten}.",
    "{seat} takes a card from the market: {card}. In its place comes {new}.":
        "{seat} nimmt eine Karte aus der Auslage: {card}. Nachgelegt wird {new:one}.",
    "{seat} draws a card from the deck.": "{seat} zieht eine Karte vom Stapel.",
    "{seat} draws a card from the deck: {card}.": "{seat} zieht eine Karte vom Stapel: {card}.",
    "The discard pile, {cards:card|cards}, is shuffled and is the deck now.":
        "Der Ablagestapel, {cards:Karte|Karten}, wird gemischt und ist jetzt der Nachziehstapel.",
    "Three locomotives: the market is swept and shows {cards}.":
        "Drei Lokomotiven: Auslage ausgetauscht. Jetzt in der Auslage: {cards}.",
    "Three locomotives, {sweeps} times in a row: the market is swept and shows {cards}.":
        "Drei Lokomotiven, {sweeps}-mal hintereinander: Auslage ausgetauscht. Jetzt in der Auslage: {cards}.",
    "After ten sweeps the market stays as it is.": "Nach zehnmaligem Austausch bleibt die Auslage, wie sie ist.",
    "The market stays as it is: there are hardly any other cards left.":
        "Die Auslage bleibt, wie sie ist: Es gibt kaum noch andere Karten.",
    "{seat} claims {route} for {cards}: {points:point|points}, {trains:train|trains} left.":
        "{seat} nutzt die Strecke {route} für {cards}: {points:Punkt|Punkte}, noch {trains:Waggon|Waggons}.",
    "{seat} is offered {tickets}.": "{seat} kann wählen unter {tickets}.",
    "{seat} draws {number:ticket|tickets}.": "{seat} zieht {number:Zielkarte|Zielkarten}.",
    "{seat} keeps {kept:ticket|tickets} and returns {returned}.":
        "{seat} behält {kept:Zielkarte|Zielkarten} und gibt {returned} zurück.",
    "{seat} keeps {tickets}.": "{seat} behält {tickets}.",
    "{seat} keeps {tickets} and returns {returned}.": "{seat} behält {tickets} und gibt {returned} zurück.",
    "{seat} has hardly any trains left: the last round begins.":
        "{seat} hat kaum noch Waggons: Die letzte Runde beginnt.",
    "One more turn each, in this order: {order_seat}.": "Jeder hat noch einen Spielzug, in dieser Folge: {order_seat}.",
    "{seat} gets {points:point|points} for tickets. Completed: {completed}. Not completed: {missed}.":
        "{seat} erhält {points:Punkt|Punkte} für Zielkarten. Erfüllt: {completed}. Nicht erfüllt: {missed}.",
    "Nobody gets the longest-path card.": "Niemand erhält die Bonuskarte.",
    "{seat} has the longest path, {length:space|spaces}: {points:point|points}.":
        "{seat} hat die längste durchgehende Strecke, {length:Feld|Felder}: {points:Bonuspunkt|Bonuspunkte}.",
    "{seat} wins with {points:point|points}.": "{seat} gewinnt mit {points:Punkt|Punkten}.",
    "{winners_seat} share the victory with {points:point|points}.":
        "{winners_seat} teilen sich den Sieg mit {points:Punkt|Punkten}.",
    "{seat} can do nothing and is passed for.": "{seat} kann nichts tun und muss aussetzen.",
    "Nobody can do anything any more: the game is scored.": "Niemand kann mehr etwas tun: Es folgt die Schlusswertung.",
    "{seat} keeps the {number:ticket|tickets} on offer, out of play.":
        "{seat} behält {number:gezogene Zielkarte|gezogene Zielkarten}, aus dem Spiel.",
    # from a view
    "Your train cards: {cards}.": "Deine Wagenkarten: {cards}.",
    "You keep {tickets}, unless you choose again before everybody has chosen.":
        "Du behältst {tickets}, wenn du nicht neu wählst, bevor alle gewählt haben.",
    "You are offered {tickets}.": "Du kannst wählen unter {tickets}.",
    "Your completed tickets: {tickets}.": "Deine erfüllten Zielkarten: {tickets}.",
    "Your tickets still to complete: {tickets}.": "Deine noch nicht erfüllten Zielkarten: {tickets}.",
    "You have returned {tickets}.": "Zurückgegeben hast du {tickets}.",
    "{seat} ({colour}) has left the game with {points:point|points}.":
        "{seat} ({colour}) ist mit {points:Punkt|Punkten} ausgeschieden.",
    "{rank}. {seat} ({colour}): {points:point|points}.": "{rank}. {seat} ({colour}): {points:Punkt|Punkte}.",
    "{rank}. {seat} ({colour}): {points:point|points}, {trains:train|trains}, {cards:train card|train cards}, "
    "{tickets:ticket|tickets}.":
        "{rank}. {seat} ({colour}): {points:Punkt|Punkte}, {trains:Waggon|Waggons}, {cards:Wagenkarte|Wagenkarten}, "
        "{tickets:Zielkarte|Zielkarten}.",
}  # fmt: skip

PICTURE: Mapping[str, str] = {
    "The board: {number:route is|routes are} claimed. In the market {cards:lies|lie}.":
        "Der Spielplan: {number:Strecke ist|Strecken sind} genutzt. In der Auslage: {cards}.",
}  # fmt: skip

ACTIONS: Mapping[str, str] = {
    "Keep {tickets}": "{tickets} behalten",
    "Take {card} from the market": "Aus der Auslage nehmen: {card}",
    "Draw a card from the deck": "Eine Karte vom Stapel ziehen",
    "Draw tickets": "Zielkarten ziehen",
    "Claim {route} for {cards}": "{route} für {cards} nutzen",
}

REFUSALS: Mapping[str, str] = {
    "{fewest} to {most} seats play.": "Es spielen {fewest} bis {most} Plätze.",
    "Another seat plays {colour}.": "{colour:noun} ist schon vergeben.",
    "The game is over.": "Die Partie ist zu Ende.",
    "The first turn begins when everybody has chosen tickets.":
        "Der erste Spielzug beginnt, wenn alle ihre Zielkarten gewählt haben.",
    "It is not your turn.": "Du bist nicht am Zug.",
    "You have drawn one train card: draw the second.": "Du hast eine Wagenkarte genommen: Nimm die zweite.",
    "First choose which of the tickets you drew you keep.":
        "Wähle zuerst, welche der gezogenen Zielkarten du behältst.",
    "Choose among the tickets offered to you, each once.":
        "Wähle unter den Zielkarten, die du bekommen hast, jede einmal.",
    "Keep at least {fewest} of your tickets.": "Behalte mindestens {fewest} deiner Zielkarten.",
    "Keep at least one of the tickets.": "Behalte mindestens eine der Zielkarten.",
    "No tickets are offered to you.": "Du hast keine Zielkarten gezogen.",
    "There are no tickets left.": "Es gibt keine Zielkarten mehr.",
    "A locomotive of the market can only be your first card.":
        "Eine offene Lokomotive kann nur deine erste Karte sein.",
    "There is no {card} in the market.": "In der Auslage liegt nicht: {card}.",
    "No train card can be drawn: deck and discard pile are empty.":
        "Es kann keine Wagenkarte genommen werden: Nachziehstapel und Ablagestapel sind leer.",
    "There is no such route.": "Diese Strecke gibt es nicht.",
    "{route} is claimed by {owner_seat} already.": "{route} wird schon von {owner_seat} genutzt.",
    "With {players} players only one track of a double route can be claimed.":
        "Mit {players} Spielern kann nur ein Gleis einer Doppelstrecke genutzt werden.",
    "You own the other track of this double route.": "Du nutzt schon das andere Gleis dieser Doppelstrecke.",
    "{route} needs {spaces:train|trains}; you have {trains}.":
        "{route} braucht {spaces:Waggon|Waggons}; du hast {trains}.",
    "{route} costs {spaces:card|cards}, not {number}.": "{route} kostet {spaces:Karte|Karten}, nicht {number}.",
    "There is no such kind of card.": "Diese Kartenart gibt es nicht.",
    "The cards must all be of one colour, or locomotives.":
        "Die Karten müssen alle von einer Farbe sein oder Lokomotiven.",
    "The cards must be {colour}, or locomotives.": "Die Karten müssen {colour} sein oder Lokomotiven.",
    "You do not hold all of these cards.": "Du hast nicht alle diese Karten.",
}  # fmt: skip

WORDS = Tables(
    {**house_words.GERMAN, **orders_german.GERMAN, **NARRATE, **PICTURE, **ACTIONS, **REFUSALS}, NAMES, FORMS
)
