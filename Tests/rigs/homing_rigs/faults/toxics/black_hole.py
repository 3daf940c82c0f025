"""Bytes go in and none comes out."""

import dataclasses

from .toxic import Toxic


@dataclasses.dataclass(frozen=True)
class BlackHole(Toxic):
    """Everything is taken and dropped, so that the sender believes it well received; no end either."""

    def steps(self, data, flow):
        return iter(())
