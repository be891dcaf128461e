"""A demonstration: a whole game over the HTTP API of the running service, from the first seat to the proof.

The command works like a bot author's program: it has an address and personal tokens, asks for the view of a seat, and
sends commands. It opens the database, as operators do, only to create its players, count their mails and prove the
game.
"""

import json
import random
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, get_type_hints

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from sqlalchemy import select

from config.settings import Settings
from domain import TITLES
from domain.title import Title
from service.cli.shared import escape, terminal
from service.cli.verdicts import print_verdict
from service.database.store import Store, open_store
from service.database.tables import MailboxMessage, NoticeHistory, table_of
from service.database.tables import Notice as NoticeRow
from service.people import accounts
from service.proof import audit
from service.words import ENGLISH, called

PLAYERS = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
MAIL_PATIENCE = 120.0
"""Seconds to wait for the last mail."""
MOST_MOVES = 5_000
"""Submissions after which a game must be faulty."""


TRIES = 5
"""How often a request is sent at most while the service is busy."""


class Refusal(Exception):
    """The service refused a request. ``problem``: its problem details (RFC 9457)."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(problem.get("sentence") or problem.get("detail") or problem.get("title") or f"HTTP {status}")
        self.status = status
        self.problem = problem


class Client:
    """A player's own program: the API, with a personal token."""

    def __init__(self, site: str, token: str | None = None) -> None:
        self._site, self._token = site, token

    def get(self, path: str) -> Any:
        return self._request("GET", path, None, {})

    def post(self, path: str, body: Mapping[str, Any], **headers: str) -> Any:
        return self._request("POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()})

    def _request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self._site}/api/v1{path}", data, headers, method=method)
        tries = TRIES if method == "GET" or "Idempotency-Key" in headers else 1
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                tries -= 1
                if error.code not in (429, 503) or not tries:
                    raise Refusal(error.code, _problem(error)) from None
                time.sleep(int(error.headers.get("Retry-After", 1)))


def _problem(error: urllib.error.HTTPError) -> Mapping[str, Any]:
    try:
        problem = json.load(error)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


# ==== the command =================================================================================
@click.command("demo")
@click.option("--title", default="grand_trunk", show_default=True, type=click.Choice(sorted(TITLES)))
@click.option("--seats", type=click.IntRange(2, len(PLAYERS)), help="Number of players.  [default: 3]")
@click.option("--seed", default="1", show_default=True, help="Seed for the players' decisions (not for their draws).")
@click.option(
    "--wait/--no-wait",
    default=True,
    show_default=True,
    help="Let players wait for their mail before they move, or move at once (then later mails replace most of them).",
)
def demo(title: str, seats: int | None, seed: str, wait: bool) -> None:
    """Play a whole game over the API of the running service, and show its result, its mails and its proof."""
    settings, box = Settings(), TITLES[title]
    least, most = box.seating.seats
    count = 3 if seats is None else seats
    if not least <= count <= most:
        raise click.BadParameter(f"{called(box, ENGLISH)} takes {least} to {most} seats", param_hint="--seats")
    if not settings.embedded:
        raise click.UsageError(
            "The demonstration writes to made-up addresses, so it only runs on the embedded profile."
        )
    _demand_service(settings)
    with closing(open_store(settings.database, settings=settings)) as store:
        _play_and_show(terminal(), settings, store, box, count, seed, wait)


def _demand_service(settings: Settings) -> None:
    try:
        with urllib.request.urlopen(f"{settings.site}/healthz", timeout=5):
            return
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise click.ClickException(
            f'No service answers at {settings.site} ({reason}). Start it in another window with "slowtrain up".'
        ) from None


