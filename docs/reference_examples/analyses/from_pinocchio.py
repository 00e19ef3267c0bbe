"""The neutral configuration of Pinocchio in the coordinates of a model."""

import duoti as dt
from duoti.examples.robots import robots

path = robots()["arm6"]
system = dt.compile(dt.load(path))
try:
    import pinocchio
except ImportError:
    print("this needs Pinocchio: pip install pin")
else:
    theirs = pinocchio.buildModelFromUrdf(str(path))
    print(dt.analyses.from_pinocchio(system, theirs, pinocchio.neutral(theirs)).q)
