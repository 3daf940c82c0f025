"""What reads a program's protection sees each that is missing."""

import subprocess

import pytest

from homing_rigs import elf

WELL = ["-fPIE", "-pie", "-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,noexecstack"]


@pytest.fixture
def linked(tmp_path):
    """Links a program with these options after the good ones."""
    def linked(*options):
        (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
        subprocess.run(["gcc", *WELL, *options, "-o", tmp_path / "program", tmp_path / "a.c"], check=True,
                       capture_output=True)
        return tmp_path / "program"
    return linked


def test_a_program_with_all_of_it_has_no_weakness(linked):
    assert elf.weaknesses(linked()) == []


@pytest.mark.parametrize("options, fault", [
    (["-no-pie", "-fno-PIE"], "no position-independent program"),
    (["-Wl,-z,lazy"], "addresses of functions are found late, and can be written to"),
    (["-Wl,-z,norelro"], "relocated data can be written to"),
    (["-Wl,-z,execstack"], "the stack can be executed"),
    (["-Wl,-rpath,$ORIGIN"], "libraries are looked for in a folder of its own"),
    (["-Wl,-rpath,/opt/lib", "-Wl,--disable-new-dtags"], "libraries are looked for in a folder of its own"),
])
def test_each_weakness_is_seen(linked, options, fault):
    assert fault in elf.weaknesses(linked(*options))
