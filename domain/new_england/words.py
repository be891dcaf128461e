"""What New England Railways can say: the names of its ids in both languages, and its templates in German.

City names stay as they are printed; German words follow the glossary of the catalogue (part b).
"""

from collections.abc import Mapping

from domain import house_words
from domain.new_england import orders_german
from domain.new_england.board import CITIES, COLOURS, GROWTH_CARDS, LINKS
from domain.words import Tables

Names = dict[str, tuple[str, str]]

OUR_OWN: Mapping[str, tuple[str, str]] = {
    "new_england": ("New England Railways", "New England Railways"),
    # colours of cubes
    "blue": ("blue", "blau"),
    "purple": ("purple", "violett"),
    "red": ("red", "rot"),
    "yellow": ("yellow", "gelb"),
    # the eleven steps
    "loans": ("loans", "Kredite"),
    "service": ("debt service", "Schuldendienst"),
    "retirement": ("paying back", "Tilgung"),
    "growth": ("growth", "Warenwachstum"),
    "completion": ("completion", "Fertigstellung"),
    "future_links": ("future links", "kommende Strecken"),
    "auction": ("auction", "Versteigerung"),
    "shipping": ("shipping", "Lieferung"),
    "market": ("market", "Markt"),
    "income": ("income", "Einkommen"),
    "first_player": ("first player", "Startplatz"),
    # groups of actions
    "in_advance": ("in advance", "im Voraus"),
    "building": ("building", "Bau"),
    "proxies": ("proxies and build limits", "Bietaufträge und Baugrenzen"),
    # categories of the result
    "cash": ("cash", "Bargeld"),
    "links": ("links", "Strecken"),
    "debt": ("debt, paid back", "Schulden, zurückgezahlt"),
    # players that need no person
    "patient": ("sensible, with proxies", "vernünftig, mit Bietaufträgen"),
    # fields of actions
    "amount": ("amount in $", "Betrag in $"),
    "maximum": ("maximum in $", "Höchstbetrag in $"),
}


def _printed() -> Names:
    names: Names = {city.id: (city.name, city.name) for city in CITIES.values()}
    for link in LINKS.values():
        name = f"{CITIES[link.a].name}–{CITIES[link.b].name}"
        names[link.id] = (name, name)
    for card in GROWTH_CARDS.values():
        name = ", ".join(CITIES[city].name for city in card.cities)
        names[card.id] = (name, name)
    for colour in COLOURS:
        en, de = OUR_OWN[colour]
        for city in CITIES.values():
            names[f"cube.{colour}.{city.id}"] = (f"{en} in {city.name}", f"{de} in {city.name}")
    return names


FORMS: Mapping[str, Mapping[str, str]] = {
    # a cube of a colour
    "blue": {"nom": "blauer Warenstein", "acc": "blauen Warenstein"},
    "purple": {"nom": "violetter Warenstein", "acc": "violetten Warenstein"},
    "red": {"nom": "roter Warenstein", "acc": "roten Warenstein"},
    "yellow": {"nom": "gelber Warenstein", "acc": "gelben Warenstein"},
    # the steps that are answered in secret
    "loans": {"dat": "Krediten"},
    "retirement": {"dat": "Tilgungen"},
}

