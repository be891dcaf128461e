"""What the Grand Trunk Journey can say: the names of its ids in both languages, and its templates in German.

Names that are printed come from the data; those the printed game does not give, or not in German, stand here, by the
glossary of the catalogue (appendix C). Templates are listed by the module that says them.
"""

from collections.abc import Iterable, Mapping

from domain import house_words
from domain.grand_trunk import board, cards, orders_german
from domain.words import Tables

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
    "box_car": "Gedeckter Güterwagen",
    "gondola": "Offener Güterwagen",
    "increase_force": "die Antriebskraft erhöhen",
    "increase_speed": "die Geschwindigkeit erhöhen",
    "build_terminal": "einen Güterbahnhof bauen",
    "acquire_improvement": "eine Fortschrittskarte erwerben",
    "acquire_objective": "eine Aufgabenkarte erwerben",
}
"""German for what the data names in English only."""

OUR_OWN: Mapping[str, tuple[str, str]] = {
    "grand_trunk": ("The Grand Trunk Journey", "The Grand Trunk Journey"),
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
    "starting_vp": ("start", "Beginn"),
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


# ==== forms =======================================================================================
def _forms() -> Mapping[str, Mapping[str, str]]:
    """A plain railcar card has the forms of its railcar."""
    plain = (card for card in cards.CARDS.values() if card.kind == "railcar")
    bending = {card.id: RAILCAR_FORMS[str(card.railcar)] for card in plain if card.railcar in RAILCAR_FORMS}
    return {**RAILCAR_FORMS, **bending, **CARD_FORMS}


RAILCAR_FORMS: Mapping[str, Mapping[str, str]] = {
    "box_car": {"acc": "gedeckten Güterwagen", "dat": "gedecktem Güterwagen"},
    "gondola": {"acc": "offenen Güterwagen", "dat": "offenem Güterwagen"},
}

CARD_FORMS: Mapping[str, Mapping[str, str]] = {
    # improvements, which are named as they are printed
    "early_delivery": {"acc": "Vorzeitige Lieferung", "dat": "Vorzeitiger Lieferung"},
    "late_delivery": {"acc": "Verspätete Lieferung", "dat": "Verspäteter Lieferung"},
    "speculator": {"acc": "Spekulanten", "dat": "Spekulanten"},
    "foreign_steel_contract": {"acc": "Ausländischen Stahlvertrag", "dat": "Ausländischem Stahlvertrag"},
    "hi_roof_boxcar": {"acc": "Großen Güterwagen", "dat": "Großem Güterwagen"},
    "semaphore_signaling": {"acc": "Eisenbahnsignale", "dat": "Eisenbahnsignalen"},
    # objectives
    "common_carrier": {"acc": "Gewöhnliche Lieferungen", "dat": "Gewöhnlichen Lieferungen"},
    "national_railway_certificate":
        {"acc": "Nationales Eisenbahnzertifikat", "dat": "Nationalem Eisenbahnzertifikat"},
    "specialized_carrier": {"acc": "Spezialisierte Lieferungen", "dat": "Spezialisierten Lieferungen"},
}  # fmt: skip

FORMS = _forms()


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
    "{seat} sets off with {card} and {good}.": "{seat} beginnt mit {card:dat} und {good}.",
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
        "{seat} liefert {good} nach {place}, was dort {steel} Stahl bringt.",
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
    "{seat} uncouples {card}.": "{seat} koppelt {card:acc} ab.",
    "{seat} couples {card} with {good}.": "{seat} koppelt {card:acc} mit {good} an.",
    "{seat} plays Rail Yard and couples {card} from the discard pile with {good}.":
        "{seat} spielt Depot und koppelt {card:acc} vom Ablagestapel mit {good} an.",
    "{seat} couples {card} from the Parking Spur with {good}, now on day {day}.":
        "{seat} koppelt {card:acc} vom Abstellgleis mit {good} an, jetzt an Tag {day}.",
    "{seat} couples {card} with {good} by Railroad Crane, now on day {day}.":
        "{seat} koppelt mit dem Schienendrehkran {card:acc} mit {good} an, jetzt an Tag {day}.",
    "{seat} loads {good} on {railcar}.": "{seat} lädt {good} auf {railcar:acc}.",
    "{seat} loads a second {good} on {railcar} by Hi-Roof Boxcar, now on day {day}.":
        "{seat} lädt mit dem Großen Güterwagen noch einmal {good} auf {railcar:acc}, jetzt an Tag {day}.",
    "{seat} plays High Capacity Railcar and loads a second {good} on {railcar}.":
        "{seat} spielt Großraumanhänger und lädt noch einmal {good} auf {railcar:acc}.",
    "{seat} puts {card} on the Parking Spur.": "{seat} stellt {card:acc} auf das Abstellgleis.",
    "{seat} discards {cards} from the Parking Spur.": "{seat} wirft {cards:acc} vom Abstellgleis ab.",
    "{seat} discards {cards} by Roundhouse and draws a card.":
        "{seat} wirft mit dem Ringlokschuppen {cards:acc} ab und zieht eine Karte.",
    "{seat} discards {cards} by Semaphore Signaling.": "{seat} wirft mit den Eisenbahnsignalen {cards:acc} ab.",
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
    "{seat} adds {number} {good} to the delivered goods.":
        "Zu den gelieferten Gütern von {seat} kommen hinzu: {number} {good}.",
    "{seat} acquires the objective {objective}: {vp:point|points}, now on day {day}.":
        "{seat} erwirbt die Aufgabenkarte {objective}: {vp:Siegpunkt|Siegpunkte}, jetzt an Tag {day}.",
    # the end of a turn and of the game
    "{seat} draws {cards}.": "{seat} zieht {cards:acc}.",
    "{seat} does maintenance, now on day {day}.": "{seat} macht Instandhaltung, jetzt an Tag {day}.",
    "{seat} does maintenance and discards {cards}, now on day {day}.":
        "{seat} macht Instandhaltung und wirft {cards:acc} ab, jetzt an Tag {day}.",
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
    "On top of your deck {cards:lies|lie}.": "Oben auf deinem Deck {cards:liegt|liegen}.",
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
    # play, in the order of the modules of rules
    "{card} is not in your hand.": "{card} ist nicht auf deiner Hand.",
    "{card} does not show {action}.": "{card} zeigt nicht: {action}.",
    "{railcar} is not on your train.": "{railcar} gehört nicht zu deinem Zug.",
    "{railcar} does not hold exactly one coal, iron or wood.":
        "Auf {railcar:dat} liegt nicht genau ein Würfel Kohle, Eisen oder Holz.",
    "{place} has no goods token.": "{place} hat kein Güterplättchen.",
    "Name two different places.": "Nenne zwei verschiedene Orte.",
    "The token of a city is not exchanged with that of a port.":
        "Ein Stadt-Güterplättchen wird nicht mit dem eines Hafens getauscht.",
    "Steel is moved between two cities.": "Stahl wird zwischen zwei Städten bewegt.",
    "No steel lies in {place}.": "In {place} liegt kein Stahl.",
    "No link joins {origin} and {target}.": "Zwischen {origin} und {target} gibt es keine Schienenverbindung.",
    "There is no room for more steel in {place}.": "In {place} ist kein Platz für weiteren Stahl.",
    "{card} is not in your discard pile.": "{card} liegt nicht auf deinem Ablagestapel.",
    "{card} is no railcar.": "{card} ist kein Waggon.",
    "It is {active_seat}'s turn.": "{active_seat} ist am Zug.",
    "This takes {days:day|days} and would pass day {last}; you are on day {day}.":
        "Das kostet {days:Tag|Tage} und ginge über Tag {last} hinaus; du stehst auf Tag {day}.",
    "The first railcars have been chosen.": "Die Start-Waggons sind gewählt.",
    "A seat that has left plays no more.": "Ein Platz, der ausgeschieden ist, spielt nicht mehr mit.",
    "Name one of your three plain railcars.": "Nenne einen deiner drei Start-Waggons.",
    "Name a good that {place} supplies.": "Nenne ein Gut, das {place} anbietet.",
    "{railcar} cannot carry {good}.": "{railcar} kann {good} nicht befördern.",
    "Not all seats have chosen their first railcar.": "Noch haben nicht alle Plätze ihren Start-Waggon gewählt.",
    "No contract lies face up in slot {slot}.": "In Feld {slot} liegt kein aufgedeckter Auftrag.",
    "The contract of slot {slot} has been met.": "Der Auftrag in Feld {slot} ist schon erfüllt.",
    "This contract is for {city}; your train stands in {place}.":
        "Dieser Auftrag gilt für {city}; dein Zug steht in {place}.",
    "This contract is for {good}; {railcar} carries {cargo}.":
        "Dieser Auftrag gilt für {good}; {railcar} befördert {cargo}.",
    "This contract is open from day {first} to day {last}; you are on day {day}.":
        "Dieser Auftrag gilt von Tag {first} bis Tag {last}; du stehst auf Tag {day}.",
    "{railcar} is not empty.": "{railcar} ist nicht leer.",
    "A railcar is coupled with its first cube: name a good.":
        "Ein Waggon wird mit seinem ersten Würfel angekoppelt: Nenne ein Gut.",
    "{card} does not offer: {option}.": "{card} bietet nicht an: {option}.",
    "Your train has the greatest Force.": "Dein Zug hat die größte Antriebskraft.",
    "Force {roman} needs {needed} delivered steel; you have {steel}.":
        "Antriebskraft {roman} braucht {needed} gelieferten Stahl; du hast {steel}.",
    "Your train is Fast already.": "Dein Zug ist schon schnell.",
    "Speed needs {needed} delivered coal; you have {coal}.":
        "Geschwindigkeit braucht {needed} gelieferte Kohle; du hast {coal}.",
    "{place} is not a city.": "{place} ist keine Stadt.",
    "{city} has a terminal.": "{city} hat schon einen Güterbahnhof.",
    "{improvement} is not on display.": "Diese Karte liegt nicht aus: {improvement}.",
    "The end of the game has not begun.": "Das Spielende hat noch nicht begonnen.",
    "You have begun your turn: you can pass at the start of one only.":
        "Du hast deinen Spielzug begonnen: Passen kannst du nur zu Beginn.",
    "You do not own {improvement}.": "Diese Karte gehört dir nicht: {improvement}.",
    "{improvement} has been used in this turn.": "In diesem Spielzug schon genutzt: {improvement}.",
    "Foreign Steel Contract pays for steel only.": "Der Ausländische Stahlvertrag zahlt nur für Stahl.",
    "{railcar} does not hold exactly one steel.": "Auf {railcar:dat} liegt nicht genau ein Stahl.",
    "{railcar} stands on your spur.": "{railcar} steht auf deinem Abstellgleis.",
    "{card} is neither in your hand nor empty on your train.":
        "{card} ist weder auf deiner Hand noch leer in deinem Zug.",
    "No railcar stands on your spur.": "Auf deinem Abstellgleis steht kein Waggon.",
    "Your train has moved in this turn.": "Dein Zug ist in diesem Spielzug schon gefahren.",
    "{place} does not supply {good}.": "{place} bietet {good} nicht an.",
    "A card can be discarded once.": "Eine Karte kann nur einmal abgeworfen werden.",
    "You have begun a turn with the train: maintenance is no longer open to you.":
        "Du hast einen Spielzug mit dem Zug begonnen: Instandhaltung ist nicht mehr möglich.",
    "This game is played without objectives.": "Diese Partie wird ohne Aufgabenkarten gespielt.",
    "{card} is no Development card.": "{card} ist keine Entwicklungskarte.",
    "{objective} is not on display.": "Diese Karte liegt nicht aus: {objective}.",
    "You do not meet the conditions of {objective}.": "Du erfüllst die Bedingungen von {objective:dat} nicht.",
    "Your train has its {most:railcar|railcars}: it is full.": "Dein Zug ist mit {most:Waggon|Waggons} voll.",
    "{railcar} holds a cube already.": "Auf {railcar:dat} liegt schon ein Würfel.",
    "This step is over for this turn.": "Dieser Schritt ist in diesem Spielzug vorbei.",
    "This comes after the move.": "Das kommt erst nach der Fahrt.",
    "Your train has not moved yet.": "Dein Zug ist noch nicht gefahren.",
    "{card} leads nowhere.": "{card} führt nirgendwohin.",
    "{place} has no terminal.": "{place} hat keinen Güterbahnhof.",
    "{card} does not lead to {place}.": "{card} führt nicht nach {place}.",
    "Your train stands in {place} already.": "Dein Zug steht schon in {place}.",
    "Your train is slow: there is nothing to decline.":
        "Dein Zug ist langsam: Es gibt nichts, worauf du verzichten könntest.",
    "This move takes one day with or without Fast.": "Diese Fahrt dauert einen Tag, ob schnell oder nicht.",
    "{card} cannot be used twice.": "{card} kann nicht zweimal genutzt werden.",
    "This move takes one day already.": "Diese Fahrt dauert schon nur einen Tag.",
    "After this no legal move would be left.": "Danach bliebe keine erlaubte Fahrt übrig.",
    "{railcar} is empty.": "{railcar} ist leer.",
    "{place} does not demand {good}.": "{place} fragt {good} nicht nach.",
    "{city} holds {steel} steel: no iron can be delivered there.":
        "In {city} liegen {steel} Stahl: Dorthin kann kein Eisen geliefert werden.",
    "{place} demands {good}: it cannot be dumped there.":
        "{place} fragt {good} nach: Mit Verlust abladen kann man das dort nicht.",
}  # fmt: skip

