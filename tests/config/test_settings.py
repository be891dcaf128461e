"""Settings that may not be weak, and the command that reports errors, warnings and sound settings."""

import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from config.review import NEEDED
from config.settings import Settings
from service.cli.main import main

ROOT = Path(__file__).parents[2]
NEEDED_ARE = ROOT / "docs/host/production.md"
GOOD: dict[str, Any] = {
    "profile": "production", "base_url": "https://trains.example.org",
    "database_url": "postgresql+psycopg://slowtrain:dbpassword@db/slowtrain", "broker_url": "redis://redis:6379/0",
    "rate_limit_url": "redis://:redispassword@redis:6379/1",
    "secret_keys": ("NqyR3eyVx0jWHqvXMbRmzGkkWOWIXWwUQQ3xrZ8yEVw",), "smtp_host": "mail.example.org",
    "smtp_user": "slowtrain", "smtp_password": "smtppassword", "smtp_tls": "starttls",
    "mail_from": "Slow Train <trains@example.org>", "mail_domain": "example.org", "trusted_proxies": 1,
    "metrics_token": "0123456789abcdef-of-figures", "erased_list": "/tmp/erased",
    "alarm_webhook": "https://chat.example.org/hooks/alarmsecret",
    "trusted_networks": ("db", "redis", "10.1.0.0/16"),
}  # fmt: skip
SECRETS = ("dbpassword", "redispassword", "smtppassword", GOOD["secret_keys"][0], GOOD["metrics_token"], "alarmsecret")
LONG_KEY = "another long key for the tests of settings"


def why_not(**changes: Any) -> str:
    """Return the reason why production does not start with these settings; "" if it does."""
    try:
        Settings(_env_file=None, **GOOD | changes)
    except ValueError as error:
        return str(error)
    return ""


# ==== what production refuses =====================================================================
def test_production_starts_with_good_settings() -> None:
    assert why_not() == ""
    assert why_not(secret_keys=(secrets.token_urlsafe(32), secrets.token_hex(16))) == ""
    assert why_not(secret_keys=("ü" * 16 + "abcdefghijklmnop",)) == ""


@pytest.mark.parametrize("name", ["database_url", "broker_url", "base_url", "secret_keys", "smtp_host"])
def test_missing_settings_of_production_are_named(name: str) -> None:
    said = why_not(**{name: () if name == "secret_keys" else ""})
    assert f"SLOWTRAIN_{name.upper()}" in said
    assert "is missing" in said


def test_production_needs_a_list_of_erased_people() -> None:
    said = why_not(erased_list="")
    assert "SLOWTRAIN_ERASED_LIST: it is missing" in said
    assert "a copy brings them back" in said


def test_production_cannot_switch_the_second_factor_off() -> None:
    assert "SLOWTRAIN_SECOND_FACTOR: production demands a second factor" in why_not(second_factor=False)
    for given in (None, True):
        assert Settings(_env_file=None, **GOOD | {"second_factor": given}).demands_second_factor
    assert not Settings(_env_file=None, second_factor=False).demands_second_factor, "at home it may be left out"


def test_only_listed_machines_may_hand_over_mail() -> None:
    for host in ("0.0.0.0", "::", "", "10.0.0.1", "mail.example.org"):
        assert "SLOWTRAIN_LISTEN_HOST" in why_not(listen_host=host)
        assert why_not(listen_host=host, listen_to=("10.0.0.7",)) == ""
    for host in ("127.0.0.1", "::1", "localhost"):
        assert why_not(listen_host=host) == ""
    assert "'everybody' is no network" in why_not(listen_to=("10.0.0.0/8", "everybody"))
    assert "listen_rate" in why_not(listen_rate=0)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("", "0 characters"),
        ("k", "1 characters"),
        ("x" * 31, "31 characters"),
        ("c69060c7489d933cc8d19700e2058f", "30 characters"),
        ("short but between blanks".center(60), "24 characters"),
        ("a" * 64, "same few characters"),
        ("abc" * 20, "same few characters"),
        ("a long random text", "documentation"),
        ("  A Long Random TEXT ", "documentation"),
    ],
)
def test_a_weak_key_is_refused_wherever_it_stands(key: str, words: str) -> None:
    for keys in ((key,), (LONG_KEY, key), (key, LONG_KEY)):
        said = why_not(secret_keys=keys)
        assert "SLOWTRAIN_SECRET_KEYS" in said
        assert f"key {keys.index(key) + 1} " in said
        assert words in said
        assert not key.strip() or len(key) < 5 or key not in said, "and it is not told"


