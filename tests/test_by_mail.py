"""A game of three by mail alone, from invitations to final score; ``python -m tests.by_mail`` plays all titles."""

import pytest

from config.settings import Settings
from domain.title import Title
from service.database.store import Store
from tests.answers import MTA
from tests.by_mail import NAMES, GameByMail
from tests.workers.post import text_of


@pytest.fixture(params=["en", "de"])
def by_mail(request: pytest.FixtureRequest, store_in, tmp_path, toy_title: Title) -> GameByMail:  # type: ignore[no-untyped-def]
    store: Store = store_in(Settings(_env_file=None, data_dir=tmp_path, authserv_id=MTA))
    made = GameByMail(store, "toy", request.param, 1, take=lambda raw, to: made.post.take(raw, to, via="mail"))
    return made


def test_a_game_is_played_from_the_invitations_to_the_final_score_by_mail_alone(by_mail: GameByMail) -> None:
    game = by_mail.play()
    assert game.result is not None
    assert by_mail.mails > 10
    for name in NAMES:
        said = " ".join(text_of(by_mail.letter(name)).split())
        assert {"en": "THE GAME IS OVER", "de": "DIE PARTIE IST ZU ENDE"}[by_mail.lang] in said
