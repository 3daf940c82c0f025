"""The slope of what grows, and of what does not."""

import math
import random

from homing_rigs.slope import lasting_rise, slope

HOUR = [300 * number for number in range(12)]


def test_what_grows_is_told_to_the_last_byte():
    growth, uncertainty = slope([(x, 9000 + x * 50 / 86400) for x in HOUR])
    assert math.isclose(growth, 50, rel_tol=1e-6) and uncertainty < 1e-3


def test_noise_is_told_from_growth():
    chance = random.Random(1)
    growth, uncertainty = slope([(x, 9000 + chance.uniform(-8, 8)) for x in HOUR])
    assert abs(growth) < uncertainty
    growth, uncertainty = slope([(x, 9000 + x * 5000 / 86400 + chance.uniform(-8, 8)) for x in HOUR])
    assert growth - uncertainty > 50


def test_a_single_step_is_no_growth():
    growth, uncertainty = slope([(x, 9000 + 4 * (x > 1500)) for x in HOUR], step=4)
    assert growth > 50 and growth - uncertainty < 50


def test_what_is_given_back_now_and_then_is_no_rise_and_a_leak_of_each_round_is():
    chance = random.Random(2)
    tide = [34824 + chance.choice([0, 1888, 2904]) for _ in range(41)]
    assert lasting_rise(tide) <= 0
    assert lasting_rise([figure + 100 * number for number, figure in enumerate(tide)]) > 1024


def test_a_block_that_is_given_back_seldom_is_no_rise_and_a_leak_beside_the_block_is():
    ebb = [5004] * 8 + [6020, 3972] + [5008] * 5 + [3972] * 2 + [5020] * 24
    assert min(ebb[20:]) - min(ebb[:20]) > 1024, "the lowest figures alone would call this a rise"
    assert lasting_rise(ebb) < 100
    assert lasting_rise([figure + 60 * number for number, figure in enumerate(ebb)]) > 1024
    assert lasting_rise([figure + 2048 * (number > 15) for number, figure in enumerate(ebb)]) > 1024


def test_a_few_samples_tell_nothing():
    assert slope([(0, 1), (1, 2), (2, 3)])[1] == math.inf
