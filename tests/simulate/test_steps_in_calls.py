"""Steps between two looks at a running simulation."""

from __future__ import annotations

from duoti.analyses.simulate.driver import MOST_GROWTH, MOST_STEPS, steps_of_next_call


def test_calls_come_near_the_wanted_time_and_do_not_pass_it():
    """Steps of equal cost: calls grow to between half and all of the wanted time, and none is longer."""
    for cost in (1e-7, 1e-5, 3e-4, 0.01):
        steps, calls = 8, 0
        while True:
            took = steps * cost
            assert took <= 0.1
            following = steps_of_next_call(steps, took, 0.1)
            if following == steps:
                break
            steps, calls = following, calls + 1
        assert took >= 0.05
        assert calls <= 6


def test_slow_steps_make_calls_shorter():
    assert steps_of_next_call(8, 0.5, 0.1) == 4
    assert steps_of_next_call(1, 0.5, 0.1) == 1


def test_growth_is_limited():
    assert steps_of_next_call(8, 0.0, 0.1) == 8 * MOST_GROWTH
    assert steps_of_next_call(MOST_STEPS, 0.0, 0.1) == MOST_STEPS
