"""A game of three by mail alone, from invitations to final score; ``python -m tests.by_mail`` plays all titles."""

import pytest

from config.settings import Settings
from domain import TITLES
from domain.new_england.board import LINKS
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


def test_one_mail_can_take_a_step_and_leave_proxies_and_limits(store_in, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """NER 20.2 These may be left while others still answer about loans; answers that wait for the turn may not."""
    store: Store = store_in(Settings(_env_file=None, data_dir=tmp_path, authserv_id=MTA), TITLES)
    made = GameByMail(store, "new_england", "en", 1, take=lambda raw, to: made.post.take(raw, to, via="mail"))
    made.begin()
    first, second = (f"{LINKS[link].a} {LINKS[link].b}" for link in made.stored().game.state.row)
    lines = (f"proxy {first} $5", f"limit {first} $3", f"proxy {second} $4, limit {second} $2")
    made.answer(made.letter("Ann"), "\n".join(("borrow $30", *lines, "bid 5", "thanks")))
    said = text_of(made.letter("Ann")).split("YOUR LINES")[1]
    assert said.count("Done.") == 5, said
    assert said.count("your turn would already be over") == 1, said
    state = made.stored().game.state.seats[1]
    assert (sorted(state.proxies.values()), sorted(state.limits.values())) == ([4, 5], [2, 3])
    made.answer(made.letter("Ann"), f"proxy {first} $7\nproxy {second} $6\nborrow $50")
    state = made.stored().game.state.seats[1]
    assert sorted(state.proxies.values()) == [6, 7], "while nobody waits for it"
