"""Force elements: their wrenches on bodies, generalised forces in joints, energies and powers."""

from __future__ import annotations

from duoti.kernel import kernel
from duoti.model.forces import apply_force
from duoti.spatial.algebra import ZERO6, put_spatial


@kernel
def apply_forces(tree, loads, w, t, q, v):
    """Evaluate all force elements; writes F_ext, tau and powers. Needs world_poses and velocities."""
    for i in range(tree.nv):
        w.tau[i] = 0.0
    for i in range(3):
        w.powers[i] = 0.0
    for b in range(tree.nb):
        put_spatial(w.F_ext, b, ZERO6)
    for f in range(loads.count):
        potential, supplied, dissipated = apply_force(loads.kind[f], f, t, q, v, loads, w)
        w.powers[0] += potential
        w.powers[1] += supplied
        w.powers[2] += dissipated
