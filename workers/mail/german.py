"""The German of everything the mails say themselves. (What happens in a game is said by its title's words.)"""

GERMAN: dict[str, str] = {
    # a turn
    "It is your turn": "Du bist am Zug",
    "Open the table and move": "Zum Tisch und ziehen",
    "The position at {when}.": "Die Lage am {when}.",
    "Since your last turn": "Seit deinem letzten Zug",
    "What has happened so far": "Was bisher geschah",
    "Nothing has happened since your last turn.": "Seit deinem letzten Zug ist nichts geschehen.",
    "… and {count} moves before that, which the log of the game tells.":
        "… und davor {count} Züge, von denen das Protokoll der Partie erzählt.",
    "(taken back)": "(zurückgenommen)",
    "Your hand": "Deine Hand",
    "How things stand": "Der Stand",
    "What you can do": "Was du tun kannst",
    "(and {count} more like it)": "(und {count} weitere dieser Art)",
    "{low} to {high}": "{low} bis {high}",
    "The link opens your seat in this game and nothing else of yours, until {when}. Looking changes nothing.":
        "Der Link öffnet deinen Platz in dieser Partie und sonst nichts von dir, bis zum {when}. Ansehen ändert "
        "nichts.",
    # the game starts, ends, is called off
    "The game has started": "Die Partie hat begonnen",
    "You will hear from us when it is your turn.": "Du hörst von uns, sobald du am Zug bist.",
    "Waiting for: {players}": "Gewartet wird auf: {players}",
    "Look at the table": "Zum Tisch",
    "The game is over": "Die Partie ist zu Ende",
    "{players} wins.": "{players} gewinnt.",
    "{players} win together.": "{players} gewinnen gemeinsam.",
    "Place": "Rang",
    "left": "ausgeschieden",
    "Total": "Summe",
    "The last moves": "Die letzten Züge",
    "The game's secret is published now. Whoever has the log can check that nothing was changed, that the rules "
    "were kept and that every draw was fair.":
        "Das Geheimnis der Partie ist nun veröffentlicht. Wer das Protokoll hat, kann prüfen, dass nichts geändert "
        "wurde, dass nach den Regeln gespielt wurde und dass jede Ziehung gerecht war.",
    "Secret of the game:": "Geheimnis der Partie:",
    "Audit the game": "Die Partie prüfen",
    # going back together
    "{name} proposes to go back": "{name} schlägt vor zurückzugehen",
    "{name} would like the game to stand again as it did after ply {to}. Everybody has to agree.":
        "{name} möchte, dass die Partie wieder so steht wie nach Zug {to}. Alle müssen zustimmen.",
    "You can agree or refuse until {when}. If the game goes on before that, the proposal falls.":
        "Du kannst bis zum {when} zustimmen oder ablehnen. Geht die Partie vorher weiter, ist der Vorschlag hinfällig.",
    "The board shows how the table would look.": "Der Plan zeigt, wie es auf dem Tisch aussähe.",
    "What would be undone": "Was nicht mehr gälte",
    "See the table and answer": "Zum Tisch und antworten",
    "The game has gone back": "Die Partie ist zurückgegangen",
    "Everybody has agreed to go back: the game stands again as it did after ply {to}.":
        "Alle haben zugestimmt zurückzugehen: Die Partie steht wieder so wie nach Zug {to}.",
    "The game was called off": "Die Partie wurde abgesagt",
    "The host has closed the table before the game began. There is nothing for you to do.":
        "Der Tisch wurde geschlossen, bevor die Partie begann. Du brauchst nichts zu tun.",
    "The table was closed": "Der Tisch wurde geschlossen",
    "An operator of the site has closed the table. Nobody has won, and there is nothing for you to do.":
        "Der Betrieb der Seite hat den Tisch geschlossen. Niemand hat gewonnen, und du brauchst nichts zu tun.",
    "The reason: {why}": "Der Grund: {why}",
    # signing in
    "Sign in to Slow Train": "Bei Slow Train anmelden",
    "Sign in": "Anmelden",
    "Somebody, probably you, wants to sign in with this address. The link works once, until {when}.":
        "Jemand, vermutlich du, möchte sich mit dieser Adresse anmelden. Der Link gilt einmal, bis {when}.",
    "Opened in another browser than the one that asked, it asks for the six digits shown there.":
        "In einem anderen Browser als dem, der darum gebeten hat, fragt er nach den sechs Ziffern, die dort stehen.",
    "If it was not you, do nothing: without this mail nobody gets in.":
        "Warst du es nicht, so tu nichts: Ohne diese Mail kommt niemand hinein.",
    # an invitation
    "An invitation to a game of {title}": "Eine Einladung zu einer Partie {title}",
    "{name} invites you to a table for {seats}.": "{name} lädt dich an einen Tisch für {seats} ein.",
    "Somebody": "Jemand",
    "1 of {seats} seats is free.": "1 von {seats} Plätzen ist frei.",
    "{free} of {seats} seats are free.": "{free} von {seats} Plätzen sind frei.",
    "Games here are played over days: you move when you find the time, and get a mail when it is your turn.":
        "Hier spielt man über Tage: Du ziehst, wenn du Zeit hast, und bekommst eine Mail, wenn du am Zug bist.",
    "See the table and join": "Tisch ansehen und mitspielen",
    "If you do not want to play, do nothing. You will not be reminded.":
        "Möchtest du nicht mitspielen, so tu nichts. Du wirst nicht erinnert.",
    # the foot
    "Log of the game: move {version}, fingerprint {fingerprint}. Keep this mail: whoever changes what has been played, "
    "be it we ourselves, is found out by it.":
        "Protokoll der Partie: Zug {version}, Fingerabdruck {fingerprint}. Heb diese Mail auf: Wer am Gespielten etwas "
        "ändert, und wären wir es selbst, den verrät sie.",
    "You get this mail because you had a seat in this game.":
        "Du bekommst diese Mail, weil du in dieser Partie einen Platz hattest.",
    "The table waits for your words": "Der Tisch wartet auf deine Worte",
    "You have lost your seat": "Du hast deinen Platz verloren",
    "Your sealed words were not open in time, so your seat is free again. The game has not begun: as long as a seat is "
    "free you can sit down once more.":
        "Deine versiegelten Worte waren nicht rechtzeitig offen, dein Platz ist also wieder frei. Die Partie hat nicht "
        "begonnen: Solange ein Platz frei ist, kannst du dich noch einmal setzen.",
    "Seal other words": "Versiegle andere Worte",
    "Open your words": "Öffne deine Worte",
    "Somebody did not open theirs in time, or left. So words that were opened count no more, and everybody seals other "
    "ones.":
        "Jemand hat seine nicht rechtzeitig geöffnet oder ist gegangen. Geöffnete Worte zählen deshalb nicht mehr, und "
        "alle versiegeln andere.",
    "All have sat down and sealed their words. When the last of you has opened them, the game begins.":
        "Alle sitzen und haben ihre Worte versiegelt. Hat der Letzte von euch sie geöffnet, beginnt die Partie.",
    "You have until {when}. Whoever has not done it by then loses the seat.":
        "Du hast Zeit bis {when}. Wer es bis dahin nicht getan hat, verliert den Platz.",
    "Open the table in the browser in which you sat down: it has your words and does it by itself. In any other one, "
    "paste the words that you noted.":
        "Öffne den Tisch in dem Browser, in dem du dich gesetzt hast: Er hat deine Worte und tut es von selbst. In "
        "jedem anderen füge die Worte ein, die du notiert hast.",
    "Open the table": "Zum Tisch",
    "The table is full": "Der Tisch ist voll",
    "All seats of your table are taken. {begins}": "Alle Plätze an deinem Tisch sind besetzt. {begins}",
    "You can start the game now.": "Du kannst die Partie jetzt beginnen.",
    "The game begins by itself when all sealed words are open.":
        "Die Partie beginnt von selbst, wenn alle versiegelten Worte offen sind.",
    "Somebody has left": "Jemand ist gegangen",
    "{name} has given up the seat.": "{name} hat den Platz aufgegeben.",
    "{name} did not open the sealed words in time and has lost the seat.":
        "{name} hat die versiegelten Worte nicht rechtzeitig geöffnet und den Platz verloren.",
    "{name} has left the game. The others play on.":
        "{name} hat die Partie verlassen. Die anderen spielen weiter.",
    "Whoever has this address can take a seat: {address}":
        "Wer diese Adresse hat, kann einen Platz nehmen: {address}",
    "You get this mail because you host this game.":
        "Du bekommst diese Mail, weil du diese Partie eröffnet hast.",
    "You get this mail because you have a seat in this game.":
        "Du bekommst diese Mail, weil du in dieser Partie einen Platz hast.",
    "No more mail about games": "Keine Mails über Partien mehr",
    # several games in one mail
    "{count} games wait for you": "{count} Partien warten auf dich",
    "A game waits for you, and there is news of others": "Eine Partie wartet auf dich, und von anderen gibt es Neues",
    "News of {count} games": "Neues aus {count} Partien",
    "Somebody proposes to go back": "Jemand möchte zurückgehen",
    "Your time is running out": "Deine Zeit läuft ab",
    "You have until {when}.": "Du hast Zeit bis zum {when}.",
    "The first time is excused: the turn then begins again.":
        "Das erste Mal ist entschuldigt: Der Zug beginnt dann neu.",
    "Your time ran out": "Deine Zeit ist abgelaufen",
    "What the clock has played for you": "Was die Uhr für dich gespielt hat",
    "Take the seat back": "Den Platz zurücknehmen",
    "A bot plays on for you until you return.": "Ein Bot spielt für dich weiter, bis du zurückkommst.",
    "Your seat is open to a substitute. Until one has come you can take it back.":
        "Dein Platz steht einer Vertretung offen. Bis eine da ist, kannst du ihn zurücknehmen.",
    "The clock has given the safe answer for you.": "Die Uhr hat für dich die sichere Antwort gegeben.",
    "The game still waits for you, and so do the others.": "Die Partie wartet weiter auf dich, und die anderen auch.",
    "It was the first time, and it is excused: your turn begins again.":
        "Es war das erste Mal und ist entschuldigt: Dein Zug beginnt neu.",
    "Your seat has left the game. The others play on.": "Dein Platz ist ausgeschieden. Die anderen spielen weiter.",
    "The game waits for its people": "Die Partie wartet auf ihre Spieler",
    "Nobody is at the table any more: no clock runs, and no bot moves.":
        "Es ist niemand mehr am Tisch: Keine Uhr läuft, und kein Bot zieht.",
    "The game goes on as soon as one of its players moves, takes a seat back or says to be there again.":
        "Die Partie geht weiter, sobald jemand von euch zieht, einen Platz zurücknimmt oder sagt, wieder da zu sein.",
    "The game goes on": "Die Partie geht weiter",
    "{name} ran out of time. The seat waits for a substitute, who goes on where {name} left off.":
        "Die Zeit von {name} ist abgelaufen. Der Platz wartet auf eine Vertretung, die dort weitermacht, wo {name} "
        "aufgehört hat.",
    "Do you know somebody? Whoever has this address can take the seat: {address}":
        "Kennst du jemanden? Wer diese Adresse hat, kann den Platz nehmen: {address}",
    "Somebody's time ran out": "Jemandes Zeit ist abgelaufen",
    "A seat is open": "Ein Platz ist frei",
    "All your games": "Alle deine Partien",
    "Move {version}, fingerprint {fingerprint}.": "Zug {version}, Fingerabdruck {fingerprint}.",
    "The links of your turns open your seat in that game and nothing else of yours, until {when}. Looking changes "
    "nothing.":
        "Die Links deiner Züge öffnen deinen Platz in dieser Partie und sonst nichts von dir, bis zum {when}. Ansehen "
        "ändert nichts.",
    "Keep this mail: whoever changes what has been played, be it we ourselves, is found out by its fingerprints.":
        "Heb diese Mail auf: Wer ändert, was gespielt wurde, und wären es wir selbst, wird durch ihre Fingerabdrücke "
        "ertappt.",
    "You get this mail because you play or host these games.":
        "Du bekommst diese Mail, weil du in diesen Partien mitspielst oder sie eröffnet hast.",
    # addresses
    "Is this address yours?": "Ist das deine Adresse?",
    "Somebody, probably you, wants their mail about games to go to this address. It does so when the button behind "
    "this link is pressed, until {when}.":
        "Jemand, vermutlich du, möchte seine Post über Partien an diese Adresse bekommen. Das geschieht, wenn bis zum "
        "{when} der Knopf hinter diesem Link gedrückt wird.",
    "Use this address": "Diese Adresse verwenden",
    "If it was not you, do nothing: you get no other mail.":
        "Wenn du es nicht warst, tu nichts: Es kommt keine weitere Mail.",
    "Does this address work again?": "Geht diese Adresse wieder?",
    "Mail to you came back, so your notices wait. They come again when the button behind this link is pressed, until "
    "{when}.":
        "Post an dich kam zurück, deshalb warten deine Nachrichten. Sie kommen wieder, wenn bis zum {when} der Knopf "
        "hinter diesem Link gedrückt wird.",
    "It works": "Sie geht",
    "Your mail goes to another address now": "Deine Post geht jetzt an eine andere Adresse",
    "The address of your account was changed, and all other browsers were signed out. You sign in with the new address "
    "from now on.":
        "Die Adresse deines Kontos wurde geändert, und alle anderen Browser wurden abgemeldet. Du meldest dich ab "
        "jetzt mit der neuen Adresse an.",
    "If it was not you, somebody got into your account: write to those who run this site.":
        "Wenn du es nicht warst, ist jemand in dein Konto gelangt: Schreib denen, die diese Seite betreiben.",
    "Never invite me again, whoever asks for it": "Mich nie wieder einladen, wer auch darum bittet",
    "No more mail about this game": "Keine Post mehr zu dieser Partie",
    # calls to webhooks
    "It is your turn.": "Du bist am Zug.",
    "Your time runs out soon.": "Deine Zeit läuft bald ab.",
    "Your time has run out.": "Deine Zeit ist abgelaufen.",
    "A table waits for your sealed words.": "Ein Tisch wartet auf deine versiegelten Worte.",
    "You have lost your seat.": "Du hast deinen Platz verloren.",
    "Your table is full.": "Dein Tisch ist voll.",
    "Somebody has left your table.": "Jemand hat deinen Tisch verlassen.",
    "A seat has become free.": "Ein Platz ist frei geworden.",
    "The game waits for its people.": "Die Partie wartet auf ihre Spieler.",
    "The game goes on.": "Die Partie geht weiter.",
    "The game has started.": "Die Partie hat begonnen.",
    "The game is over.": "Die Partie ist zu Ende.",
    "The game was called off.": "Die Partie wurde abgesagt.",
    "Somebody proposes to go back.": "Jemand schlägt vor zurückzugehen.",
    "The game has gone back.": "Die Partie ist zurückgegangen.",
    "This is a trial call.": "Das ist ein Probeanruf.",
}
