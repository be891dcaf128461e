"""The questions of ``slowtrain init``, in their order, and what the settings are with the answers.

Each part of the dialogue is a function that asks and puts settings into ``values`` (name in lower case -> text, as in a
settings file). `Answers` takes the answers from a terminal or from a file, and both get the same questions.
"""

import secrets
import tomllib
from collections.abc import Callable, Mapping, MutableMapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from config.hosts import split
from config.settings import Settings
from service.people.accounts import BadAddress, normalised
from service.post import dns

Values = MutableMapping[str, str]


class SetupQuestion(NamedTuple):
    """A question. ``choices``: the answers that there are, each with what it means. ``is_secret``: not to be shown."""

    words: str
    choices: Mapping[str, str] = {}
    is_secret: bool = False


_ENCRYPTIONS = {"tls": "from the start", "starttls": "after a greeting", "none": "not at all; on this machine alone"}
QUESTIONS: Mapping[str, SetupQuestion] = {
    "profile": SetupQuestion(
        "How large will it be?",
        {"embedded": "small: a club on this machine", "production": "large: with PostgreSQL and Redis"},
    ),
    "reach": SetupQuestion(
        "From where do players reach the site?",
        {
            "machine": "from this machine alone",
            "network": "from other machines on its networks (Wi-Fi, LAN), too",
            "internet": "from everywhere, through a proxy or a tunnel with a name",
        },
    ),
    "address": SetupQuestion("The address at which they reach it"),
    "proxies": SetupQuestion("How many proxies in front tell the address of the client (X-Forwarded-For)?"),
    "data": SetupQuestion("The folder for all data"),
    "database": SetupQuestion("The address of PostgreSQL"),
    "broker": SetupQuestion("The address of Redis for the workers"),
    "limits": SetupQuestion("The address of Redis for counting requests"),
    "erased": SetupQuestion("The file that lists erased people"),
    "mail": SetupQuestion(
        "How do letters leave?",
        {
            "none": "nowhere; you read them on a page of this machine",
            "account": "through an ordinary email account, which gets the answers, too",
            "server": "through a mail server; answers need more (docs/host/mail.md)",
        },
    ),
    "account": SetupQuestion("The email address of this account"),
    "server": SetupQuestion("The mail server (SMTP)"),
    "port": SetupQuestion("Its port"),
    "encryption": SetupQuestion("How is the connection encrypted?", _ENCRYPTIONS),
    "user": SetupQuestion("The user name there"),
    "password": SetupQuestion("The password there (an app password, if the provider has them)", is_secret=True),
    "sender": SetupQuestion("The email address from which letters come"),
    "inbox": SetupQuestion("The server of the mailbox (IMAP)"),
    "inbox_port": SetupQuestion("Its port"),
    "inbox_encryption": SetupQuestion("How is this connection encrypted?", _ENCRYPTIONS),
    "inbox_user": SetupQuestion("The user name there"),
    "answers": SetupQuestion("The form of the addresses for answers, with {} for the part that changes"),
    "operator": SetupQuestion("The email address of the first operator, the person who looks after the site"),
    "letter": SetupQuestion(
        "Send them a test letter?", {"yes": "and wait until it is answered", "no": "what it would show stays unchecked"}
    ),
    "units": SetupQuestion(
        "Write units for systemd, which start the service with the machine and copy it each night?",
        {"yes": "they are only written; you start them", "no": "you start the service yourself"},
    ),
}


class BadAnswer(ValueError):
    """An answer that cannot be used. Its text says why."""


class Answers:
    """Answers from a file, or from somebody at a terminal whom ``prompt`` asks.

    ``prompt``: gets the question and what an empty answer means, and returns the answer; ``warn``: says why an answer
    cannot be used.
    """

    def __init__(
        self, given: Mapping[str, str] | None, prompt: Callable[[SetupQuestion, str], str], warn: Callable[[str], None]
    ) -> None:
        self.given, self.prompt, self.warn = given, prompt, warn

    @property
    def asks(self) -> bool:
        """Is there somebody to ask?"""
        return self.given is None

    def get(self, name: str, usual: str = "", *, fits: Callable[[str], str] = str, needed: bool = True) -> str:
        """Return an answer. ``fits``: returns it in the right form, or raises `BadAnswer`. ``usual``: the default.

        Somebody at a terminal is asked again; a file is refused with `BadAnswer`.
        """
        question = QUESTIONS[name]
        while True:
            it = self.prompt(question, usual) if self.given is None else self.given.get(name, usual)
            try:
                if needed and not it:
                    raise BadAnswer("an answer is needed")
                if it and question.choices and it not in question.choices:
                    raise BadAnswer(f"{it!r} is none of {', '.join(question.choices)}")
                return fits(it) if it else it
            except BadAnswer as error:
                if self.given is not None:
                    raise BadAnswer(f"{name}: {error}.") from None
                self.warn(f"{error}.")

    def is_yes(self, name: str, usual: str) -> bool:
        return self.get(name, usual) == "yes"


