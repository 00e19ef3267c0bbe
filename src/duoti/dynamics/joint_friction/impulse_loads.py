"""What joint friction laws see of the wrenches through their joints, for Python: loads of impulses."""

from __future__ import annotations

from duoti.elements.joint_friction import load_of, load_wrench
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CONTEXT
from duoti.kernel import cold_kernel, unpack
from duoti.system.context import REAL_CONTEXT


@cold_kernel("i d2")
def joint_wrenches(context, wrenches):
    """wrenches [slots, 6] that joint friction laws see, in the evaluation that w holds."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    for s in range(jf.count):
        if jf.loaded[s] == 1:
            load_wrench(tree, w, jf, s, wrenches[s])


@cold_kernel("i d2 d1")
def joint_loads(context, wrenches, out):
    """out [slots]: the loads of wrenches, preload included."""
    _, _, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    for s in range(jf.count):
        out[s] = load_of(w, jf, s, wrenches[s]) if jf.loaded[s] == 1 else 0.0