def test_the_key_that_the_docs_show_is_refused() -> None:
    shown = re.findall(r"SLOWTRAIN_SECRET_KEYS`?\s*(?:\||=)\s*'?`?(\[[^\]]*\])", NEEDED_ARE.read_text())
    assert shown
    for keys in map(json.loads, shown):
        for key in keys:
            if key == "$KEY":  # a shell puts the reader's own there
                continue
            assert "documentation" in why_not(secret_keys=(key,))


def test_the_documented_settings_start_production_with_a_key() -> None:
    table = NEEDED_ARE.read_text().partition("These are required")[2].partition("\n\nTo let")[0]
    given = {name.lower(): it for name, it in re.findall(r"\| `SLOWTRAIN_(\w+)` \| `([^`]*)` \|", table)}
    assert {*NEEDED} <= {*given, "smtp_host"}
    for name in re.findall(r"SLOWTRAIN_(\w+)", table):
        assert name.lower() in Settings.model_fields
    taken = {**given, "secret_keys": (LONG_KEY,), "smtp_host": "mail.example.org"}
    assert Settings(_env_file=None, **taken).profile == "production"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address",
    [
        "http://trains.example.org",
        "http://10.0.0.3:8000",
        "HTTP://trains.example.org",
        "http://localhost.example.org",
        "http://127.0.0.1.example.org",
    ],
)
def test_an_address_without_https_is_refused(address: str) -> None:
    assert "SLOWTRAIN_BASE_URL: it begins with http://" in why_not(base_url=address)


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:8000",
        "http://127.0.0.1:8000/",
        "http://[::1]:8000",
        "http://127.5.0.1",
        "https://züge.example",
    ],
)
def test_an_address_on_loopback_needs_no_https(address: str) -> None:
    assert why_not(base_url=address) == ""


@pytest.mark.parametrize(
    "address",
    [
        "trains.example.org",
        "localhost:8000",
        "ftp://trains.example.org",
        "https://",
        "https:///games",
        "https://a b.org",
        "https://trains.example.org:0",
        "https://trains.example.org/games",
        "https://trains.example.org?x=1",
        "https://trains.example.org#x",
        "https://me:secret@trains.example.org",
        "https://trains.example.org:port",
        "https://trains.example.org:99999",
        "https://[::1",
        "https://*.example.org",
        "javascript:alert(1)",
        "//trains.example.org",
    ],
)
def test_an_invalid_address_is_refused_in_both_profiles(address: str) -> None:
    assert "SLOWTRAIN_BASE_URL" in why_not(base_url=address)
    with pytest.raises(ValueError, match="SLOWTRAIN_BASE_URL: this is no address") as refused:
        Settings(_env_file=None, base_url=address)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "host",
    [
        "*",
        "*.example.org",
        ".example.org",
        "https://www.example.org",
        "www.example.org:443",
        "www.example.org/",
        "a b",
        "",
        "me@example.org",
    ],
)
def test_an_invalid_host_is_refused_in_both_profiles(host: str) -> None:
    for profile in ({}, GOOD):
        with pytest.raises(ValueError, match="SLOWTRAIN_ALLOWED_HOSTS"):
            Settings(_env_file=None, **{**profile, "allowed_hosts": ("www.example.org", host)})


def test_a_password_for_mail_is_sent_encrypted_or_to_this_machine() -> None:
    assert "SLOWTRAIN_SMTP_PASSWORD" in why_not(smtp_tls="none")
    assert "SLOWTRAIN_SMTP_PASSWORD" in why_not(smtp_tls="none", smtp_user="")
    assert why_not(smtp_tls="tls") == ""
    assert why_not(smtp_tls="none", smtp_user="", smtp_password="") == ""
    for host in ("localhost", "127.0.0.1", "::1", "LOCALHOST."):
        assert why_not(smtp_tls="none", smtp_host=host) == "", host


