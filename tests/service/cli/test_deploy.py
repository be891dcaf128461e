"""Files for deployment: they start exactly our processes, name existing metrics, and are valid for the programs that
read them.
"""

import configparser
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from config.celery import make_celery
from config.logging import strike_out
from config.settings import AsGiven, Settings
from service.cli.main import main
from service.cli.run import web as web_command
from service.database import engines
from service.database.store import Store
from service.notices.watch import BACKED_UP, PROVED, WIPED
from service.web import serving
from tests import alerts
from tests.service.web.api.world import make_world

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "config/deploy"
PROCFILE = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
WHOLE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
COMPOSE: dict[str, Any] = WHOLE["services"]
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
GRACE = serving.PATIENCE


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / "systemd" / f"slowtrain-{name}.service")
    return parser


def words(command: str) -> list[str]:
    """The words of a Procfile command, with its defaults filled in."""
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
    assert ours == set(PROCFILE) | {"migrate", "backup"}
    assert {file.stem.removeprefix("slowtrain-") for file in UNITS} == set(PROCFILE) | {"migrate", "backup"}
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


def test_only_the_proxy_is_reached_from_outside_and_it_reaches_web_processes_and_hub_alone() -> None:
    assert {name for name, service in COMPOSE.items() if "ports" in service} == {"proxy"}
    assert COMPOSE["proxy"]["ports"] == ["80:80", "443:443"]
    assert {name for name, service in COMPOSE.items() if "front" in service.get("networks", {})} == {
        "proxy",
        "web",
        "live",
    }
    assert list(COMPOSE["proxy"]["networks"]) == ["front"]
    assert "network_mode" not in COMPOSE["proxy"] | COMPOSE["web"] | COMPOSE["live"]


def test_the_proxy_finds_web_processes_and_hub_where_they_listen(tmp_path: Path) -> None:
    """The test runs the container's command as it stands, without nginx itself."""
    places = {"web": ("SLOWTRAIN_HOST", "8000/readyz"), "live": ("SLOWTRAIN_LIVE_HOST", "8001/healthz")}
    (subnet,) = WHOLE["networks"]["front"]["ipam"]["config"]
    for name, (setting, health) in places.items():
        address = COMPOSE[name]["environment"][setting]
        assert COMPOSE[name]["networks"]["front"]["ipv4_address"] == address
        assert ip_address(address) in list(ip_network(subnet["subnet"]).hosts())[1:], "the first is the gateway's"
        assert ip_address(address) not in ip_network(subnet["ip_range"]), "nobody else is given it"
        assert f"http://{address}:{health}" in COMPOSE[name]["healthcheck"]["test"][-1]
    _, _, script = COMPOSE["proxy"]["command"]
    assert "./nginx.conf:/etc/nginx/slowtrain.conf:ro" in COMPOSE["proxy"]["volumes"]
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "slowtrain.conf").write_text((DEPLOY / "nginx.conf").read_text())
    here = script.replace("/etc/nginx", str(tmp_path)).replace("exec nginx", "echo nginx")
    said = subprocess.run(["sh", "-c", here], capture_output=True, text=True, check=True).stdout
    assert said == "nginx -g daemon off;\n"
    written = (tmp_path / "conf.d/default.conf").read_text()
    for name, port in (("web", 8000), ("live", 8001)):
        assert f"server {COMPOSE[name]['networks']['front']['ipv4_address']}:{port};" in written
    assert "127.0.0.1" not in written


# ==== stored data =================================================================================
def volumes(service: str) -> dict[str, str]:
    """Path in a container -> the volume or file mounted there."""
    return {where.split(":")[1]: where.split(":")[0] for where in COMPOSE[service].get("volumes", [])}


def test_all_processes_share_the_list_of_who_was_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = example(monkeypatch)
    folder = str(Path(settings.erased_list).parent)
    ours = [name for name, service in COMPOSE.items() if service.get("image") == "slowtrain"]
    assert {volumes(name)[folder] for name in ours} == {"erased"}
    assert {"erased", "copies", "db"} <= set(WHOLE["volumes"])
    assert volumes("db").keys() & volumes("backup").keys() == set(), "on a volume of its own"
    image = (DEPLOY / "Containerfile").read_text()
    assert folder in image, "a volume belongs to whom its folder in the image belongs to"
    states = re.findall(
        r"^StateDirectory=(.*)", (DEPLOY / "systemd/slowtrain-.service.d/common.conf").read_text(), re.M
    )
    assert folder in [f"/var/lib/{each}" for each in states[0].split()]


