"""Starting the service: each of its processes by itself, or all of them with one command.

``slowtrain up`` brings the tables up to date, starts web, workers, beat and mailbox as child processes, prints the
address to open, and stops them all on Ctrl-C or SIGTERM. It restarts a child that dies, since the child's work is safe
in the database. Between repeated deaths the pause grows, while the other children work.
"""

import contextlib
import errno
import fcntl
import logging
import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import IO, Any

import click

from config import logging as logs
from config.celery import QUEUES
from config.files import keep_private, private_files, private_folder
from config.settings import Settings
from service.base.links import mailbox_key
from service.cli import forking

LONGEST_PAUSE = 60.0
"""Longest pause in seconds before a dying child is restarted: none after its first death, then 1, 2, 4 and so on until
it has lived for a minute."""
LIVED = 60.0
MAIL = "mail"
OF_WORKERS = {"worker": ",".join(queue for queue in QUEUES if queue != MAIL), "mail": MAIL}
"""The queues of each worker. A silent mail server then delays only mail."""
TASKS, QUIET = 4, "WARNING"
"""Tasks of a worker at a time; the log level of workers and beat."""
OF_WEB = ("babel.dates", "service.web.app", "service.web.serving")
OF_CELERY = (
    *(f"celery.{name}" for name in (
        "app.amqp", "app.control", "app.events", "app.log", "apps.beat", "apps.worker", "backends.base",
        "concurrency.thread", "events.dispatcher", "events.receiver", "fixups.django", "worker.autoscale",
        "worker.components", "worker.consumer", "worker.consumer.delayed_delivery", "worker.strategy",
    )),
    "config.beat", "kombu.transport.filesystem", "workers.app", "workers.beat",
)  # fmt: skip
OF_MAILBOX, OF_LISTEN = ("service.notices.mailbox",), ("service.post.listener",)
"""Modules to load before children are forked. They are named as text, since this room may not import the workers.
`workers.app` and `workers.beat` read the settings of the environment."""
LEVEL = click.Choice(["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], case_sensitive=False)
PATIENCE = 15.0
"""Seconds for the children to finish. Work that is cut off then is done after the next start."""


# ==== one process each ============================================================================
@click.command()
@click.option("--host", help="Address to listen on.  [default: SLOWTRAIN_HOST, 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: SLOWTRAIN_PORT, 8000]")
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes that share the port. A process that dies is restarted.",
)
@click.option("--fd", type=click.IntRange(3), help="Listen on this open socket, inherited from the parent process.")
def web(host: str | None, port: int | None, processes: int, fd: int | None) -> None:
    """Serve the site and the API."""
    given = {"host": host, "port": port}
    settings = _settings(**given)
    _keep_private(settings)
    with _listener(settings) if fd is None else _given_or_exit(fd) as listener:
        if processes == 1:
            _serve(settings, listener)
        else:
            _tell_children(given)
            commands = {f"web {number}": ["web", f"--fd={listener.fileno()}"] for number in range(1, processes + 1)}
            runs = dict.fromkeys(commands, partial(_serve, settings, listener)) if _loaded(OF_WEB) else None
            Supervisor(commands, runs=runs, share=listener).run()


@click.command()
@click.option("--queues", "-Q", default=",".join(QUEUES), show_default=True, help="Queues to work on.")
@click.option(
    "--concurrency",
    "-c",
    default=TASKS,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of tasks at a time.",
)
@click.option("--loglevel", default=QUIET, show_default=True, type=LEVEL)
def worker(queues: str, concurrency: int, loglevel: str) -> None:
    """Send mail, play the bots and watch the clocks.

    For mail, --concurrency is the number of simultaneous conversations with the mail server.
    """
    _keep_private(_settings())
    _work(queues, concurrency, loglevel)


@click.command()
@click.option("--loglevel", default=QUIET, show_default=True, type=LEVEL)
def beat(loglevel: str) -> None:
    """Tell the workers at intervals to look for due work. Running two does no harm."""
    _keep_private(_settings())
    _tick(loglevel)


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port.  [default: SLOWTRAIN_MAILBOX_PORT, 8025]")
def mailbox(port: int | None) -> None:
    """Take all mail and keep it for the site to show (embedded profile)."""
    settings = _settings(mailbox_port=port)
    _keep_private(settings)
    _take_all_mail(settings)


@click.command()
@click.option("--host", help="Address to listen on.  [default: SLOWTRAIN_LISTEN_HOST, 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port.  [default: SLOWTRAIN_LISTEN_PORT, 8024]")
def listen(host: str | None, port: int | None) -> None:
    """Take mail by SMTP and LMTP from a mail server in front: answers to letters, and reports about letters.

    It stores each mail before it acknowledges it. It refuses unknown recipients when they are named. See
    docs/host/mail.md for the settings of mail servers. Other machines can connect only if SLOWTRAIN_LISTEN_TO names
    their networks.
    """
    settings = _settings(listen_host=host, listen_port=port)
    _keep_private(settings)
    _take_mail(settings)


@click.command()
@click.option("--host", help="Address to listen on.  [default: SLOWTRAIN_LIVE_HOST, 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: SLOWTRAIN_LIVE_PORT, 8001]")
def live(host: str | None, port: int | None) -> None:
    """Hold the streams of live pages (production).

    It hears from Redis which pages have changed, and needs no database. The proxy hands it the address /live, and no
    other; see docs/host/proxy.md. Without it, pages ask now and then.
    """
    from service.base import ticks
    from service.live.hub import serve

    settings = _settings(live_host=host, live_port=port)
    if settings.embedded:
        raise click.ClickException("In the embedded profile, the web process holds the streams itself.")
    if not ticks.is_heard(settings.broker):
        raise click.ClickException("Live pages need a Redis: see SLOWTRAIN_BROKER_URL.")
    logs.configure(settings)
    with _bound_or_exit(settings.live_host, settings.live_port, "--port or SLOWTRAIN_LIVE_PORT") as bound:
        serve(settings, bound)


# ==== processes ===================================================================================
def _serve(settings: Settings, listener: socket.socket) -> None:
    from service.web.serving import serve

    serve(_application(settings), listener, settings if settings.embedded else None)


def _application(settings: Settings) -> Any:
    from service.base import hints
    from service.notices import figures, processes
    from service.web.app import create_app, get_ready

    logs.configure(settings)
    hints.configure(settings)
    app = create_app(settings)
    get_ready(app)
    figures.begin(app.extensions["slowtrain"].store, processes.WEB)
    return app


def _listen_and_serve(settings: Settings) -> None:
    with _listener(settings) as listener:
        _serve(settings, listener)


def _listener(settings: Settings) -> socket.socket:
    return _bound_or_exit(settings.host, settings.port, "--port or SLOWTRAIN_PORT")


def _work(queues: str, concurrency: int = TASKS, loglevel: str = QUIET) -> None:
    celery = _celery("workers.app")
    # Threads, not processes: prefork hangs on a polling broker when one of its children is killed.
    running = celery.Worker(
        pool_cls="threads",
        concurrency=concurrency,
        queues=queues,
        loglevel=logging.getLevelNamesMapping()[loglevel],
        without_mingle=True,
        without_gossip=True,
        without_heartbeat=True,  # nobody reads it, and an ending worker would wait for the next one
        quiet=True,
    )
    running.start()
    sys.exit(running.exitcode)


def _tick(loglevel: str = QUIET) -> None:
    level = logging.getLevelNamesMapping()[loglevel]
    _celery("workers.beat").Beat(loglevel=level, quiet=True).run()


def _celery(module: str) -> Any:
    """Load the Celery application in a module of the workers, by name: this room may not import the workers."""
    # Celery warns root about messages that can run code; ours are JSON.
    warnings.filterwarnings("ignore", "You're running the worker with superuser privileges")
    return import_module(module).app


def _take_all_mail(settings: Settings) -> None:
    from service.notices.mailbox import serve

    _free_or_exit("127.0.0.1", settings.mailbox_port, "--port or SLOWTRAIN_MAILBOX_PORT")
    serve(settings)


def _take_mail(settings: Settings) -> None:
    from service.base import hints
    from service.database.engines import ANSWER_SECONDS
    from service.database.store import open_store
    from service.notices import figures, processes
    from service.post.listener import serve

    logs.configure(settings)
    hints.configure(settings)
    where = (settings.listen_host, settings.listen_port, "--port or SLOWTRAIN_LISTEN_PORT")
    with (
        _bound_or_exit(*where) as bound,
        contextlib.closing(open_store(settings.database, settings=settings, answer_within=ANSWER_SECONDS)) as store,
    ):
        figures.begin(store, processes.LISTEN)
        serve(store, bound)


# ==== all together ================================================================================
@click.command()
@click.option("--host", help="Address of the site.  [default: SLOWTRAIN_HOST, 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the site.  [default: SLOWTRAIN_PORT, 8000]")
@click.option(
    "--mailbox-port",
    type=click.IntRange(1, 65535),
    help="Port of the local mailbox.  [default: SLOWTRAIN_MAILBOX_PORT, 8025]",
)
@click.option("--data-dir", type=click.Path(path_type=Path), help="Folder for all data.  [default: var]")
def up(host: str | None, port: int | None, mailbox_port: int | None, data_dir: Path | None) -> None:
    """Start the whole service on this machine: web, worker, beat and mailbox. Ctrl-C stops everything.

    With SLOWTRAIN_LISTEN=true, the listener for mail from a mail server starts, too.
    """
    given = {"host": host, "port": port, "mailbox_port": mailbox_port, "data_dir": data_dir}
    settings = _settings(**given)
    if not settings.embedded:
        raise click.ClickException("In production, start each process separately: see the Procfile.")
    _keep_private(settings)
    _free_or_exit(settings.host, settings.port, "--port or SLOWTRAIN_PORT")
    _free_or_exit("127.0.0.1", settings.mailbox_port, "--mailbox-port or SLOWTRAIN_MAILBOX_PORT")
    if settings.listen:
        _free_or_exit(settings.listen_host, settings.listen_port, "SLOWTRAIN_LISTEN_PORT")
    with alone(settings.data_dir) as lock:
        _tell_children(given)
        runs: dict[str, Callable[[], None]] = {
            "web": partial(_listen_and_serve, settings),
            **{name: partial(_work, queues) for name, queues in OF_WORKERS.items()},
            "beat": _tick,
            "mailbox": partial(_take_all_mail, settings),
            **({"listen": partial(_take_mail, settings)} if settings.listen else {}),
        }
        commands = {name: [name] for name in runs}
        commands |= {name: ["worker", f"--queues={queues}"] for name, queues in OF_WORKERS.items()}
        if forks := _loaded((*OF_WEB, *OF_CELERY, *OF_MAILBOX, *(OF_LISTEN if settings.listen else ()))):
            _in_a_child(partial(_migrate, settings), lock)
        else:
            _migrate(settings)
        Supervisor(commands, runs=runs if forks else None, leave=(lock,), announce=settings).run()


def _loaded(modules: Sequence[str]) -> bool:
    """Load the modules of children, if children are forked on this system. Return whether they are."""
    if forking.ON_LINUX:
        forking.load(modules)
    return forking.ON_LINUX


def _in_a_child(run: Callable[[], None], lock: IO[str]) -> None:
    """Run a step in a child: it would leave the database open, and libraries loaded that are not needed later."""
    child = forking.Forked(partial(_run_with_messages, run), "migrate", ["migrate"], leave=(lock,))
    try:
        if code := child.wait():
            sys.exit(code if code > 0 else 1)
    finally:
        child.terminate()


def _run_with_messages(run: Callable[[], None]) -> None:
    """Run as a command does: our own errors become messages."""
    try:
        run()
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)


