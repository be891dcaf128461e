"""The German of the pages of sandboxes."""

GERMAN: dict[str, str] = {
    # ---- on the pages of a game ----
    "Try it out": "Ausprobieren",
    "Try it out from here": "Von hier aus ausprobieren",
    "Sign in to try it out from here": "Anmelden, um von hier aus auszuprobieren",
    "Play this position on by yourself, all seats by hand or with bots. What you do not know is filled in at random, "
    "and the game hears nothing of it.":
        "Spiel diese Stellung für dich allein weiter, alle Plätze von Hand oder mit Bots. Was du nicht weißt, wird "
        "zufällig ergänzt, und die Partie erfährt nichts davon.",
    "Play this position on by yourself, all seats by hand or with bots. It begins as it was; what is drawn from here "
    "on is drawn anew.":
        "Spiel diese Stellung für dich allein weiter, alle Plätze von Hand oder mit Bots. Sie beginnt, wie sie war; "
        "was von hier an gezogen wird, wird neu gezogen.",
    "Your sandboxes of this game ({count})": "Deine Probepartien zu dieser Partie ({count})",
    # ---- lists ----
    "Your sandboxes": "Deine Probepartien",
    "All sandboxes ({count})": "Alle Probepartien ({count})",
    "from ply {version}": "ab Zug {version}",
    "plies tried: {count}": "probierte Züge: {count}",
    "Positions of games that you play on by yourself. Nobody else sees them, and no game hears of them.":
        "Stellungen aus Partien, die du für dich allein weiterspielst. Niemand sonst sieht sie, und keine Partie "
        "erfährt davon.",
    "You have none yet. At the table of a game that has begun, and at each of its past positions, there is a button "
    "to try it out from there.":
        "Du hast noch keine. Am Tisch einer Partie, die begonnen hat, und bei jeder ihrer früheren Stellungen gibt es "
        "einen Knopf, um von dort aus auszuprobieren.",
    "You can keep {most} of them.": "Du kannst {most} davon aufheben.",
    "The sandbox is deleted.": "Die Probepartie ist gelöscht.",
    # ---- the sandbox ----
    "Sandbox": "Probepartie",
    "after ply {version} of the game": "nach Zug {version} der Partie",
    "This is no game but a trial of yours. It begins from what spectators saw {after}; what they did not know was "
    "filled in at random.":
        "Das ist keine Partie, sondern ein Versuch von dir. Er beginnt mit dem, was man beim Zuschauen {after} sah; "
        "was man nicht wusste, wurde zufällig ergänzt.",
    "This is no game but a trial of yours. It begins from what you saw {after}; what you did not know was filled in "
    "at random.":
        "Das ist keine Partie, sondern ein Versuch von dir. Er beginnt mit dem, was du {after} sahst; was du nicht "
        "wusstest, wurde zufällig ergänzt.",
    "This is no game but a trial of yours. It begins from the position {after} as it was; what is drawn from there on "
    "is drawn anew.":
        "Das ist keine Partie, sondern ein Versuch von dir. Er beginnt mit der Stellung {after}, wie sie war; was von "
        "dort an gezogen wird, wird neu gezogen.",
    "Nobody else sees it.": "Niemand sonst sieht ihn.",
    "The rules have a newer version since; from here on that one counts.":
        "Die Regeln haben seither eine neuere Fassung; von hier an gilt diese.",
    "To move: {names}.": "Am Zug: {names}.",
    "Steps of the sandbox": "Schritte der Probepartie",
    "Go to ply": "Zu Zug",
    "Go": "Gehen",
    "What {name} sees": "Was {name} sieht",
    "Move for {name}": "Zug für {name}",
    "seen now": "jetzt gesehen",
    "look as": "sehen als",
    "Who plays": "Wer spielt",
    "by hand": "von Hand",
    "bot: {name}": "Bot: {name}",
    "After each move by hand the bots answer, until a seat is to move that is played by hand.":
        "Nach jedem Zug von Hand antworten die Bots, bis ein Platz am Zug ist, der von Hand gespielt wird.",
    "Let the bots play on": "Bots weiterspielen lassen",
    "Apply": "Übernehmen",
    "To the end, all seats by": "Bis zum Ende, alle Plätze durch",
    "Play on": "Weiterspielen",
    "The bots have played for a good while and pause. Let them play on to go further.":
        "Die Bots haben eine gute Weile gespielt und machen Pause. Lass sie weiterspielen, wenn es weitergehen soll.",
    "What was tried": "Was probiert wurde",
    "stand here": "hierher gehen",
    "A number leads there. What lies ahead stays until you make another move; the same moves meet the same cards and "
    "dice.":
        "Eine Nummer führt dorthin. Was vor dir liegt, bleibt, bis du einen anderen Zug machst; dieselben Züge treffen "
        "dieselben Karten und Würfel.",
    "Nothing yet. Make a move for whoever is to move, or let bots play.":
        "Noch nichts. Zieh für den Platz, der am Zug ist, oder lass Bots spielen.",
    "Your note": "Deine Notiz",
    "Name of the sandbox": "Name der Probepartie",
    "What you want to remember": "Was du dir merken willst",
    "It cannot be brought back. The game is not touched.":
        "Sie lässt sich nicht zurückholen. Die Partie bleibt unberührt.",
    "Delete this sandbox": "Diese Probepartie löschen",
    "Yes, delete it": "Ja, löschen",
    "The position in the game": "Die Stellung in der Partie",
    # ---- what can go wrong ----
    "The sandbox has changed since you loaded this page, so nothing was done.":
        "Die Probepartie hat sich geändert, seit du diese Seite geladen hast; es wurde nichts getan.",
    "Please give the sandbox a name of 1 to {length} characters.":
        "Bitte gib der Probepartie einen Namen mit 1 bis {length} Zeichen.",
    "Please write a note of at most {length} characters.":
        "Bitte schreib eine Notiz mit höchstens {length} Zeichen.",
    "This sandbox can no longer be read: it was kept by an earlier version of this program, to which the game looked "
    "otherwise.":
        "Diese Probepartie ist nicht mehr lesbar: Eine frühere Fassung dieses Programms hat sie angelegt, für die das "
        "Spiel anders aussah.",
    "Begin another one from the same position": "Von derselben Stellung aus eine neue beginnen",
}  # fmt: skip
