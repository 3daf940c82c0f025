"""Home Assistant Core in a cache, one virtual environment per version.

Made on first use under ${XDG_CACHE_HOME:-~/.cache}/homing-rigs and kept. A version whose Python this machine
has not is installed in a Debian sid tree that debootstrap makes there (root needed). An installation that
was broken off has no ready-marker and is made again; a lock file keeps two runs from making the same one.
"""

import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

KNOWN_VERSIONS = ["2024.3.3", "2025.4.4", "2026.11.0"]
SID_PYTHON = (3, 14)
SID_PACKAGES = "python3,python3-venv,python3-dev,g++,ca-certificates"  # two wheels have no cp314: a compiler
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
LINES_TOLD = 15  # of the log of an installation that failed
REQUIREMENTS = pathlib.Path(__file__).with_name("ha_requirements.py")


class CannotInstall(Exception):
    """This machine cannot run that version; the text says why and what to do."""


def cache():
    """The folder of everything that takes long to make and is worth keeping."""
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "homing-rigs"


def say(text):
    """Progress for a person who waits."""
    print(text, file=sys.stderr, flush=True)


def by_hand(usage, work):
    """Does the work of a rig that a person calls, with the words of the command line. Ends the process where that cannot be:
    with the usage, or with the reason."""
    try:
        work(*sys.argv[1:])
    except (TypeError, ValueError, LookupError):
        sys.exit(usage)
    except CannotInstall as problem:
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {problem}")
    except subprocess.CalledProcessError as problem:
        sys.exit(problem.returncode)


def run(command, **options):
    """Run a step of an installation; its output goes to standard error. It dies with this process, or it would
    go on in a folder that the next run removes."""
    words = ["setpriv", "--pdeathsig", "KILL", "--", *map(str, command)]
    # By its number: a test that captures has no file in place of sys.stderr.
    subprocess.run(words, **{"check": True, "stdout": sys.__stderr__.fileno(), **options})


def run_logged(what, command, log, **options):
    """Run a step whose output goes to a file. Raises CannotInstall with the end of that file if the step fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a") as file:
        try:
            run(command, **{"stdout": file, "stderr": file, **options})
        except subprocess.CalledProcessError as problem:
            end = "\n".join(f"    {line}" for line in log.read_text(errors="replace").splitlines()[-LINES_TOLD:])
            raise CannotInstall(f"{what} cannot be installed: a step ended with exit code {problem.returncode}. "
                                f"The end of its log:\n{end}\nThe whole log: {log}") from None


def wanted_python(version):
    """The Python that a Home Assistant version is released for (older ones refuse, newer ones lack wheels)."""
    for since, python in (((2026, 3), (3, 14)), ((2025, 2), (3, 13)), ((2024, 4), (3, 12))):
        if release_of(version) >= since:
            return python
    return (3, 11)


def release_of(version):
    """Year and month of a version."""
    return tuple(int(part) for part in version.split(".")[:2])


def drifted(version):
    """What a version does not pin, and what later releases break."""
    if release_of(version) < (2024, 9):
        return ["josepy<2", "SQLAlchemy"]
    # aiodns asks pycares in a way that pycares 5 does not know: no name but one in numbers is found.
    return ["pycares<5"] if release_of(version) < (2025, 12) else []


def find_python(wanted):
    """An interpreter of this machine of the wanted version that can make a virtual environment, or None."""
    name = f"python{wanted[0]}.{wanted[1]}"
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv") / "versions"
    for path in [f"/usr/bin/{name}", f"/usr/local/bin/{name}", *sorted(map(str, pyenv.glob(f"*/bin/{name}")))]:
        if os.path.exists(path):
            probe = subprocess.run([path, "-c", "import venv, ensurepip"], capture_output=True)
            if probe.returncode == 0:
                return path
    return None


class NoPython(CannotInstall):
    """There is no Python for that version here, and no way for this user to get one."""


class Installation:
    """One version of Home Assistant: where it lies and how to run something in it."""

    def __init__(self, version):
        self.version = version
        self.python = find_python(wanted_python(version))
        # Inside the sid tree when this machine lacks the Python for it.
        self.tree = None if self.python or wanted_python(version) != SID_PYTHON else cache() / "sid"
        self.venv = pathlib.Path("/opt/homing-rigs" if self.tree else cache()) / f"ha-{version}"  # as seen inside
        self.path = self.tree / self.venv.relative_to("/") if self.tree else self.venv

    @property
    def ready(self):
        """Whether the installation was finished."""
        mark = self.path / ".ready"
        return mark.exists() and mark.read_text() == self.mark

    @property
    def mark(self):
        """What a finished installation has in its file `.ready`."""
        return "\n".join(drifted(self.version))

    @property
    def possible(self):
        """Whether this machine can make it at all."""
        return bool(self.python or (self.tree and os.geteuid() == 0 and shutil.which("debootstrap")))

    def command(self, *words, bind=None):
        """A command line that runs `words` where this installation lives. It only ever execs: one process,
        whose id is the id of what is run. `bind` is a folder that must be seen inside under its own name."""
        if not self.tree:
            return [str(word) for word in words]
        script = (
            'root=$1 bind=$2; shift 2; mount --rbind /proc "$root/proc"; mount --rbind /dev "$root/dev"; '
            'mount -t tmpfs tmpfs "$root/tmp"; [ -z "$bind" ] || { mkdir -p "$root$bind"; '
            'mount --bind "$bind" "$root$bind"; }; exec chroot "$root" "$@"'
        )
        unshare = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh"]
        return [*unshare, str(self.tree), str(bind or ""), *map(str, words)]


def new_log(name):
    """The file that an installation's steps write to, without what an earlier one wrote."""
    log = cache() / "logs" / f"{name}.log"
    log.unlink(missing_ok=True)
    return log


