"""Which libraries a program names."""

import re
import subprocess


def needed(program):
    """The shared libraries that a program names."""
    shown = subprocess.run(["readelf", "--wide", "--dynamic", program], check=True, capture_output=True, text=True,
                           env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}).stdout
    return set(re.findall(r"\(NEEDED\)\s+Shared library: \[(.+)\]", shown))
