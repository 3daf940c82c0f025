"""Faults of a byte stream, one file each. To add one: a file with a dataclass that is a `Toxic`, and its line here."""

import dataclasses

from .black_hole import BlackHole
from .close_at import CloseAt
from .corrupt import Corrupt
from .latency import Latency
from .rate import Rate
from .reset_at import ResetAt
from .slicer import Slicer
from .stall_at import StallAt
from .toxic import End, Flow, Pause, Toxic, flows, pass_through  # noqa: F401 (part of this package's face)

TOXICS = {"latency": Latency, "rate": Rate, "slicer": Slicer, "reset_at": ResetAt, "close_at": CloseAt,
          "stall_at": StallAt, "black_hole": BlackHole, "corrupt": Corrupt}


def parse(text):
    """A toxic by its name and numbers, such as "latency 0.3 0.05"; raises ValueError with what is possible."""
    name, *numbers = text.split() or [""]
    try:
        return TOXICS[name](*(float(number) if "." in number else int(number) for number in numbers))
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"no toxic {text!r}; there are: {'; '.join(map(_usage, TOXICS))}") from None


def _usage(name):
    fields = dataclasses.fields(TOXICS[name])
    required = [field.name.upper() for field in fields if field.default is dataclasses.MISSING]
    return " ".join([name, *required, *(f"[{f.name.upper()}]" for f in fields if f.name.upper() not in required)])
