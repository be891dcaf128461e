"""What is shipped for running it: that it starts the processes there are, names figures there are, and can be read by
the programs it is made for."""

import configparser
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.logging import strike_out
from config.settings import AsGiven, Settings
from service.cli.run import web as web_command
from service.database import engines
from service.web import serving
from tests.service.web.api.world import make_world

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "config/deploy"
PROCFILE = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
GRACE = serving.PATIENCE


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / "systemd" / f"slowtrain-{name}.service")
    return parser


def words(command: str) -> list[str]:
    """A command of the Procfile, its defaults filled in."""
    return shlex.split(re.sub(r"\$\{\w+:-(\w+)\}", r"\1", command))


# ==== the processes ===============================================================================
@pytest.mark.parametrize("name", PROCFILE)
def test_each_process_of_the_procfile_has_a_container_and_a_unit(name: str) -> None:
    expected = words(PROCFILE[name])
    assert COMPOSE[name]["command"] == expected
    started = shlex.split(unit(name)["Service"]["ExecStart"])
    assert started[0] == f"/opt/slowtrain/.venv/bin/{expected[0]}"
    if name == "web":  # it gets its socket from systemd
        assert started[1:] == ["web", "--fd", "3", "--processes", "2"]
        web_command.make_context("web", started[2:])
    else:
        assert started[1:] == expected[1:]


def test_nothing_is_started_that_the_procfile_does_not_know() -> None:
    ours = {name for name, service in COMPOSE.items() if service.get("image") == "slowtrain"}
    assert ours == set(PROCFILE) | {"migrate"}
    assert {file.stem.removeprefix("slowtrain-") for file in UNITS} == set(PROCFILE) | {"migrate"}
    target = (DEPLOY / "systemd/slowtrain.target").read_text()
    assert set(re.findall(r"slowtrain-(\w+)\.service", target)) == set(PROCFILE)


@pytest.mark.parametrize("name", [*PROCFILE, "migrate"])
def test_each_waits_until_the_tables_have_their_shape(name: str) -> None:
    if name == "migrate":
        assert COMPOSE[name]["command"] == ["slowtrain", "migrate"]
        assert COMPOSE[name]["depends_on"]["db"]["condition"] == "service_healthy"
        assert unit(name)["Service"]["Type"] == "oneshot"
    else:
        assert COMPOSE[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
        assert "slowtrain-migrate.service" in unit(name)["Unit"]["Requires"].split()
        assert "slowtrain-migrate.service" in unit(name)["Unit"]["After"].split()


@pytest.mark.parametrize("name", PROCFILE)
def test_each_may_finish_what_it_does(name: str) -> None:
    assert int(COMPOSE[name]["stop_grace_period"].removesuffix("s")) >= GRACE + 5
    assert int(unit(name)["Service"]["TimeoutStopSec"]) >= GRACE + 5
    assert unit(name)["Service"]["KillMode"] == "mixed", "the main process tells its children"


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert {name for name, service in COMPOSE.items() if "ports" in service} == {"web"}
    assert COMPOSE["proxy"]["network_mode"] == "service:web"
    assert COMPOSE["web"]["ports"] == ["80:80", "443:443"]
    assert "--host" not in COMPOSE["web"]["command"], "it listens to its own network alone, which is the proxy's"


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    for file in (DEPLOY / "systemd").rglob("*"):
        if file.is_file():
            copy = tmp_path / file.relative_to(DEPLOY / "systemd")
            copy.parent.mkdir(parents=True, exist_ok=True)
            # The program and its user are not on this machine.
            said = file.read_text().replace("/opt/slowtrain/.venv/bin/", "/bin/env ").replace("=slowtrain\n", "=root\n")
            copy.write_text(said)
    files = sorted(str(file) for file in tmp_path.iterdir() if file.suffix in {".service", ".socket", ".target"})
    answer = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *files],
        capture_output=True,
        text=True,
        env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin"},
        check=False,
    )
    ours = [line for line in answer.stderr.splitlines() if "slowtrain" in line]
    assert ours == []