def test_all_errors_are_listed_at_once_without_secrets() -> None:
    said = why_not(secret_keys=("a secret, short key",), base_url="http://trains.example.org", smtp_tls="none")
    for name in ("SECRET_KEYS", "BASE_URL", "SMTP_PASSWORD"):
        assert f"SLOWTRAIN_{name}" in said
    for secret in (*SECRETS, "a secret, short key"):
        assert secret not in said


def test_the_embedded_profile_starts_with_all_of_these() -> None:
    weak = {"secret_keys": ("k",), "base_url": "http://trains.lan:8000", "smtp_host": "mail", "smtp_password": "p"}
    assert Settings(_env_file=None, **weak).site == "http://trains.lan:8000"  # type: ignore[arg-type]


# ==== the command =================================================================================
Check = Callable[..., Result]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """``check(**settings)`` returns the command's output for an environment with only these settings."""
    for name in [name for name in os.environ if name.upper().startswith("SLOWTRAIN_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

    def run(**given: Any) -> Result:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in given.items():
                plain = value if isinstance(value, str) else json.dumps(value)
                patch.setenv(name if name.startswith("SLOWTRAIN") else f"SLOWTRAIN_{name.upper()}", plain)
            return CliRunner().invoke(main, ["check-settings"], prog_name="slowtrain")

    return run


def lines(result: Result, grade: str) -> list[str]:
    return [line.strip() for line in result.output.splitlines() if line.strip().startswith(grade)]


def test_good_settings_are_reported_as_sound(check: Check) -> None:
    result = check(**GOOD, allowed_hosts=["www.example.org"])
    assert (result.exit_code, lines(result, "wrong"), lines(result, "look")) == (0, [], []), result.output
    for words in ("trains.example.org", "www.example.org", "1 key", "starttls", "redis:6379", "db/slowtrain"):
        assert words in result.output
    assert "The service can start with these settings." in result.output
    assert not [secret for secret in SECRETS if secret in result.output]


def test_a_database_with_standbys_names_its_hosts(check: Check) -> None:
    hosts = "host=one:5432&host=two:5432&sslmode=verify-full"
    result = check(**GOOD | {"database_url": f"postgresql://slowtrain:dbpassword@/slowtrain?{hosts}"})
    assert (result.exit_code, lines(result, "wrong")) == (0, []), result.output
    assert "one:5432" in result.output
    assert "two:5432" in result.output
    assert "dbpassword" not in result.output


POSTGRES, REDIS = "postgresql://slowtrain:dbpassword@", "://:redispassword@"


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"database_url": f"{POSTGRES}pg.example.org/slowtrain"}, "without TLS"),
        ({"database_url": f"{POSTGRES}pg.example.org/slowtrain?sslmode=prefer"}, "without TLS"),
        ({"database_url": f"{POSTGRES}pg.example.org/slowtrain?sslmode=require"}, "does not check"),
        ({"database_url": f"{POSTGRES}/slowtrain?host=localhost:5432&host=two.example.org:5432"}, "two.example.org is"),
        ({"database_url": f"{POSTGRES}10.2.0.1:5432/slowtrain"}, "10.2.0.1 is spoken to without TLS"),
        ({"database_url": f"{POSTGRES}[fd00::1]:5432/slowtrain"}, "fd00::1 is spoken to without TLS"),
        ({"broker_url": f"redis{REDIS}cache.example.org:6379/0"}, "without TLS"),
        ({"rate_limit_url": f"redis{REDIS}cache.example.org:6379/1"}, "without TLS"),
        ({"rate_limit_url": f"rediss{REDIS}cache.example.org:6379/1?ssl_cert_reqs=none"}, "does not check"),
    ],
)
def test_tls_is_demanded_if_others_can_listen(check: Check, changes: dict[str, str], missing: str) -> None:
    result = check(**GOOD | changes)
    (line,) = lines(result, "look")
    assert (result.exit_code, line.split()[1]) == (0, f"SLOWTRAIN_{next(iter(changes)).upper()}"), result.output
    assert missing in line
    assert not [secret for secret in SECRETS if secret in result.output]


