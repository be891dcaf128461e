"""The workers' application as a caller of webhooks that waits for answers for longer than any test."""

from tests.workers.lanterns_app import app
from workers import outbound

outbound.READ_SECONDS = outbound.ALL_SECONDS = 3600.0

__all__ = ["app"]
