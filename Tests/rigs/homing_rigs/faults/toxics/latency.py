"""Everything comes late."""

import dataclasses

from .toxic import Pause, Toxic


@dataclasses.dataclass(frozen=True)
class Latency(Toxic):
    """Each piece waits `seconds`, give or take up to `jitter`; the order stays."""

    seconds: float
    jitter: float = 0

    def steps(self, data, flow):
        yield Pause(max(0, self.seconds + flow.chance.uniform(-self.jitter, self.jitter)))
        yield data