@pytest.mark.parametrize(
    "changes",
    [
        {"database_url": f"{POSTGRES}pg.example.org/slowtrain?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem"},
        {"database_url": f"{POSTGRES}/slowtrain?host=/run/postgresql"},
        {"database_url": f"{POSTGRES}10.1.2.3/slowtrain"},
        {"database_url": f"{POSTGRES}DB:5432/slowtrain"},
        {"database_url": f"{POSTGRES}[::1]:5432/slowtrain"},
        {"broker_url": f"redis{REDIS}127.0.0.1:6379/0", "rate_limit_url": f"rediss{REDIS}cache.example.org/1"},
    ],
)
def test_tls_is_not_demanded_if_nobody_can_listen(check: Check, changes: dict[str, str]) -> None:
    assert lines(check(**GOOD | changes), "look") == []


def test_a_trusted_network_is_a_network_or_a_host(check: Check) -> None:
    result = check(**GOOD | {"trusted_networks": ["10.0.0.0/8", "not a host"]})
    assert (result.exit_code, [line.split()[1] for line in lines(result, "wrong")]) == (
        1,
        ["SLOWTRAIN_TRUSTED_NETWORKS"],
    )


def test_hosts_in_a_list_with_ports_are_an_error(check: Check) -> None:
    result = check(**GOOD | {"database_url": "postgresql://slowtrain:dbpassword@one:5432,two:5432/slowtrain"})
    assert result.exit_code == 1
    (wrong,) = lines(result, "wrong")
    assert "host=one:5432&host=two:5432" in result.output
    assert "DATABASE_URL" in wrong
    assert "dbpassword" not in result.output


@pytest.mark.parametrize("name", ["security_log", "erased_list"])
def test_a_file_that_cannot_be_written_is_a_warning(check: Check, tmp_path: Path, name: str) -> None:
    for file in (tmp_path, tmp_path / "not" / "there"):
        (look,) = lines(check(**{name: str(file)}), "look")
        assert name.upper() in look
        assert "folder" in look
    assert lines(check(**{name: str(tmp_path / "list")}), "look") == []


def test_the_embedded_profile_is_well_without_any_setting(check: Check, tmp_path: Path) -> None:
    result = check()
    assert (result.exit_code, lines(result, "wrong"), lines(result, "look")) == (0, [], []), result.output
    assert len(lines(result, "well")) >= 4
    assert list(tmp_path.iterdir()) == [], "looking leaves nothing behind"


def test_errors_are_listed_and_the_command_ends_with_one(check: Check) -> None:
    result = check(**GOOD | {"secret_keys": ["a long random text"], "smtp_tls": "none", "base_url": "http://t.example"})
    assert result.exit_code == 1
    assert [line.split()[1] for line in lines(result, "wrong")] == [
        "SLOWTRAIN_SECRET_KEYS",
        "SLOWTRAIN_BASE_URL",
        "SLOWTRAIN_SMTP_PASSWORD",
    ]
    assert lines(result, "well"), "and the rest is judged, too"
    assert "cannot start" in result.output
    assert not [secret for secret in SECRETS if secret in result.output]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"port": "many"}, "SLOWTRAIN_PORT"),
        ({"profile": "prod"}, "SLOWTRAIN_PROFILE"),
        ({"secret_keys": "no-json-but-a-key"}, "SLOWTRAIN_SECRET_KEYS"),
        ({"smtp_tls": "yes"}, "SLOWTRAIN_SMTP_TLS"),
        ({"allowed_hosts": "www.example.org"}, "SLOWTRAIN_ALLOWED_HOSTS"),
        ({"check_hour": "24"}, "SLOWTRAIN_CHECK_HOUR"),
    ],
)
def test_an_unreadable_value_is_an_error(check: Check, given: dict[str, str], words: str) -> None:
    result = check(**given)
    assert result.exit_code == 1
    (line,) = lines(result, "wrong")
    assert words in line
    assert not [value for value in given.values() if len(value) > 6 and value in result.output], result.output


