"""A connection to the mail server of the settings, ready for the first mail."""

import smtplib

from config.settings import Settings
from service.base.tls import tls_context


def connected(settings: Settings) -> smtplib.SMTP:
    """Connect and log in. Raise ``OSError`` or ``SMTPException``; no connection is left open then."""
    host, port = settings.smtp
    server: smtplib.SMTP | None = None
    try:
        if settings.smtp_tls == "tls":
            server = smtplib.SMTP_SSL(host, port, timeout=settings.smtp_timeout, context=tls_context())
        else:
            server = smtplib.SMTP(host, port, timeout=settings.smtp_timeout)
        if settings.smtp_tls == "starttls":
            server.starttls(context=tls_context())
        if settings.smtp_user:
            server.login(settings.smtp_user, settings.smtp_password)
        server.ehlo_or_helo_if_needed()
    except (OSError, smtplib.SMTPException):
        if server is not None:
            server.close()
        raise
    return server
