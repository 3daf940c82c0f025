"""How a program is protected by the way it was linked, and which libraries it names."""

import re
import subprocess


def weaknesses(program):
    """What a program lacks, in words, by its own headers; empty if it is as it should be."""
    shown = subprocess.run(["readelf", "--wide", "--file-header", "--program-headers", "--dynamic", program], check=True,
                           capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}).stdout
    stack = re.search(r"GNU_STACK .* (R[W ][E ]) ", shown)
    missing = {
        "no position-independent program": not re.search(r"Flags:.*\bPIE\b", shown),
        "addresses of functions are found late, and can be written to":
            not re.search(r"\bBIND_NOW\b|Flags:.*\bNOW\b", shown),
        "relocated data can be written to": "GNU_RELRO" not in shown,
        "the stack can be executed": stack is None or "E" in stack[1],
        "libraries are looked for in a folder of its own": re.search(r"\((?:RPATH|RUNPATH)\)", shown),
        "no shared library is named": "(NEEDED)" not in shown,
    }
    return [fault for fault, found in missing.items() if found]


def needed(program):
    """The shared libraries that a program names."""
    shown = subprocess.run(["readelf", "--wide", "--dynamic", program], check=True, capture_output=True, text=True,
                           env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}).stdout
    return set(re.findall(r"\(NEEDED\)\s+Shared library: \[(.+)\]", shown))
