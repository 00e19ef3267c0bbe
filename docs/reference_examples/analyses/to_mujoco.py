"""The state of a walker in the coordinates of MuJoCo."""

import duoti as dt
from duoti.examples.robots import robots

path = robots()["strider"]
system = dt.compile(dt.load(path))
q, v = system.state()
try:
    import mujoco
except ImportError:
    print("this needs mujoco")
else:
    theirs = mujoco.MjModel.from_xml_path(str(path))
    qpos, qvel = dt.analyses.to_mujoco(system, theirs, q, v)
    print(len(q), "coordinates here,", len(qpos), "there")
