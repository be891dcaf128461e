"""Whole games by mail alone: three people are invited, join, and play to the final score by answering letters.

``python -m tests.by_mail`` plays each title in English and German through ``slowtrain receive``; a few minutes.
``--title`` and ``--lang`` choose, ``--seed`` begins other games. Nobody opens a page. A player answers the last letter
they got, with orders as lines in their language, sometimes as one of its numbers. ``--through postfix`` or ``dovecot``
sends everything through a real mail server (`tests.mta.games`).
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from itertools import cycle
from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import insert, select

import domain
from config.settings import Settings
from domain import play
from domain.chance import ChanceAsked
from domain.game import Game
from domain.messages import Command
from domain.orders.reading import filled
from domain.rules import Action
from service.cli.main import main as slowtrain
from service.database.store import Store, open_store
from service.database.work import Work
from service.games import lobby, numbered, opening, queries
from service.games.queries import Seen
from service.games.rights import ByPerson
from service.notices.owing import PEOPLE
from service.words import languages
from tests.answers import MTA, Post, written

NAMES = ("Ann", "Bob", "Cleo")
WORDS = {"en": ("join", "start", "Thanks, see you"), "de": ("mitspielen", "starten", "Danke, bis bald")}
MOST_MAILS = 3000


class GameByMail:
    """A game of three people who only write mails. ``take``: accepts a mail; ``post``: sends and processes."""

    def __init__(self, store: Store, title: str, lang: str, seed: int, *, take: Callable[[bytes, str], object]) -> None:
        self.store, self.lang, self.take = store, lang, take
        self.post, self.dice = Post(store, store.time()), random.Random(f"{title} {lang} {seed}")
        self.mails = 0
        host = ByPerson(self._host())
        opened = opening.open_table(
            Work(store), host, title=title, options={}, seats=3, name="By mail", public=False, settle_ms=0
        )
        self.game_id = opened.game_id
        addresses = [f"{name.lower()}@example.org" for name in NAMES]
        lobby.invite(Work(store), host, self.game_id, addresses, lang=lang, at=self.post.at)

    def _host(self) -> int:
        row = {"email": "host@example.org", "name": "Host", "lang": self.lang, "zone": "UTC"}
        row |= {"created_at": self.post.at}
        with self.store.write() as conn:
            known = conn.scalar(select(PEOPLE.c.id).where(PEOPLE.c.email == row["email"]))
            return int(known or conn.execute(insert(PEOPLE).values(row)).inserted_primary_key[0])

    # ---- the post ----
    def answer(self, letter: EmailMessage, text: str) -> None:
        self.mails += 1
        self.take(written(letter["Reply-To"], text, sender=letter["To"], vouched=True), letter["Reply-To"])
        self.post.at = self.store.time()
        self.post.work_off()
        self.deliver()

    def deliver(self) -> None:
        self.post.at = self.store.time() + 1
        self.post.deliver()

    def letter(self, name: str) -> EmailMessage:
        mine = [it for it in self.post.sent if it["To"] == f"{name.lower()}@example.org" and it["Reply-To"]]
        return [it for it in mine if (it["List-Id"] or "").startswith(f"<{self.game_id}.")][-1]

    # ---- the game ----
    def begin(self) -> None:
        join, start, thanks = WORDS[self.lang]
        self.deliver()
        for name in NAMES:
            self.answer(self.letter(name), f"{join}\n\n{thanks}\n{name}")
        self.answer(self.letter("Host"), start)

    def play(self) -> Game:
        """Play to the end. Return the final game."""
        self.begin()
        while (game := self.stored().game).status != "over":
            assert game.begun, "the game has not begun"
            assert self.mails < MOST_MAILS, "it does not come to an end"
            seat = self.dice.choice(game.asked)
            before = game.version
            self.answer(self.letter(NAMES[seat - 1]), self.text_of(seat))
            assert self.stored().game.version > before, self.post.sent[-1].get_body(("plain",)).get_content()  # type: ignore[union-attr]
        return game

    def stored(self):  # type: ignore[no-untyped-def]
        with self.store.read() as conn:
            return self.store.load(conn, self.game_id)

    def text_of(self, seat: int) -> str:
        """Return a player's mail: the turn of the sensible bot, or a number, with some talk around it."""
        stored = self.stored()
        person = next(it.person_id for it in stored.seats if it.seat == seat)
        seen = queries.seen_by(stored, person)
        whole = numbered.options(seen)
        asks = any(it.amount is not None and not it.action.aside for it in whole)  # could a number be an amount?
        if whole and not asks and self.dice.random() < 0.15:
            return str(self.dice.randint(1, len(whole)))
        plan = seen.title.bots["sensible"](queries.view(seen), self.dice)
        orders = "\n".join(self.lines(seen, plan))
        return self.dice.choice((orders, f"Hi!\n\n{orders}\n\n-- \nx", orders.upper(), f"{orders}\nstop\nend turn"))

    def lines(self, seen: Seen, plan: Sequence[Command]) -> list[str]:
        """Return the lines of a plan up to its first unforeseeable step."""
        game, lines = seen.game, []
        for command in plan:
            lines.append(line_of(seen, game, command, self.lang))
            try:
                game, _ = play.foresee(game, seen.seat or 0, command, self.store.time())
            except ChanceAsked:
                break
            if seen.seat not in game.asked:
                break
        return lines