@pytest.mark.parametrize(
    ("changes", "variable"),
    [
        ({"rate_limit_url": ""}, "SLOWTRAIN_RATE_LIMIT_URL"),
        ({"rate_limits": "false"}, "SLOWTRAIN_RATE_LIMITS"),
        ({"webhook_guard": "false"}, "SLOWTRAIN_WEBHOOK_GUARD"),
        ({"trusted_proxies": "0"}, "SLOWTRAIN_TRUSTED_PROXIES"),
        ({"metrics_token": "short"}, "SLOWTRAIN_METRICS_TOKEN"),
        ({"mail_domain": "localhost"}, "SLOWTRAIN_MAIL_DOMAIN"),
        ({"mail_from": "trains@localhost"}, "SLOWTRAIN_MAIL_FROM"),
        ({"smtp_tls": "none", "smtp_password": "", "smtp_user": ""}, "SLOWTRAIN_SMTP_TLS"),
        ({"smtp_user": ""}, "SLOWTRAIN_SMTP_USER"),
        ({"replies": "true"}, "SLOWTRAIN_AUTHSERV_ID"),
    ],
)
def test_warnings_are_listed_and_do_not_fail(check: Check, changes: dict[str, str], variable: str) -> None:
    result = check(**GOOD | changes)
    assert (result.exit_code, [line.split()[1] for line in lines(result, "look")]) == (0, [variable]), result.output


@pytest.mark.parametrize(
    ("given", "variable"),
    [
        ({"secret_keys": ["k"]}, "SLOWTRAIN_SECRET_KEYS"),
        ({"host": "0.0.0.0"}, "SLOWTRAIN_SMTP_HOST"),
        ({"base_url": "http://trains.lan", "smtp_host": "localhost", "replies": "false"}, "SLOWTRAIN_BASE_URL"),
        ({"base_url": "https://trains.example.org"}, "SLOWTRAIN_SMTP_HOST"),
        ({"listen": "true"}, "SLOWTRAIN_AUTHSERV_ID"),
    ],
)
def test_a_weak_setting_is_a_warning_in_the_embedded_profile(
    check: Check, given: dict[str, Any], variable: str
) -> None:
    result = check(**given)
    assert (result.exit_code, [line.split()[1] for line in lines(result, "look")]) == (0, [variable]), result.output


@pytest.mark.parametrize("who", [{"authserv_id": "mx.example.org"}, {"check_dkim": "true"}])
def test_the_proof_of_authors_is_named(check: Check, who: dict[str, str]) -> None:
    result = check(**GOOD | {"replies": "true"} | who)
    assert (result.exit_code, lines(result, "look")) == (0, []), result.output
    assert f"SLOWTRAIN_{next(iter(who)).upper()}" in result.output


@pytest.mark.parametrize("name", ["mx example", "mx;dmarc=pass", '"mx"'])
def test_an_impossible_authserv_id_is_an_error(check: Check, name: str) -> None:
    result = check(**GOOD | {"replies": "true", "authserv_id": name})
    assert (result.exit_code, len(lines(result, "wrong"))) == (1, 1), result.output


BOX = {"imap_host": "imap.example.org", "imap_user": "club", "imap_password": "an application password"}


def test_a_mailbox_switches_answers_and_signatures_on(check: Check) -> None:
    settings = Settings(_env_file=None, **GOOD | BOX | {"reply_addresses": "club+{}@example.org"})
    assert settings.answerable
    assert settings.fetches
    assert settings.checks_dkim
    assert settings.imap == ("imap.example.org", 993)
    assert settings.with_(imap_tls="starttls").imap == ("imap.example.org", 143)
    assert not settings.with_(check_dkim=False).checks_dkim
    assert not settings.with_(replies=False).fetches
    result = check(**GOOD | BOX | {"reply_addresses": "club+{}@example.org"})
    assert (result.exit_code, lines(result, "look")) == (0, []), result.output
    assert "answers are fetched from imap.example.org" in result.output
    assert "an application password" not in result.output


@pytest.mark.parametrize(
    "given",
    [
        "club",
        "club+{}",
        "{}@",
        "club+{}{}@example.org",
        "a b{}@example.org",
        f"{'x' * 40}{{}}@example.org",
        "{x}@e.org",
    ],
)
def test_an_impossible_form_of_addresses_is_an_error(check: Check, given: str) -> None:
    result = check(**GOOD | BOX | {"reply_addresses": given})
    assert (result.exit_code, len(lines(result, "wrong"))) == (1, 1), result.output
    assert "SLOWTRAIN_REPLY_ADDRESSES" in lines(result, "wrong")[0]


