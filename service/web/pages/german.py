"""The German of everything the pages say themselves. (What happens in a game is said by its title's words.)"""

from service.web.pages import german_operate, german_sandboxes

MONTHS = ("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.")

GERMAN: dict[str, str] = {
    **german_sandboxes.GERMAN,
    **german_operate.GERMAN,
    # ---- the sheet ----
    "Skip to the content": "Zum Inhalt springen",
    "Main": "Hauptmenü",
    "About this site": "Über diese Seite",
    "Games": "Partien",
    "New game": "Neue Partie",
    "Rules": "Regeln",
    "Mailbox": "Briefkasten",
    "Sign in": "Anmelden",
    "API for programs and bots": "API für Programme und Bots",
    "Whose games these are": "Wem die Spiele gehören",
    "Mailbox of this machine": "Briefkasten dieses Rechners",
    "Railway board games, played over days. Titles, maps and card names belong to their owners.":
        "Eisenbahnspiele, über Tage gespielt. Titel, Karten und Kartennamen gehören ihren Eigentümern.",
    "any": "beliebig",
    "yes": "ja",
    "no": "nein",
    "you": "du",
    "Your turn": "Du bist am Zug",
    "What is reconstructed here": "Was hier rekonstruiert ist",
    "Read the rules": "Regeln lesen",
    "Earlier": "Früher",
    "Later": "Später",
    "Time": "Zeit",
    "Who": "Wer",
    # ---- the first page ----
    "Railway games by post": "Eisenbahnspiele per Post",
    "Railway games, played over days": "Eisenbahnspiele, über Tage gespielt",
    "You get one mail when it is your turn, with the board in it and what has happened since. You make your move, "
    "and the train of the game rolls on to the next player. No hurry.":
        "Du bekommst eine Mail, wenn du am Zug bist: mit dem Spielplan und allem, was seither geschah. Du ziehst, "
        "und die Partie rollt weiter zum nächsten Platz. Ohne Eile.",
    "Play now against bots": "Jetzt gegen Bots spielen",
    "Open a game with friends": "Partie mit Freunden eröffnen",
    "Your games": "Deine Partien",
    "All games": "Alle Partien",
    "Tell us what to call you and where your mail goes. We send you a link; with it you are signed in, the game "
    "begins, and there is no password to think of.":
        "Sag uns, wie du heißt und wohin deine Post geht. Wir schicken dir einen Link; mit ihm bist du angemeldet "
        "und die Partie beginnt. Ein Passwort brauchst du nicht.",
    "Your name at the table": "Dein Name am Tisch",
    "Mail address": "Mailadresse",
    "Game": "Spiel",
    "Send the link and begin": "Link schicken und beginnen",
    "Only you ever see your address. Other players see your name.":
        "Deine Adresse siehst nur du. Die anderen sehen deinen Namen.",
    "On this machine all mail goes into a mailbox that you can read here; any address will do.":
        "Auf diesem Rechner landet alle Post in einem Briefkasten, den du hier lesen kannst; jede Adresse ist recht.",
    "One mail a turn": "Eine Mail je Zug",
    "Never a mail for nothing, never a turn without one. The mail shows the board, your hand and what you may do, "
    "and its link opens the table at once.":
        "Nie eine Mail umsonst, nie ein Zug ohne Mail. Sie zeigt den Spielplan, deine Hand und was du tun darfst, "
        "und ihr Link führt gleich an den Tisch.",
    "Every rule, and why not": "Jede Regel, und warum nicht",
    "The table knows all the rules. When something is not allowed it says which rule forbids it, and you can read "
    "that rule.":
        "Der Tisch kennt alle Regeln. Geht etwas nicht, sagt er, welche Regel es verbietet, und du kannst sie lesen.",
    "Nothing up the sleeve": "Nichts im Ärmel",
    "Each move is sealed into a chain whose fingerprint stands on every page and in every mail. After the game "
    "anybody can prove that every draw was fair.":
        "Jeder Zug wird in eine Kette gesiegelt, deren Fingerabdruck auf jeder Seite und in jeder Mail steht. Nach "
        "der Partie lässt sich beweisen, dass jede Ziehung ehrlich war.",
    "{name} and the bots": "{name} und die Bots",
    "Please give a name of 1 to {length} characters.": "Bitte nenne einen Namen mit 1 bis {length} Zeichen.",
    # no more invitations
    "Invitations": "Einladungen",
    "Invitations come again": "Einladungen kommen wieder",
    "Invitations come again.": "Einladungen kommen wieder.",
    "You are invited by mail no more.": "Du wirst nicht mehr per Mail eingeladen.",
    "Whoever opens a table here may invite you by mail again, a few times a day at most.":
        "Wer hier einen Tisch eröffnet, darf dich wieder per Mail einladen, höchstens einige Male am Tag.",
    "No more invitations": "Keine Einladungen mehr",
    "Nobody can have an invitation mailed to you from here any more. Of your address no more is kept for that than a "
    "hash.":
        "Niemand kann dir von hier aus noch eine Einladung schicken lassen. Von deiner Adresse bleibt dafür nur ein "
        "Hash gespeichert.",
    "Let invitations come again": "Einladungen wieder zulassen",
    "Never be invited again?": "Nie wieder eingeladen werden?",
    "Then nobody can have an invitation mailed to you from here, whoever asks for it. Links to sign in still come when "
    "somebody asks for one with your address, a few a day at most.":
        "Dann kann dir niemand mehr von hier aus eine Einladung schicken lassen, wer auch darum bittet. Links zum "
        "Anmelden kommen weiterhin, wenn jemand mit deiner Adresse einen anfordert, höchstens einige am Tag.",
    "Never invite me again": "Mich nie wieder einladen",
    "Nobody can invite you by mail since {time}.": "Seit {time} kann dich niemand per Mail einladen.",
    "Who knows your address may have an invitation to a table mailed to you.":
        "Wer deine Adresse kennt, kann dir eine Einladung an einen Tisch schicken lassen.",
    "you want no invitations": "du möchtest keine Einladungen",
    "We do not invite this address now. Send them the link yourself.":
        "Diese Adresse laden wir jetzt nicht ein. Schick den Link selbst.",
    "A name cannot hold invisible signs, or such as turn the line about.":
        "Ein Name kann keine unsichtbaren Zeichen enthalten und keine, die die Zeile umdrehen.",
    "A name cannot hold a web address, because names stand in mails. If it is none, put a blank behind its dot.":
        "Ein Name kann keine Webadresse enthalten, denn Namen stehen in Mails. Ist es keine, setze ein Leerzeichen "
        "hinter den Punkt.",
    "This is not a mail address we can write to.": "An diese Mailadresse können wir nicht schreiben.",
    # ---- signing in ----
    "We mail you a link that signs you in. It works once, for ten minutes. If you are new here, this is also how "
    "you join.":
        "Wir schicken dir einen Link, der dich anmeldet. Er gilt einmal und zehn Minuten lang. So kommst du auch "
        "zum ersten Mal herein.",
    "Send me the link": "Schick mir den Link",
    "Look into your mailbox": "Sieh in deinen Briefkasten",
    "A link is on its way to you. Open it within ten minutes.":
        "Ein Link ist unterwegs zu dir. Öffne ihn innerhalb von zehn Minuten.",
    "Open the mailbox of this machine": "Briefkasten dieses Rechners öffnen",
    "If you open the link in another browser, on your phone say, it asks for these six digits:":
        "Öffnest du den Link in einem anderen Browser, etwa auf dem Telefon, fragt er nach diesen sechs Ziffern:",
    "No mail after a few minutes? Look into the spam folder, or ask again.":
        "Nach ein paar Minuten noch keine Mail? Sieh im Spam-Ordner nach oder fordere sie noch einmal an.",
    "Ask again": "Noch einmal anfordern",
    "This link no longer works": "Dieser Link gilt nicht mehr",
    "A sign-in link works once, for ten minutes. Ask for a new one; it takes a moment.":
        "Ein Link zum Anmelden gilt einmal und zehn Minuten lang. Fordere einen neuen an, es dauert nicht lange.",
    "Ask for a new link": "Neuen Link anfordern",
    "Welcome aboard": "Willkommen an Bord",
    "You asked for this link in another browser. Please enter the six digits shown there.":
        "Du hast diesen Link in einem anderen Browser angefordert. Bitte gib die sechs Ziffern ein, die dort stehen.",
    "These are not the digits. Please look again.": "Das sind nicht die Ziffern. Bitte sieh noch einmal nach.",
    "Six digits": "Sechs Ziffern",
    "Sign in and begin the game": "Anmelden und die Partie beginnen",
    "You are signed out.": "Du bist abgemeldet.",
    # ---- the account ----
    "Your account": "Dein Konto",
    "Your new token": "Dein neuer Schlüssel",
    "Copy it now: it is shown this once, and only its hash is kept.":
        "Kopiere ihn jetzt: Er wird nur dieses eine Mal gezeigt, aufbewahrt wird nur sein Hash.",
    "You": "Du",
    "Only you ever see it.": "Nur du siehst sie.",
    "Language of pages and mails": "Sprache der Seiten und Mails",
    "Time zone": "Zeitzone",
    "This is what your browser says.": "Das sagt dein Browser.",
    "Deadlines and quiet hours go by it, and pages and mails say times in it.":
        "Fristen und Ruhezeiten richten sich nach ihr, und Seiten und Mails nennen Zeiten in ihr.",
    "Without one, times are in UTC.": "Ohne sie stehen Zeiten in UTC.",
    "We do not know your time zone yet.": "Wir kennen deine Zeitzone noch nicht.",
    "We do not know your time zone yet, so all times are in UTC. Choose it in your account.":
        "Wir kennen deine Zeitzone noch nicht, deshalb stehen alle Zeiten in UTC. Wähle sie in deinem Konto.",
    "The other players see it. You can change it in your account.":
        "Die anderen sehen ihn. In deinem Konto kannst du ihn ändern.",
    "Save": "Speichern",
    "Saved.": "Gespeichert.",
    "There is no such time zone.": "Diese Zeitzone gibt es nicht.",
    "Mail": "Post",
    "You get no mail about your games since {time}.": "Seit {time} bekommst du keine Post über deine Partien.",
    "Send me mail again": "Schickt mir wieder Post",
    "Stop all mail about games": "Keine Post über Partien mehr",
    "You get mail again.": "Du bekommst wieder Post.",
    "You get no more mail about games.": "Du bekommst keine Post über Partien mehr.",
    "your turn": "dein Zug",
    "a game has begun": "eine Partie hat begonnen",
    "a game is over": "eine Partie ist zu Ende",
    "a table was closed": "ein Tisch wurde geschlossen",
    "a proposal to go back": "ein Vorschlag zurückzugehen",
    "a game has gone back": "eine Partie ist zurückgegangen",
    "a link to sign in": "ein Link zum Anmelden",
    "an invitation": "eine Einladung",
    "queued {time}": "bereitgelegt {time}",
    "no longer needed {time}": "überholt {time}",
    "refused by the mail server {time}": "vom Mailserver abgelehnt {time}",
    "given up {time}": "aufgegeben {time}",
    "Where you are signed in": "Wo du angemeldet bist",
    "Since {time}": "Seit {time}",
    "last used {time}": "zuletzt benutzt {time}",
    "this browser": "dieser Browser",
    "Sign out": "Abmelden",
    "Sign out here": "Hier abmelden",
    "Sign out everywhere else": "Überall sonst abmelden",
    "That browser is signed out.": "Jener Browser ist abgemeldet.",
    "Tokens for programs and bots": "Schlüssel für Programme und Bots",
    "With a token a program of yours may use the API in your name.":
        "Mit einem Schlüssel darf ein Programm von dir die API in deinem Namen benutzen.",
    "How the API works": "Wie die API geht",
    "never used": "nie benutzt",
    "Revoke": "Widerrufen",
    "What is it for?": "Wofür ist er?",
    "It may": "Er darf",
    "look at your games": "deine Partien ansehen",
    "take seats and make moves for you": "für dich Plätze nehmen und ziehen",
    "open and run games for you": "für dich Partien eröffnen und leiten",
    "Make a token": "Schlüssel machen",
    "The token no longer works.": "Der Schlüssel gilt nicht mehr.",
    "A token opens your account to who has it, so we want to be sure that it is you. Sign in afresh, then make it "
    "within an hour.":
        "Ein Schlüssel öffnet dein Konto jedem, der ihn hat, deshalb wollen wir sicher sein, dass du es bist. Melde "
        "dich neu an und lege ihn dann innerhalb einer Stunde an.",
    "Please give the token a name of 1 to {length} characters.":
        "Bitte gib dem Schlüssel einen Namen mit 1 bis {length} Zeichen.",
    "Please choose what the token may do.": "Bitte wähle, was der Schlüssel darf.",
    "You have too many tokens. Revoke one first.": "Du hast zu viele Schlüssel. Widerrufe zuerst einen.",
    "No more mail": "Keine Post mehr",
    "You will not be told any more when it is your turn. Your games wait for you all the same.":
        "Du erfährst dann nicht mehr, wenn du am Zug bist. Deine Partien warten trotzdem auf dich.",
    # ---- how mail comes ----
    "A game without a tick sends you nothing, not even when it is your turn.":
        "Eine Partie ohne Haken schickt dir nichts, auch nicht, wenn du am Zug bist.",
    "A link is on its way to the new address.": "Ein Link ist unterwegs zur neuen Adresse.",
    "A link is on its way to your address.": "Ein Link ist unterwegs zu deiner Adresse.",
    "A new address": "Eine neue Adresse",
    "Change the address": "Adresse ändern",
    "Games under way": "Laufende Partien",
    "How mail comes to you": "Wie Post zu dir kommt",
    "Is this your address?": "Ist das deine Adresse?",
    "It is on its way, unless it has become untrue.": "Sie ist unterwegs, falls sie noch stimmt.",
    "It works again: send me a link to prove it": "Sie geht wieder: Schickt mir einen Link zum Beweis",
    "It works once, for a day. Ask for a new one on the page of your mail.":
        "Er gilt einmal und einen Tag lang. Einen neuen bekommst du auf der Seite deiner Post.",
    "Less mail": "Weniger Post",
    "Mail about your games": "Post über deine Partien",
    "Mail goes to this address from now on, and you sign in with it.":
        "Post geht ab jetzt an diese Adresse, und du meldest dich mit ihr an.",
    "Mail to it comes back since {time}, so your notices wait. The mail server said:":
        "Post an sie kommt seit {time} zurück, deshalb warten deine Nachrichten. Der Mailserver sagte:",
    "Mail to you comes back, so you are not told when it is your turn.":
        "Post an dich kommt zurück, deshalb erfährst du nicht, wenn du am Zug bist.",
    "No mail at all": "Gar keine Post",
    "No mail was owed to you yet.": "Bisher war dir keine Mail geschuldet.",
    "No more mail about this game": "Keine Post mehr zu dieser Partie",
    "Not while I sleep ({sleeps} to {wakes}): mail waits until I wake":
        "Nicht, während ich schlafe ({sleeps} bis {wakes}): Post wartet, bis ich wach bin",
    "Nothing was changed. Sign in with this address, or choose another one.":
        "Nichts wurde geändert. Melde dich mit dieser Adresse an oder wähle eine andere.",
    "Of which game?": "Zu welcher Partie?",
    "One mail a day for everything (but for deadlines)": "Eine Mail am Tag für alles (außer Fristen)",
    "Press the button and mail about your games goes there.":
        "Drück den Knopf, dann geht Post über deine Partien dorthin.",
    "See why, and mend it": "Sieh nach, warum, und bring es in Ordnung",
    "Send it again": "Noch einmal schicken",
    "Show": "Zeigen",
    "Stop mail about {game}": "Keine Post mehr zu {game}",
    "Thank you": "Danke",
    "That is your address already.": "Das ist schon deine Adresse.",
    "The address is the key to your account, so we want to be sure that it is you. Sign in afresh, then change it "
    "within an hour.":
        "Die Adresse ist der Schlüssel zu deinem Konto, deshalb wollen wir sicher sein, dass du es bist. Melde dich "
        "neu an und ändere sie dann innerhalb einer Stunde.",
    "The daily mail comes at": "Die tägliche Mail kommt um",
    "There are gentler ways: only some kinds of mail, none at night, or one mail a day.":
        "Es geht auch sanfter: nur manche Arten von Post, nachts keine oder eine Mail am Tag.",
    "This address has an account already": "Diese Adresse hat schon ein Konto",
    "This game": "Diese Partie",
    "Times are those of {zone}.": "Zeiten sind die von {zone}.",
    "We mail a link to it. It is used once you have opened the link; all other browsers are signed out then, and the "
    "old address is told.":
        "Wir schicken einen Link dorthin. Verwendet wird sie, sobald du den Link geöffnet hast; dann werden alle "
        "anderen Browser abgemeldet, und die alte Adresse erfährt davon.",
    "What is due together comes as one mail. While you are at a table, its mails wait.":
        "Was zusammen fällig ist, kommt als eine Mail. Solange du an einem Tisch sitzt, warten seine Mails.",
    "What was sent, and what became of it": "Was verschickt wurde und was daraus wurde",
    "When": "Wann",
    "Write to me of": "Schreibt mir über",
    "Yes, write to me there": "Ja, schreibt mir dorthin",
    "You get a mail when it is your turn, when a game of yours begins, and when it ends, unless you have chosen "
    "otherwise.":
        "Du bekommst eine Mail, wenn du am Zug bist und wenn eine deiner Partien beginnt oder endet, falls du nichts "
        "anderes gewählt hast.",
    "You get no mail about games any more. You can have it again on the page of your mail.":
        "Du bekommst keine Post über Partien mehr. Auf der Seite deiner Post kannst du sie wieder einschalten.",
    "Your address": "Deine Adresse",
    "Your address works. What waited for it is on its way.":
        "Deine Adresse geht. Was auf sie gewartet hat, ist unterwegs.",
    "a deadline that comes near": "eine Frist, die näher kommt",
    "a later mail tells of the proposal": "eine spätere Mail sagt es",
    "a later mail tells of this turn": "eine spätere Mail erzählt von diesem Zug",
    "a link to a new address": "ein Link an eine neue Adresse",
    "a link to see whether the address works": "ein Link zur Probe, ob die Adresse geht",
    "a seat that became free": "ein Platz, der frei wurde",
    "a game that waits for its people": "eine Partie, die auf ihre Spieler wartet",
    "a paused game goes on": "eine Partie geht nach einer Pause weiter",
    "accepted by the mail server {time}": "vom Mailserver angenommen {time}",
    "all": "alle",
    "asked for again {time}": "noch einmal verlangt {time}",
    "being sent": "wird verschickt",
    "failed here {time}, to be tried again": "hier gescheitert {time}, wird wieder versucht",
    "held because mail to your address comes back {time}":
        "zurückgehalten, weil Post an deine Adresse zurückkommt {time}",
    "held for your daily mail until {until}": "wartet auf deine tägliche Mail bis {until}",
    "held for your quiet hours until {until}": "wartet deiner Ruhe wegen bis {until}",
    "held while you were at the table {time}": "gewartet, während du am Tisch warst {time}",
    "mail to your address comes back": "Post an deine Adresse kommt zurück",
    "not delivered": "nicht zugestellt",
    "not needed": "nicht nötig",
    "not sent, you have switched such mail off {time}": "nicht verschickt, du hast solche Post abgeschaltet {time}",
    "put off by the mail server {time}": "vom Mailserver aufgeschoben {time}",
    "sent": "verschickt",
    "that the address has changed": "dass die Adresse sich geändert hat",
    "the game cannot be seen any more": "die Partie ist nicht mehr zu sehen",
    "the game has started or was called off": "die Partie hat begonnen oder wurde abgesagt",
    "the game is over": "die Partie ist zu Ende",
    "the link has expired or was used": "der Link ist abgelaufen oder benutzt",
    "the claim has run out": "die Frist für diesen Versuch war um",
    "the mail server cannot carry this address": "der Mailserver kann diese Adresse nicht bedienen",
    "the mail server does not answer": "der Mailserver antwortet nicht",
    "the service was stopped meanwhile": "der Dienst wurde unterdessen angehalten",
    "the proposal no longer stands": "der Vorschlag steht nicht mehr",
    "the turn is over": "der Zug ist vorbei",
    "time that ran out": "Zeit, die abgelaufen ist",
    "told in one mail with others": "in einer Mail mit anderen gesagt",
    "waiting": "wartet",
    "you have acted since": "du hast seither gehandelt",
    "you have agreed already": "du hast schon zugestimmt",
    "a later mail tells of it": "eine spätere Mail erzählt davon",
    "the game goes on": "die Partie geht weiter",
    "the game is paused again": "die Partie pausiert wieder",
    "you have done it": "du hast es getan",
    "you have a seat again, or it has begun": "du hast wieder einen Platz, oder sie hat begonnen",
    "somebody has left since": "seither ist jemand gegangen",
    "the seat is taken again": "der Platz ist wieder besetzt",
    "the seat is taken": "der Platz ist besetzt",
    "the deadline has moved": "die Frist hat sich verschoben",
    "you have left the table": "du hast den Tisch verlassen",
    "you have moved since": "du hast seither gezogen",
    "you have stopped all mail": "du hast alle Post abbestellt",
    "{game} sends you nothing any more, not even when it is your turn. It waits for you all the same.":
        "{game} schickt dir nichts mehr, auch nicht, wenn du am Zug bist. Die Partie wartet trotzdem auf dich.",
    # ---- lists of games ----
    "Open a game": "Partie eröffnen",
    "You sit at no table yet. Open a game, or take a free seat below.":
        "Du sitzt noch an keinem Tisch. Eröffne eine Partie oder nimm unten einen freien Platz.",
    "Free seats": "Freie Plätze",
    "No table is waiting for players just now.": "Gerade wartet kein Tisch auf Mitspieler.",
    "To watch": "Zum Zuschauen",
    "No public game is being played just now.": "Gerade wird keine öffentliche Partie gespielt.",
    "Your finished games": "Deine beendeten Partien",
    "Finished games": "Beendete Partien",
    "Older games": "Ältere Partien",
    "nobody yet": "noch niemand",
    "1 of {seats} seats is free": "1 von {seats} Plätzen ist frei",
    "{free} of {seats} seats are free": "{free} von {seats} Plätzen sind frei",
    "not begun": "nicht begonnen",
    "running": "läuft",
    "over": "beendet",
    "closed": "geschlossen",
    # ---- opening a game, and the table before it begins ----
    "Which game": "Welches Spiel",
    "Name of the game": "Name der Partie",
    "{name}'s game": "Partie von {name}",
    "Please give the game a name of 1 to {length} characters.":
        "Bitte gib der Partie einen Namen mit 1 bis {length} Zeichen.",
    "Seats": "Plätze",
    "How many of them are bots": "Wie viele davon sind Bots",
    "One seat is yours: there can be fewer bots than seats only.":
        "Ein Platz ist deiner: Es kann nur weniger Bots als Plätze geben.",
    "What kind of bot": "Was für Bots",
    "sensible": "vernünftig",
    "random moves": "zufällige Züge",
    "How it is played": "Wie gespielt wird",
    "Your seat": "Dein Platz",
    "Who may see it": "Wer zusehen darf",
    "Everybody: it is listed, free seats are open to all, and anybody may watch":
        "Alle: Sie steht in der Liste, freie Plätze stehen allen offen, und jeder darf zuschauen",
    "Only who has the invitation": "Nur wer die Einladung hat",
    "everybody": "alle",
    "only who has the invitation": "nur wer die Einladung hat",
    "Open the table": "Tisch eröffnen",
    "This form was sent before with other entries. Please look at it and send it again.":
        "Dieses Formular kam schon einmal mit anderen Angaben. Bitte sieh es an und schick es noch einmal.",
    "Something has changed at this table.": "An diesem Tisch hat sich etwas geändert.",
    "Look again": "Noch einmal ansehen",
    "This table was closed before the game began.": "Dieser Tisch wurde geschlossen, bevor die Partie begann.",
    "All seats are taken. You can start the game.": "Alle Plätze sind besetzt. Du kannst die Partie beginnen.",
    "All seats are taken. {host} starts the game.": "Alle Plätze sind besetzt. {host} beginnt die Partie.",
    "All seats are taken.": "Alle Plätze sind besetzt.",
    "Waiting for players: 1 of {seats} seats is free.": "Es fehlt jemand: 1 von {seats} Plätzen ist frei.",
    "Waiting for players: {free} of {seats} seats are free.":
        "Es fehlen Mitspieler: {free} von {seats} Plätzen sind frei.",
    "the host": "Wer eröffnet hat",
    "free": "frei",
    "Stand up": "Aufstehen",
    "Send away": "Wegschicken",
    "Start the game": "Partie beginnen",
    "Take a seat": "Platz nehmen",
    "Take seat {number}": "Platz {number} nehmen",
    "A word of luck": "Ein Wort fürs Glück",
    "Words of your own": "Eigene Worte",
    "They go into every draw of the game: so nobody can choose what is drawn, not even whoever runs this site.":
        "Sie gehen in jede Ziehung der Partie ein: So kann niemand aussuchen, was gezogen wird, auch nicht, wer diese "
        "Seite betreibt.",
    "Any text you like. It is mixed into every draw. This table was opened before one could check that it went in.":
        "Irgendein Text. Er wird in jede Ziehung gemischt. Als dieser Tisch eröffnet wurde, ließ sich noch nicht "
        "prüfen, ob er eingegangen ist.",
    "Without a script your browser brings nothing by itself: type something that nobody can guess. If you leave it "
    "empty, the proof of the game will say that your seat brought nothing.":
        "Ohne Skript bringt dein Browser von selbst nichts mit: Schreib etwas, das niemand erraten kann. Bleibt das "
        "Feld leer, sagt der Beweis der Partie, dass dein Platz nichts mitgebracht hat.",
    "Your browser has drawn 32 random bytes and brings them, too, so you may leave this empty. It keeps a copy and "
    "compares later.":
        "Dein Browser hat 32 zufällige Bytes gezogen und bringt sie auch mit, das Feld darf also leer bleiben. Er "
        "behält eine Abschrift und vergleicht später.",
    "How you can check it": "Wie du es prüfen kannst",
    "The table has a secret already; this is the hash of it. It must be the same when the game is over.":
        "Der Tisch hat schon ein Geheimnis; dies ist dessen Hash. Er muss am Ende der Partie derselbe sein.",
    "The log of the game will hold the SHA-256 of your salt with your words right behind it, and never the words "
    "themselves. Only you are shown them.":
        "Das Protokoll der Partie wird den SHA-256 deines Salzes mit deinen Worten gleich dahinter enthalten, nie die "
        "Worte selbst. Nur du bekommst sie gezeigt.",
    "A table was opened with this form already, or it is too old. Please send it again.":
        "Mit diesem Formular wurde schon ein Tisch eröffnet, oder es ist zu alt. Bitte schick es noch einmal ab.",
    "Words of luck": "Glücksworte",
    "Your words went in: ply {ply} of the log holds the SHA-256 of your salt with your words right behind it.":
        "Deine Worte sind eingegangen: Zug {ply} des Protokolls enthält den SHA-256 deines Salzes mit deinen Worten "
        "gleich dahinter.",
    "Your words did not go in: no ply of the log holds the SHA-256 of your salt with your words right behind it.":
        "Deine Worte sind nicht eingegangen: Kein Zug des Protokolls enthält den SHA-256 deines Salzes mit deinen "
        "Worten gleich dahinter.",
    "Your browser has compared: this is what it brought, and the hash of the secret is the one it was shown before.":
        "Dein Browser hat verglichen: Das ist, was er mitgebracht hat, und der Hash des Geheimnisses ist der, der ihm "
        "vorher gezeigt wurde.",
    "This browser has kept no copy of what you brought: you must have sat down with another one.":
        "Dieser Browser hat keine Abschrift von dem, was du mitgebracht hast: Du hast dich wohl mit einem anderen "
        "hingesetzt.",
    "Your browser kept something else than what is shown here: other words, another salt, or another hash of the "
    "secret. If you did not sit down with another browser, do not trust the draws of this game.":
        "Dein Browser hat etwas anderes behalten, als hier gezeigt wird: andere Worte, ein anderes Salz oder einen "
        "anderen Hash des Geheimnisses. Wenn du dich nicht mit einem anderen Browser hingesetzt hast, trau den "
        "Ziehungen dieser Partie nicht.",
    "Salt": "Salz",
    "Words": "Worte",
    "You brought none.": "Du hast keine mitgebracht.",
    "Seat {number}": "Platz {number}",
    "brought words": "hat Worte mitgebracht",
    "a bot, which brings none": "ein Bot, der keine mitbringt",
    "brought none": "hat keine mitgebracht",
    "Once somebody has brought words of luck, whoever runs this site has nothing left to choose the draws by. It could "
    "still play along under some name, sit down last and try words until it likes them; a table with sealed words "
    "shuts that out, too.":
        "Hat jemand Glücksworte mitgebracht, so bleibt dem Betreiber dieser Seite nichts, womit er die Ziehungen "
        "aussuchen könnte. Er könnte aber unter irgendeinem Namen mitspielen, sich als Letzter setzen und Worte "
        "probieren, bis sie ihm gefallen; ein Tisch mit versiegelten Worten schließt auch das aus.",
    "a table waits for your sealed words": "ein Tisch wartet auf deine versiegelten Worte",
    "you have lost a seat": "du hast einen Platz verloren",
    "a table of yours is full": "ein Tisch von dir ist voll",
    "somebody has left a table of yours": "jemand hat einen Tisch von dir verlassen",
    "For sealed words the hash of yours is needed.": "Für versiegelte Worte wird der Hash der deinen gebraucht.",
    "Sealed words are 64 digits, 0 to 9 and a to f.": "Versiegelte Worte sind 64 Stellen, 0 bis 9 und a bis f.",
    "You have them no more?": "Du hast sie nicht mehr?",
    "Sign in first": "Zuerst anmelden",
    "Then stand up and sit down again with other words. While the seat is free, somebody else may take it. Words "
    "that were opened count no more then, and everybody seals other ones; browsers do that by themselves on the next "
    "visit.":
        "Dann steh auf und setz dich mit anderen Worten noch einmal. Solange der Platz frei ist, kann ihn jemand "
        "anders nehmen. Geöffnete Worte zählen dann nicht mehr, und alle versiegeln andere; das tun die Browser beim "
        "nächsten Besuch von selbst.",
    "This table plays with sealed words: you commit to words now and open them once all seats are taken; then the game "
    "begins. Your browser does it by itself on your next visit. Whoever does not come within a turn's time loses the "
    "seat; a mail tells you when it is time.":
        "An diesem Tisch spielt man mit versiegelten Worten: Du legst dich jetzt auf Worte fest und öffnest sie, wenn "
        "alle Plätze besetzt sind; dann beginnt die Partie. Dein Browser tut es beim nächsten Besuch von selbst. Wer "
        "nicht binnen der Zeit eines Zuges kommt, verliert den Platz; eine Mail sagt dir, wann es so weit ist.",
    "Sealed words": "Versiegelte Worte",
    "Everybody commits to words when sitting down and opens them when all seats are taken; then the game begins by "
    "itself. So not even an operator who plays along can try words. It takes one more visit of each player, within a "
    "turn's time.":
        "Alle legen sich beim Hinsetzen auf Worte fest und öffnen sie, wenn alle Plätze besetzt sind; dann beginnt die "
        "Partie von selbst. So kann auch ein Betreiber, der mitspielt, keine Worte probieren. Es kostet jeden einen "
        "weiteren Besuch innerhalb der Zeit eines Zuges.",
    "SHA-256 of your sealed words": "SHA-256 deiner versiegelten Worte",
    "Without a script: draw 64 hexadecimal digits yourself (openssl rand -hex 32), note them, and give their hash here "
    "(printf %s DIGITS | sha256sum).":
        "Ohne Skript: Zieh selbst 64 hexadezimale Stellen (openssl rand -hex 32), notiere sie und gib hier ihren Hash "
        "an (printf %s STELLEN | sha256sum).",
    "Your browser has drawn sealed words and keeps them. Note them if you might come back with another browser:":
        "Dein Browser hat versiegelte Worte gezogen und behält sie. Notiere sie, falls du mit einem anderen Browser "
        "wiederkommst:",
    "The log of the game holds the SHA-256 of your sealed words at once, and the words themselves when you open them.":
        "Das Protokoll der Partie enthält den SHA-256 deiner versiegelten Worte sofort und die Worte selbst, wenn du "
        "sie öffnest.",
    "Open your words": "Öffne deine Worte",
    "All seats are taken. When everybody has opened the sealed words, the game begins.":
        "Alle Plätze sind besetzt. Wenn alle ihre versiegelten Worte geöffnet haben, beginnt die Partie.",
    "Seal other words": "Versiegle andere Worte",
    "Somebody did not open the sealed words in time, or left: those that were opened count no more.":
        "Jemand hat die versiegelten Worte nicht rechtzeitig geöffnet oder ist gegangen: Geöffnete zählen nicht mehr.",
    "Whoever has not done it by {time} loses the seat.": "Wer es bis {time} nicht getan hat, verliert den Platz.",
    "The words you sealed": "Die Worte, die du versiegelt hast",
    "The browser in which you sat down keeps them. In any other one, paste the 64 digits that you noted.":
        "Der Browser, in dem du dich gesetzt hast, behält sie. In jedem anderen füge die 64 Stellen ein, die du "
        "notiert hast.",
    "Open them": "Öffnen",
    "Seal them": "Versiegeln",
    "All seats are taken. The game begins when all sealed words are open.":
        "Alle Plätze sind besetzt. Die Partie beginnt, wenn alle versiegelten Worte offen sind.",
    "words are open": "die Worte sind offen",
    "words are sealed": "die Worte sind versiegelt",
    "Sign in first; that is also how you join. Then you come back here.":
        "Melde dich zuerst an; so kommst du auch zum ersten Mal herein. Danach bist du wieder hier.",
    "Invite players": "Mitspieler einladen",
    "Whoever has this link may see the table and take a seat:":
        "Wer diesen Link hat, darf den Tisch sehen und Platz nehmen:",
    "Who has come by it before the start may go on watching; after the start it opens the table only while a seat is "
    "open.":
        "Wer vor dem Beginn darüber gekommen ist, darf weiter zusehen; danach öffnet er den Tisch nur, solange ein "
        "Platz offen ist.",
    "This invitation opens nothing any more": "Diese Einladung öffnet nichts mehr",
    "The game has begun, or its host has renewed the link. If you have a seat, sign in; if not, ask for the link of "
    "now.":
        "Die Partie hat begonnen, oder wer sie leitet, hat den Link erneuert. Wenn du einen Platz hast, melde dich an; "
        "wenn nicht, frag nach dem jetzigen Link.",
    "Renew the link": "Den Link erneuern",
    "The old link, also in mails that were sent, opens nothing any more, and who came by it sees the table no more. "
    "Who has a seat keeps it.":
        "Der alte Link öffnet nichts mehr, auch in Mails, die schon verschickt sind, und wer darüber gekommen ist, "
        "sieht den Tisch nicht mehr. Wer einen Platz hat, behält ihn.",
    "Yes, renew the link": "Ja, den Link erneuern",
    "The link is another one now; the old one opens nothing any more.":
        "Der Link ist jetzt ein anderer; der alte öffnet nichts mehr.",
    "Or send it by mail to": "Oder schick ihn per Mail an",
    "Send the invitation": "Einladung schicken",
    "The invitation is on its way.": "Die Einladung ist unterwegs.",
    "That address has been invited already.": "Diese Adresse ist schon eingeladen.",
    "The game has begun; nobody can join it any more.": "Die Partie hat begonnen; es kann niemand mehr dazukommen.",
    "Or fill a seat with a bot": "Oder setz einen Bot auf einen Platz",
    "Add a bot: {kind}": "Bot dazu: {kind}",
    "The bot has left.": "Der Bot ist gegangen.",
    "You have a seat.": "Du hast einen Platz.",
    "You stood up.": "Du bist aufgestanden.",
    "Close the table": "Tisch schließen",
    "The game will not be played. This cannot be undone.":
        "Die Partie wird nicht gespielt. Das lässt sich nicht rückgängig machen.",
    "Yes, close the table": "Ja, Tisch schließen",
    "The table is closed.": "Der Tisch ist geschlossen.",
    "You are erased. Thank you for having played.": "Du bist gelöscht. Danke, dass du mitgespielt hast.",
    "Take along, or be erased": "Mitnehmen oder gelöscht werden",
    "All that is kept of you, in one file: your account, your seats, your mails, and every game of yours as you may "
    "see it.":
        "Alles, was über dich aufgehoben wird, in einer Datei: dein Konto, deine Plätze, deine Mails und jede deiner "
        "Partien, wie du sie sehen darfst.",
    "Download what is yours": "Herunterladen, was deins ist",
    "Erase me": "Mich löschen",
    "Name, mail address, tokens, mails and notes are gone at once and for good. Running games are resigned for you, "
    "and open tables of yours are closed. What you played stays under “(erased)”, and every game can still be checked.":
        "Name, Mailadresse, Schlüssel, Mails und Notizen sind sofort und für immer weg. Laufende Partien werden für "
        "dich aufgegeben, offene Tische von dir geschlossen. Was du gespielt hast, bleibt unter „(gelöscht)“, und jede "
        "Partie lässt sich weiter prüfen.",
    "Type your mail address to confirm": "Tippe zur Bestätigung deine Mailadresse",
    "Erase me for good": "Mich endgültig löschen",
    "That is not your mail address, so nothing was erased.":
        "Das ist nicht deine Mailadresse, darum wurde nichts gelöscht.",
    # ---- the table ----
    "The game has gone on since you loaded this page.":
        "Die Partie ist weitergegangen, seit du diese Seite geladen hast.",
    "Load the new position": "Neue Stellung laden",
    "The game has gone on since you looked, so your move was not made.":
        "Die Partie ist weitergegangen, seit du hingesehen hast; dein Zug wurde nicht gemacht.",
    "You wanted: {wish}": "Du wolltest: {wish}",
    "It is still possible, and chosen below.": "Das geht noch immer und ist unten ausgewählt.",
    "This has happened:": "Das ist geschehen:",
    "This is rule {rule}. Nothing was changed.": "Das ist Regel {rule}. Nichts hat sich geändert.",
    "You are here by the link of a mail, which opens this game only.":
        "Du bist über den Link einer Mail hier; er öffnet nur diese Partie.",
    "It was sent for an earlier turn: sign in to move now.":
        "Er galt einem früheren Zug: Melde dich an, um jetzt zu ziehen.",
    "This link was for an earlier turn. Sign in to move now.":
        "Dieser Link galt einem früheren Zug. Melde dich an, um jetzt zu ziehen.",
    "It is your turn.": "Du bist am Zug.",
    "The game also waits for {names}.": "Die Partie wartet auch auf {names}.",
    "The game waits for {names}.": "Die Partie wartet auf {names}.",
    "The game is over.": "Die Partie ist zu Ende.",
    "The game is over: {names} has won.": "Die Partie ist zu Ende: {names} hat gewonnen.",
    "The game is over: {names} have won together.": "Die Partie ist zu Ende: {names} haben gemeinsam gewonnen.",
    "{first} and {last}": "{first} und {last}",
    "Larger board": "Größerer Plan",
    "The board": "Der Spielplan",
    "The result": "Das Ergebnis",
    "Result by category": "Ergebnis nach Wertungen",
    "Category": "Wertung",
    "Total": "Summe",
    "Place": "Rang",
    "left": "gegangen",
    "What only you see": "Was nur du siehst",
    "Your hand": "Deine Hand",
    "Your move": "Dein Zug",
    "What you may still do": "Was du noch tun darfst",
    "Do this": "Ausführen",
    "Please choose what to do.": "Bitte wähle, was du tun willst.",
    "Take back": "Zurücknehmen",
    "Take back: {what}": "Zurücknehmen: {what}",
    "Take back my last move": "Meinen letzten Zug zurücknehmen",
    "Take back my last {count} moves": "Meine letzten {count} Züge zurücknehmen",
    "Taken back.": "Zurückgenommen.",
    "Nobody else has acted since, no chance was asked and nothing came to light.":
        "Seither hat niemand sonst gehandelt, kein Zufall wurde befragt, und nichts kam ans Licht.",
    "Not possible now:": "Geht gerade nicht:",
    "From any past position you can propose to go back together.":
        "Von jeder früheren Stellung aus kannst du vorschlagen, gemeinsam zurückzugehen.",
    "Go back together": "Gemeinsam zurückgehen",
    "The game would stand again as it did here; what came after would count no more (plies: {count}), but could still "
    "be read. The same moves would meet the same cards and dice.":
        "Die Partie stünde wieder so wie hier; was danach kam, gälte nicht mehr (Züge: {count}), bliebe aber lesbar. "
        "Dieselben Züge träfen auf dieselben Karten und Würfel.",
    "All who play must agree: {people}. They are told by mail and have {days} days. If the game goes on before "
    "that, the proposal falls.":
        "Alle, die mitspielen, müssen zustimmen: {people}. Sie erfahren es per Mail und haben {days} Tage Zeit. Geht "
        "die Partie vorher weiter, ist der Vorschlag hinfällig.",
    "Nobody but bots plays with you: the game goes back at once.":
        "Außer dir spielen nur Bots: Die Partie geht sofort zurück.",
    "Propose to go back here": "Vorschlagen, hierher zurückzugehen",
    "Go back here": "Hierher zurückgehen",
    "You propose to go back to ply {to}": "Du schlägst vor, zu Zug {to} zurückzugehen",
    "{name} proposes to go back to ply {to}": "{name} schlägt vor, zu Zug {to} zurückzugehen",
    "Look at that position": "Jene Stellung ansehen",
    "Still to agree: {names}.": "Zustimmen müssen noch: {names}.",
    "Until {time}, or until the game goes on.": "Bis {time}, oder bis die Partie weitergeht.",
    "This would be undone (plies: {count}).": "Das gälte nicht mehr (Züge: {count}).",
    "The last of them:": "Die letzten davon:",
    "Agree to go back": "Zustimmen und zurückgehen",
    "Refuse": "Ablehnen",
    "Withdraw the proposal": "Vorschlag zurückziehen",
    "The proposal to go back to ply {to} has expired.":
        "Die Frist des Vorschlags, zu Zug {to} zurückzugehen, ist abgelaufen.",
    "The game has gone on, so the proposal to go back to ply {to} has fallen.":
        "Die Partie ist weitergegangen; der Vorschlag, zu Zug {to} zurückzugehen, ist hinfällig.",
    "Your proposal is made.": "Dein Vorschlag ist gemacht.",
    "You have agreed to go back.": "Du hast zugestimmt zurückzugehen.",
    "The game does not go back.": "Die Partie geht nicht zurück.",
    "At the table": "Am Tisch",
    "Board": "Brett",
    "Hand": "Hand",
    "Turn": "Zugfolge",
    "before": "davor",
    "after": "danach",
    "before:": "vorher:",
    "now:": "jetzt:",
    "What it changed": "Was das änderte",
    "What changed": "Was sich änderte",
    "Through whose eyes": "Mit wessen Augen",
    "Through the eyes of": "Mit den Augen von",
    "What only {name} saw": "Was nur {name} sah",
    "Every game, every night": "Jede Partie, jede Nacht",
    "Each night the service proves every game it holds: no byte of a log was changed, every command is decided again "
    "to the same outcome, and every draw is made again from the secret of its game.":
        "Jede Nacht beweist der Dienst jede Partie, die er aufbewahrt: Kein Byte eines Protokolls wurde geändert, "
        "jeder Befehl führt noch einmal zum selben Ergebnis, und jede Ziehung folgt wieder aus dem Geheimnis ihrer "
        "Partie.",
    "Tonight’s check is under way: {count} games so far.":
        "Die Prüfung dieser Nacht läuft: {count} Partien bisher.",
    "No check has ended yet.": "Noch ist keine Prüfung zu Ende.",
    "{count} games verified, {wrong} differences": "{count} Partien geprüft, {wrong} Abweichungen",
    "{count} plies in {took}": "{count} Züge in {took}",
    "{seconds} s": "{seconds} s",
    "{minutes} min": "{minutes} min",
    "ply {ply}": "Zug {ply}",
    "beside the log": "neben dem Protokoll",
    "Title": "Titel",
    "Plies": "Züge",
    "Differences": "Abweichungen",
    "Game {id}": "Partie {id}",
    "Not proved by the rules, since some of their plies were only replayed: {count} games. This program does not "
    "decide by the version of the rules any more that decided those plies.":
        "Nicht nach den Regeln bewiesen, weil einige ihrer Züge nur nachgespielt wurden: {count} Partien. Nach der "
        "Version der Regeln, die jene Züge entschieden hat, entscheidet dieses Programm nicht mehr.",
    "{count} games that are not yours to see.": "{count} Partien, die nicht für dich zu sehen sind.",
    "Whoever runs this site has been told. Compare the fingerprints in your mails.":
        "Wer diese Seite betreibt, weiß davon. Vergleiche die Fingerabdrücke in deinen Mails.",
    "Nights before": "Nächte davor",
    "What changed last": "Was sich zuletzt änderte",
    "What has changed since": "Was sich seither geändert hat",
    "What has changed since my last move": "Was sich seit meinem letzten Zug geändert hat",
    "What changed since the turn before": "Was sich seit der Zugfolge davor änderte",
    "From ply": "Von Zug",
    "to ply": "bis Zug",
    "Compare": "Vergleichen",
    "The other way round": "Andersherum",
    "Position after ply {version}": "Stellung nach Zug {version}",
    "Nothing that you may see has changed.": "Nichts, was du sehen darfst, hat sich geändert.",
    "Before and after": "Vorher und nachher",
    "This counts no more": "Das gilt nicht mehr",
    "This has come": "Das kam hinzu",
    "has left": "ist gegangen",
    "to move": "am Zug",
    "What has happened": "Was geschehen ist",
    "The whole story": "Die ganze Geschichte",
    "Step through the game": "Durch die Partie blättern",
    "Fingerprint": "Fingerabdruck",
    "after ply {version}": "nach Zug {version}",
    "After ply {version}": "Nach Zug {version}",
    "It stands for all that has happened so far: if anybody changed any of it, it would be another one.":
        "Er steht für alles, was bisher geschah: Hätte jemand etwas daran geändert, wäre es ein anderer.",
    "How to check the game": "Wie man die Partie prüft",
    "Leave the game": "Die Partie verlassen",
    "The others play on without you. This cannot be undone.":
        "Die anderen spielen ohne dich weiter. Das lässt sich nicht rückgängig machen.",
    "Yes, I resign": "Ja, ich gebe auf",
    "You have left the game.": "Du hast die Partie verlassen.",
    "This link is too old": "Dieser Link ist zu alt",
    "Sign in to see your games.": "Melde dich an, um deine Partien zu sehen.",
    # ---- the story, past positions, the audit ----
    "look at this position": "diese Stellung ansehen",
    "taken back": "zurückgenommen",
    "by a bot": "von einem Bot",
    "by the clock": "von der Uhr",
    "A number leads to the position after that ply.": "Eine Zahl führt zur Stellung nach diesem Zug.",
    "More of the story": "Mehr von der Geschichte",
    "Steps of the game": "Schritte der Partie",
    "First": "Anfang",
    "Back": "Zurück",
    "Forward": "Weiter",
    "Now": "Jetzt",
    "What led here": "Was hierher führte",
    "What only you saw": "Was nur du sahst",
    "The game waited for {names}.": "Die Partie wartete auf {names}.",
    "Nothing lies on the table yet.": "Es liegt noch nichts auf dem Tisch.",
    "Check the game": "Die Partie prüfen",
    "Each ply is sealed together with the fingerprint before it. The one above stands for the whole game so far. It"
    " was in every turn mail: compare those mails with the list below, and you know that nothing you were shown was"
    " changed.":
        "Jeder Zug wird zusammen mit dem Fingerabdruck vor ihm gesiegelt. Der obige steht für die ganze bisherige "
        "Partie. Er stand in jeder Mail: Vergleiche die Mails mit der Liste unten, und du weißt, dass nichts "
        "geändert wurde, was dir gezeigt worden ist.",
    "Chance": "Zufall",
    "Before the first move the table committed itself to a secret by publishing this hash of it. All draws follow "
    "from the secret and from what the seats brought after that.":
        "Vor dem ersten Zug hat sich der Tisch auf ein Geheimnis festgelegt und diesen Hash davon veröffentlicht. "
        "Alle Ziehungen folgen aus dem Geheimnis und aus dem, was die Plätze danach mitgebracht haben.",
    "The game has ended, and this is the secret:": "Die Partie ist zu Ende, und das ist das Geheimnis:",
    "The secret itself is published when the game ends. Then everybody can make every draw again.":
        "Das Geheimnis selbst wird am Ende der Partie veröffentlicht. Dann kann jeder alle Ziehungen nachmachen.",
    "Prove it yourself": "Prüf es selbst",
    "Download the game as a file": "Partie als Datei herunterladen",
    "You need not trust them: the file holds the game as you may see it, the board move by move, and its own proof, "
    "and works without this site.":
        "Du musst dem nicht trauen: Die Datei enthält die Partie, wie du sie sehen darfst, den Plan Zug für Zug und "
        "ihren eigenen Beweis, und sie braucht diese Seite nicht.",
    "Whoever runs this site checks the chain, every decision and, after the end, every draw with one command:":
        "Wer diese Seite betreibt, prüft Kette, Entscheidungen und nach dem Ende alle Ziehungen mit einem Befehl:",
    "Check it here": "Gleich hier prüfen",
    "Something is wrong:": "Etwas stimmt nicht:",
    "Ply {ply} is not what it should be.": "Zug {ply} ist nicht, was er sein sollte.",
    "{links} plies hang together.": "{links} Züge hängen zusammen.",
    "The fingerprint {given} is that of ply {ply}.": "Der Fingerabdruck {given} ist der von Zug {ply}.",
    "Fingerprints from your mails": "Fingerabdrücke aus deinen Mails",
    "You may leave it empty.": "Du darfst das Feld leer lassen.",
    "Check the game now": "Partie jetzt prüfen",
    "All fingerprints": "Alle Fingerabdrücke",
    "Ply": "Zug",
    "hidden": "verdeckt",
    "the table": "der Tisch",
    # ---- other channels ----
    "Other channels": "Andere Kanäle",
    "Your turns in a calendar, your games in a feed reader, calls to programs and chats of yours.":
        "Deine Züge im Kalender, deine Partien im Feedreader, Anrufe bei Programmen und Chats von dir.",
    "Calendar, feeds and webhooks": "Kalender, Feeds und Webhooks",
    "Your secret address": "Deine geheime Adresse",
    "Copy it now into your program: it is shown this once. Whoever has it sees what it shows, so pass it on to nobody.":
        "Kopier sie jetzt in dein Programm: Sie wird nur dieses eine Mal gezeigt. Wer sie hat, sieht, was sie zeigt; "
        "gib sie also niemandem weiter.",
    "The secret of your webhook": "Das Geheimnis deines Webhooks",
    "Copy it now: it is shown this once. With it your program knows that a call comes from here. A chat does not need"
    " it.":
        "Kopier es jetzt: Es wird nur dieses eine Mal gezeigt. Mit ihm weiß dein Programm, dass ein Anruf von hier "
        "kommt. Ein Chat braucht es nicht.",
    "Your turns in a calendar": "Deine Züge im Kalender",
    "Games with a deadline that wait for you stand in your calendar as the half hour before it. When a deadline moves "
    "they move; when you have moved they go. Games without a deadline are not shown.":
        "Partien mit Frist, die auf dich warten, stehen in deinem Kalender als die halbe Stunde vor Ablauf. Ändert sich"
        " die Frist, wandern sie mit; hast du gezogen, sind sie weg. Partien ohne Frist erscheinen nicht.",
    "Make a calendar address": "Kalenderadresse anlegen",
    "Your games in a feed reader": "Deine Partien im Feedreader",
    "What happens in your games, as far as you may see it: an Atom feed. Games that anybody may watch have one of their"
    " own, which needs no secret; feed readers find it on the game's page.":
        "Was in deinen Partien geschieht, soweit du es sehen darfst: ein Atom-Feed. Partien, bei denen alle zusehen "
        "dürfen, haben einen eigenen, der kein Geheimnis braucht; Feedreader finden ihn auf der Seite der Partie.",
    "Make a feed address": "Feedadresse anlegen",
    "Your address is in use since {time}.": "Deine Adresse gilt seit {time}.",
    "It was last asked {time}.": "Zuletzt wurde sie {time} abgefragt.",
    "Nobody has asked it yet.": "Abgefragt hat sie noch niemand.",
    "Make a new address; the old one ends": "Neue Adresse anlegen; die alte erlischt",
    "End the address": "Adresse beenden",
    "The address no longer works.": "Die Adresse gilt nicht mehr.",
    "Webhooks": "Webhooks",
    "An address of yours is called when there would be a mail for you: a program, or the incoming webhook of a chat. "
    "The call says what has happened in which game, and nothing that is hidden there.":
        "Eine Adresse von dir wird angerufen, wenn es für dich eine Mail gäbe: ein Programm oder der eingehende Webhook"
        " eines Chats. Der Anruf sagt, was in welcher Partie geschehen ist, und nichts, was dort verborgen ist.",
    "on": "an",
    "off": "aus",
    "Switched off because it failed again and again: {cause}.":
        "Abgeschaltet, weil er immer wieder scheiterte: {cause}.",
    "Last accepted {time}.": "Zuletzt angenommen {time}.",
    "Nothing was accepted yet.": "Angenommen wurde noch nichts.",
    "Last failed {time}: {cause}.": "Zuletzt gescheitert {time}: {cause}.",
    "Try it": "Ausprobieren",
    "Switch off": "Abschalten",
    "Switch on": "Einschalten",
    "Remove": "Entfernen",
    "What it is told ({count} of {all})": "Was er erfährt ({count} von {all})",
    "Tell it of": "Er erfährt",
    "Add a webhook": "Webhook hinzufügen",
    "Address": "Adresse",
    "A public one, beginning with https://.": "Eine öffentliche, die mit https:// beginnt.",
    "Add the webhook": "Webhook hinzufügen",
    "Please choose what to tell it.": "Bitte wähle, was er erfahren soll.",
    "You have too many webhooks. Remove one first.": "Du hast zu viele Webhooks. Entferne zuerst einen.",
    "The webhook is removed.": "Der Webhook ist entfernt.",
    "Is a call genuine?": "Ist ein Anruf echt?",
    "Each call is signed with the webhook's secret. In Python:":
        "Jeder Anruf ist mit dem Geheimnis des Webhooks signiert. In Python:",
    "Answer within ten seconds with a status from 200 to 299. Otherwise the call is made again, later and later, for "
    "two days, under the same Slow-Train-Delivery. A webhook that keeps failing is switched off.":
        "Antworte binnen zehn Sekunden mit einem Status von 200 bis 299. Sonst wird der Anruf in wachsenden Abständen "
        "zwei Tage lang wiederholt, unter derselben Slow-Train-Delivery. Ein Webhook, der immer wieder scheitert, wird "
        "abgeschaltet.",
    "The trial call is on its way.": "Der Probeanruf ist unterwegs.",
    "The trial call was accepted.": "Der Probeanruf wurde angenommen.",
    "The trial call failed: {cause}.": "Der Probeanruf ist gescheitert: {cause}.",
    "the receiver answered {detail}": "der Empfänger antwortete {detail}",
    "there is no such host in the public internet": "diesen Host gibt es im öffentlichen Internet nicht",
    "nobody answers at the address": "unter der Adresse antwortet niemand",
    "the receiver was too slow": "der Empfänger war zu langsam",
    "its certificate is not good: {detail}": "sein Zertifikat taugt nicht: {detail}",
    "no secure connection came about": "es kam keine sichere Verbindung zustande",
    "the connection broke off": "die Verbindung brach ab",
    "the address may not be called": "die Adresse darf nicht angerufen werden",
    "its secret is lost: make a new webhook": "sein Geheimnis ist verloren: leg einen neuen Webhook an",
    "a mistake of ours, which was noted": "ein Fehler von uns, der vermerkt ist",
    "The address must begin with https://.": "Die Adresse muss mit https:// beginnen.",
    "This is not the address of a program.": "Das ist keine Adresse eines Programms.",
    "The address must hold neither name nor password.": "Die Adresse darf weder Namen noch Passwort enthalten.",
    "Only the ports 443 and 8443 can be called.": "Nur die Ports 443 und 8443 können angerufen werden.",
    "The address is too long.": "Die Adresse ist zu lang.",
    # ---- things to read ----
    "Every rule has a number. When the table refuses a move it names the rule, and here you can read it.":
        "Jede Regel hat eine Nummer. Weist der Tisch einen Zug zurück, nennt er die Regel, und hier kannst du sie "
        "lesen.",
    "House rules, the same in every game": "Hausregeln, in jedem Spiel gleich",
    "House rules": "Hausregeln",
    "{title}: the rules": "{title}: die Regeln",
    "The numbered rules are kept in English, so that there is one wording that counts.":
        "Die nummerierten Regeln stehen auf Englisch, damit ein einziger Wortlaut gilt.",
    "Contents": "Inhalt",
    "The titles of the games, their maps, their rules texts and the names of their cards belong to their authors "
    "and publishers. Slow Train has no connection with them and earns nothing by them. If you like a game, buy it: "
    "it is far nicer on a real table.":
        "Die Titel der Spiele, ihre Karten, Regeltexte und die Namen ihrer Spielkarten gehören ihren Autoren und "
        "Verlagen. Slow Train hat mit ihnen nichts zu tun und verdient nichts an ihnen. Gefällt dir ein Spiel, kauf"
        " es: Auf einem richtigen Tisch ist es viel schöner.",
    "What is ours": "Was uns gehört",
    "The program is free software under the MIT licence. The maps are drawn from public domain geography. The "
    "typefaces are Alegreya and Alegreya Sans by Juan Pablo del Peral, under the SIL Open Font License.":
        "Das Programm ist freie Software unter der MIT-Lizenz. Die Landkarten sind nach gemeinfreien Geodaten "
        "gezeichnet. Die Schriften sind Alegreya und Alegreya Sans von Juan Pablo del Peral unter der SIL Open Font"
        " License.",
    # ---- the local mailbox ----
    "In this small installation all mail to anybody ends here instead of going out into the world.":
        "In dieser kleinen Installation endet alle Post hier, statt in die Welt hinauszugehen.",
    "Letters": "Briefe",
    "Older letters": "Ältere Briefe",
    "All letters": "Alle Briefe",
    "Subject": "Betreff",
    "To": "An",
    "Arrived": "Angekommen",
    "(no subject)": "(ohne Betreff)",
    "(no plain text)": "(kein einfacher Text)",
    "The mailbox is empty.": "Der Briefkasten ist leer.",
    "The mailbox is empty. A mail takes a second or two; this page looks again by itself.":
        "Noch ist nichts da. Eine Mail braucht ein, zwei Sekunden; diese Seite sieht von selbst wieder nach.",
    "From {sender} to {recipient}": "Von {sender} an {recipient}",
    "Links in this letter": "Links in diesem Brief",
    "Go to the table": "Zum Tisch",
    "Confirm the address": "Adresse bestätigen",
    "Stop such mail": "Solche Post abbestellen",
    "See the table you are invited to": "Den Tisch ansehen, an den du eingeladen bist",
    "As it looks": "Wie er aussieht",
    "The letter as it looks": "Der Brief, wie er aussieht",
    "As plain text": "Als einfacher Text",
    "Headers": "Kopfzeilen",
    "Source of the letter": "Quelltext des Briefs",
    # ---- failures ----
    "To the games": "Zu den Partien",
    "That cannot be read": "Das ist nicht lesbar",
    "Something about the request is broken. Go back and try again.":
        "Etwas an der Anfrage ist kaputt. Geh zurück und versuch es noch einmal.",
    "That is not allowed": "Das geht nicht",
    "The page was open too long, or this is not yours to do. Load the page again and retry.":
        "Die Seite war zu lange offen, oder das ist nicht deine Sache. Lade die Seite neu und versuch es noch "
        "einmal.",
    "There is nothing here": "Hier ist nichts",
    "It does not exist, or it is not yours to see. If you were invited, sign in first.":
        "Es gibt es nicht, oder es ist nicht für dich zu sehen. Wurdest du eingeladen, melde dich zuerst an.",
    "That is not a page": "Das ist keine Seite",
    "This address takes forms only.": "Diese Adresse nimmt nur Formulare.",
    "That is too much": "Das ist zu viel",
    "No form on this site needs so much.": "So viel braucht hier kein Formular.",
    "Too many at once": "Zu viel auf einmal",
    "Please wait a little and try again.": "Bitte warte ein wenig und versuch es noch einmal.",
    "This is our mistake": "Das ist unser Fehler",
    "It was noted. Load the page again to see what stands.":
        "Er ist vermerkt. Lade die Seite neu, um zu sehen, was jetzt gilt.",
    "The service cannot reach its database. Please try again soon; what you have just sent may have arrived all the "
    "same.":
        "Der Dienst erreicht seine Datenbank nicht. Bitte versuche es bald noch einmal; was du gerade gesendet hast, "
        "kann trotzdem angekommen sein.",
    "Just a moment": "Einen Augenblick",
    "The service is being updated, and this game goes on under newer rules than the answering process knows. Nothing "
    "was changed; please try again.":
        "Der Dienst wird gerade aktualisiert, und diese Partie geht nach neueren Regeln weiter, als der antwortende "
        "Prozess kennt. Nichts wurde geändert; bitte versuche es noch einmal.",
    "The service is busy. Nothing was changed; please try again.":
        "Der Dienst ist ausgelastet. Nichts hat sich geändert; bitte versuch es noch einmal.",
    # ---- time ----
    "How fast": "Tempo",
    "no clock": "ohne Uhr",
    "No clock: everybody moves when they find the time": "Ohne Uhr: Alle ziehen, wenn sie Zeit finden",
    "Change the pace": "Tempo ändern",
    "Play at this pace": "In diesem Tempo spielen",
    "A pace of our own, as set below": "Ein eigenes Tempo, wie unten eingestellt",
    "Set your own pace": "Eigenes Tempo einstellen",
    "Time for a turn": "Zeit für einen Zug",
    "In hand at the start": "Vorrat zu Beginn",
    "More in hand with each turn": "Mehr Vorrat mit jedem Zug",
    "In hand at most": "Vorrat höchstens",
    "First reminder, before the deadline": "Erste Erinnerung, vor der Frist",
    "Second reminder, before the deadline": "Zweite Erinnerung, vor der Frist",
    "0 for none": "0 für keine",
    "unit": "Einheit",
    "minutes": "Minuten",
    "hours": "Stunden",
    "days": "Tage",
    "Deadlines at this local time": "Fristen zu dieser Ortszeit",
    "Empty: whenever the time is over": "Leer: sobald die Zeit um ist",
    "When the time is over": "Wenn die Zeit um ist",
    "only a mail; the game waits": "nur eine Mail; die Partie wartet",
    "the clock plays the safe answer": "die Uhr spielt die sichere Antwort",
    "a bot plays on until the player returns": "ein Bot spielt weiter, bis der Spieler zurückkommt",
    "the seat opens to a substitute": "der Platz steht einer Vertretung offen",
    "the seat leaves the game": "der Platz scheidet aus",
    "The first miss of a seat is excused": "Das erste Versäumnis eines Platzes ist entschuldigt",
    "Each move of a turn begins its time anew": "Jede Handlung eines Zuges beginnt dessen Zeit neu",
    "Only each player's waking hours count": "Nur die Wachzeit des jeweiligen Spielers zählt",
    "The clock waits for vacations and holidays": "Die Uhr wartet bei Urlaub und an Feiertagen",
    "Days that do not count": "Tage, die nicht zählen",
    "This is no pace: please give whole numbers, and times of day like 20:00.":
        "Das ist kein Tempo: Bitte gib ganze Zahlen an und Uhrzeiten wie 20:00.",
    "Pace: {name}": "Tempo: {name}",
    "until {time}": "bis {time}",
    "You have until {time}.": "Du hast Zeit bis {time}.",
    "{time} left": "noch {time}",
    "in hand: {time}": "Vorrat: {time}",
    "the time is over": "die Zeit ist um",
    "a bot plays": "ein Bot spielt",
    "Somebody else may play your seat": "Deinen Platz darf jemand anders spielen",
    "Your time ran out. Until you take your seat back, you cannot move.":
        "Deine Zeit ist abgelaufen. Bis du deinen Platz zurücknimmst, kannst du nicht ziehen.",
    "The game waits for you": "Die Partie wartet auf dich",
    "Your time ran out. As soon as you take your seat back, the game goes on.":
        "Deine Zeit ist abgelaufen. Sobald du deinen Platz zurücknimmst, geht die Partie weiter.",
    "Take my seat back": "Meinen Platz zurücknehmen",
    "Are you there again?": "Bist du wieder da?",
    "Your time ran out. You are away until you move, or say that you are there.":
        "Deine Zeit ist abgelaufen. Du giltst als abwesend, bis du ziehst oder sagst, dass du da bist.",
    "I am there": "Ich bin da",
    "You are there again.": "Du bist wieder da.",
    "The game is paused: nobody is there any more. It goes on when one of its players is back: {names}.":
        "Die Partie pausiert: Es ist niemand mehr da. Sie geht weiter, wenn jemand zurückkommt: {names}.",
    "the bot waits until {time}": "der Bot wartet bis {time}",
    "paused": "pausiert",
    "You have your seat back.": "Du hast deinen Platz wieder.",
    "The seat of {name} is open to a substitute": "Der Platz von {name} steht einer Vertretung offen",
    "Who takes it plays on where {name} left off, with a fresh clock. {name} can come back until then.":
        "Wer ihn nimmt, spielt dort weiter, wo {name} aufgehört hat, mit frischer Uhr. Bis dahin kann {name} "
        "zurückkommen.",
    "Play this seat": "Diesen Platz spielen",
    "Leave it to a bot": "Einem Bot überlassen",
    "Substitutes wanted": "Vertretung gesucht",
    "When you are there": "Wann du da bist",
    "Waking hours, vacation and holidays: what the clocks of your games reckon with.":
        "Wachzeit, Urlaub und Feiertage: womit die Uhren deiner Partien rechnen.",
    "Waking hours and days off": "Wachzeit und freie Tage",
    "Clocks of games reckon with this, as far as their tables have agreed to.":
        "Damit rechnen die Uhren der Partien, soweit ihre Tische es vereinbart haben.",
    "All times are in your own zone, {zone}.": "Alle Zeiten gelten in deiner eigenen Zone, {zone}.",
    "Waking hours": "Wachzeit",
    "You wake at": "Du wachst auf um",
    "You sleep from": "Du schläfst ab",
    "Deadlines that run already stay as they are. The same time twice: you are always awake.":
        "Fristen, die schon laufen, bleiben, wie sie sind. Zweimal dieselbe Zeit: Du bist immer wach.",
    "Please give times of day like 08:00.": "Bitte gib Uhrzeiten wie 08:00 an.",
    "Waking hours last six hours at least: the others wait for them.":
        "Die Wachzeit dauert mindestens sechs Stunden: Die anderen warten auf sie.",
    "Days off": "Freie Tage",
    "Vacation": "Urlaub",
    "Holiday": "Feiertag",
    "now": "jetzt",
    "I am back": "Ich bin zurück",
    "Call off": "Absagen",
    "You have planned none.": "Du hast keine geplant.",
    "Left in {year}:": "Übrig in {year}:",
    "First day": "Erster Tag",
    "Last day": "Letzter Tag",
    "What it is": "Was es ist",
    "Clocks that run wait at once, in games whose pace lets days off count.":
        "Laufende Uhren warten sofort, in Partien, deren Tempo freie Tage gelten lässt.",
    "Take these days off": "Diese Tage freinehmen",
    "Please give the first and the last day.": "Bitte gib den ersten und den letzten Tag an.",
    "The last day comes before the first.": "Der letzte Tag liegt vor dem ersten.",
    "Only days from today on can be taken.": "Nur Tage ab heute können freigenommen werden.",
    "That is too far ahead: two years at most.": "Das ist zu weit voraus: höchstens zwei Jahre.",
    "Some of these days are off already.": "Einige dieser Tage sind schon frei.",
    "So many days are not left: of {year} there are {left}.":
        "So viele Tage sind nicht übrig: Von {year} sind es {left}.",
    "Your days off are noted, and clocks that run wait for you.":
        "Deine freien Tage sind notiert, und laufende Uhren warten auf dich.",
    "These days count again.": "Diese Tage zählen wieder.",
}  # fmt: skip
