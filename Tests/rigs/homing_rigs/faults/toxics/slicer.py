"""What was sent at once arrives in crumbs."""

import dataclasses

from .toxic import Pause, Toxic


@dataclasses.dataclass(frozen=True)
class Slicer(Toxic):
    """Pieces of `size` bytes, with a rest of `pause` seconds between them (0: only as pieces of their own)."""

    size: int = 1
    pause: float = 0

    def steps(self, data, flow):
        for start in range(0, len(data), self.size):
            yield data[start:start + self.size]
            yield Pause(self.pause)