@pytest.mark.parametrize(
    ("given", "grade", "variable"),
    [
        ({"imap_password": ""}, "wrong", "SLOWTRAIN_IMAP_PASSWORD"),
        ({"imap_tls": "none"}, "wrong", "SLOWTRAIN_IMAP_TLS"),
        ({"replies": "false"}, "look", "SLOWTRAIN_IMAP_HOST"),
        ({"reply_addresses": ""}, "look", "SLOWTRAIN_REPLY_ADDRESSES"),
        ({"imap_host": ""}, "look", "SLOWTRAIN_IMAP_HOST"),
    ],
)
def test_a_mailbox_that_cannot_work_is_named(check: Check, given: dict[str, str], grade: str, variable: str) -> None:
    result = check(**GOOD | BOX | {"reply_addresses": "club+{}@example.org"} | given)
    assert variable in [line.split()[1] for line in lines(result, grade)], result.output


def test_an_unknown_variable_is_named_with_a_suggestion(check: Check, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SLOWTRAIN_SMTP_PASSWROD=hidden\nPATH=x\nslowtrain_port=8001\n")
    result = check(SLOWTRAIN_BASEURL="https://trains.example.org", SLOWTRAIN_NONSENSE="1")
    said = lines(result, "look")
    assert [line.split()[1] for line in said] == ["SLOWTRAIN_BASEURL", "SLOWTRAIN_NONSENSE", "SLOWTRAIN_SMTP_PASSWROD"]
    assert "SLOWTRAIN_BASE_URL" in said[0]
    assert "SLOWTRAIN_SMTP_PASSWORD" in said[2]
    assert "hidden" not in result.output
    assert result.exit_code == 0


def test_a_settings_file_is_reviewed_too(check: Check, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SLOWTRAIN_PROFILE=production\n")
    result = check()
    assert result.exit_code == 1
    assert len(lines(result, "wrong")) == 6


# ==== who starts with them ========================================================================
@pytest.mark.parametrize("command", [["up"], ["web"], ["migrate"], ["checks"]])
def test_a_command_explains_why_it_does_not_start(check: Check, command: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLOWTRAIN_SECRET_KEYS", '["k-too-short"]')
        patch.setenv("SLOWTRAIN_PROFILE", "production")
        result = CliRunner().invoke(main, command)
    assert result.exit_code == 1
    assert "SLOWTRAIN_SECRET_KEYS: key 1 has 11 characters" in result.output
    assert "check-settings" in result.output
    assert "k-too-short" not in result.output
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize(
    "starts", [("import workers.app",), ("import workers.beat",), ("from service.cli.main import main; main()", "web")]
)
def test_no_process_of_production_starts_with_weak_settings(starts: tuple[str, ...]) -> None:
    given = {f"SLOWTRAIN_{name.upper()}": it if isinstance(it, str) else json.dumps(it) for name, it in GOOD.items()}
    weak = os.environ | given | {"SLOWTRAIN_BASE_URL": "http://trains.example.org"}
    done = subprocess.run(
        [sys.executable, "-c", *starts], cwd=ROOT, env=weak, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "SLOWTRAIN_BASE_URL: it begins with http://" in done.stderr
    assert not [secret for secret in SECRETS if secret in done.stderr]


# ==== who is told of trouble ======================================================================
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"alarm_webhook": "chat.example.org"}, "no address like https://chat.example.org"),
        ({"alarm_smtp": "smtps://mail.example.net"}, "SLOWTRAIN_ALARM_TO: it is missing"),
        ({"alarm_to": ("a@b.example",)}, "SLOWTRAIN_ALARM_SMTP: it is missing"),
        ({"alarm_smtp": "https://x.example", "alarm_to": ("a@b.example",)}, "no address like smtps://"),
        ({"alarm_smtp": "smtps://x.example", "alarm_to": ("nobody",)}, "'nobody' is no mail address"),
        ({"alarm_smtp": "smtp://u:secret-word@x.example", "alarm_to": ("a@b.example",)}, "the password would go"),
    ],
)
def test_an_alarm_setting_that_cannot_work_is_refused(given: dict[str, Any], words: str) -> None:
    said = why_not(**given)
    assert words in said
    assert "secret-word" not in said


def test_a_good_alarm_setting_is_accepted() -> None:
    assert why_not(alarm_webhook="https://chat.example.org/hooks/1") == ""
    assert why_not(alarm_smtp="smtps://u:p@x.example", alarm_to=("a@b.example",)) == ""