# ==== the settings ================================================================================
def test_the_example_of_settings_names_settings_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (DEPLOY / "slowtrain.env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    known = {f"SLOWTRAIN_{name.upper()}" for name in AsGiven.model_fields}
    assert {name for name in given if name.startswith("SLOWTRAIN_")} <= known
    for name, value in given.items():
        monkeypatch.setenv(name, value.strip("'"))
    settings = AsGiven(_env_file=None)  # type: ignore[call-arg]
    assert settings.profile == "production"
    assert settings.smtp == ("mta", 25)
    password = given["POSTGRES_PASSWORD"]
    database = f"{given['POSTGRES_USER']}:{password}@db/{given['POSTGRES_DB']}"
    assert settings.database == f"postgresql+psycopg://{database}"
    assert {"db", "redis", "mta"} <= set(COMPOSE)


def test_the_address_of_several_servers_is_one_that_is_understood() -> None:
    lines = (DEPLOY / "slowtrain.env.example").read_text().splitlines()
    ((name, address),) = [line.removeprefix("# ").split("=", 1) for line in lines if line.startswith("# SLOWTRAIN_")]
    assert name == "SLOWTRAIN_DATABASE_URL"
    engine = engines.make_engine(engines.address_of(address))
    _, given = engine.dialect.create_connect_args(engine.url)
    assert (given["host"], given["port"]) == ("a,b,c", "5432,5432,5432")
    assert given["target_session_attrs"] == "read-write"


def test_what_the_example_leaves_to_be_filled_in_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that everybody can read is none: `check-settings` says so."""
    from config.review import review

    lines = (DEPLOY / "slowtrain.env.example").read_text().splitlines()
    for name, value in (line.split("=", 1) for line in lines if line and not line.startswith("#")):
        monkeypatch.setenv(name, value.strip("'"))
    wrong = [it for it in review(AsGiven(_env_file=None)) if it.grade == "wrong"]  # type: ignore[call-arg]
    assert any("SLOWTRAIN_SECRET_KEYS" in str(it) for it in wrong)


# ==== the alerts ==================================================================================
ALERTS = [rule for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"] for rule in group["rules"]]


def test_alerts_ask_for_figures_there_are(figures: str) -> None:
    shown = set(re.findall(r"^# TYPE (\w+)", figures, re.M))
    shown |= {f"{name}_{kind}" for name in shown for kind in ("bucket", "count")}
    asked = {name for rule in ALERTS for name in re.findall(r"slowtrain_\w+", rule["expr"])}
    assert asked
    assert asked <= shown


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_an_alert_says_what_is_the_matter_and_what_to_do(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"]["summary"]
    assert rule["annotations"]["remedy"]


@pytest.fixture
def figures(tmp_path: Path) -> Iterator[str]:
    """What `/metrics` shows when there was one request."""
    settings = Settings(_env_file=None, data_dir=tmp_path, metrics_token="of figures")
    world = make_world(settings.database, settings)
    world.anonymous().get("./healthz")
    yield world.anonymous().get("./metrics", headers={"Authorization": "Bearer of figures"}).text
    world.store.close()


# ==== the proxy's log =============================================================================
@pytest.mark.parametrize(
    "path",
    [
        "/sign-in/abc",
        "/turn/abc.def",
        "/do/abc.def",
        "/join/x",
        "/de/join/x",
        "/api/v1/feeds/abc/games.atom",
        "/mail/unsubscribe/abc",
        "/address/abc",
        "/never/abc",
        "/confirm/abc",
    ],
)
def test_the_proxy_logs_no_key_that_our_own_logs_strike_out(path: str) -> None:
    (pattern,) = re.findall(r'"~\*(\^.*)" "\$slowtrain_way<token>"', (DEPLOY / "nginx.conf").read_text())
    found = re.match(pattern.replace("?<", "?P<"), path, re.I)
    assert found
    logged = found["slowtrain_way"] + "<token>"
    assert strike_out(None, "", {"event": path})["event"].startswith(logged)
