"""The workers' application with shorter waits for silent servers and conversations."""

from service.database import engines

engines.ANSWER_SECONDS = 2.0

from tests.workers.lanterns_app import app  # noqa: E402
from workers import ending  # noqa: E402

ending.GRACE, ending.GONE = 0.5, 2.0
if "socket_timeout" in app.conf.broker_transport_options:
    app.conf.broker_transport_options |= {"socket_timeout": 2}

__all__ = ["app"]