@contextlib.contextmanager
def lock(name):
    """Only one process at a time makes `name`; another waits for it."""
    folder = cache() / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{name}.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"{name}: another process is making it, waiting")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def debian_mirror():
    """The address of the Debian archive that this machine's apt uses."""
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(ORIGIN)", "Created-By: Packages"],
        capture_output=True, text=True, check=True).stdout.splitlines()
    for target in targets:
        address, _, origin = target.partition(" ")
        if re.search(r"/debian/?$", address) and origin in ("Debian", ""):
            return address
    raise CannotInstall("no Debian archive in this machine's apt sources: cannot make a Debian sid tree")


def make_sid_tree(tree):
    """A small Debian sid with a compiler and its Python, unless it is there."""
    with lock("sid"):
        if (tree / ".ready").exists():
            return
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise CannotInstall("a Debian sid tree is needed: run as root and install the package debootstrap")
        say("making a Debian sid tree (about a minute)")
        shutil.rmtree(tree, ignore_errors=True)
        tree.parent.mkdir(parents=True, exist_ok=True)
        run_logged("Debian sid", ["debootstrap", "--variant=minbase", f"--include={SID_PACKAGES}", "sid", tree,
                                  debian_mirror()], new_log("sid"))
        (tree / ".ready").touch()


def python_of_tree(tree):
    """The interpreter inside the sid tree, if sid still carries the one that is needed."""
    path = f"/usr/bin/python{SID_PYTHON[0]}.{SID_PYTHON[1]}"
    if not (tree / path[1:]).exists():
        have = ", ".join(sorted(p.name for p in (tree / "usr/bin").glob("python3.*[0-9]"))) or "none"
        raise CannotInstall(
            f"Debian sid has {have}, but Python {path[15:]} is needed. Install Python {path[15:]} on this machine "
            f"(for example with pyenv; it is then taken first), or remove {tree} if it is an old tree, "
            "or test with another Home Assistant version")
    return path


def fill(installation):
    """Make the virtual environment of an installation."""
    python, tree, venv, version = installation.python, installation.tree, installation.venv, installation.version
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith("PYTHON") and k not in ("PIP_FIND_LINKS", "VIRTUAL_ENV")}
    environment.update(UV_CACHE_DIR="/opt/homing-rigs/uv-cache" if tree else str(cache() / "uv-cache"))
    environment.setdefault("SSL_CERT_FILE", CERTIFICATES)
    if tree:
        python = python_of_tree(tree)
        for file in ("/etc/resolv.conf", "/etc/hosts", CERTIFICATES):
            shutil.copy(file, tree / file[1:])

    log = new_log(f"ha-{version}")

    def step(*words):
        run_logged(f"Home Assistant {version}", installation.command(*words), log, env=environment)

    installation.path.parent.mkdir(parents=True, exist_ok=True)
    step(python, "-m", "venv", venv)
    # uv lies beside the packages: Home Assistant pins an older uv among its own requirements.
    step(f"{venv}/bin/pip", "install", "-q", "--target", f"{venv}/tools", "uv")
    uv = [f"{venv}/tools/bin/uv", "pip", "install", "-q", "--python", f"{venv}/bin/python"]
    step(*uv, "--no-deps", f"homeassistant=={version}")
    site = next(installation.path.glob("lib/python3.*/site-packages"))
    constraints = venv / site.relative_to(installation.path) / "homeassistant/package_constraints.txt"
    step(*uv, "-c", constraints, f"homeassistant=={version}")
    shutil.copy(REQUIREMENTS, installation.path)
    wanted = subprocess.run(installation.command(f"{venv}/bin/python", venv / REQUIREMENTS.name), check=True,
                            stdout=subprocess.PIPE, text=True, env=environment).stdout.split()
    step(*uv, "-c", constraints, *wanted, *drifted(version))
    stand_in_for_frontend(site)


def stand_in_for_frontend(site):
    """Home Assistant's frontend needs its wheel's where() and the names of some files. No page can be drawn
    with this stand-in, every API works."""
    package = site / "hass_frontend"
    if package.exists():
        return
    for folder in ("static/icons", "static/translations", "frontend_latest", "frontend_es5"):
        (package / folder).mkdir(parents=True)
    for page in ("index", "authorize", "onboarding"):
        (package / f"{page}.html").touch()
    for script in ("service_worker", "sw-modern", "sw-legacy"):
        (package / f"{script}.js").touch()
    (package / "robots.txt").touch()
    (package / "__init__.py").write_text(
        "from pathlib import Path\n\n\ndef where():\n    return Path(__file__).parent\n")


def install(version):
    """Install a version unless it is there; returns its Installation."""
    installation = Installation(version)
    if installation.ready:
        return installation
    if not installation.python and not installation.tree:
        python = ".".join(map(str, wanted_python(version)))
        raise NoPython(f"Home Assistant {version} needs Python {python} with venv, which this machine has not")
    if installation.tree and os.geteuid() != 0:
        raise NoPython(f"Home Assistant {version} needs a Python that Debian sid has; a tree of it takes root to make")
    if installation.tree:
        make_sid_tree(installation.tree)
    with lock(f"ha-{version}"):
        if not installation.ready:
            say(f"installing Home Assistant {version}")
            started = time.monotonic()
            shutil.rmtree(installation.path, ignore_errors=True)
            fill(installation)
            (installation.path / ".ready").write_text(installation.mark)
            say(f"installed Home Assistant {version} in {time.monotonic() - started:.0f} s")
    return installation


def available_versions():
    """The known versions that are installed already, oldest first."""
    return [version for version in KNOWN_VERSIONS if Installation(version).ready]
