"""Bits turn over, as on a line whose checksums were made anew by the box that broke it."""

import dataclasses

from .toxic import Toxic


@dataclasses.dataclass(frozen=True)
class Corrupt(Toxic):
    """Of a million bytes, so many have one bit turned."""

    in_a_million: int = 1000

    def steps(self, data, flow):
        changed = bytearray(data)
        for index in range(len(changed)):
            if flow.chance.random() * 1_000_000 < self.in_a_million:
                changed[index] ^= 1 << flow.chance.randrange(8)
        yield bytes(changed)
