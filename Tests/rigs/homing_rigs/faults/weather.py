"""Faults one after the other, by chance: of the line, of the server, of gpsd and its receiver; and SIGHUPs."""

import signal
import time

from . import toxics
from .server import misdeeds


class Weather:
    """Ill-treats `agent`, whose line to `server` is `line` and whose gpsd is `gps` (a real one)."""

    def __init__(self, agent, line, server, gps, chance):
        self.agent, self.line, self.server, self.gps, self.chance = agent, line, server, gps, chance
        self.met = {}  # how often each fault was made
        self._faults = {
            "latency": lambda: self._toxic(toxics.Latency(chance.uniform(0.5, 6), 0.3)),
            "1 kB/s": lambda: self._toxic(toxics.Rate(1000)),
            "crumbs": lambda: self._toxic(toxics.Slicer(1, 0.01)),
            "a reset in the answer": lambda: self._toxic(toxics.ResetAt(chance.randrange(600))),
            "a black hole": lambda: self._toxic(toxics.BlackHole()),
            "turned bits": lambda: self._toxic(toxics.Corrupt(2000)),
            "nobody listens": self._refused,
            "a router that forgot": line.forget,
            "connections reset": line.reset,
            "a restart": lambda: server.restart(*(chance.uniform(0.2, 5) for _ in range(3))),
            "500": lambda: self._misdeed(misdeeds.answer(500)),
            "503": lambda: self._misdeed(misdeeds.retry_after(503, 5)),
            "403": lambda: self._misdeed(misdeeds.answer(403)),
            "a portal": lambda: self._misdeed(misdeeds.answer(200, misdeeds.PORTAL)),
            "lost answers": lambda: self._misdeed(misdeeds.lost_answer()),
            "empty answers": lambda: self._misdeed(misdeeds.empty()),
            "a wrong key": lambda: self._misdeed(misdeeds.wrong_key()),
            "gpsd restarted": gps.restart_gpsd,
            "gpsd killed": self._gpsd_killed,
            "no fix": lambda: self._receiver("nofix", "fix"),
            "a silent receiver": lambda: self._receiver("silent", "fix"),
            "garbage from the receiver": lambda: self._receiver("garbage", "fix"),
            "no receiver": lambda: self._receiver("unplug", "plug"),
            "SIGHUP": lambda: agent.signal(signal.SIGHUP),
        }

    def rage(self, seconds):
        """Fault after fault for so long, with clear sky in between, and at the end."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._meet(self.chance.choice(list(self._faults)))
            time.sleep(min(max(0, left), self.chance.uniform(2, 12)))

    def meet_each(self):
        """Every kind once: what a program needs to have met it, it has from then on."""
        for name in self.chance.sample(list(self._faults), len(self._faults)):
            self._meet(name)

    def _meet(self, name):
        self.met[name] = self.met.get(name, 0) + 1
        self._faults[name]()

    def _last(self):
        time.sleep(self.chance.uniform(2, 15))

    def _toxic(self, toxic):
        self.line.set(down=[toxic])
        self._last()
        self.line.clear()

    def _refused(self):
        self.line.refuse()
        self._last()
        self.line.accept()

    def _misdeed(self, misdeed):
        self.server.misbehave(misdeed)
        self._last()
        self.server.behave()

    def _gpsd_killed(self):
        self.gps.kill_gpsd()
        self._last()
        self.gps.start_gpsd()

    def _receiver(self, begin, end):
        self.gps.feed(begin)
        self._last()
        self.gps.feed(end)
