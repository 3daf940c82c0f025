import time
from os import path  # noqa: F401: for those who import this


def begun():
    return time.monotonic()
