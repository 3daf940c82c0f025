"""Chance that can be had again: every random fault prints the number from which it can be repeated."""

import os
import random
import time


def seeded(what):
    """A generator and its seed, which is printed: HOMING_SEED if that is set, else a new one."""
    seed = int(os.environ.get("HOMING_SEED") or time.time_ns() % 2**32)
    print(f"{what}: HOMING_SEED={seed}", flush=True)
    return random.Random(seed), seed
