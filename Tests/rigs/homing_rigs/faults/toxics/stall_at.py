"""The line goes quiet and stays open."""

import dataclasses

from .toxic import End, Toxic


@dataclasses.dataclass(frozen=True)
class StallAt(Toxic):
    """After `byte` bytes nothing comes any more, and nobody says so."""

    byte: int = 0

    def steps(self, data, flow):
        left = self.byte - flow.passed
        if left > 0:
            yield data[:left]
        if left <= len(data):
            yield End.STALL
