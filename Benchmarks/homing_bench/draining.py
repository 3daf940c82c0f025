"""How fast a backlog goes home, against a C client that posts as many messages of the same size from memory."""

import shutil
import time

from homing_rigs import processes

from .stand_ins import GPSD, HomeAssistant, data_size
from .subjects import Floor, Homing

COLLECTING = "[location]\nmin_distance=1\nmax_age=86400\n"
REPLAYING = COLLECTING + "backlog=replay\n"
SHORTEST_NEWS = 10  # seconds, the least that max_age allows
AS_TRACK = f"[location]\nmax_age={SHORTEST_NEWS}\nbatch_metered=0\n"


def collect(programs, count):
    """A homingd that has accepted `count` positions and no way home. Returns (it, positions a second)."""
    source = GPSD(count)
    homing = Homing(programs, processes.free_port(), source.port, COLLECTING)
    child = homing.start()
    begin = time.monotonic()

    def accepted():
        child.must_live()
        return sum(queue["queued"] for queue in homing.status()["queues"]) >= count

    processes.wait_for(accepted, 300, f"{count} positions are accepted", every=0.2)
    rate = count / (time.monotonic() - begin)
    child.stop(60)
    source.close()
    return homing, rate


def drain(programs, collected, count, configuration):
    """Messages and positions a second from the first that comes to the receipt of the last."""
    server = HomeAssistant()
    homing = Homing(programs, server.port, processes.free_port())
    shutil.copytree(collected.state, homing.state, dirs_exist_ok=True)
    homing.register(server.port)
    homing.configure(processes.free_port(), configuration)
    child = homing.start()

    def settled():
        child.must_live()
        return not sum(queue["queued"] for queue in homing.status()["queues"])

    processes.wait_for(settled, 300, "the queue is empty", every=0.2)
    child.stop(60)
    server.close()
    live, track = server.traffic["update_location"], server.traffic["fire_event"]
    if live.count + server.positions() != count:
        raise RuntimeError(f"{live.count} + {server.positions()} positions came in place of {count}")
    begin = min(traffic.first for traffic in (live, track) if traffic.count)
    seconds = server.traffic["render_template"].last - begin
    return {"messages": live.count + track.count, "receipts": server.traffic["render_template"].count,
            "messages_per_second": (live.count + track.count) / seconds, "positions_per_second": count / seconds,
            "seconds": seconds, "size": _data_size(live, track)}


def drain_floor(program, count, size):
    """Messages a second of the C client."""
    server = HomeAssistant()
    printed = Floor(program).run(server, "--drain", count, size)
    server.close()
    if printed["posted"] != count:
        raise RuntimeError(f"the C client delivered {printed['posted']:.0f} messages of {count}")
    return count / printed["seconds"]


def _data_size(live, track):
    """Bytes sealed in the messages that the drain mostly consisted of."""
    kind, traffic = ("fire_event", track) if track.count else ("update_location", live)
    return max(64, data_size(traffic.bodies / traffic.count, kind))
