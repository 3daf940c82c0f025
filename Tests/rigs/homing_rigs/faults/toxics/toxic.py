"""What a toxic is: it turns the bytes that arrive into steps, which a proxy or a server then performs."""

import dataclasses
import enum
import random


class End(enum.Enum):
    """How a stream ends before its time."""

    CLOSE = "close"  # in good order (FIN)
    RESET = "reset"  # RST
    STALL = "stall"  # open, and silent for ever


@dataclasses.dataclass(frozen=True)
class Pause:
    """Nothing happens for some seconds."""

    seconds: float


@dataclasses.dataclass
class Flow:
    """One direction of one connection (or one answer), as one toxic sees it: the state that it keeps."""

    chance: random.Random
    passed: int = 0  # bytes that this toxic has let through


class Toxic:
    """A fault. A frozen dataclass whose fields are its measure; it keeps no state but that in the flow."""

    def steps(self, data, flow):
        """What becomes of some bytes: yields bytes to pass on, a Pause, or an End, after which nothing comes."""
        raise NotImplementedError

    def __str__(self):
        values = " ".join(str(getattr(self, field.name)) for field in dataclasses.fields(self))
        return f"{type(self).__name__}({values})"


def flows(toxics, chance):
    """The (toxic, flow) pairs for one direction of a new connection."""
    return [(toxic, Flow(chance)) for toxic in toxics]


def pass_through(data, pairs):
    """The steps after all toxics, each of which gets what the one before lets through."""
    if not pairs:
        if data:
            yield data
        return
    (toxic, flow), *rest = pairs
    for step in toxic.steps(data, flow):
        if isinstance(step, bytes):
            flow.passed += len(step)
            for further in pass_through(step, rest):
                yield further
                if isinstance(further, End):
                    return
        else:
            yield step
            if isinstance(step, End):
                return
