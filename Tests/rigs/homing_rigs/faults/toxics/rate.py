"""A thin line."""

import dataclasses

from .toxic import Pause, Toxic

PIECES_A_SECOND = 20


@dataclasses.dataclass(frozen=True)
class Rate(Toxic):
    """At most so many bytes a second, in small pieces."""

    bytes_a_second: int

    def steps(self, data, flow):
        size = max(1, self.bytes_a_second // PIECES_A_SECOND)
        for start in range(0, len(data), size):
            piece = data[start:start + size]
            yield Pause(len(piece) / self.bytes_a_second)
            yield piece
