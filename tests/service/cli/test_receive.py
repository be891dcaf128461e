"""``slowtrain receive``: it stores a piped mail before it ends, with exit statuses that mail servers understand."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select

from config.settings import Settings
from domain.title import Title
from service.cli.main import main
from service.database.store import Store
from service.post.inbox import INCOMING
from tests.answers import MTA, Post, written
from tests.service.lanterns import ANN, game
from tests.workers.post import EARLY, person, table

Receive = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, store_in: Callable[..., Store], toy_title: Title) -> Store:
    return store_in(Settings(_env_file=None, data_dir=tmp_path, authserv_id=MTA))


@pytest.fixture
def receive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Receive:
    def given(raw: bytes, *arguments: str, **env: str) -> Result:
        environment = {"SLOWTRAIN_DATA_DIR": str(tmp_path), **env}
        return CliRunner().invoke(main, ["receive", *arguments], input=raw, env=environment)

    monkeypatch.chdir(tmp_path)
    return given


@pytest.fixture
def post(home: Store) -> Post:
    made = Post(home, home.time())
    table(home, person(home, "Ann"), person(home, "Bob"), at=EARLY)
    made.deliver()
    return made


def kept(store: Store) -> int:
    with store.read() as conn:
        return len(conn.execute(select(INCOMING.c.id)).all())


def test_an_answer_is_stored_before_it_acts(receive: Receive, home: Store, post: Post) -> None:
    letter = post.letter("Ann")
    game_id = letter["List-Id"].strip("<>").partition(".")[0]
    card = min(game(home, game_id).state.hands[ANN])
    raw = written(letter["Reply-To"], f"choose {card}", vouched=True)
    assert receive(raw).exit_code == 0
    assert receive(raw, "--to", letter["Reply-To"], "--from", "ann@example.org").exit_code == 0
    assert kept(home) == 1
    post.at = home.time()
    post.work_off()
    assert len(post.receipts()) == 1
    assert game(home, game_id).asked == (2,)


def test_exit_codes_are_those_of_sysexits(receive: Receive, home: Store, post: Post, tmp_path: Path) -> None:
    raw = written(post.letter("Ann")["Reply-To"], "look")
    nobody = "g+aaaaaaaaaaaaaaaaaaaaaaaaaa@localhost"
    assert receive(raw, "--to", nobody).exit_code == 67
    assert receive(written(nobody, "look")).exit_code == 67
    assert receive(b"").exit_code == 67
    assert receive(b"x" * 1_000_001).exit_code == 65
    assert receive(raw, SLOWTRAIN_REPLIES="false").exit_code == 69
    assert receive(raw, SLOWTRAIN_SMTP_HOST="mail.example.org").exit_code == 69
    assert receive(raw, SLOWTRAIN_PROFILE="mistaken").exit_code == 78
    assert kept(home) == 0


def test_mail_that_cannot_be_stored_is_to_be_tried_again(
    receive: Receive, home: Store, post: Post, tmp_path: Path
) -> None:
    letter = post.letter("Ann")
    raw = written(letter["Reply-To"], "look")
    assert receive(raw, SLOWTRAIN_DATABASE_URL=f"sqlite:///{tmp_path / 'elsewhere.db'}").exit_code == 75
    home.close()
    shutil.move(tmp_path / "slowtrain.db", tmp_path / "moved.db")
    (tmp_path / "slowtrain.db").write_bytes(b"no database" * 1000)
    assert receive(raw, "--to", letter["Reply-To"]).exit_code == 75


def test_a_sender_of_odd_bytes_loses_no_mail(receive: Receive, home: Store, post: Post) -> None:
    letter = post.letter("Ann")
    raw = written(letter["Reply-To"], "pass", vouched=True)
    odd = b"ann\xff@example.org".decode("utf-8", "surrogateescape")  # as the bytes of a command line come
    assert receive(raw, "--to", letter["Reply-To"], "--from", odd).exit_code == 0
    assert kept(home) == 1
