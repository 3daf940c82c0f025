"""The line ends in good order, too early."""

import dataclasses

from .toxic import End, Toxic


@dataclasses.dataclass(frozen=True)
class CloseAt(Toxic):
    """After `byte` bytes the stream is closed."""

    byte: int = 0

    def steps(self, data, flow):
        left = self.byte - flow.passed
        if left > 0:
            yield data[:left]
        if left <= len(data):
            yield End.CLOSE