def test_a_copy_is_made_each_night_and_tried(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The test runs the commands of container and unit as they stand, with another folder for copies."""
    if not store.on_sqlite:  # tools as old as the server, as in the image
        programs = request.getfixturevalue("postgresql").programs
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    unit_lines = (DEPLOY / "systemd/slowtrain-backup.service").read_text().splitlines()
    started = [line.partition("=")[2] for line in unit_lines if line.startswith("ExecStart=")]
    commands = [line.removeprefix("/opt/slowtrain/.venv/bin/") for line in started]
    _, _, loop = COMPOSE["backup"]["command"]
    assert loop == f"while :; do {' && '.join(commands)}; sleep 86400; done"
    assert subprocess.run(["sh", "-n", "-c", loop], check=False).returncode == 0
    folder = "/var/lib/slowtrain/copies"
    assert volumes("backup")[folder] == "copies"
    assert "slowtrain-backup.timer" in (DEPLOY / "systemd/slowtrain.target").read_text()
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", store.engine.url.render_as_string(hide_password=False))
    monkeypatch.setenv("SLOWTRAIN_DATA_DIR", str(tmp_path))
    for command, ends in zip(commands, (0, 3), strict=True):  # 3: there are no games to be proved
        done = CliRunner().invoke(main, shlex.split(command.replace(folder, str(tmp_path)))[1:])
        assert done.exit_code == ends, done.output
    assert len(list(tmp_path.glob("slowtrain-*.backup"))) == 1


def test_the_image_has_the_tools_of_the_server_beside_it() -> None:
    """A pg_dump older than its server refuses to work. Debian 13 has version 17."""
    server = COMPOSE["db"]["image"].partition(":")[2]
    image = (DEPLOY / "Containerfile").read_text()
    assert f"postgresql-client-{server}" in image
    assert set(re.findall(r"^FROM python:3\.\d+-slim-(\w+)", image, re.M)) == {"trixie"}
    assert server == "17"


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    for file in (DEPLOY / "systemd").rglob("*"):
        if file.is_file():
            copy = tmp_path / file.relative_to(DEPLOY / "systemd")
            copy.parent.mkdir(parents=True, exist_ok=True)
            # The program and its user are not on this machine.
            said = file.read_text().replace("/opt/slowtrain/.venv/bin/", "/bin/env ").replace("=slowtrain\n", "=root\n")
            copy.write_text(said)
    files = sorted(
        str(file) for file in tmp_path.iterdir() if file.suffix in {".service", ".socket", ".target", ".timer"}
    )
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
def example(monkeypatch: pytest.MonkeyPatch) -> AsGiven:
    """The settings of the example."""
    lines = (DEPLOY / "slowtrain.env.example").read_text().splitlines()
    for name, value in (line.split("=", 1) for line in lines if line and not line.startswith("#")):
        monkeypatch.setenv(name, value.strip("'"))
    return AsGiven(_env_file=None)  # type: ignore[call-arg]


def test_the_example_of_settings_names_settings_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (DEPLOY / "slowtrain.env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    known = {f"SLOWTRAIN_{name.upper()}" for name in AsGiven.model_fields}
    assert {name for name in given if name.startswith("SLOWTRAIN_")} <= known
    settings = example(monkeypatch)
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


def test_the_example_does_not_start_with_its_gaps_unfilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A published key is no key, and `check-settings` says so."""
    from config.review import review

    wrong = [it for it in review(example(monkeypatch)) if it.grade == "wrong"]
    assert any("SLOWTRAIN_SECRET_KEYS" in str(it) for it in wrong)


# ==== the alerts ==================================================================================
ALERTS = [rule for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"] for rule in group["rules"]]


def test_alerts_ask_for_figures_there_are(figures: str) -> None:
    shown = set(re.findall(r"^# TYPE (\w+)", figures, re.M))
    shown |= {f"{name}_{kind}" for name in shown for kind in ("bucket", "count")}
    asked = {name for rule in ALERTS for name in re.findall(r"slowtrain_\w+", rule["expr"])}
    assert asked
    assert asked <= shown


def test_the_rules_for_prometheus_are_those_of_the_service() -> None:
    assert (DEPLOY / "alerts.yaml").read_text() == alerts.written(), "python -m tests.alerts"


def test_a_sweep_that_comes_rarely_or_not_everywhere_is_not_called_dead() -> None:
    """The alert waits ten minutes, and a sweep that is switched off has no heartbeat."""
    (rule,) = [rule for rule in ALERTS if rule["alert"] == "SlowTrainSweepsStand"]
    (left_out,) = re.findall(r'sweep!~"([^"]+)"', rule["expr"])
    told = Settings(_env_file=None, alarm_webhook="https://chat.example.org/x")
    ever = {it["task"]: it["schedule"].total_seconds() for it in make_celery(told).conf.beat_schedule.values()}
    asked = {task for task in ever if not re.fullmatch(left_out, task)}
    assert {"mail.send_due", "clock.sweep", "clock.read_mail", "bots.sweep", "webhooks.call_due"} <= asked
    assert all(2 * ever[task] < 600 for task in asked)
    assert set(left_out.split("|")) <= {*ever, PROVED, BACKED_UP, WIPED}, "each of those is the name of a heartbeat"
    (backups,) = [rule for rule in ALERTS if rule["alert"] == "SlowTrainBackupsStand"]
    assert f'sweep="{PROVED}"' in backups["expr"]


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_an_alert_says_what_is_the_matter_and_what_to_do(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"]["summary"]
    assert rule["annotations"]["remedy"]


@pytest.fixture
def figures(tmp_path: Path) -> Iterator[str]:
    """The output of `/metrics` after one request."""
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
