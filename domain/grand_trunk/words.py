"""What the Grand Trunk Journey can say: the names of its ids in both languages, and its templates in German.

Names that are printed come from the data; those the printed game does not give, or not in German, stand here, by the
glossary of the catalogue (appendix C). Templates are listed by the module that says them.
"""

from collections.abc import Iterable, Mapping

from domain import house_words
from domain.grand_trunk import board, cards
from domain.words import Words

Names = dict[str, tuple[str, str]]


# ==== names =======================================================================================
def _printed() -> Names:
    """Names the data gives. Places and companies keep theirs in both languages (GTJ 19.9)."""
    same_in_both: Iterable[board.Place | cards.Company] = (*board.PLACES.values(), *cards.COMPANIES.values())
    in_both: Iterable[cards.ActionKind | cards.Improvement | cards.Objective | board.Scenario] = (
        *cards.ACTIONS.values(), *cards.IMPROVEMENTS.values(), *cards.OBJECTIVES.values(), *board.SCENARIOS.values(),
    )  # fmt: skip
    names = {item.id: (item.name, item.name) for item in same_in_both}
    return names | {item.id: (item.name, item.name_de) for item in in_both}


PRINTED_IN_ENGLISH: Mapping[str, str] = {
    "hopper_car": "Schüttgutwagen",
    "flat_car": "Flachwagen",
    "box_car": "gedeckter Güterwagen",
    "gondola": "offener Güterwagen",
    "increase_force": "die Antriebskraft erhöhen",
    "increase_speed": "die Geschwindigkeit erhöhen",
    "build_terminal": "einen Güterbahnhof bauen",
    "acquire_improvement": "eine Fortschrittskarte erwerben",
    "acquire_objective": "eine Aufgabenkarte erwerben",
}
"""German for what the data names in English only."""

OUR_OWN: Mapping[str, tuple[str, str]] = {
    "coal": ("coal", "Kohle"),
    "iron": ("iron", "Eisen"),
    "wood": ("wood", "Holz"),
    "steel": ("steel", "Stahl"),
    "intermediate": ("intermediate", "Fortgeschritten"),
    "expert": ("expert", "Experte"),
    "force_1": ("Force I", "Antriebskraft I"),
    "force_2": ("Force II", "Antriebskraft II"),
    "force_3": ("Force III", "Antriebskraft III"),
    "force_4": ("Force IV", "Antriebskraft IV"),
    "slow": ("Slow", "langsam"),
    "fast": ("Fast", "schnell"),
    "city": ("city", "Stadt"),
    "port": ("port", "Hafen"),
    "any_port": ("any port", "ein beliebiger Hafen"),
    "deck_top": ("on top of the deck", "oben auf das Deck"),
    "discard": ("to the discard pile", "auf den Ablagestapel"),
    # variants of Development cards
    "terminal_or_improvement": ("Terminal or Improvement", "Güterbahnhof oder Fortschritt"),
    "force_or_speed": ("Force or Speed", "Antriebskraft oder Geschwindigkeit"),
    "any_of_four": ("Development", "Entwicklung"),
    # options and choices
    "scenario": ("Scenario", "Szenario"),
    "level": ("Level", "Niveau"),
    "objectives": ("Objectives", "Aufgaben"),
    "company": ("Company", "Gesellschaft"),
    # stages of a turn
    "choosing": ("choosing first railcars", "Wahl der Start-Waggons"),
    "start": ("at the start", "zu Beginn"),
    "before": ("before the move", "vor der Fahrt"),
    "unload": ("unload goods", "Güter abladen"),
    "uncouple": ("remove empty railcars", "leere Waggons entfernen"),
    "couple": ("add railcars", "Waggons hinzufügen"),
    "load": ("load goods", "Güter laden"),
    "draw": ("draw cards", "Karten ziehen"),
    # categories of the result
    "foreign_steel": ("Foreign Steel Contract", "Ausländischer Stahlvertrag"),
    "first_deliveries": ("first deliveries", "Erste Lieferungen"),
    "contracts": ("contracts", "Sonderlieferungsaufträge"),
    "terminals": ("terminals", "Güterbahnhöfe"),
    "force": ("Force", "Antriebskraft"),
    "speed": ("Speed", "Geschwindigkeit"),
    "dumped": ("dumped goods", "mit Verlust abgeladen"),
    "time": ("time", "Zeit"),
    "sets": ("sets", "Sätze"),
    "improvements": ("improvements", "Fortschrittskarten"),
    # groups of actions
    "move": ("Move the train", "Mit dem Zug fahren"),
    "first_railcar": ("First railcar", "Start-Waggon"),
    "action": ("Actions", "Aktionen"),
    "improvement": ("Use an improvement", "Fortschrittskarte nutzen"),
    "maintenance": ("Maintenance", "Instandhaltung"),
    "end": ("End the turn", "Spielzug beenden"),
    "pass": ("Pass", "Passen"),
}


