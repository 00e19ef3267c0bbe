"""The reference configuration of MuJoCo in the coordinates of a model."""

import duoti as dt
from duoti.examples.robots import robots

path = robots()["strider"]
system = dt.compile(dt.load(path))
try:
    import mujoco
except ImportError:
    print("this needs mujoco")
else:
    theirs = mujoco.MjModel.from_xml_path(str(path))
    q, v = dt.analyses.from_mujoco(system, theirs, theirs.qpos0)
    print(q.round(3))
