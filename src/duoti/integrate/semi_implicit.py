"""Semi-implicit (symplectic) Euler method: v first, then q with the new v. Order one, cheap, no drift of energy."""

from __future__ import annotations

from duoti.dynamics.kinematics import position_rates, unit_quaternions
from duoti.kernel import part


@part
def semi_implicit_step(tree, run):
    """y_new from y and its rates K[0]; works are summed with the rates at the beginning."""
    h, nq, nv = run.clock[0].h, tree.nq, tree.nv
    for i in range(nq, run.y.shape[0]):
        run.y_new[i] = run.y[i] + h * run.K[0, i]
    position_rates(tree, run.y[:nq], run.y_new[nq : nq + nv], run.y_at[:nq])
    for i in range(nq):
        run.y_new[i] = run.y[i] + h * run.y_at[i]
    unit_quaternions(tree, run.y_new[:nq])