def _cards() -> Names:
    """A card is named by what it shows, whoever owns it: "Burlington (Hopper Car)"."""
    names = {}
    for card in cards.CARDS.values():
        if card.kind == "railcar":
            names[card.id] = _known(str(card.railcar))
        elif card.kind == "junction":
            names[card.id] = ("Grand Trunk Jct", "Grand Trunk Jct")
        else:
            place = ("Port", "Hafen") if card.kind == "port" else _known(str(card.leads_to))
            shows = _known(card.railcar or card.action or str(card.development))
            names[card.id] = (f"{place[0]} ({shows[0]})", f"{place[1]} ({shows[1]})")
    return names


def _tokens() -> Names:
    """Tokens are named by what stands on them."""
    names = {}
    for token in board.GOODS_TOKENS.values():
        (en, de), supply = _known(token.demand[0]), [_known(good) for good in token.supply]
        gives = " and ".join(name[0] for name in supply), " und ".join(name[1] for name in supply)
        names[token.id] = (f"{en} for {gives[0]}", f"{de} gegen {gives[1]}")
    for contract in board.CONTRACT_TOKENS.values():
        good, city = _known(contract.good), _known(contract.city)
        names[contract.id] = (f"{good[0]} for {city[0]}", f"{good[1]} für {city[1]}")
    for first in board.FIRST_DELIVERIES.values():
        names[first.id] = (f"first delivery, {first.vp} VP", f"Erste Lieferung, {first.vp} SP")
    return names


def _known(id: str) -> tuple[str, str]:
    return NAMES[id]


NAMES: Names = {**house_words.NAMES, **_printed(), **OUR_OWN}
NAMES |= {each.id: (each.name, PRINTED_IN_ENGLISH[each.id]) for each in cards.RAILCAR_TYPES.values()}
NAMES |= {each.id: (each.name, PRINTED_IN_ENGLISH[each.id]) for each in cards.DEVELOPMENT_OPTIONS.values()}
NAMES |= {**_cards(), **_tokens()}


