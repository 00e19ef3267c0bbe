"""`gravity_compensation`: torques that hold a mechanism against gravity wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from duoti.analyses.states.supported import as_model
from duoti.dynamics.workspace import add_residual, new_workspace
from duoti.kernel import run_entry
from duoti.model.elements import JointElement
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.laws.law import Function
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.compile.copy_model import own_copy
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System


@renamed_arguments
@explained
def gravity_compensation(
    model: Model | System, joints: Sequence[str | JointElement] | None = None, fraction: float = 1.0
) -> dict[str, JointTorque]:
    r"""Force elements that hold a model against gravity in every position, ready to be added.

    $$\tau = -\sum_i J_i^T m_i\, g$$

    The model's own force elements are not compensated. With closed loops, or with fewer motors than freedoms, the
    torques are those of least norm that come nearest.

    Parameters
    ----------
    joints:
        Joints with motors; by default all joints of the tree.
    fraction:
        Fraction of the weight that is carried.

    Returns
    -------
    Mapping name → `JointTorque`: `for name, force in found.items(): m.add_force(name, force)`.
    """
    bare = own_copy(as_model(model))
    bare.forces.clear()
    bare.events.clear()
    system = compile_model(bare)
    system.require_mass()
    system.require_mass()
    names = [n.name if isinstance(n, JointElement) else n for n in joints] if joints is not None else None
    for name in names or ():
        if name not in system.joints:
            raise ChannelError(f'there is no joint "{name}".{did_you_mean(str(name), system.joints)}')
        if system.joints[name].closure >= 0:
            raise ValueError(
                f'joint "{name}" closes a loop and has no coordinate of its own; forbid the cut, or use others'
            )
    if names is None:
        names = [name for name, at in system.joints.items() if len(at.v)]
    rates = [int(i) for name in names for i in system.joints[name].v]
    holder = _Holder(system, rates, fraction)
    found: dict[str, JointTorque] = {}
    column = 0
    for name in names:
        count = len(system.joints[name].v)
        for i in range(count):
            law = Function(holder.torque(column), system.coordinate_names)
            found[f"hold {name}" + (f"[{i}]" if count > 1 else "")] = JointTorque(name, law, i)
            column += 1
    return found


class _Holder:
    """The torques in a position, computed once for all motors."""

    def __init__(self, system: Any, rates: list[int], part: float):
        self.system, self.rates, self.part = system, rates, part
        self.work = new_workspace(system, ydot=True)
        add_residual(self.work)
        self.q, self.u = np.full(system.nq, np.nan), np.zeros(len(rates))
        self.tree_only = system.closures.rows == 0 and sorted(rates) == list(range(system.nv))

    def torque(self, column: int) -> Any:
        """The function of one motor."""

        def hold(*q: float) -> float:
            return float(self.at(np.array(q))[column])

        return hold

    def at(self, q: Reals) -> Reals:
        """Torques of all motors."""
        if not np.array_equal(q, self.q):
            self.q, self.u = q, self._solve(q)
        return self.u

    def _solve(self, q: Reals) -> Reals:
        w, system = self.work, self.system
        w.y[: system.nq], w.y[system.nq : system.nq + system.nv] = q, 0.0
        w.ydot[:], w.multipliers[:] = 0.0, 0.0
        run_entry(w.calls[0].residual, w.at[0].system)  # M a + h at rest: what gravity asks for
        weight = self.part * w.a_free
        if self.tree_only:
            return weight[self.rates]
        N = np.eye(system.nv)
        if system.closures.rows:
            _, sigma, Vt = np.linalg.svd(dense_jacobian(system.closures, system.nv, w.G))
            N = Vt[int(np.sum(sigma > 1e-9 * np.max(sigma, initial=1e-300))) :].T
        return np.linalg.lstsq(N[self.rates].T, N.T @ weight, rcond=1e-9)[0]
