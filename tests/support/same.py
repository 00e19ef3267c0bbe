"""Two results compared to the last bit."""

import numpy as np


def same(a, b):
    """Bit for bit: times, states, records, events, counts."""
    counts = [{**vars(r.stats), "seconds": 0.0} for r in (a, b)]
    assert np.array_equal(a.t, b.t)
    assert np.array_equal(np.asarray(a.states), np.asarray(b.states))
    assert a.record_layout == b.record_layout
    assert np.array_equal(np.asarray(a.record), np.asarray(b.record), equal_nan=True)
    assert counts[0] == counts[1]
    assert len(a.events) == len(b.events)
    for one, other in zip(a.events, b.events, strict=True):
        assert (one.name, one.t) == (other.name, other.t)
        assert all(np.array_equal(getattr(one, k), getattr(other, k)) for k in "qvz")
    return True