def from_file(file: Path) -> dict[str, str]:
    """Return the answers in a TOML file. Raise `BadAnswer`."""
    try:
        given = tomllib.loads(file.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadAnswer(f"{file} is no TOML: {error}.") from None
    for name in given:
        if name not in QUESTIONS:
            near = get_close_matches(name, QUESTIONS, 1)
            raise BadAnswer(f"{name}: there is no such question" + (f"; did you mean {near[0]}?" if near else "."))
    if "password" in given and file.stat().st_mode & 0o077:
        raise BadAnswer(f"{file} holds a password, and others may read it: chmod 600 {file}")
    return {name: _text(it) for name, it in given.items()}


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value).strip()


def example() -> str:
    """Return a file with all questions, each with its choices. No answer is given: the defaults hold."""
    lines = ["# Answers for slowtrain init. What is left out has its default; what need not be asked is not asked."]
    for name, it in QUESTIONS.items():
        lines += ["", f"# {it.words}"]
        lines += [f"#   {choice}: {words}" for choice, words in it.choices.items()]
        lines.append(f'# {name} = "…"')
    return "\n".join(lines) + "\n"


# ==== the parts of the dialogue ===================================================================
def profile(answers: Answers, values: Values) -> None:
    _put(values, "profile", answers.get("profile", values.get("profile") or "embedded"))


def address(answers: Answers, values: Values) -> None:
    """Ask from where the site is reached."""
    reach = "internet"
    if is_embedded(values):
        usual = "internet" if values.get("base_url") else "network" if values.get("host") == "0.0.0.0" else "machine"
        reach = answers.get("reach", usual)
        _put(values, "host", "0.0.0.0" if reach == "network" else "127.0.0.1")
    if reach == "internet":
        _put(values, "base_url", answers.get("address", values.get("base_url", ""), fits=_as_url))
        _put(values, "trusted_proxies", answers.get("proxies", values.get("trusted_proxies") or "1", fits=_as_number))
    else:
        _put(values, "base_url", "")
        _put(values, "trusted_proxies", "0")


def _as_url(given: str) -> str:
    url = given.rstrip("/") if "://" in given else f"https://{given.rstrip('/')}"
    parts = split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
        raise BadAnswer("an address is written https://trains.example.org, and no more")
    return url


def _as_number(given: str) -> str:
    if not given.isdecimal():
        raise BadAnswer(f"{given!r} is no number")
    return given


def data(answers: Answers, values: Values) -> None:
    """Ask where the data lies. Production gets a key, if it has none."""
    if is_embedded(values):
        _put(values, "data_dir", answers.get("data", values.get("data_dir") or str(_usual("data_dir"))))
        return
    for question, name, usual in (
        ("database", "database_url", "postgresql+psycopg://slowtrain@/slowtrain"),
        ("broker", "broker_url", "redis://localhost:6379/0"),
        ("limits", "rate_limit_url", "redis://localhost:6379/1"),
        ("erased", "erased_list", "/var/lib/slowtrain/erased/list"),
    ):
        _put(values, name, answers.get(question, values.get(name) or usual))
    if not values.get("secret_keys"):
        values["secret_keys"] = f'["{secrets.token_urlsafe(32)}"]'


