"""The local mailbox of the embedded profile, with all mail of this machine.

Mail is untrusted: its HTML is shown in a frame that may run and load nothing, with its pictures embedded.
"""

import base64
import re
import secrets
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as policy
from typing import Any, cast

from flask import Response, abort, make_response, request, url_for
from sqlalchemy import select

from service.base import hints
from service.database.tables import MailboxMessage, table_of
from service.notices import replies
from service.post import inbox
from service.web.pages.frame import MAILBOX_KEY, YEAR, _, done, has_mailbox, moment, number_in, page
from service.web.pages.mailbox import room
from service.web.shared import context
from service.web.shared.context import settings, store

MAILBOX = table_of(MailboxMessage)
LISTED = 50
LONGEST_TEXT = 500_000


@room.before_request
def only_embedded() -> None:
    if not has_mailbox():
        abort(404)


@room.after_request
def keep_key(response: Response) -> Response:
    """Let the key in the address open the mailbox for this browser from now on."""
    if response.status_code == 200 and (key := request.args.get("key")):
        context.set_cookie(response, MAILBOX_KEY, key, YEAR)
    return response


@room.get("/mailbox")
def mailbox() -> Response:
    before = number_in(request.args.get("before"), 15)
    wanted = select(*_ENVELOPE).order_by(MAILBOX.c.id.desc()).limit(LISTED + 1)
    if before is not None:
        wanted = wanted.where(MAILBOX.c.id < before)
    with store.read() as conn:
        rows = conn.execute(wanted).all()
    older = url_for("pages.mailbox.mailbox", before=rows[LISTED - 1].id) if len(rows) > LISTED else None
    return page("mailbox/mailbox.html", mails=[_envelope(row) for row in rows[:LISTED]], older=older, waiting=False)


_ENVELOPE = (MAILBOX.c.id, MAILBOX.c.received_at, MAILBOX.c.sender, MAILBOX.c.recipient, MAILBOX.c.subject)


def _envelope(row: Any) -> dict[str, Any]:
    return {
        "id": row.id,
        "subject": row.subject,
        "sender": row.sender,
        "recipient": row.recipient,
        "arrived": moment(row.received_at),
    }


@room.get("/mailbox/newest")
def newest_mail() -> Response:
    """Show the expected letter as soon as it arrives; until then a page that reloads itself."""
    to, since = request.args.get("to", ""), number_in(request.args.get("since"), 15)
    if since is None:
        abort(400)
    wanted = select(MAILBOX.c.id).where(MAILBOX.c.recipient == to[:254], MAILBOX.c.received_at >= since)
    with store.read() as conn:
        found = conn.execute(wanted.order_by(MAILBOX.c.id.desc()).limit(1)).scalar()
    if found is not None:
        return done(url_for("pages.mailbox.mail", mail_id=found))
    return page("mailbox/mailbox.html", mails=[], older=None, waiting=True)


@room.get("/mailbox/<int:mail_id>")
def mail(mail_id: int) -> Response:
    row = _row(mail_id)
    letter = _letter(row)
    text = _text(letter, "plain")
    return page(
        "mailbox/mail.html",
        mail=_envelope(row),
        text=text if text is not None else _("(no plain text)"),
        has_html=_text(letter, "html") is not None,
        links=_links(text or ""),
        headers=_headers(letter),
        reply=_reply(row, letter, text or ""),
    )


@room.post("/mailbox/<int:mail_id>/reply")
def reply_to_mail(mail_id: int) -> Response:
    """Answer a letter as a mail program would: the answer is a mail and takes the same way as any other."""
    row = _row(mail_id)
    address = _answered_at(_letter(row))
    text, nonce = request.form.get("text", ""), request.form.get("nonce", "")
    if address is None or not re.fullmatch(r"[0-9a-f]{16,64}", nonce):
        abort(400)
    raw = _mail_of(row, address, text.replace("\r\n", "\n"), nonce)
    at = store.time()
    try:
        with store.write() as conn:
            inbox.keep(conn, settings, address, row.recipient, raw, at, via="page")
    except (inbox.NobodysAddress, inbox.TooLarge, inbox.TooManyMails):
        return page("mailbox/mail_unread.html", 404, mail=_envelope(row))
    hints.wake("incoming")
    return done(url_for("pages.mailbox.newest_mail", to=row.recipient, since=at))


@room.get("/mailbox/<int:mail_id>/html")
def mail_html(mail_id: int) -> Response:
    """Return the HTML of a letter for a frame, which may load nothing, so its pictures are embedded."""
    letter = _letter(_row(mail_id))
    html = _text(letter, "html")
    if html is None:
        abort(404)
    pictures = _inline_pictures(letter)
    ours = re.escape(settings.site)  # its reader may be signed in at another address of this machine
    html = re.sub(rf"(href=[\"']){ours}(?:/|(?=[\"']))", r"\1/", html)
    html = re.sub(r"cid:([^\s\"'<>)]+)", lambda found: pictures.get(found[1], "data:,"), html)
    response = make_response('<base target="_top">' + html)
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; "
        "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
    )
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@room.get("/mailbox/<int:mail_id>/source")
def mail_source(mail_id: int) -> Response:
    source = bytes(_row(mail_id).source)
    return Response(source.decode("utf-8", "replace"), content_type="text/plain; charset=utf-8")