ACTIONS: Mapping[str, str] = {
    "Start with {card} and load {good}": "Mit {card:dat} beginnen und {good} laden",
    "Move to {place} with {card}: {days:day|days}": "Mit {card:dat} nach {place} fahren: {days:Tag|Tage}",
    "Move to {place} with {card}, without Fast: {days:day|days}":
        "Mit {card:dat} nach {place} fahren, ohne Schnellzug: {days:Tag|Tage}",
    "Move to {place} with {card} and {right_of_way}: {days:day|days}":
        "Mit {card:dat} und {right_of_way} nach {place} fahren: {days:Tag|Tage}",
    "Move to {place} with {card} and {right_of_way}, without Fast: {days:day|days}":
        "Mit {card:dat} und {right_of_way} nach {place} fahren, ohne Schnellzug: {days:Tag|Tage}",
    "Deliver {good} from {railcar} in {place}": "{good} von {railcar:dat} in {place} liefern",
    "Deliver {good} from {railcar} in {place}, with Foreign Steel Contract: {days:day|days}":
        "{good} von {railcar:dat} in {place} liefern, mit dem Ausländischen Stahlvertrag: {days:Tag|Tage}",
    "Meet contract {slot} in {place} with {good} from {railcar}: {vp} VP":
        "Auftrag {slot} in {place} mit {good} von {railcar:dat} erfüllen: {vp} SP",
    "Dump {good} from {railcar}": "{good} von {railcar:dat} mit Verlust abladen",
    "Uncouple {railcar}": "{railcar:acc} abkoppeln",
    "Couple {card} with {good}": "{card:acc} mit {good} ankoppeln",
    "Load {good} on {railcar}": "{good} auf {railcar:acc} laden",
    "Load a second {good} on {railcar} with {card}": "Mit {card:dat} noch einmal {good} auf {railcar:acc} laden",
    "Exchange the goods tokens of {first} and {second} with {card}":
        "Mit {card:dat} die Güterplättchen von {first} und {second} tauschen",
    "Move a steel from {origin} to {target} with {card}":
        "Mit {card:dat} einen Stahl von {origin} nach {target} bewegen",
    "Couple {railcar_card} from the discard pile with {good}, by {card}":
        "Mit {card:dat} {railcar_card:acc} vom Ablagestapel mit {good} ankoppeln",
    "Increase to {force} with {card}: {days:day|days}": "Mit {card:dat} auf {force} erhöhen: {days:Tag|Tage}",
    "Make the train Fast with {card}: {days:day|days}": "Den Zug mit {card:dat} schnell machen: {days:Tag|Tage}",
    "Build a terminal in {city} with {card}, its card on top of your deck: {days:day|days}":
        "Mit {card:dat} einen Güterbahnhof in {city} bauen, die Stadtkarte oben auf dein Deck: {days:Tag|Tage}",
    "Build a terminal in {city} with {card}, its card to your discard pile: {days:day|days}":
        "Mit {card:dat} einen Güterbahnhof in {city} bauen, die Stadtkarte auf deinen Ablagestapel: {days:Tag|Tage}",
    "Acquire {improvement} with {card}: {days:day|days}": "Mit {card:dat} {improvement:acc} erwerben: {days:Tag|Tage}",
    "Take {objective} with {card}: {vp} VP, {days:day|days}":
        "Mit {card:dat} {objective:acc} nehmen: {vp} SP, {days:Tag|Tage}",
    "Load a second steel on {railcar} with {improvement}: {days:day|days}":
        "Mit {improvement:dat} einen zweiten Stahl auf {railcar:acc} laden: {days:Tag|Tage}",
    "Put {card} on the spur": "{card:acc} auf das Abstellgleis stellen",
    "Couple {railcar} from the spur with {good}: {days:day|days}":
        "{railcar:acc} vom Abstellgleis mit {good} ankoppeln: {days:Tag|Tage}",
    "Discard {railcar} from the spur": "{railcar:acc} vom Abstellgleis abwerfen",
    "Couple {railcar} with {good} by {improvement}: {days:day|days}":
        "{railcar:acc} mit {good} ankoppeln, mit {improvement:dat}: {days:Tag|Tage}",
    "Discard {card} and draw a card, by Roundhouse":
        "{card:acc} abwerfen und eine Karte ziehen, mit dem Ringlokschuppen",
    "Discard {card}, by Semaphore Signaling": "{card:acc} abwerfen, mit den Eisenbahnsignalen",
    "End the turn and draw": "Den Spielzug beenden und Karten ziehen",
    "Perform maintenance and discard nothing: {days:day|days}": "Instandhaltung, nichts abwerfen: {days:Tag|Tage}",
    "Perform maintenance and discard {cards}: {days:day|days}": "Instandhaltung, {cards:acc} abwerfen: {days:Tag|Tage}",
    "Pass: play no more turns": "Passen: keine Spielzüge mehr",
}

