"""By hand (from Tests/rigs), until ^C:

    /usr/bin/python3 -m homing_rigs.faults.server [VERSION [PORT [CONTROL_PORT]]]
"""

import sys
import time

from . import control
from .fault_server import FaultServer


def _main(version="2026.11.0", port=None, control_port=None):
    with FaultServer(version, port and int(port)) as server, \
            control.Control(server, control_port and int(control_port)) as door:
        print(f"Home Assistant {version}, played, at {server.url}\ntoken: {server.token}\n"
              f"control: http://127.0.0.1:{door.port} {control.__doc__.partition(chr(10))[2]}", flush=True)
        seen = 0
        while True:
            time.sleep(0.2)
            for each in server.exchanges[seen:]:
                cut = " (cut)" if each.cut else ""
                print(f"{each.type} → {each.status}{cut}, done {each.performed} times", flush=True)
            seen = len(server.exchanges)


if __name__ == "__main__":
    try:
        _main(*sys.argv[1:])
    except KeyboardInterrupt:
        pass
