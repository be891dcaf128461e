"""The example of a proxy in front of the site, run with nginx in tests (Debian: apt install nginx-light)."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from config.settings import Settings
from tests.servers import free_port
from tests.workers.post import until
from tests.workers.processes import ROOT, process

EXAMPLE = (ROOT / "config/deploy/nginx.conf").read_text()
BODIES, ANSWERS = "bodies", "answers"
"""The folders for bodies and answers that exceed its memory."""


@contextmanager
def nginx(folder: Path, site: str, port: int, answers: Callable[[], bool], more: Mapping[str, str]) -> Iterator[None]:
    """Run nginx with the shipped file at ``port``, without its certificate; all its output is in ``folder``.

    ``site``: the service, in the words of its ``server``. ``answers``: does it run? ``more``: other words of the file
    with their replacements.
    """
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "this needs nginx (Debian: apt install nginx-light)"
    example = EXAMPLE
    own = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port};",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "127.0.0.1:8000;": f"{site};",
        "/var/log/nginx": str(folder),
        "    ssl_certificate /etc/ssl/trains.example.org.pem;\n": "",
        "    ssl_certificate_key /etc/ssl/trains.example.org.key;\n": "",
    }
    for said, instead in {**own, **more}.items():
        assert said in example, said
        example = example.replace(said, instead)
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/pid; error_log {folder}/errors;{" user root;" if os.geteuid() == 0 else ""}
        events {{ worker_connections 1024; }}
        http {{
            access_log off; client_body_temp_path {folder}/{BODIES}; proxy_temp_path {folder}/{ANSWERS};
            fastcgi_temp_path {folder}/a; uwsgi_temp_path {folder}/b; scgi_temp_path {folder}/c;
            {example}
        }}""")
    with process(Settings(_env_file=None, data_dir=folder), program, "-c", str(folder / "nginx.conf")):
        until(answers, what="starting nginx")
        yield
