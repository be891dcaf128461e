"""Every way in which a request can fail, as problem details (RFC 9457): one table, one exception, one answer.

A problem's ``type`` is the place on the page of the API that explains it. Words are in English and German.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from domain.refusal import Refused

DOCS = "/api/v1/docs"
PROBLEM_JSON = "application/problem+json"

Words = tuple[str, str]
"""English, German."""


class ProblemKind(NamedTuple):
    """A kind of problem: its HTTP status, its title and what can be said of every case of it."""

    status: int
    title: Words
    detail: Words


KINDS: Mapping[str, ProblemKind] = {
    # what was sent
    "malformed": ProblemKind(
        400,
        ("The request cannot be read", "Die Anfrage ist nicht lesbar"),
        ("The body is not JSON in UTF-8, or something else about the request is broken.",
         "Der Inhalt ist kein JSON in UTF-8, oder sonst etwas an der Anfrage ist kaputt."),
    ),
    "shape": ProblemKind(
        422,
        ("The request has the wrong shape", "Die Anfrage hat die falsche Form"),
        ("`errors` names each field that is missing, unknown, of the wrong type or out of bounds.",
         "`errors` nennt jedes Feld, das fehlt, unbekannt ist, den falschen Typ hat oder außerhalb der Grenzen liegt."),
    ),
    "too_large": ProblemKind(
        413,
        ("The request is too large", "Die Anfrage ist zu groß"),
        ("No request of this API needs so much.", "Keine Anfrage dieser Schnittstelle braucht so viel."),
    ),
    "content_type": ProblemKind(
        415,
        ("The content has the wrong type", "Der Inhalt hat den falschen Typ"),
        ("Send `Content-Type: application/json`.", "Zu senden ist `Content-Type: application/json`."),
    ),
    "method": ProblemKind(
        405,
        ("This cannot be done here", "Das geht hier nicht"),
        ("The header `Allow` lists the methods of this address.",
         "Der Kopf `Allow` nennt die Methoden dieser Adresse."),
    ),
    "not_found": ProblemKind(
        404,
        ("There is nothing here", "Hier ist nichts"),
        ("It does not exist, or it is not yours to see.", "Es gibt es nicht, oder es ist nicht für dich zu sehen."),
    ),
    "misdirected": ProblemKind(
        421,
        ("There is no site of this name here", "Eine Seite dieses Namens gibt es hier nicht"),
        ("The `Host` of the request is none of this site's; `detail` says where it is.",
         "Der `Host` der Anfrage ist keiner dieser Seite; `detail` sagt, wo sie ist."),
    ),
    # who asks
    "sign_in": ProblemKind(
        401,
        ("Nobody is signed in", "Niemand ist angemeldet"),
        ("Sign in, or send a personal token: `Authorization: Bearer stk_…`.",
         "Melde dich an oder sende einen persönlichen Schlüssel: `Authorization: Bearer stk_…`."),
    ),
    "token": ProblemKind(
        401,
        ("This token is not good", "Dieser Schlüssel gilt nicht"),
        ("It is unknown or was revoked, or the header is not `Authorization: Bearer stk_…`.",
         "Er ist unbekannt oder widerrufen, oder der Kopf ist nicht `Authorization: Bearer stk_…`."),
    ),
    "scope": ProblemKind(
        403,
        ("This token does not allow that", "Dieser Schlüssel erlaubt das nicht"),
        ("`scope` names what a token needs for it.", "`scope` nennt, was ein Schlüssel dafür braucht."),
    ),
    "fresh": ProblemKind(
        403,
        ("Sign in afresh for this", "Melde dich dafür neu an"),
        ("Who changes the address or makes a token must have signed in within the last hour: both open the account.",
         "Wer die Adresse ändert oder einen Schlüssel anlegt, muss sich in der letzten Stunde angemeldet haben: Beides "
         "öffnet das Konto."),
    ),
    "blocked": ProblemKind(
        403,
        ("You are shut out", "Du bist ausgesperrt"),
        ("An operator of this site has shut you out. Open the link in a browser to read why.",
         "Der Betreiber dieser Seite hat dich ausgesperrt. Öffne den Link in einem Browser, um zu lesen, warum."),
    ),
    "browser_only": ProblemKind(
        403,
        ("A token cannot do that", "Mit einem Schlüssel geht das nicht"),
        ("Accounts, sessions and tokens are changed by who is signed in with a browser.",
         "Konto, Sitzungen und Schlüssel ändert, wer mit einem Browser angemeldet ist."),
    ),
    "other_site": ProblemKind(
        403,
        ("The request came from another site", "Die Anfrage kam von einer anderen Seite"),
        ("A browser sent it with your cookie, but not from a page of this site.",
         "Ein Browser sandte sie mit deinem Cookie, aber nicht von einer Seite dieses Dienstes."),
    ),
    "not_host": ProblemKind(
        403,
        ("Only the host can do that", "Das kann nur, wer die Partie leitet"),
        ("The game was opened by somebody else.", "Jemand anderes hat die Partie eröffnet."),
    ),
    "no_seat": ProblemKind(
        403,
        ("You have no seat in this game", "Du hast in dieser Partie keinen Platz"),
        ("Only a seat can do that.", "Das kann nur ein Platz."),
    ),
    "link": ProblemKind(
        403,
        ("This link does not work any more", "Dieser Link gilt nicht mehr"),
        ("It was used, is older than ten minutes, or never was one. Ask for another.",
         "Er wurde benutzt, ist älter als zehn Minuten oder war nie einer. Fordere einen neuen an."),
    ),
    "code": ProblemKind(
        403,
        ("The six digits are needed", "Die sechs Ziffern fehlen"),
        ("The link was asked for in another browser. Send the digits shown there as `code`.",
         "Der Link wurde in einem anderen Browser angefordert. Sende die dort gezeigten Ziffern als `code`."),
    ),
    # the game
    "refused": ProblemKind(
        409,
        ("The rules do not allow that", "Die Regeln erlauben das nicht"),
        ("`rule` is the number of the rule and `sentence` what it says; nothing has changed.",
         "`rule` ist die Nummer der Regel und `sentence`, was sie sagt; nichts hat sich geändert."),
    ),
    "stale": ProblemKind(
        412,
        ("The game has gone on", "Die Partie ist weitergegangen"),
        ("`version` is the present version; look at the game again before you move.",
         "`version` ist die jetzige Version; sieh dir die Partie noch einmal an, bevor du ziehst."),
    ),
    "no_version": ProblemKind(
        428,
        ("For which position is this move?", "Für welche Stellung ist dieser Zug?"),
        ("Send the ETag of the game you have seen as `If-Match`; `If-Match: *` means whatever it is now.",
         "Sende den ETag der Partie, die du gesehen hast, als `If-Match`; `If-Match: *` heißt: wie sie auch steht."),
    ),
    "reused": ProblemKind(
        422,
        ("This key was used for something else", "Dieser Schlüssel stand schon für etwas anderes"),
        ("The same Idempotency-Key came with another content before.",
         "Derselbe Idempotency-Key kam schon mit einem anderen Inhalt."),
    ),
    "no_result": ProblemKind(
        404,
        ("There is no result yet", "Es gibt noch kein Ergebnis"),
        ("The game is not over.", "Die Partie ist nicht zu Ende."),
    ),
    "unreadable": ProblemKind(
        409,
        ("This sandbox can no longer be read", "Diese Probepartie ist nicht mehr lesbar"),
        ("It was kept by an earlier version of the program. Begin another one from its game, and delete this one.",
         "Eine frühere Fassung des Programms hat sie angelegt. Beginne eine neue aus ihrer Partie und lösche diese."),
    ),
    "too_many": ProblemKind(
        409,
        ("There are too many of these", "Davon gibt es zu viele"),
        ("Remove one first.", "Entferne zuerst etwas."),
    ),
    # the service
    "slower": ProblemKind(
        429,
        ("Too many requests", "Zu viele Anfragen"),
        ("The header `Retry-After` says for how many seconds to wait.",
         "Der Kopf `Retry-After` sagt, wie viele Sekunden zu warten ist."),
    ),
    "busy": ProblemKind(
        503,
        ("The service is busy", "Der Dienst ist ausgelastet"),
        ("Nothing was changed; send the same request again.",
         "Nichts wurde geändert; sende dieselbe Anfrage noch einmal."),
    ),
    "outdated": ProblemKind(
        503,
        ("The service is being updated", "Der Dienst wird gerade aktualisiert"),
        ("This game goes on under newer rules than the answering process knows. Nothing was changed; send the same "
         "request again after `Retry-After` seconds.",
         "Diese Partie geht nach neueren Regeln weiter, als der antwortende Prozess kennt. Nichts wurde geändert; "
         "sende dieselbe Anfrage nach `Retry-After` Sekunden noch einmal."),
    ),
    "away": ProblemKind(
        503,
        ("The service cannot reach its database", "Der Dienst erreicht seine Datenbank nicht"),
        ("Try again after `Retry-After` seconds. What was sent may have arrived all the same: the same request with "
         "the same `Idempotency-Key` is done once.",
         "Versuche es nach `Retry-After` Sekunden noch einmal. Was gesendet wurde, kann trotzdem angekommen sein: "
         "Dieselbe Anfrage mit demselben `Idempotency-Key` geschieht nur einmal."),
    ),
    "broken": ProblemKind(
        500,
        ("This is our mistake", "Das ist unser Fehler"),
        ("It was noted. Look at what stands before you send it again.",
         "Er ist vermerkt. Sieh nach, was jetzt gilt, bevor du es noch einmal sendest."),
    ),
    "other": ProblemKind(
        400,
        ("That did not work", "Das ging nicht"),
        ("See the status.", "Siehe den Status."),
    ),
}  # fmt: skip


class Problem(Exception):
    """A request that fails. ``more``: what else the answer says; ``headers``: what else it carries."""

    def __init__(
        self,
        kind: str,
        /,
        *,
        status: int | None = None,
        detail: Words | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.status = status or KINDS[kind].status
        self.words = detail or KINDS[kind].detail
        self.headers = dict(headers or {})
        self.more = more

    def body(self, lang: str, instance: str) -> dict[str, Any]:
        """The members of the answer in this language."""
        which = 1 if lang == "de" else 0
        return {
            "type": f"{DOCS}#{self.kind}",
            "title": KINDS[self.kind].title[which],
            "status": self.status,
            "detail": self.words[which],
            "instance": instance,
            **self.more,
        }


def refused(refusal: Refused, sentence: str) -> Problem:
    """A refusal by the rules; ``sentence`` is it in the asker's language."""
    return Problem("refused", rule=refusal.rule, sentence=sentence, facts=refusal.sentence.facts)