def line_of(seen: Seen, game: Game, command: Command, lang: str) -> str:
    """Return a command as its canonical line."""
    orders, view, language = seen.title.face.orders, queries.view(seen, game), seen.language(lang)
    names = orders.names(view)
    for option in queries.options(seen, game):
        amount = getattr(command, option.amount.field, None) if option.amount is not None else None
        if type(option.command) is type(command) and filled(option, amount) == command:
            return domain.orders.write(option.order, names, language, amount)
    (option,) = orders.options(view, [Action(command, "", seen.title.face.standing(view)[0])])
    return domain.orders.write(option.order, names, language)


def received(folder: Path) -> Callable[[bytes, str], object]:
    """Return a function that passes mails to the command, as a mail server does."""

    def take(raw: bytes, to: str) -> object:
        given = ["receive", "--to", to, "--from", "somebody@example.org"]
        done = CliRunner().invoke(slowtrain, given, input=raw, env={"SLOWTRAIN_DATA_DIR": str(folder)})
        assert done.exit_code == 0, done.output
        return done

    return take


def _through_server(wanted: argparse.Namespace) -> int:
    """Play one game of each title, alternating the languages."""
    from tests.mta import games

    titles = dict(zip(wanted.title or domain.TITLES, cycle(wanted.lang or languages()), strict=False))
    for said in games.play(titles, wanted.seed, wanted.through):
        print(said, flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", action="append", choices=list(domain.TITLES))
    parser.add_argument("--lang", action="append", choices=languages())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--through", choices=("postfix", "dovecot"), help="as root on Debian: through a real mail server"
    )
    wanted = parser.parse_args()
    if wanted.through:
        return _through_server(wanted)
    for title in wanted.title or domain.TITLES:
        for lang in wanted.lang or languages():
            with tempfile.TemporaryDirectory() as folder:
                settings = Settings(_env_file=None, data_dir=Path(folder), authserv_id=MTA)  # type: ignore[call-arg]
                store = open_store(settings.database, settings=settings)
                store.migrate()
                begun = time.monotonic()
                by_mail = GameByMail(store, title, lang, wanted.seed, take=received(Path(folder)))
                game = by_mail.play()
                last = by_mail.letter("Ann").get_body(("plain",))
                assert game.result is not None
                assert last is not None
                score = ", ".join(f"{NAMES[it.seat - 1]} {it.total}" for it in game.result.standings)
                took = time.monotonic() - begun
                print(
                    f"{title} ({lang}): {by_mail.mails} mails, {game.version} plies, {took:.0f} s; {score}", flush=True
                )
                store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
