"""A machine: a Debian tree booted in a container, with systemd as its first process.

The tree itself is never written to: each machine has a layer of its own over it, which a reboot keeps and the end
removes. It is on the network of a `Namespace`, which it shares with nobody else at a time, or on this machine's own.
"""

import contextlib
import itertools
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import uuid

from . import processes
from .machine_commands import Commands

# The first process here need not be systemd, and cgroups may be of the old kind: in a mount namespace of its own the
# new kind takes their place. Nothing outside is touched: systemd-nspawn neither registers the machine nor makes units.
BOOT = """
root=$1 layer=$2 cgroup=$3; shift 3
mount -t overlay overlay -o "lowerdir=$root,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
umount -R -l /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p "/sys/fs/cgroup/$cgroup"; echo $$ > "/sys/fs/cgroup/$cgroup/cgroup.procs"
export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
exec systemd-nspawn -q --boot --register=no --keep-unit --console=pipe --directory="$layer/root" "$@"
"""
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
               "LANG": "C.UTF-8", "TERM": "dumb", "DEBIAN_FRONTEND": "noninteractive"}


_numbers = itertools.count(1)


def give_machine_id(layer):
    """Gives the machine of this layer an id of its own: all copies of a tree have that of the tree."""
    (layer / "etc").mkdir(exist_ok=True)
    (layer / "etc").chmod(0o755)
    (layer / "etc/machine-id").write_text(f"{uuid.uuid4().hex}\n")


class Machine(Commands):
    """One machine. `folders` are folders of this side that it sees, read-only, under a name; `shared` are folders that it
    may write to as well. Without a network it is on this machine's, with its name servers. Also a context manager."""

    def __init__(self, tree, network, folders=None, shared=None):
        self.folder = processes.temporary_folder("machine")
        self._tree = pathlib.Path(tree)
        self._network = network
        self._folders = folders or {}
        self._shared = shared or {}
        self._name = f"homing-{os.getpid()}-{next(_numbers)}"  # of the machine and of its cgroup
        self._child = None
        for name in ("upper", "work", "root"):
            (self.folder / name).mkdir()
        (self.folder / "upper").chmod(0o755)
        give_machine_id(self.folder / "upper")

    def __enter__(self):
        return self.boot()

    def __exit__(self, *_):
        self.stop()

    @staticmethod
    def possible():
        """Whether this process may make one."""
        return os.geteuid() == 0 and shutil.which("systemd-nspawn") is not None

    def boot(self):
        """Boot, and wait until systemd has started everything. Returns self."""
        binds = [f"--bind-ro={outside}:{inside}" for inside, outside in self._folders.items()]
        binds += [f"--bind={outside}:{inside}" for inside, outside in self._shared.items()]
        self._child = processes.Child(
            ["unshare", "--mount", "--propagation", "private", "sh", "-ec", BOOT, "sh", self._tree, self.folder,
             self._name, f"--machine={self._name}", *self._network_options(), *binds], self.folder / "console.log")
        processes.wait_for(self._is_up, 60, "the machine is up")
        return self

    def _network_options(self):
        if self._network is None:
            return ["--resolv-conf=replace-host"]
        return ["--resolv-conf=off", f"--network-namespace-path=/run/netns/{self._network.name}"]

    def _is_up(self):
        self._child.must_live()
        return self.run("systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded")

    def _leader(self):
        children = pathlib.Path(f"/proc/{self._child.pid}/task/{self._child.pid}/children").read_text().split()
        return children[0]  # LookupError: not yet

    @property
    def root(self):
        """Its file system as this side sees it, while it is up."""
        return pathlib.Path(f"/proc/{self._leader()}/root")

    def run(self, *words, check=True, input=None, timeout=120, user=None, environment=None, login=False):
        """Run a command in it and wait; the output is text."""
        done = subprocess.run(self.command(*words, user=user, login=login), text=True, capture_output=True, input=input,
                              timeout=timeout, env={**ENVIRONMENT, **(environment or {})},
                              stdin=None if input is not None else subprocess.DEVNULL)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def command(self, *words, user=None, login=False):
        """The command line, on this side, of a command in it. A login has the environment of its user."""
        enter = ["nsenter", "--target", self._leader(), "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--"]
        become = ["runuser", "-u", user, "--"] if user else []
        if login:
            become, words = ["runuser", "--login", user, "--command"], [shlex.join(map(str, words))]
        return [*enter, *become, *map(str, words)]

    def power_off(self):
        """Power it off in good order; `boot` goes on with its files, without those of /run and /tmp."""
        self.run("systemctl", "poweroff", check=False)
        self._child.wait(60)

    def reboot(self):
        """Reboot in good order; the machine's files stay, /run and /tmp do not."""
        self.run("systemctl", "reboot", check=False)
        self._child.wait(60)
        self.boot()

    def stop(self):
        """Power it off, and remove what it has written."""
        if self._child and self._child.alive:
            with contextlib.suppress(LookupError, OSError):
                os.kill(int(self._leader()), signal.SIGRTMIN + 4)  # poweroff.target
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._child.popen.wait(20)
            self._child.kill()
        self._remove_cgroup()
        if not os.environ.get("HOMING_RIGS_KEEP"):
            shutil.rmtree(self.folder, ignore_errors=True)

    def _remove_cgroup(self):
        """It shows in this side's tree where the new kind is mounted."""
        for base in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup"):
            top = pathlib.Path(base, self._name)
            for folder in sorted(top.rglob("*"), reverse=True) if top.exists() else []:
                if folder.is_dir():
                    with contextlib.suppress(OSError):
                        folder.rmdir()
            with contextlib.suppress(OSError):
                top.rmdir()
