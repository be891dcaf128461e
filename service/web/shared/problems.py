"""All problems of requests as problem details (RFC 9457): one table, one exception, one answer.

A problem's ``type`` is an address on the API's page that explains it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from domain.refusal import Refused
from service.web.shared.field_errors import in_words
from service.words import N_, said

DOCS = "/api/v1/docs"
PROBLEM_JSON = "application/problem+json"


class ProblemKind(NamedTuple):
    """A kind of problem: its HTTP status, its title and a text that holds for every case."""

    status: int
    title: str
    detail: str


KINDS: Mapping[str, ProblemKind] = {
    # the request itself
    "malformed": ProblemKind(
        400,
        N_("We cannot read this request"),
        N_("The body is not JSON in UTF-8, or the request is malformed in some other way."),
    ),
    "shape": ProblemKind(
        422,
        N_("The request has the wrong shape"),
        N_("`errors` names each field that is missing, unknown, of the wrong type or out of range."),
    ),
    "too_large": ProblemKind(
        413,
        N_("The request is too large"),
        N_("No request of this API needs to be this large."),
    ),
    "content_type": ProblemKind(
        415,
        N_("The content has the wrong type"),
        N_("Send `Content-Type: application/json`."),
    ),
    "method": ProblemKind(
        405,
        N_("This method is not allowed here"),
        N_("The header `Allow` lists the methods of this address."),
    ),
    "not_found": ProblemKind(
        404,
        N_("Not found"),
        N_("It does not exist, or you are not allowed to see it."),
    ),
    "misdirected": ProblemKind(
        421,
        N_("This is not the address of this site"),
        N_("The `Host` header names a different site. `detail` gives the address of this one."),
    ),
    # the caller
    "sign_in": ProblemKind(
        401,
        N_("You are not signed in"),
        N_("Sign in, or send a personal token in the `Authorization` header (`Bearer stk_…`)."),
    ),
    "token": ProblemKind(
        401,
        N_("This token is not valid"),
        N_("The token is unknown or was revoked, or the `Authorization` header does not begin with `Bearer stk_`."),
    ),
    "scope": ProblemKind(
        403,
        N_("This token does not allow that"),
        N_("`scope` names the permission that the token needs."),
    ),
    "fresh": ProblemKind(
        403,
        N_("Sign in again for this"),
        N_(
            "Please sign in again before you change your address or create a token, because both give access to "
            "your account."),
    ),
    "blocked": ProblemKind(
        403,
        N_("You are blocked"),
        N_("An operator of this site has blocked you. Open the link in a browser to read why."),
    ),
    "browser_only": ProblemKind(
        403,
        N_("A token cannot do that"),
        N_("To change your account, sessions or tokens, sign in with a browser."),
    ),
    "other_site": ProblemKind(
        403,
        N_("The request came from another site"),
        N_("Your browser sent the request with your cookie, but from a page of another site."),
    ),
    "not_host": ProblemKind(
        403,
        N_("Only the host can do that"),
        N_("The game was opened by somebody else."),
    ),
    "no_seat": ProblemKind(
        403,
        N_("You have no seat in this game"),
        N_("You can only do that if you have a seat."),
    ),
    "link": ProblemKind(
        403,
        N_("This link no longer works"),
        N_("The link was already used, is more than ten minutes old, or is not one of ours. Ask for a new one."),
    ),
    "code": ProblemKind(
        403,
        N_("The six digits are needed"),
        N_("The link was requested in another browser. Send the digits shown there as `code`."),
    ),
    # the game
    "refused": ProblemKind(
        409,
        N_("The rules do not allow that"),
        N_("Nothing has changed. `rule` is the number of the rule, and `sentence` says why."),
    ),
    "line": ProblemKind(
        422,
        N_("A line could not be read as an order"),
        N_("Nothing has changed. `lines` shows how we read each line and why the last one failed."),
    ),
    "stale": ProblemKind(
        412,
        N_("The game has moved on"),
        N_("`version` is the current version. Fetch the game again before you move."),
    ),
    "no_version": ProblemKind(
        428,
        N_("Which position is this move for?"),
        N_("Send the ETag of the position you have seen as `If-Match`. `If-Match: *` accepts any position."),
    ),
    "reused": ProblemKind(
        422,
        N_("This key was used for another request"),
        N_("You have already sent this Idempotency-Key with different content."),
    ),
    "no_talk": ProblemKind(
        409,
        N_("You cannot write here"),
        N_("`why` says: talk is `off`, its time is `closed`, it is another `room` than yours, or you are `silenced`."),
    ),
    "no_result": ProblemKind(
        404,
        N_("There is no result yet"),
        N_("The game is not over yet."),
    ),
    "unreadable": ProblemKind(
        409,
        N_("This sandbox can no longer be read"),
        N_(
            "The sandbox was saved by an earlier version of the program. Start a new sandbox from its game, and "
            "delete this one."),
    ),
    "too_many": ProblemKind(
        409,
        N_("You have too many of these"),
        N_("Remove one first."),
    ),
    # the service
    "slower": ProblemKind(
        429,
        N_("Too many requests"),
        N_("The header `Retry-After` says how many seconds to wait."),
    ),
    "busy": ProblemKind(
        503,
        N_("The service is busy"),
        N_("Nothing was changed. Send the same request again."),
    ),
    "outdated": ProblemKind(
        503,
        N_("The service is being updated"),
        N_("This game already uses newer rules than the process that answered. Nothing was changed. Send the same "
           "request again after `Retry-After` seconds."),
    ),
    "away": ProblemKind(
        503,
        N_("The service cannot reach its database"),
        N_(

                "Try again after `Retry-After` seconds. The request may have arrived anyway. If you repeat the "
                "request with the same `Idempotency-Key`, it is carried out only once."),
    ),
    "broken": ProblemKind(
        500,
        N_("Something went wrong on our side"),
        N_("We logged the error. Check the current state before you send the request again."),
    ),
    "other": ProblemKind(
        400,
        N_("Something went wrong"),
        N_("The status code says what went wrong."),
    ),
}  # fmt: skip


class Problem(Exception):
    """A request that fails. ``names``: the facts for ``detail``; ``more``: further members of the answer; ``headers``:
    its headers."""

    def __init__(
        self,
        kind: str,
        /,
        *,
        status: int | None = None,
        detail: str | None = None,
        names: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.status = status or KINDS[kind].status
        self.words = detail or KINDS[kind].detail
        self.names = dict(names or {})
        self.headers = dict(headers or {})
        self.more = more

    def said(self, lang: str) -> str:
        """Return the detail in this language."""
        return said(self.words, lang).format_map(self.names)

    def body(self, lang: str, instance: str) -> dict[str, Any]:
        """Return the members of the answer in this language."""
        return {
            "type": f"{DOCS}#{self.kind}",
            "title": said(KINDS[self.kind].title, lang),
            "status": self.status,
            "detail": self.said(lang),
            "instance": instance,
            **self._more(lang),
        }

    def _more(self, lang: str) -> dict[str, Any]:
        if "errors" not in self.more:
            return self.more
        return {**self.more, "errors": in_words(self.more["errors"], lang)}


def refused(refusal: Refused, sentence: str) -> Problem:
    """Make the problem of a refusal by the rules; ``sentence`` states it in the caller's language."""
    return Problem("refused", rule=refusal.rule, sentence=sentence, facts=refusal.sentence.facts)