def _migrate(settings: Settings) -> None:
    from service.cli.shared import newer_tables
    from service.database.migrations import NewerTables
    from service.database.store import open_store

    settings.keys()
    with contextlib.closing(open_store(settings.database, settings=settings)) as store:
        try:
            store.migrate()
        except NewerTables as error:
            raise click.ClickException(newer_tables(error)) from None


class Supervisor:
    """Starts, restarts and stops children, each of which runs a command of ``slowtrain``.

    ``announce``: the settings of a site whose address is printed as soon as it answers. ``share``: a socket for all.
    ``runs``: the function of each command, if this process has loaded it and forks the children. ``leave``: files that
    the children close.
    """

    def __init__(
        self,
        commands: Mapping[str, Sequence[str]],
        *,
        announce: Settings | None = None,
        share: socket.socket | None = None,
        runs: Mapping[str, Callable[[], None]] | None = None,
        leave: Sequence[IO[Any]] = (),
    ) -> None:
        self.commands = commands
        self.announce = announce
        self.share = share
        self.leave = leave
        self.runs = runs
        self.children: dict[str, subprocess.Popen[bytes] | forking.Forked] = {}
        self.deaths = dict.fromkeys(commands, 0)
        self.began: dict[str, float] = {}
        self.due: dict[str, float] = {}
        self.stopping = False

    def run(self) -> None:
        """Run until told to stop."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        try:
            for name in self.commands:
                self._start(name)
            while not self.stopping:
                time.sleep(0.1)
                if self.announce and _answers(self.announce):
                    _announce(self.announce)
                    self.announce = None
                self._revive()
        finally:
            self._stop_all()

    def _start(self, name: str) -> None:
        self.began[name] = time.monotonic()
        self.due.pop(name, None)
        command = self.commands[name]
        self.children[name] = self._spawned(command) if self.runs is None else self._forked(name, self.runs[name])

    def _forked(self, name: str, run: Callable[[], None]) -> forking.Forked:
        return forking.Forked(partial(_run_with_messages, run), name, self.commands[name], leave=self.leave)

    def _spawned(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", "from service.cli.main import main; main()", *command],
            start_new_session=True,
            preexec_fn=partial(forking.end_with_parent, os.getpid()),
            pass_fds=() if self.share is None else (self.share.fileno(),),
        )

    def _revive(self) -> None:
        """Restart dead children whose pause is over."""
        for name, child in self.children.items():
            now = time.monotonic()
            if child.poll() is None or self.stopping:
                continue
            if name not in self.due:
                self.due[name] = now + self._pause(name, child.returncode or 0, lived=now - self.began[name])
            if self.due[name] <= now:
                self._start(name)

    def _pause(self, name: str, code: int, lived: float) -> float:
        """Report a dead child. Return the seconds until its restart."""
        self.deaths[name] = 1 if lived >= LIVED else self.deaths[name] + 1
        times = self.deaths[name]
        pause = min(LONGEST_PAUSE, 2.0 ** (times - 2)) if times > 1 else 0.0
        often = f", {times} times within a minute of its start" if pause else ""
        later = f" in {pause:.0f} second{'s' * (pause > 1)}" if pause else ""
        click.echo(f"The {name} process ended ({_cause(code)}){often}; restarting it{later}.", err=True)
        return pause

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def _stop_all(self) -> None:
        if self.share is not None:
            self.share.close()  # no client waits for an ended site
        for child in self.children.values():
            with contextlib.suppress(ProcessLookupError):
                child.terminate()
        until = time.monotonic() + PATIENCE
        for child in self.children.values():
            try:
                child.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def _announce(settings: Settings) -> None:
    """Say where the site is, for this machine and for others on its networks."""
    first, *others = (settings.site,) if settings.base_url else settings.addresses
    click.echo(f"Slow Train is running at {first} - Ctrl-C stops it.")
    for address in others:
        click.echo(f"On your network: {address}")
    if settings.is_reached_from_elsewhere and settings.has_local_mailbox:
        click.echo(f"Your mailbox, for this machine alone: {settings.addresses[0]}/mailbox?key={mailbox_key(settings)}")
    if not settings.base_url and len(others) > 1:
        click.echo(f"Links in emails begin with {settings.site}. SLOWTRAIN_BASE_URL changes that.")


def _cause(code: int) -> str:
    return f"code {code}" if code >= 0 else signal.Signals(-code).name


def _answers(settings: Settings) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((settings.host, settings.port), timeout=0.2):
        return True
    return False


# ==== preparations ================================================================================
def _keep_private(settings: Settings) -> None:
    """Make this process's files private."""
    keep_private()
    if settings.embedded:
        private_folder(settings.data_dir)