# ==== parsing a letter ============================================================================
def _row(mail_id: int) -> Any:
    if mail_id >= 2**31:
        abort(404)
    with store.read() as conn:
        row = conn.execute(select(MAILBOX).where(MAILBOX.c.id == mail_id)).one_or_none()
    if row is None:
        abort(404)
    return row


def _letter(row: Any) -> EmailMessage:
    return message_from_bytes(bytes(row.source), policy=policy)


def _text(letter: EmailMessage, kind: str) -> str | None:
    """Return the plain or the HTML body; None if there is none, or it is unreadable."""
    try:
        body = letter.get_body((kind,))
        content = body.get_content() if body is not None else None
    except (KeyError, LookupError, ValueError, AttributeError):  # broken, or an unknown character set
        return None
    return content[:LONGEST_TEXT] if isinstance(content, str) else None


def _headers(letter: EmailMessage) -> list[tuple[str, str]]:
    shown = []
    for name, value in letter.raw_items():
        try:
            shown.append((name, str(policy.header_fetch_parse(name, value))))
        except (ValueError, IndexError, AttributeError):  # a header with broken grammar stays as it came
            shown.append((name, str(value)))
    return shown


def _inline_pictures(letter: EmailMessage) -> dict[str, str]:
    """Return the pictures of a letter by their content id, as ``data:`` addresses."""
    pictures = {}
    for part in letter.walk():
        name = str(part.get("Content-ID", "")).strip().strip("<>")
        if name and part.get_content_type() in ("image/png", "image/jpeg", "image/gif"):
            packed = base64.b64encode(cast(bytes, part.get_payload(decode=True)) or b"").decode()
            pictures[name] = f"data:{part.get_content_type()};base64,{packed}"
    return pictures


def _links(text: str) -> list[dict[str, Any]]:
    """Return the letter's links to this site, to be shown as buttons. ``elsewhere``: a link's address on other devices,
    if it differs.
    """
    ours = {settings.site, request.host_url.rstrip("/")}
    found = []
    for address in dict.fromkeys(re.findall(r"https?://[^\s<>\"]+", text)):
        site = next((site for site in ours if address.startswith(site + "/")), None)
        if site is None:
            continue
        path = address.removeprefix(site)
        name, main = _purpose(path)
        elsewhere = "" if address.startswith(request.host_url) else address
        found.append({"address": path, "text": name, "main": main, "elsewhere": elsewhere})
    return sorted(found, key=lambda link: not link["main"])


def _purpose(path: str) -> tuple[str, bool]:
    """Return the purpose of a link of ours, and True if it is the letter's main one."""
    if path.startswith("/sign-in/"):
        return _("Sign in"), True
    if path.startswith("/turn/"):
        return _("Go to the table"), True
    if path.startswith(("/do/", "/confirm/")):
        return _("Preview this move"), False
    if path.startswith("/join/"):
        return _("See the table"), True
    if path.startswith("/never/"):
        return _("Stop all invitations"), False
    if path.startswith("/address/"):
        return _("Confirm the address"), True
    if path.startswith("/unsubscribe/"):
        return _("Unsubscribe"), False
    if path == "/games":
        return _("All games"), True
    if path.startswith("/games/"):
        return (_("Check the game") if path.endswith("/audit") else _("Go to the table")), True
    if path.startswith("/rules/"):
        return _("Read the rules"), False
    if path.startswith("/account"):
        return _("Your account"), False
    return path, False


# ==== answering a letter ==========================================================================
MOST_QUOTED = 400
"""Lines of a letter that the form of its answer quotes."""


def _answered_at(letter: EmailMessage) -> str | None:
    """Return the address that answers to a letter of ours go to; None without one."""
    address = str(letter.get("Reply-To", "")).strip()
    return address if settings.answerable and replies.token_of(settings, address) else None


def _reply(row: Any, letter: EmailMessage, text: str) -> dict[str, str] | None:
    """Return the values of the form that answers a letter: its text quoted, below room for the answer."""
    if _answered_at(letter) is None:
        return None
    said = moment(row.received_at).text
    begin = _("On {when}, {sender} wrote:", when=said, sender=f"Slow Train <{row.sender}>")
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines()[:MOST_QUOTED])
    return {"text": f"\n\n{begin}\n{quoted}\n", "nonce": secrets.token_hex(16)}


def _mail_of(row: Any, address: str, text: str, nonce: str) -> bytes:
    """Return the answer as a mail. ``nonce``: of the form, so that a form sent twice makes one mail."""
    mail = EmailMessage(policy=policy.clone(linesep="\r\n"))
    mail["From"], mail["To"] = row.recipient, address
    mail["Subject"] = f"Re: {' '.join(row.subject.split())}"[:200]
    mail["Date"] = datetime.fromtimestamp(row.received_at / 1000, UTC)
    mail["Message-ID"] = f"<{nonce}@mailbox.localhost>"
    if re.fullmatch(r"<[!-;=?-~]{3,250}>", row.message_id):
        mail["In-Reply-To"] = row.message_id
    mail.set_content(text)
    return mail.as_bytes()
