import os
import time


def begun():
    return time.monotonic() + later()


def not_run(server):
    processes.wait_for(lambda: server.up, 10, "the server")
    print(f"nothing to fill in")
