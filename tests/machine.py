"""An empty Debian with a systemd of its own, for guides that set up a whole machine.

debootstrap installs it in a folder. Its processes have namespaces of their own for everything but the network. Needs
root, Debian's ``debootstrap``, and a Linux with cgroups of version 2. Nothing of it is left at the end.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.workers.post import until

PACKAGES = "systemd,systemd-sysv,dbus,ca-certificates,procps,iproute2"
LENT = ("etc/ssl/certs/ca-certificates.crt", "etc/pip.conf", "etc/resolv.conf")
"""Files of this machine that are needed to load packages."""
BOOT = """
set -e
mount --make-rprivate /
mkdir -p {folder}/cgroup && mount -t cgroup2 none {folder}/cgroup
mkdir -p {folder}/cgroup/{name} && echo $$ > {folder}/cgroup/{name}/cgroup.procs
exec unshare --mount --pid --uts --ipc --cgroup --fork --kill-child bash -ec '
    hostname {name}
    mount --bind {root} {root} && cd {root}
    mount -t proc proc proc && mount -t sysfs sysfs sys && mount -t cgroup2 none sys/fs/cgroup
    mount -t tmpfs -o mode=755 tmpfs run && mount -t tmpfs -o mode=755 tmpfs dev
    for it in null zero full random urandom tty; do touch dev/$it && mount --bind /dev/$it dev/$it; done
    mkdir dev/pts dev/shm && mount -t tmpfs -o mode=1777 tmpfs dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
    ln -s pts/ptmx dev/ptmx && ln -s /proc/self/fd dev/fd
    mkdir -p outside
    pivot_root . outside && umount -l outside
    exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /sbin/init'
"""


class EmptyMachine:
    """A running machine. ``init``: the number of its first process; ``root``: its files, as seen from here."""

    def __init__(self, init: int, root: Path) -> None:
        self.init, self.root = init, root

    def run(self, script: str) -> str:
        """Run a script as root. Show its output and return it. Raises ``CalledProcessError`` if it fails."""
        said = self.root.with_name("said")
        with said.open("w") as out:
            done = subprocess.run(self.command(script), stdout=out, stderr=out)
        print(said.read_text(), end="")
        done.check_returncode()
        return said.read_text()

    def command(self, script: str) -> list[str]:
        """Return the command that runs a script there as root."""
        return self._inside("bash", "-euo", "pipefail", "-c", f"cd\n{script}")

    def is_up(self) -> bool:
        """Has systemd started all units? A machine with a failed one ("degraded") can be used all the same."""
        asked = self._inside("systemctl", "is-system-running")
        return subprocess.run(asked, capture_output=True, text=True).stdout.strip() in {"running", "degraded"}

    def _inside(self, *command: str) -> list[str]:
        known = ("HOME=/root", "LANG=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive")
        return ["nsenter", "-t", str(self.init), "-m", "-p", "-u", "-i", "-C", "env", "-i", *known, *command]

    @classmethod
    @contextmanager
    def booted(cls, folder: Path) -> Iterator["EmptyMachine"]:
        """Yield an empty machine in a folder; at the end it is switched off, and the folder can be removed."""
        root, name = folder / "root", f"emptymachine-{os.getpid()}"
        _install(root)
        (root / "etc/hosts").write_text(f"127.0.0.1 localhost {name}\n")
        boot = BOOT.format(folder=folder, root=root, name=name)
        outer = subprocess.Popen(["unshare", "--mount", "bash", "-c", boot], stdin=subprocess.DEVNULL)
        try:
            machine = cls(until(lambda: _systemd_below(outer.pid), what="the first process"), root)
            until(machine.is_up, what="the start of systemd")
            yield machine
        finally:
            outer.send_signal(signal.SIGKILL)  # this ends all processes of the machine, too: --kill-child
            outer.wait()
            _forget_cgroup(folder / "cgroup", name)


def _install(root: Path) -> None:
    """Install Debian as on this machine, from the same mirrors."""
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', Path("/etc/os-release").read_text(), re.MULTILINE))
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    mirror = re.findall(r"^URIs: (\S+)", sources.read_text(), re.MULTILINE)[0]
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", release["VERSION_CODENAME"]]
    subprocess.run([*command, str(root), mirror], check=True, stdout=subprocess.DEVNULL)
    (root / "etc/apt/sources.list").unlink()
    shutil.copy(sources, root / "etc/apt/sources.list.d")
    for lent in LENT:
        if Path("/", lent).exists():
            shutil.copy(Path("/", lent), root / lent)
    for file in Path("/etc/apt/apt.conf.d").glob("99*"):
        shutil.copy(file, root / "etc/apt/apt.conf.d")


def _systemd_below(process: int) -> int | None:
    """Return the child of a process that has become systemd, if there is one."""
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        with suppress(FileNotFoundError):  # it has ended
            if Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                return int(child)
    return None


def _forget_cgroup(mounted: Path, name: str) -> None:
    script = f"mount -t cgroup2 none {mounted} && find {mounted}/{name} -depth -type d -exec rmdir {{}} +"
    command = ["unshare", "--mount", "sh", "-c", script]
    until(lambda: subprocess.run(command, capture_output=True).returncode == 0, what="the end of all its processes")