# ==== templates ===================================================================================
NARRATE: Mapping[str, str] = {
    # setup
    "The game begins: {scenario}, {level}.": "Die Partie beginnt: {scenario}, {level}.",
    "{seat} runs {company} and starts in {city}.": "{seat} leitet {company} und beginnt in {city}.",
    "The turn order is {order_seat}.": "Die Reihenfolge ist {order_seat}.",
    "Improvements on display: {improvements}.": "Ausliegende Fortschrittskarten: {improvements}.",
    "Objectives on display: {objectives}.": "Ausliegende Aufgabenkarten: {objectives}.",
    "{seat} has chosen a first railcar.": "{seat} hat einen Start-Waggon gewählt.",
    "{seat} chooses {card} with {good} as first railcar.": "{seat} wählt als Start-Waggon: {card} mit {good}.",
    "{seat} now chooses {card} with {good} as first railcar.":
        "{seat} wählt jetzt als Start-Waggon: {card} mit {good}.",
    "{seat} sets off with {card} and {good}.": "{seat} beginnt mit {card} und {good}.",
    # moving
    "{seat} moves from {origin} to {to}: {days:day|days}, now on day {day}.":
        "{seat} fährt von {origin} nach {to}: {days:Tag|Tage}, jetzt an Tag {day}.",
    "{seat} moves from {origin} to {to} by Grand Trunk Jct: {days:day|days}, now on day {day}.":
        "{seat} fährt über Grand Trunk Jct von {origin} nach {to}: {days:Tag|Tage}, jetzt an Tag {day}.",
    "{seat} moves from {origin} to {to} with Right of Way: {days:day|days}, now on day {day}.":
        "{seat} fährt mit Vorfahrt von {origin} nach {to}: {days:Tag|Tage}, jetzt an Tag {day}.",
    "{seat} moves from {origin} to {to} by Grand Trunk Jct and with Right of Way: {days:day|days}, now on day {day}.":
        "{seat} fährt über Grand Trunk Jct und mit Vorfahrt von {origin} nach {to}: {days:Tag|Tage}, jetzt an Tag"
        " {day}.",
    "The train took its time: the day that Fast saves was not used.":
        "Der Zug ließ sich Zeit: Der Tag, den er als schneller Zug spart, blieb ungenutzt.",
    "Contract {slot} is turned up: {good} for {city} on day {first}, {vp:point|points}.":
        "Auftrag {slot} wird aufgedeckt: {good} für {city} an Tag {first}, {vp:Siegpunkt|Siegpunkte}.",
    "Contract {slot} is turned up: {good} for {city} on days {first} to {last}, {vp:point|points}.":
        "Auftrag {slot} wird aufgedeckt: {good} für {city} an den Tagen {first} bis {last}, {vp:Siegpunkt|Siegpunkte}.",
    # unloading
    "{seat} delivers {good} to {place}.": "{seat} liefert {good} nach {place}.",
    "{seat} delivers {good} to {place}: {vp:point|points}.":
        "{seat} liefert {good} nach {place}: {vp:Siegpunkt|Siegpunkte}.",
    "{seat} delivers {good} to {place}, which makes {steel} steel there.":
        "{seat} liefert {good} nach {place}; dort entsteht {steel} Stahl.",
    "{seat} delivers {good} to {place} and moves up the wood track.":
        "{seat} liefert {good} nach {place} und rückt auf der Holzleiste vor.",
    "The Foreign Steel Contract pays {seat} {vp:more point|more points}, now on day {day}.":
        "Der Ausländische Stahlvertrag bringt {seat} {vp:weiteren Siegpunkt|weitere Siegpunkte}, jetzt an Tag {day}.",
    "The first delivery to {city} is worth {vp:point|points}.":
        "Die Erste Lieferung nach {city} bringt {vp:Siegpunkt|Siegpunkte}.",
    "{seat} meets contract {slot} with {good} for {city}: {vp:point|points}.":
        "{seat} erfüllt Auftrag {slot} mit {good} für {city}: {vp:Siegpunkt|Siegpunkte}.",
    "{seat} dumps {good} in {place} and loses {loss:point|points}.":
        "{seat} lädt {good} in {place} mit Verlust ab: minus {loss:Siegpunkt|Siegpunkte}.",
    # the train
    "{card} was left empty and is discarded.": "{card} blieb leer und wird abgeworfen.",
    "{seat} uncouples {card}.": "{seat} koppelt {card} ab.",
    "{seat} couples {card} with {good}.": "{seat} koppelt {card} mit {good} an.",
    "{seat} plays Rail Yard and couples {card} from the discard pile with {good}.":
        "{seat} spielt Depot und koppelt {card} vom Ablagestapel mit {good} an.",
    "{seat} couples {card} from the Parking Spur with {good}, now on day {day}.":
        "{seat} koppelt {card} vom Abstellgleis mit {good} an, jetzt an Tag {day}.",
    "{seat} couples {card} with {good} by Railroad Crane, now on day {day}.":
        "{seat} koppelt mit dem Schienendrehkran {card} mit {good} an, jetzt an Tag {day}.",
    "{seat} loads {good} on {railcar}.": "{seat} lädt {good} auf {railcar}.",
    "{seat} loads a second {good} on {railcar} by Hi-Roof Boxcar, now on day {day}.":
        "{seat} lädt mit dem Großen Güterwagen noch einmal {good} auf {railcar}, jetzt an Tag {day}.",
    "{seat} plays High Capacity Railcar and loads a second {good} on {railcar}.":
        "{seat} spielt Großraumanhänger und lädt noch einmal {good} auf {railcar}.",
    "{seat} puts {card} on the Parking Spur.": "{seat} stellt {card} auf das Abstellgleis.",
    "{seat} discards {cards} from the Parking Spur.": "{seat} wirft {cards} vom Abstellgleis ab.",
    "{seat} discards {cards} by Roundhouse and draws a card.":
        "{seat} wirft mit dem Ringlokschuppen {cards} ab und zieht eine Karte.",
    "{seat} discards {cards} by Semaphore Signaling.": "{seat} wirft mit den Eisenbahnsignalen {cards} ab.",
    # actions and development
    "{seat} plays Influence Demand: {first} and {second} exchange their goods.":
        "{seat} spielt Nachfrage ändern: {first} und {second} tauschen ihre Güterplättchen.",
    "{seat} plays Overland Transport: a steel goes from {origin} to {target}.":
        "{seat} spielt Überlandtransport: ein Stahl kommt von {origin} nach {target}.",
    "{seat} increases the Force to {force}, now on day {day}.": "{seat} erreicht {force}, jetzt an Tag {day}.",
    "{seat} increases the Force to {force}.": "{seat} erreicht {force}.",
    "The new Force is worth {vp:point|points}.": "Die neue Antriebskraft bringt {vp:Siegpunkt|Siegpunkte}.",
    "{seat} makes the train Fast: {vp:point|points}.":
        "{seat} hat jetzt einen schnellen Zug: {vp:Siegpunkt|Siegpunkte}.",
    "{seat} makes the train Fast: {vp:point|points}, now on day {day}.":
        "{seat} hat jetzt einen schnellen Zug: {vp:Siegpunkt|Siegpunkte}, jetzt an Tag {day}.",
    "{seat} builds a terminal in {city}: {vp:point|points}, now on day {day}.":
        "{seat} baut einen Güterbahnhof in {city}: {vp:Siegpunkt|Siegpunkte}, jetzt an Tag {day}.",
    "{seat} puts the new card of {city} on top of the deck.": "{seat} legt die neue Karte {city} oben auf das Deck.",
    "The Speculator pays {seat} {vp:point|points}.": "Der Spekulant bringt {seat} {vp:Siegpunkt|Siegpunkte}.",
    "{seat} acquires the improvement {improvement}, now on day {day}.":
        "{seat} erwirbt die Fortschrittskarte {improvement}, jetzt an Tag {day}.",
    "{number} {good} join the delivered goods of {seat}.": "{number} {good} zählen für {seat} als geliefert.",
    "{seat} acquires the objective {objective}: {vp:point|points}, now on day {day}.":
        "{seat} erwirbt die Aufgabenkarte {objective}: {vp:Siegpunkt|Siegpunkte}, jetzt an Tag {day}.",
    # the end of a turn and of the game
    "{seat} draws {cards}.": "{seat} zieht {cards}.",
    "{seat} does maintenance, now on day {day}.": "{seat} macht Instandhaltung, jetzt an Tag {day}.",
    "{seat} does maintenance and discards {cards}, now on day {day}.":
        "{seat} macht Instandhaltung und wirft {cards} ab, jetzt an Tag {day}.",
    "{seat} has finished, on day {day}.": "{seat} ist fertig, an Tag {day}.",
    "{seat} ends the turn on day {day}.": "{seat} beendet den Spielzug an Tag {day}.",
    "The end of the game has begun: whoever stands on 36 or more has finished, and others may pass.":
        "Das Spielende hat begonnen: Wer auf 36 oder weiter steht, ist fertig, und die anderen dürfen passen.",
    "{seat} passes on day {day} and plays no more turns.": "{seat} passt an Tag {day} und hat keine Spielzüge mehr.",
    "{seat} has {total:point|points}, of these {time} for time, {sets} for sets and {improvements} for improvements.":
        "{seat} hat {total:Siegpunkt|Siegpunkte}, davon {time} für Zeit, {sets} für Sätze und {improvements} für"
        " Fortschrittskarten.",
    "{winners_seat} wins the game.": "{winners_seat} gewinnt die Partie.",
    "{winners_seat} share the win.": "{winners_seat} gewinnen gemeinsam.",
    # hand and standing
    "Your first railcar is {card} with {good}, until all have chosen.":
        "Dein Start-Waggon ist {card} mit {good}, bis alle gewählt haben.",
    "Your hand: {cards}.": "Deine Hand: {cards}.",
    "On top of your deck lie {cards}.": "Oben auf deinem Deck liegen {cards}.",
    "Still to come from your deck, in an order nobody knows: {cards}.":
        "In deinem Deck sind noch, in einer Reihenfolge, die niemand kennt: {cards}.",
    "{rank}. {seat} ({company}): {vp:point|points}, on day {day}, in {place}.":
        "{rank}. {seat} ({company}): {vp:Siegpunkt|Siegpunkte}, an Tag {day}, in {place}.",
    "{rank}. {seat} ({company}): {vp:point|points}, finished on day {day}.":
        "{rank}. {seat} ({company}): {vp:Siegpunkt|Siegpunkte}, fertig an Tag {day}.",
    "{seat} ({company}) has left the game with {vp:point|points}.":
        "{seat} ({company}) ist ausgeschieden, mit {vp:Siegpunkt|Siegpunkten}.",
}  # fmt: skip

REFUSALS: Mapping[str, str] = {
    # setup
    "{least} to {most} seats play.": "Es spielen {least} bis {most} Plätze.",
    "{scenario} is not played at {level} level.": "{scenario} wird nicht auf dem Niveau {level} gespielt.",
    "{scenario} at {level} level has {companies:company|companies}: no more seats can play.":
        "{scenario} auf dem Niveau {level} hat {companies:Gesellschaft|Gesellschaften}: Mehr Plätze können nicht"
        " spielen.",
    "{company} is not listed for {scenario} at {level} level.":
        "{company} ist für {scenario} auf dem Niveau {level} nicht vorgesehen.",
    "{company} is taken.": "{company} ist vergeben.",
}  # fmt: skip

ACTIONS: Mapping[str, str] = {}

WORDS = Words(german={**house_words.GERMAN, **NARRATE, **REFUSALS, **ACTIONS}, names=NAMES)