def _settings(**given: object) -> Settings:
    """The settings of the environment, overridden by the command line."""
    return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


def _given_or_exit(fd: int) -> socket.socket:
    """The socket that the starting process opened."""
    try:
        return socket.socket(fileno=fd)
    except OSError as error:
        raise click.ClickException(f"There is no socket at file descriptor {fd}: {error.strerror}.") from None


def _tell_children(given: Mapping[str, Any]) -> None:
    """Put the settings of the command line into the environment, so that children have them too."""
    os.environ.update({f"SLOWTRAIN_{name.upper()}": str(value) for name, value in given.items() if value is not None})


def _free_or_exit(host: str, port: int, remedy: str) -> None:
    """Exit with a plain message if another program listens there."""
    _bound_or_exit(host, port, remedy).close()


def _bound_or_exit(host: str, port: int, remedy: str) -> socket.socket:
    """Bind a socket that does not listen yet, or exit with a plain message if another program listens there."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    if bound.family == socket.AF_INET6:
        bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # no IPv4-mapped addresses
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        why = error.strerror or str(error)
        if error.errno == errno.EADDRINUSE:
            why = "another program, perhaps another Slow Train on this machine, uses it"
        raise click.ClickException(
            f"Cannot listen on {host} port {port}: {why}. Choose another with {remedy}."
        ) from None
    return bound


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[IO[str]]:
    """Lock a folder, since only one service may use it. The lock ends with the process, however that ends."""
    with open(folder / "lock", "w") as file:
        private_files([folder / "lock"])
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise click.ClickException(f"Another Slow Train is running in {folder}.") from None
        yield file
