"""What is in the packages, and what is not."""

import re
import subprocess

import pytest
from homing_rigs.documents import REPOSITORY


def variable_of(source):
    """The environment variable that a source file asks for, as it stands in what is compiled from it."""
    name, = re.findall(r'getenv\("(\w+)"\)', (REPOSITORY / "Sources" / source).read_text())
    # Swift has a shorter one in the instructions that need it, where nobody would find it.
    assert len(name) > 15
    return name.encode()


@pytest.mark.parametrize("program", ["homingd", "homing"])
def test_what_is_shipped_has_no_failpoints(installed, program):
    shipped = (installed.root / "usr/bin" / program).read_bytes()
    assert len(shipped) > 100_000 and variable_of("HomingAgent/Failpoint.swift") not in shipped
    # One that it asks for in the same way is found.
    assert variable_of("HomingStorage/Registration/RegistrationCredentials.swift") in shipped


@pytest.mark.parametrize("program", ["bin/homingd", "bin/homing", "libexec/homing-session"])
def test_what_is_shipped_looks_for_libraries_where_the_system_has_them(installed, program):
    shown = subprocess.run(["readelf", "--dynamic", installed.root / "usr" / program], capture_output=True, text=True,
                           check=True).stdout
    assert "NEEDED" in shown and not re.search(r"R(?:UN)?PATH", shown), shown
