"""A property of every link in every kind of letter: a GET changes nothing."""

import pytest

from service.database.store import Store
from service.notices.kinds import KINDS
from service.web.app import create_app
from tests.service.letters import every
from tests.service.letters.every import links_in


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A link's target does not depend on the database: one kind is enough here."""
    return copy_on_sqlite


def test_a_get_of_any_link_in_any_letter_changes_nothing(store: Store) -> None:
    letters = every.letters(store)
    assert set(letters) == {*KINDS, "several"}
    site = store.settings.site
    followed = {kind: links_in(source, site) for kind, source in letters.items()}
    assert any("/do/" in link for link in followed["rewind"])
    before = every.everything_in(store)
    app = create_app(store.settings.with_(rate_limits=False), store)
    for link in sorted(set().union(*followed.values())):
        machine = app.test_client()  # it keeps no cookie from one link to the next
        for look in (machine.head, machine.get):
            answer = look(link, follow_redirects=True)
            assert answer.status_code == 200, (link, answer.status_code)
    assert every.everything_in(store) == before
