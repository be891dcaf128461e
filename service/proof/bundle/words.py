"""What the page of a bundle says, in German. (The verifier's own sentences stand in ``verifier.js``.)"""

GERMAN = {
    "Game {game}": "Partie {game}",
    "{count} seats": "{count} Plätze",
    "{count} plies": "{count} Züge",
    "everything, now that it has ended": "alles, denn sie ist zu Ende",
    "as a spectator sees it while it runs": "wie Zuschauer sie sehen, solange sie läuft",
    "as seat {seat} sees it while it runs": "wie Platz {seat} sie sieht, solange sie läuft",
    "Proof": "Beweis",
    "This page proves itself with a script. Allow it to run, or prove the file with the command: slowtrain verify FILE":
        "Diese Seite beweist sich selbst mit einem Skript. Lass es laufen oder prüfe die Datei mit dem Befehl: "
        "slowtrain verify DATEI",
    "Fingerprints from your mails": "Fingerabdrücke aus deinen Mails",
    "Paste whole mails, or lines such as “move 17, fingerprint 0123456789ab”. If they belong to this game, what you "
    "were shown then is what stands here.":
        "Füge ganze Mails ein oder Zeilen wie „Zug 17, Fingerabdruck 0123456789ab“. Gehören sie zu dieser Partie, dann "
        "steht hier, was dir damals gezeigt wurde.",
    "Compare": "Vergleichen",
    "What this proves, and what it cannot": "Was das beweist und was nicht",
    "It proves": "Bewiesen wird",
    "Nothing was changed after it was written: each ply is sealed together with the one before it, and the last "
    "fingerprint stands for them all.":
        "Nichts wurde nachträglich geändert: Jeder Zug ist mit dem davor zusammen versiegelt, und der letzte "
        "Fingerabdruck steht für alle.",
    "What was hidden during the game is what was committed to then: hands, sealed answers, secret draws.":
        "Was während der Partie verborgen war, ist das, was damals festgelegt wurde: Handkarten, versiegelte "
        "Antworten, geheime Ziehungen.",
    "Your words of luck": "Deine Glücksworte",
    "Paste salt and words, one behind the other, as the site shows them to you where the game is checked. Nothing "
    "leaves this page.":
        "Füge Salz und Worte hintereinander ein, wie die Website sie dir dort zeigt, wo die Partie geprüft wird. "
        "Nichts verlässt diese Seite.",
    "Look for them": "Suchen",
    "All draws follow from the secret whose hash stands in the first ply, and from what the seats brought to it: words "
    "of luck, of which their players can check that they went in, and what follows from the secret.":
        "Alle Ziehungen folgen aus dem Geheimnis, dessen Hash im ersten Zug steht, und aus dem, was die Plätze "
        "dazugetan haben: Glücksworte, von denen ihre Spieler prüfen können, dass sie eingegangen sind, und was aus "
        "dem Geheimnis folgt.",
    "That nobody chose the draws, where no player brought words of luck: who knew the secret could try secrets before "
    "its hash was published. And where players did, an operator who also plays and sits down last could still try "
    "words until it likes the draws.":
        "Dass niemand die Ziehungen ausgesucht hat, wo kein Spieler Glücksworte mitgebracht hat: Wer das Geheimnis "
        "kannte, konnte Geheimnisse probieren, bevor dessen Hash veröffentlicht war. Und wo Spieler welche mitgebracht "
        "haben, könnte ein Betreiber, der mitspielt und sich als Letzter setzt, noch Worte probieren, bis ihm die "
        "Ziehungen gefallen.",
    "Whatever is hidden now is committed to: it cannot become something else.":
        "Was jetzt verborgen ist, ist festgelegt: Es kann nichts anderes mehr werden.",
    "What you alone were shown is what was committed to, and what the others hold is committed to, too: it cannot "
    "become something else.":
        "Was nur dir gezeigt wurde, ist das, was festgelegt wurde; und was die anderen haben, ist ebenfalls "
        "festgelegt: Es kann nichts anderes mehr werden.",
    "It cannot prove": "Nicht bewiesen wird",
    "That this is the game you were shown. Only fingerprints that you have from elsewhere can tell: those in your "
    "mails.":
        "Dass dies die Partie ist, die dir gezeigt wurde. Das verraten nur Fingerabdrücke, die du anderswoher hast: "
        "die in deinen Mails.",
    "That each move was allowed and had the right effect. That takes the rules, and so the program: slowtrain verify "
    "FILE decides every command again.":
        "Dass jeder Zug erlaubt war und die richtige Wirkung hatte. Dazu braucht es die Regeln und also das Programm: "
        "slowtrain verify DATEI entscheidet jeden Befehl noch einmal.",
    "That draws were fair and that the others moved by the rules. The secret is published when the game ends; then the "
    "same can be proved of everything.":
        "Dass die Ziehungen ehrlich waren und die anderen nach den Regeln zogen. Das Geheimnis wird am Ende der Partie "
        "veröffentlicht; dann lässt sich dasselbe für alles beweisen.",
    "That the board and the sentences on this page say the same as the log. A page cannot vouch for its own script. "
    "The release named in its last line can make it again once the game has ended: slowtrain verify FILE compares "
    "every byte. The log itself stands below, ply by ply.":
        "Dass Plan und Sätze dieser Seite dasselbe sagen wie das Protokoll. Für ihr eigenes Skript kann eine Seite "
        "nicht bürgen. Die Version, die in ihrer letzten Zeile steht, kann sie neu machen, sobald die Partie zu Ende "
        "ist: slowtrain verify DATEI vergleicht jedes Byte. Das Protokoll selbst steht unten, Zug für Zug.",
    "Chain": "Kette",
    "Whether each ply follows from the one before it and from all it holds, so that nothing in the log was changed.":
        "Ob jeder Zug aus dem davor und aus allem folgt, was er enthält, sodass nichts im Protokoll geändert wurde.",
    "Draws": "Ziehungen",
    "Whether every draw follows from the secret and from what the seats added to it, once the game has ended.":
        "Ob jede Ziehung aus dem Geheimnis folgt und aus dem, was die Plätze dazugetan haben, sobald die Partie zu "
        "Ende ist.",
    "Shown": "Gezeigtes",
    "Whether status and result on this page are those in the log. For its other sentences and its boards a page cannot "
    "vouch, nor for its own script: slowtrain verify FILE makes the whole page again and compares it.":
        "Ob Stand und Ergebnis auf dieser Seite die im Protokoll sind. Für ihre übrigen Sätze und Pläne kann eine "
        "Seite nicht bürgen, auch nicht für ihr eigenes Skript: slowtrain verify DATEI macht die ganze Seite neu und "
        "vergleicht sie.",
    "Rules": "Regeln",
    "Whether every move was allowed. A page knows no rules: slowtrain verify FILE alone proves that.":
        "Ob jeder Zug erlaubt war. Eine Seite kennt keine Regeln: Das beweist allein slowtrain verify DATEI.",
    "Result": "Ergebnis",
    "Seat": "Platz",
    "Total": "Gesamt",
    "Won": "Gewonnen",
    "The game has not begun.": "Die Partie hat noch nicht begonnen.",
    "The game is running.": "Die Partie läuft.",
    "The game is over.": "Die Partie ist zu Ende.",
    "The table was closed, without a result.": "Der Tisch wurde ohne Ergebnis geschlossen.",
    "The board": "Der Plan",
    "Steps of the game": "Schritte der Partie",
    "To the first ply": "Zum ersten Zug",
    "One ply back": "Einen Zug zurück",
    "Ply": "Zug",
    "One ply on": "Einen Zug weiter",
    "To the last ply": "Zum letzten Zug",
    "Nothing lies on the table yet.": "Noch liegt nichts auf dem Tisch.",
    "Larger board": "Plan größer",
    "This ply in the log": "Dieser Zug im Protokoll",
    "What happened": "Was geschah",
    "hidden from this reader": "für diesen Leser verborgen",
    "nothing to tell": "nichts zu erzählen",
    "taken back": "zurückgenommen",
    "Times are UTC. Seats are numbers here: who sat there is in no file.":
        "Zeiten sind UTC. Plätze sind hier Nummern: Wer dort saß, steht in keiner Datei.",
}  # fmt: skip