def mail(answers: Answers, values: Values) -> None:
    """Ask how letters leave, and where answers arrive."""
    if values.get("imap_host"):
        usual = "account"
    else:
        usual = "server" if values.get("smtp_host") or not is_embedded(values) else "none"
    way = answers.get("mail", usual)
    if way == "none" and not is_embedded(values):
        raise BadAnswer("mail: the production profile needs a mail server or an account.")
    if way != "account":
        _clear(values, "imap_host", "imap_port", "imap_tls", "imap_user", "imap_password", "reply_addresses")
    if way == "account":
        _account(answers, values)
    elif way == "server":
        _server(answers, values, values.get("smtp_host", ""), 25)
        _sent_by(values, answers.get("sender", _address_in(values.get("mail_from", "")), fits=_as_address))
    else:
        _clear(values, "smtp_host", "smtp_port", "smtp_tls", "smtp_user", "smtp_password")


def _account(answers: Answers, values: Values) -> None:
    account = answers.get("account", _address_in(values.get("mail_from", "")), fits=_as_address)
    local, _, domain = account.rpartition("@")
    host, port = _named_server(domain, "submissions", "submission") or (f"smtp.{domain}", 587)
    _server(answers, values, host, port, account)
    _sent_by(values, account)
    host, port = _named_server(domain, "imaps") or (f"imap.{domain}", 993)
    _put(values, "imap_host", answers.get("inbox", values.get("imap_host") or host))
    number = answers.get("inbox_port", _number(values, "imap_port") or str(port), fits=_as_number)
    _put(values, "imap_port", number)
    usual = values.get("imap_tls") or ("tls" if number == "993" else "starttls")
    _put(values, "imap_tls", answers.get("inbox_encryption", usual))
    _put(values, "imap_user", answers.get("inbox_user", values.get("imap_user") or values["smtp_user"]))
    _put(values, "imap_password", values["smtp_password"])
    form = values.get("reply_addresses") or f"{local}+{{}}@{domain}"
    _put(values, "reply_addresses", answers.get("answers", form, fits=_as_form))


def _server(answers: Answers, values: Values, host: str, port: int, user: str = "") -> None:
    """Ask for the server that sends letters. ``user``: its usual user, if it must have one."""
    _put(values, "smtp_host", answers.get("server", values.get("smtp_host") or host))
    number = answers.get("port", _number(values, "smtp_port") or str(port), fits=_as_number)
    _put(values, "smtp_port", number)
    usual = values.get("smtp_tls") or {"465": "tls", "587": "starttls"}.get(number, "none")
    _put(values, "smtp_tls", answers.get("encryption", usual))
    given = answers.get("user", values.get("smtp_user") or user, needed=bool(user))
    _put(values, "smtp_user", given)
    _put(values, "smtp_password", answers.get("password", values.get("smtp_password", "")) if given else "")


def _number(values: Values, name: str) -> str:
    """Return a port, or "" for the usual one, which is written 0."""
    return values.get(name, "").lstrip("0")


def _sent_by(values: Values, sender: str) -> None:
    """Let letters come from this address. A name that stands before the present one is kept."""
    if _address_in(values.get("mail_from", "")) != sender:
        _put(values, "mail_from", f"Slow Train <{sender}>")
        _put(values, "mail_domain", sender.rpartition("@")[2])


def _named_server(domain: str, *services: str) -> tuple[str, int] | None:
    return next((it for service in services if (it := dns.server_of(service, domain))), None)


def _address_in(sender: str) -> str:
    return sender.rpartition("<")[2].rstrip(">").strip()


def _as_address(given: str) -> str:
    try:
        return normalised(given)
    except BadAddress:
        raise BadAnswer(f"{given!r} is no email address") from None


def _as_form(given: str) -> str:
    if given.count("{}") != 1 or given.count("@") != 1:
        raise BadAnswer("a form is written club+{}@example.org or {}@club.example.org")
    return given


def operator(answers: Answers, values: Values) -> str:
    """Ask for the first operator. Return their address, or "" for none."""
    return answers.get("operator", fits=_as_address, needed=False)


# ==== values ======================================================================================
def is_embedded(values: Mapping[str, str]) -> bool:
    return values.get("profile", "embedded") == "embedded"


def _put(values: Values, name: str, value: str) -> None:
    """Set a value. A default need not stand in the file, unless something else stands there."""
    if name in values or value != str(_usual(name)):
        values[name] = value


def _clear(values: Values, *names: str) -> None:
    for name in names:
        _put(values, name, str(_usual(name)))


def _usual(name: str) -> Any:
    return Settings.model_fields[name].default
