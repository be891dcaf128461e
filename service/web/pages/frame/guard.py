"""The guard of forms: each comes from a page of ours in the same browser."""

from typing import cast

from flask import abort, g, request
from markupsafe import Markup, escape

from service.people import accounts
from service.web.pages.frame.blueprint import pages
from service.web.pages.frame.reader import reader
from service.web.shared import context, events
from service.web.shared.context import settings

FORM_LIMIT = 64 * 1024
"""Bytes of the largest form of a page."""


def form_secret() -> str:
    """Return the secret of this browser, to which its forms are bound. A new browser gets one with the page."""
    if "form_secret" not in g:
        g.form_secret, g.new_browser = context.browser()
    return cast(str, g.form_secret)


def csrf_field() -> Markup:
    """Return the token field of this page's forms: one token per page, which compresses well, and a new one per
    answer."""
    if "form_field" not in g:
        token = accounts.form_token(settings, form_secret())
        g.form_field = Markup(f'<input type="hidden" name="csrf" value="{escape(token)}">')
    return cast(Markup, g.form_field)


ONE_CLICK = ("pages.mail.unsubscribe", "pages.mail.never")
"""Forms that mail programs send by themselves (RFC 8058): their address holds everything."""


@pages.before_request
def guard_forms() -> None:
    """Refuse a form unless it comes from a page of ours in this browser."""
    g.lang = reader().lang  # texts from outside the pages use the same language
    if request.method not in context.UNSAFE:
        return
    if (request.content_length or 0) > FORM_LIMIT:
        abort(413)
    if request.endpoint in ONE_CLICK:
        return
    # Some browsers send nothing better (no Sec-Fetch-Site over plain HTTP, Origin "null"), so this token decides.
    if request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        events.tell("refused", why="other_site", rule=str(request.url_rule), person=reader().id)
        abort(403)
    if not accounts.is_form_token(settings, form_secret(), request.form.get("csrf", "")):
        events.tell("refused", why="form", rule=str(request.url_rule), person=reader().id)
        abort(403)
