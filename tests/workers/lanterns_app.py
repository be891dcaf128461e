"""The workers' application with the toy title: ``celery --app`` runs it in tests."""

from collections import ChainMap

import domain
from tests import toy

domain.TITLES = ChainMap({"toy": toy.TITLE}, domain.TITLES)  # type: ignore

from workers.app import app  # noqa: E402

__all__ = ["app"]