GERMAN: Mapping[str, str] = {
    # refusals
    "{least} to {most} seats play.": "Es spielen {least} bis {most} Plätze mit.",
    "This is step {step}; what you ask for belongs to step {other}.":
        "Dies ist Schritt {step}; was du möchtest, gehört zu Schritt {other}.",
    "It is the turn of {seat} to answer.": "{seat} ist an der Reihe zu antworten.",
    "Loans come in multiples of ${unit}.": "Kredite gibt es in Vielfachen von ${unit}.",
    "The service of this turn needs a loan of at least ${least}.":
        "Der Schuldendienst dieser Runde braucht einen Kredit von mindestens ${least}.",
    "You are not asked: there is no debt, or not ${unit} to pay with.":
        "Du bist nicht gefragt: Du hast keine Schulden oder keine ${unit}, um sie zu tilgen.",
    "Your debt is ${debt}.": "Deine Schulden betragen ${debt}.",
    "You have ${cash}.": "Du hast ${cash}.",
    "Debt is paid back in multiples of ${unit}.": "Schulden werden in Vielfachen von ${unit} getilgt.",
    "The amount is missing.": "Der Betrag fehlt.",
    "A bid must be at least ${least}.": "Ein Gebot muss mindestens ${least} betragen.",
    "{link} is not on offer now.": "{link} ist jetzt nicht ausgerufen.",
    "You have bought a link this turn.": "Du hast in dieser Runde schon eine Strecke gekauft.",
    "You have passed on {link}.": "Bei {link} hast du gepasst.",
    "There is no shortfall to pay for {link} now.": "Für {link} ist jetzt kein Fehlbetrag zu zahlen.",
    "Nothing can be left for {link} now.": "Für {link} lässt sich jetzt nichts hinterlegen.",
    "You have no proxy for {link}.": "Du hast keinen Bietauftrag für {link}.",
    "You have no build limit for {link}.": "Du hast keine Baugrenze für {link}.",
    "There is no {colour} cube in {city}.": "In {city} liegt kein {colour:nom}.",
    "A path has 1 to {most} links.": "Ein Lieferweg hat 1 bis {most} Strecken.",
    "No city may occur twice in the path.": "Keine Stadt darf zweimal auf dem Lieferweg liegen.",
    "{city} does not demand {colour}.": "{city} fragt keinen {colour:acc} nach.",
    "The cube would stop in {city}.": "Der Warenstein bliebe in {city}.",
    "There is no built link between {a} and {b}.": "Zwischen {a} und {b} ist keine Strecke gebaut.",
    # actions
    "Borrow": "Kredit aufnehmen",
    "Pay back": "Schulden tilgen",
    "Pay back in step 3, answered in advance": "In Schritt 3 tilgen, im Voraus beantwortet",
    "Ship nothing": "Nichts liefern",
    "Pay ${amount} and build {link} now": "${amount} zahlen und {link} jetzt bauen",
    "Leave {link} unbuilt until next turn": "{link} bis zur nächsten Runde ungebaut lassen",
    "Pass on {link}": "Bei {link} passen",
    "Bid on {link}": "Auf {link} bieten",
    "Leave a proxy for {link}": "Bietauftrag für {link} hinterlegen",
    "Set a build limit for {link}": "Baugrenze für {link} hinterlegen",
    "Withdraw the proxy for {link}": "Bietauftrag für {link} zurückziehen",
    "Withdraw the build limit for {link}": "Baugrenze für {link} zurückziehen",
    "Ship {colour} from {city} to {end}": "Einen {colour:acc} von {city} nach {end} liefern",
    "Ship {colour} from {city} to {end} through {through}":
        "Einen {colour:acc} von {city} nach {end} über {through} liefern",
    # the board and the edition
    "The board in turn {turn}: {built} of {all} links built, {cubes:cube waits|cubes wait} in the cities.":
        "Der Plan in Runde {turn}: {built} von {all} Strecken gebaut, {cubes:Warenstein wartet|Warensteine warten} "
        "in den Städten.",
    "No public copy of the map and the cards could be reached. Most links, most of their numbers, most demands of "
    "cities and most growth cards are reconstructed so that everything the rule text states holds.":
        "Karte und Karten waren nirgends öffentlich zu finden. Die meisten Strecken, ihre Zahlen, die Nachfrage der "
        "Städte und die Wachstumskarten sind so rekonstruiert, dass alles gilt, was der Regeltext sagt.",
    "The split of the 46 cubes into four colours is reconstructed.":
        "Die Aufteilung der 46 Warensteine auf vier Farben ist rekonstruiert.",
    # the story
    "The first cubes are drawn.": "Die ersten Warensteine sind gezogen.",
    "On offer {links:is|are}.": "Ausgelegt {links:ist|sind}.",
    "{first_seat} becomes first player, by lot.": "{first_seat} bekommt durch das Los die Startkarte.",
    "Turn {turn} begins.": "Runde {turn} beginnt.",
    "{seat} has answered on loans.": "{seat} hat auf die Frage nach Krediten geantwortet.",
    "{seat} seals a loan of ${amount}.": "{seat} antwortet verdeckt mit einem Kredit von ${amount}.",
    "{seat} now seals a loan of ${amount}.": "{seat} antwortet nun verdeckt mit einem Kredit von ${amount}.",
    "The answers on {step} are opened.": "Die Antworten zu {step:dat} werden aufgedeckt.",
    "{seat} borrows ${amount}.": "{seat} nimmt ${amount} Kredit auf.",
    "{seat} pays ${amount} for debt.": "{seat} zahlt ${amount} Schuldendienst.",
    "{seat} has answered on paying back.": "{seat} hat auf die Frage nach der Tilgung geantwortet.",
    "{seat} seals paying back ${amount}.": "{seat} antwortet verdeckt mit einer Tilgung von ${amount}.",
    "{seat} now seals paying back ${amount}.": "{seat} antwortet nun verdeckt mit einer Tilgung von ${amount}.",
    "{seat} will pay back ${amount} in step 3, if that is possible then.":
        "{seat} tilgt in Schritt 3 ${amount}, wenn das dann möglich ist.",
    "What {seat} meant to pay back is not possible and falls.":
        "Was {seat} tilgen wollte, ist nicht möglich und entfällt.",
    "{seat} pays back ${amount}.": "{seat} tilgt ${amount}.",
    "New cubes: {cubes}.": "Neue Warensteine: {cubes}.",
    "The cup is empty: nothing for {cities}.": "Der Becher ist leer: nichts für {cities}.",
    "{link} of {seat} is completed.": "{link} von {seat} wird fertiggestellt.",
    "{seat} builds {link}.": "{seat} baut {link}.",
    "Next turn will offer {links}.": "Die nächste Runde bringt {links}.",
    "{link} is on offer.": "{link} wird ausgerufen.",
    "{seat} bids ${amount} for {link}, by proxy.": "{seat} bietet ${amount} auf {link}, durch Bietauftrag.",
    "{seat} bids ${amount} for {link}.": "{seat} bietet ${amount} auf {link}.",
    "{seat} does not bid any more.": "{seat} bietet nicht mehr.",
    "{seat} passes on {link}, by proxy.": "{seat} passt bei {link}, durch Bietauftrag.",
    "{seat} passes on {link}.": "{seat} passt bei {link}.",
    "{seat} buys {link} for ${price}.": "{seat} kauft {link} für ${price}.",
    "Nobody wants {link}: it leaves the game.": "Niemand will {link}: Die Strecke ist aus dem Spiel.",
    "{seat} rolls {roll}: ${shortfall} short.": "{seat} würfelt {roll}: Der Fehlbetrag ist ${shortfall}.",
    "{seat} rolls {roll}: enough.": "{seat} würfelt {roll}: Das reicht.",
    "{seat} pays the ${amount}, by build limit.": "{seat} zahlt die ${amount}, durch Baugrenze.",
    "{seat} pays the ${amount}.": "{seat} zahlt die ${amount}.",
    "{link} of {seat} waits for next turn.": "{link} von {seat} wartet auf die nächste Runde.",
    "Turn {turn} is the last.": "Runde {turn} ist die letzte.",
    "{seat} ships {colour} from {city} to {end}.": "{seat} liefert einen {colour:acc} von {city} nach {end}.",
    "Income of {seat}: {gain} more.": "Einkommen von {seat}: {gain} mehr.",
    "{seat} ships nothing.": "{seat} liefert nichts.",
    "The market: loss number {number}.": "Der Markt: Verlustzahl {number}.",
    "Income of {seat}: {loss} less.": "Einkommen von {seat}: {loss} weniger.",
    "{seat} earns ${amount}.": "{seat} nimmt ${amount} ein.",
    "{seat} is first player.": "{seat} hat die Startkarte.",
    "{seat} leaves a proxy for {link}: up to ${maximum}.":
        "{seat} hinterlegt einen Bietauftrag für {link}: bis ${maximum}.",
    "{seat} withdraws the proxy for {link}.": "{seat} zieht den Bietauftrag für {link} zurück.",
    "{seat} sets a build limit for {link}: up to ${amount}.":
        "{seat} hinterlegt eine Baugrenze für {link}: bis ${amount}.",
    "{seat} withdraws the build limit for {link}.": "{seat} zieht die Baugrenze für {link} zurück.",
    "The railway of {seat} runs on without a hand at the lever.": "Die Bahn von {seat} fährt ohne Lenkung weiter.",
    "{seat} ends with ${total}: ${cash} in cash, ${values} in links, a debt of ${debt}.":
        "{seat} endet mit ${total}: ${cash} Bargeld, ${values} Streckenwert, ${debt} Schulden.",
    "{seat} wins the game.": "{seat} gewinnt die Partie.",
    "{winner_seat} shares the victory.": "{winner_seat} teilt sich den Sieg.",
    # what a view tells
    "You have ${cash}, a debt of ${debt} and an income of {income}.":
        "Du hast ${cash}, ${debt} Schulden und ein Einkommen von {income}.",
    "You must borrow at least ${least}.": "Du musst mindestens ${least} aufnehmen.",
    "You have sealed an answer of ${amount}.": "Du hast verdeckt mit ${amount} geantwortet.",
    "You will pay back ${amount} in step 3.": "In Schritt 3 tilgst du ${amount}.",
    "Your proxy for {link}: up to ${maximum}.": "Dein Bietauftrag für {link}: bis ${maximum}.",
    "Your build limit for {link}: up to ${amount}.": "Deine Baugrenze für {link}: bis ${amount}.",
    "Turn {turn}, {step}.": "Runde {turn}, {step}.",
    "On offer: {links}.": "Ausgelegt: {links}.",
    "Next turn: {links}.": "Nächste Runde: {links}.",
    "{seat} has bought {link} and is ${shortfall} short.":
        "{seat} hat {link} gekauft, der Fehlbetrag ist ${shortfall}.",
    "On offer: {link}, no bid yet.": "Ausgerufen: {link}, noch ohne Gebot.",
    "On offer: {link}, {seat} bids ${bid}.": "Ausgerufen: {link}, {seat} bietet ${bid}.",
    "{letter} {seat}: ${cash}, debt ${debt}, income {income}, links: {links}.":
        "{letter} {seat}: ${cash}, Schulden ${debt}, Einkommen {income}, Strecken: {links}.",
}  # fmt: skip

WORDS = Tables(
    german={**house_words.GERMAN, **orders_german.GERMAN, **GERMAN},
    names={**house_words.NAMES, **_printed(), **OUR_OWN},
    forms=FORMS,
)
