"""The context of all TLS connections that this program opens."""

import ssl
from functools import cache


@cache
def tls_context() -> ssl.SSLContext:
    """Return a TLS context with this machine's trusted certificates, whose reading takes longer than sending a mail."""
    return ssl.create_default_context()
