"""Force elements and equations that a state switches on and off."""

from __future__ import annotations

from duoti.kernel import helper

HALF = 0.5  # a switch is on from here


@helper
def force_is_off(loads, w, f):
    """True if a state that switches force element f is off; its place in w.y is the last of the element's indices."""
    integers = loads.forces.integers
    place = integers[f, integers.shape[1] - 1]
    return place >= 0 and w.y[place].real < HALF


@helper
def equation_is_off(closures, w, r):
    """True if a state that switches row r is off."""
    place = closures.equation_axes[r, 2]
    return place >= 0 and w.y[place].real < HALF