def _play_and_show(
    console: Console, settings: Settings, store: Store, box: Title, count: int, seed: str, wait: bool
) -> None:
    run = f"{time.time_ns():x}"
    players = {seat: _player(settings, store, PLAYERS[seat - 1], run) for seat in range(1, count + 1)}
    clients = {seat: client for seat, (_, client) in players.items()}
    game = _table(clients, box, count, run)
    console.print(f"[bold]{called(box, ENGLISH)}[/] for {count}: {settings.site}/games/{game}")
    post = Post(store, game, {seat: person for seat, (person, _) in players.items()})
    moves, seconds = _play(console, clients, box, game, seed, run, post if wait else None)
    each = 1000 * seconds / moves
    waiting = ", waiting for the mail and" if wait else " with"
    console.print(f"Played: {moves} submissions in {seconds:.1f} s, {each:.0f} ms each{waiting} thinking.")
    _show_result(console, clients[1].get(f"/games/{game}/result"))
    _show_mails(console, post)
    report = audit.verify_game(store, game)
    print_verdict(console, report.verdict)
    if not report.proved:
        raise SystemExit(report.verdict.status)
    console.print(
        f"  {report.links} plies follow from each other, {report.draws} draws were made again from the secret. "
        f"Head {report.head}."
    )


# ==== players and table ===========================================================================
def _player(settings: Settings, store: Store, name: str, run: str) -> tuple[int, Client]:
    """A person with a token. The address is one nobody has: its mail goes to the local mailbox."""
    with store.write() as conn:
        person, _ = accounts.person_at(conn, f"{name.lower()}.{run}@demo.invalid", ENGLISH, store.now())
        accounts.change(conn, person, store.now(), name=name)
        _, token = accounts.make_token(conn, person, "demonstration", ("read", "play", "host"), store.now())
    return person, Client(settings.site, token)


def _table(clients: Mapping[int, Client], box: Title, count: int, run: str) -> str:
    host = clients[1]
    opening = {"title": box.id, "seats": count, "name": f"Demonstration {run[-5:]}", "public": True, "options": {}}
    opened = host.post("/games", opening)
    game: str = opened["id"]
    for seat, client in clients.items():
        body = {"seat": seat, "invite": opened["invite"], "choice": {}, "words": secrets.token_hex(32)}
        client.post(f"/games/{game}/join", body)
    host.post(f"/games/{game}/start", {})
    return game


