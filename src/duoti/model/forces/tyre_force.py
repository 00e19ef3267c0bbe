"""A tyre on a road."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.complex_steps import EPS, moved_by, real_of, slopes, twist_about
from duoti.elements.matrices import state_columns
from duoti.elements.tyres import HEADER, SEEN, tyre_on_road
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.force_blocks import SCRATCH
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import Array, ForceChannel, Seen
from duoti.model.roads.road import Road
from duoti.model.tyres.numbers import MAGIC_FORMULA
from duoti.model.tyres.tyre import Tyre
from duoti.spatial import Pose
from duoti.spatial.algebra import (
    add,
    compose,
    get3,
    get_column,
    get_pose,
    get_spatial,
    put_spatial,
    scale,
    sub,
    vdot,
)
from duoti.spatial.axes import Axis, axis_vector

INTEGERS = ("wheel", "frame", "first_state", "block", "road")
WHEEL, FRAME, FIRST_STATE, BLOCK, ROAD = range(len(INTEGERS))
REALS = ("pressure", "friction", "standstill_damping")
PRESSURE, FRICTION, STANDSTILL_DAMPING = range(len(REALS))
STATES = ("slip_x", "slip_y")
MARKERS = ("wheel", "frame")


@helper
def _pose(loads, w, m):
    """Pose of a marker in the world."""
    return compose(get_pose(w.X_WB, loads.markers.body[m]), get_pose(loads.markers.X_BM, m))


@helper
def _tyre(f, t, q, v, loads, w):
    ints, reals = loads.forces.integers, loads.forces.reals
    m_a, m_b = ints[f, FRAME], ints[f, WHEEL]
    a, b = loads.markers.body[m_a], loads.markers.body[m_b]
    centre = get3(w.X_WB, 1, 9)
    place = q.shape[0] + v.shape[0] + ints[f, FIRST_STATE]
    block, c = loads.forces.block_integers, loads.forces.block_reals
    wrench, potential, lost, rates, seen = tyre_on_road(
        block, c, ints[f, BLOCK], ints[f, ROAD], _pose(loads, w, m_a), _pose(loads, w, m_b), twist_about(w, a, centre),
        twist_about(w, b, centre), centre, (w.y[place], w.y[place + 1]), reals[f, PRESSURE], reals[f, FRICTION],
        reals[f, STANDSTILL_DAMPING],
    )  # fmt: skip
    w.ydot[place], w.ydot[place + 1] = rates
    torque, force = wrench
    apply_wrench(loads, w, m_b, sub(centre, get3(w.X_WB, b, 9)), force, torque)
    apply_wrench(loads, w, m_a, sub(centre, get3(w.X_WB, a, 9)), scale(-1.0, force), scale(-1.0, torque))
    at = block[ints[f, BLOCK] + SCRATCH]
    for k in range(len(SEEN)):
        w.block_scratch[at + k] = seen[k]
    return potential, 0.0 * lost, lost


@helper
def _tyre_tangent(f, t, q, v, tree, loads, w, tan, path):
    """By complex steps, as of contacts with bristles."""
    ints, reals = loads.forces.integers, loads.forces.reals
    m_a, m_b = ints[f, FRAME], ints[f, WHEEL]
    a, b = loads.markers.body[m_a], loads.markers.body[m_b]
    centre = get3(w.X_WB, 1, 9)
    X_A, X_B = _pose(loads, w, m_a), _pose(loads, w, m_b)
    V_A, V_B = get_spatial(tan.V_W, a), get_spatial(tan.V_W, b)
    block, c = loads.forces.block_integers, loads.forces.block_reals
    at, road, pressure = ints[f, BLOCK], ints[f, ROAD], reals[f, PRESSURE]
    friction, damping = reals[f, FRICTION], reals[f, STANDSTILL_DAMPING]
    step = EPS * 1j
    still = 0.0 * step
    X_same = moved_by(X_B, V_B, still, centre)
    V_same = (add(V_B[0], scale(still, V_B[0])), add(V_B[1], scale(still, V_B[1])))
    first, begin = ints[f, FIRST_STATE], tree.nq + tree.nv
    slips = (w.y[begin + first] + still, w.y[begin + first + 1] + still)
    for c_s in range(2):
        for j in range(tree.nv):
            tan.Fq[first + c_s, j] = tan.Fv[first + c_s, j] = 0.0
        low, high = state_columns(tan.Fz, tree.nz, first + c_s)
        for j in range(low, high):
            tan.Fz[first + c_s, j] = 0.0
    wrench, _, _, _, _ = tyre_on_road(
        block, c, at, road, X_A, X_same, V_A, V_same, centre, slips, pressure, friction, damping
    )
    torque, force = real_of(wrench[0]), real_of(wrench[1])
    count = path_between(tree, path, a, b)
    for k in range(count):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        j, side = path.rate[k], path.side[k]
        X_then = moved_by(X_same, S_j, step, centre)
        V_then = (add(V_B[0], scale(step, y_j[0])), add(V_B[1], scale(step, y_j[1])))
        wrench, _, _, rates, _ = tyre_on_road(
            block, c, at, road, X_A, X_then, V_A, V_then, centre, slips, pressure, friction, damping
        )
        put_spatial(path.W_q, k, slopes(wrench[0], wrench[1]))
        for c_s in range(2):
            tan.Fq[first + c_s, j] += side * rates[c_s].imag / EPS
        V_then = (add(V_B[0], scale(step, S_j[0])), add(V_B[1], scale(step, S_j[1])))
        wrench, _, _, rates, _ = tyre_on_road(
            block, c, at, road, X_A, X_same, V_A, V_then, centre, slips, pressure, friction, damping
        )
        put_spatial(path.W_v, k, slopes(wrench[0], wrench[1]))
        for c_s in range(2):
            tan.Fv[first + c_s, j] += side * rates[c_s].imag / EPS
    for c_s in range(2):
        moved = (slips[0] + (step if c_s == 0 else still), slips[1] + (step if c_s == 1 else still))
        wrench, _, _, rates, _ = tyre_on_road(
            block, c, at, road, X_A, X_same, V_A, V_same, centre, moved, pressure, friction, damping
        )
        for d_s in range(2):
            tan.Fz[first + d_s, first + c_s] += rates[d_s].imag / EPS
        W = slopes(wrench[0], wrench[1])
        for k in range(count):
            tan.Z[path.rate[k], first + c_s] -= path.side[k] * vdot(get_column(tan.S, path.column[k]), W)
    add_pair(tree, tan, path, count, (torque, force), np.int64(1))


class TyreForce(Force):
    r"""A tyre between a wheel and a road: load, transient slips, forces and torques at the contact point.

    $$\sigma_x \dot\kappa' + |V_x|\,\kappa' = \Omega R_e - V_x, \qquad \sigma_y \frac{d\tan\alpha'}{dt} + |V_x|
    \tan\alpha' = V_y$$

    The road is replaced by its tangent plane at the contact point, which is in the wheel plane; the load follows from
    the deflection there. Forces are those of the tyre (`Tyre.forces`) at the slips $\kappa'$ and $\alpha'$. These are
    states of the model, and follow the slips of the wheel over the relaxation lengths $\sigma$; at large slips they
    follow faster. Without speed they are the deflection of a spring, so that a parked car stands still.

    Parameters
    ----------
    wheel:
        Body of the wheel, or a marker at its centre; it turns with the wheel.
    road:
        The road, with z upwards.
    tyre:
        The tyre.
    axis:
        Axis of the wheel, to the left of its direction of travel, in the axes of the marker or body.
    frame:
        Marker or body in whose frame the road is.
    pressure:
        Inflation pressure; if left out, that of the tyre.
    friction:
        Factor of the coefficients of friction, beside that of the road.
    standstill_damping:
        Damping over stiffness along the road at standstill; it falls to zero at the speed VXLOW of the tyre.
    """

    kind = "tyre"
    units: ClassVar = {"pressure": "Pa", "friction": "1", "standstill_damping": "s"}
    INTEGERS = INTEGERS
    REALS = REALS
    complex_numbers: ClassVar[bool] = False  # its states have rates by these numbers, too
    law = staticmethod(_tyre)
    tangent = staticmethod(_tyre_tangent)

    def __init__(
        self,
        wheel: Reference,
        road: Road,
        tyre: Tyre,
        axis: Axis = "y",
        frame: Reference = "ground",
        pressure: float | None = None,
        friction: float = 1.0,
        standstill_damping: float = 0.02,
    ):
        self.wheel, self.road, self.tyre, self.axis, self.frame = wheel, road, tyre, axis, frame
        self.pressure, self.friction, self.standstill_damping = pressure, friction, standstill_damping

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Wheel and frame of the road."""
        return (("wheel", self.wheel), ("frame", self.frame))

    def faults(self) -> list[Fault]:
        found = number_faults(positive_friction=self.friction, positive_standstill_damping=self.standstill_damping)
        road: Any = self.road
        tyre: Any = self.tyre
        if not isinstance(road, Road):
            found.append(Fault(f"road is {road!r}; give a dt.Road: dt.Road.flat()", "road"))
        if not isinstance(tyre, Tyre):
            found.append(Fault(f"tyre is {tyre!r}; give a dt.Tyre: dt.Tyre.read(path)", "tyre"))
        elif self.pressure is not None:
            if tyre.model != MAGIC_FORMULA:
                text = f"pressure has no effect on a {tyre.kind} tyre; leave it out"
                found.append(Fault(text, "pressure"))
            else:
                found += number_faults(positive_pressure=self.pressure)
        return found

    def placed_faults(self, pose_of: Callable[[Reference], Pose]) -> list[Fault]:
        """An axis of the wheel that is upright."""
        e_y = np.asarray(pose_of(self.wheel).rotation.matrix) @ axis_vector(self.axis)
        up = np.asarray(pose_of(self.frame).rotation.matrix)[:, 2]
        if abs(float(e_y @ up)) > 0.999:
            text = "the axis of the wheel is upright; give the one about which it turns"
            return [Fault(f'{text} (axis="y"), in the axes of the wheel', "axis")]
        return []

    def own_states(self, name: str) -> Mapping[str, str]:
        """Transient slips: slip ratio, and tangent of the slip angle."""
        return {f"{name}.{state}": "1" for state in STATES}

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        numbers = np.concatenate([axis_vector(self.axis), self.tyre.numbers])
        header = np.array([*(0 for _ in HEADER[:3]), self.tyre.model], np.int64)
        return {
            "wheel": compiler.marker(self.wheel), "frame": compiler.marker(self.frame),
            "first_state": compiler.state(self.state_names[0]),
            "block": compiler.block(header, numbers, lambda nv, nz: len(SEEN)),
            "road": compiler.road(self.road),
        }  # fmt: skip

    def reals(self) -> Mapping[str, float]:
        pressure = self.tyre.pressure if self.pressure is None else self.pressure
        return {"pressure": pressure, "friction": self.friction, "standstill_damping": self.standstill_damping}

    def left_out(self) -> Iterable[str]:
        return () if self.tyre.model == MAGIC_FORMULA else ("pressure",)

    def written(self, integers: Any, blocks: Any) -> tuple[int, int]:
        """See `Force.written`."""
        return int(blocks[int(integers[BLOCK]) + SCRATCH]), len(SEEN)

    def remark(self, seen: Seen) -> tuple[int, str] | None:
        """Load or camber outside the range of the tyre."""
        numbers = self.tyre.coefficients
        for name, low, high, unit in (
            ("load", -np.inf, numbers["FZMAX"], "N"), ("camber", numbers["CAMMIN"], numbers["CAMMAX"], "rad"),
        ):  # fmt: skip
            value = _column(seen, name)[:, 0]
            off = np.flatnonzero(((value < low) | (value > high)) & (_column(seen, "load")[:, 0] > 0.0))
            if len(off):
                row = int(off[0])
                return row, (
                    f"the {name} of the tyre is {value[row]:.4g} {unit}, outside its range "
                    f"({low:.4g} to {high:.4g} {unit}): forces are those at the end of the range"
                )
        return None

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """What the tyre feels and does; forces and torques in ISO-W axes at the contact point."""
        units = {
            "load": "N", "slip_ratio": "1", "slip_angle": "rad", "camber": "rad", "fx": "N", "fy": "N", "mx": "N m",
            "my": "N m", "mz": "N m", "deflection": "m", "loaded_radius": "m", "effective_radius": "m", "speed": "m/s",
            "slip_speed_x": "m/s", "slip_speed_y": "m/s", "friction": "1",
        }  # fmt: skip
        found = {name: ForceChannel(unit, 1, _reader(name)) for name, unit in units.items()}
        found["fz"] = found["load"]
        found["spin"] = ForceChannel("rad/s", 1, _reader("turning"))
        found["contact_point"] = ForceChannel("m", 3, _contact_point)
        return found


def _column(seen: Seen, name: str) -> Array:
    k = SEEN.index(name)
    return seen.written[:, k : k + 1]


def _reader(name: str) -> Callable[[Seen], Array]:
    return lambda seen: _column(seen, name)


def _contact_point(seen: Seen) -> Array:
    k = SEEN.index("x")
    return seen.written[:, k : k + 3]