PICTURE: Mapping[str, str] = {
    "The board, seat by seat: trains in {places}, markers on days {days}. Terminals in {terminals}.":
        "Das Spielbrett, Platz für Platz: Züge in {places}, Markierungsscheiben auf den Tagen {days}. Güterbahnhöfe in"
        " {terminals}.",
}

NOTES: Mapping[str, str] = {
    "Not all of the printed game could be found. Reconstructed, so that all that is known holds:":
        "Nicht alles vom gedruckten Spiel war zu finden. Rekonstruiert, so dass alles Bekannte stimmt:",
    "Map: which places the rail links join; they follow lines of the 19th century.":
        "Karte: welche Orte die Schienenverbindungen verbinden; sie folgen Strecken des 19. Jahrhunderts.",
    "Goods tokens: which goods they demand and supply, Hamilton's included.":
        "Güterplättchen: welche Güter sie nachfragen und anbieten, auch in Hamilton.",
    "First delivery tokens: how many are worth 1 and how many 2 points.":
        "Erste-Lieferungs-Plättchen: wie viele 1 und wie viele 2 Siegpunkte wert sind.",
    "Contracts: most of their cities and goods, most windows and values, and most dark spaces.":
        "Sonderlieferungsaufträge: die meisten Städte und Güter, die meisten Zeitrahmen und Werte und die meisten"
        " dunklen Felder.",
    "Wood track: the value of each space.": "Holzleiste: der Wert jedes Feldes.",
    "Railcars: which goods each of the four types carries.": "Waggons: welche Güter jede der vier Arten befördert.",
    "Companies: which of their cards shows what, and their colours; that simple actions cost no days.":
        "Gesellschaften: welche ihrer Karten was zeigt, und ihre Farben; dass einfache Aktionen keine Tage kosten.",
}

WORDS = Tables(
    german={
        **house_words.GERMAN, **orders_german.GERMAN, **NARRATE, **REFUSALS, **ACTIONS, **PICTURE, **NOTES
    },
    names=NAMES,
    forms=FORMS,
)
