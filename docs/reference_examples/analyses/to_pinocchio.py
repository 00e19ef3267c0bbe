"""The state of an arm in the coordinates of Pinocchio: a continuous joint is a cosine and a sine there."""

import duoti as dt
from duoti.examples.robots import robots

path = robots()["arm6"]
system = dt.compile(dt.load(path))
q, v = system.state({"wrist_3": 0.5})
try:
    import pinocchio
except ImportError:
    print("this needs Pinocchio: pip install pin")
else:
    theirs = pinocchio.buildModelFromUrdf(str(path))
    print(dt.analyses.to_pinocchio(system, theirs, q, v).q.round(3))