# ==== playing =====================================================================================
def _play(
    console: Console, clients: Mapping[int, Client], box: Title, game: str, seed: str, run: str, post: "Post | None"
) -> tuple[int, float]:
    """Play to the end. Return the numbers of submissions and seconds. With ``post``, seats wait for mail."""
    dice, moves, began = random.Random(seed), 0, time.monotonic()
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("ply {task.fields[ply]}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("Playing", total=None, ply=0)
        while moves < MOST_MOVES:
            shown = clients[1].get(f"/games/{game}")
            progress.update(task, ply=shown["version"])
            if not console.is_terminal and moves % 20 == 0:
                console.print(f"  ply {shown['version']} after {time.monotonic() - began:.0f} s")
            if not shown["asked"]:
                return moves, time.monotonic() - began
            for seat in shown["asked"]:
                if post is not None:
                    post.wait(seat)
                moves += 1
                _move(clients[seat], box, game, dice, f"{run}.{moves}")
    raise click.ClickException(f"The game did not end within {MOST_MOVES} submissions.")


def _move(client: Client, box: Title, game: str, dice: random.Random, key: str) -> None:
    """Look at the game as the seat sees it, let its bot decide, and send the commands."""
    shown = client.get(f"/games/{game}")
    if shown["seat"] not in shown["asked"]:
        return  # another answer settled it meanwhile
    view = msgspec.convert(shown["view"], get_type_hints(box.rules.view)["return"], strict=False)
    commands = box.bots["sensible"](view, dice)
    try:
        _send(client, game, commands, shown["version"], key)
    except Refusal as refusal:
        if refusal.status != 409 or len(commands) == 1:
            raise click.ClickException(f"The service refused a move: {refusal}") from None
        # Something unexpected was revealed: the beginning of the plan stands, the rest is planned again.
        _send(client, game, commands[:1], shown["version"], f"{key}.1")


def _send(client: Client, game: str, commands: Sequence[Any], version: int, key: str) -> None:
    body = {"commands": [msgspec.to_builtins(command) for command in commands]}
    client.post(f"/games/{game}/moves", body, If_Match=f'"{version}"', Idempotency_Key=key)


# ==== results =====================================================================================
def _show_result(console: Console, result: Mapping[str, Any]) -> None:
    table = Table(title="Result")
    table.add_column("")
    parts = {part["id"]: part["name"] for line in result["standings"] for part in line["lines"]}
    standings = sorted(result["standings"], key=lambda line: (line["place"] is None, line["place"]))
    for line in standings:
        table.add_column(f"{line['place'] or '–'}. {escape(line['name'])}", justify="right")
    for part_id, name in parts.items():
        points = [{part["id"]: part["points"] for part in line["lines"]}.get(part_id, 0) for line in standings]
        table.add_row(name, *map(str, points))
    table.add_section()
    table.add_row("[bold]total", *(f"[bold]{line['total']}" for line in standings))
    console.print(table)


class Post:
    """The mails of one game: owed, accepted and arrived. ``persons``: seat -> person."""

    def __init__(self, store: Store, game: str, persons: Mapping[int, int]) -> None:
        self._store, self._game, self.persons = store, game, persons
        self._notices = table_of(NoticeRow)

    def wait(self, seat: int | None = None) -> bool:
        """Wait until no due mail is on its way to ``seat`` (None: to anybody). Return False after the patience is over.

        A mail is not due during the settle time, in which its turn could still be taken back.
        """
        mail = self._notices.c
        unsent = mail.state.in_(("pending", "leased"))
        waiting = select(mail.id).where(mail.game_id == self._game, unsent, mail.due_at <= self._store.now())
        if seat is not None:
            waiting = waiting.where(mail.person_id == self.persons[seat])
        until = time.monotonic() + MAIL_PATIENCE
        while time.monotonic() < until:
            with self._store.read() as conn:
                if not conn.execute(waiting).first():
                    return True
            time.sleep(0.05)
        return False

    def owed(self) -> Sequence[Any]:
        """All rows of the outbox."""
        with self._store.read() as conn:
            mine = select(self._notices).where(self._notices.c.game_id == self._game)
            return conn.execute(mine.order_by(self._notices.c.id)).all()

    def accepted(self) -> set[int]:
        """The rows whose mail the mail server accepted."""
        history = table_of(NoticeHistory).c
        with self._store.read() as conn:
            return set(conn.execute(select(history.notice_id).where(history.what == "accepted")).scalars())

    def arrived(self) -> list[str]:
        """The Message-IDs in the mailbox, one for each copy."""
        ids = {row.message_id for row in self.owed()}
        with self._store.read() as conn:
            arrived = conn.execute(select(table_of(MailboxMessage).c.message_id)).scalars()
            return [message_id for message_id in arrived if message_id in ids]


def _show_mails(console: Console, post: Post) -> None:
    """Print the mails that each seat got, by kind, once the last is out."""
    with console.status("Waiting for the last mails …"):
        if not post.wait():
            console.print("[yellow]Some mails are still on their way. They will appear in the mailbox.[/]")
    owed, accepted, copies = post.owed(), post.accepted(), post.arrived()
    table = Table(title="Mails")
    kinds = list(dict.fromkeys(row.kind for row in owed))
    for heading in ("", *kinds, "superseded", "in the mailbox"):
        table.add_column(heading, justify="right" if heading else "left")
    for seat, person in post.persons.items():
        own = [row for row in owed if row.person_id == person]
        by_kind = [sum(row.kind == kind and row.id in accepted for row in own) for kind in kinds]
        superseded = sum(row.state == "superseded" for row in own)
        received = sum(copies.count(row.message_id) for row in own)
        table.add_row(PLAYERS[seat - 1], *map(str, (*by_kind, superseded, received)))
    console.print(table)
    if len(copies) != len(set(copies)):
        console.print("[yellow]Some mail arrived twice (with the same Message-ID): a worker was stopped in between.[/]")
