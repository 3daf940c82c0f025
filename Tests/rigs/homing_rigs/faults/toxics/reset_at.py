"""The line is cut hard."""

import dataclasses

from .toxic import End, Toxic


@dataclasses.dataclass(frozen=True)
class ResetAt(Toxic):
    """After `byte` bytes a reset; what was on its way is lost."""

    byte: int = 0

    def steps(self, data, flow):
        left = self.byte - flow.passed
        if left > 0:
            yield data[:left]
        if left <= len(data):
            yield End.RESET
