"""A force type and kinds of equations of one's own: one file each, no other edit, as good as those of the package.

The files stand outside the package, as a user's would; a file in `model/forces` or `model/rows` differs in nothing but
that it is found by itself. They are compared with closed forms, their tangents with finite differences.
"""

import importlib.util
import sys
from itertools import count

import numpy as np
import pytest

import duoti as dt
from duoti.model.equations import EQUATION_KINDS
from duoti.model.forces import FORCE_TYPES

FORCE = '''
from duoti.kernel import helper
from duoti.model.forces.base import V_INDEX, JointElementForce

REALS = ("coefficient",)
(COEFFICIENT,) = range(len(REALS))


@helper
def _law(f, t, q, v, loads, w):
    j, c = loads.forces.integers[f, V_INDEX], loads.forces.reals[f, COEFFICIENT]
    size = v[j] if v[j].real > 0.0 else -v[j]
    w.tau[j] -= c * size * v[j]
    return 0.0 * size, 0.0 * size, c * size * v[j] * v[j]


@helper
def _tangent(f, t, q, v, tree, loads, w, tan, way):
    j = loads.forces.integers[f, V_INDEX]
    tan.C[j, j] += 2.0 * loads.forces.reals[f, COEFFICIENT] * abs(v[j])


class QuadraticDrag(JointElementForce):
    """Force = -coefficient * |v| * v in one coordinate of a joint."""

    kind = "KIND"
    REALS = REALS
    law = staticmethod(_law)
    tangent = staticmethod(_tangent)

    def __init__(self, joint, coefficient, coordinate=None):
        self.joint, self.coefficient, self.coordinate = joint, coefficient, coordinate
'''

FRAME_ROW = '''
from duoti.kernel import helper
from duoti.model.constraints.base import MarkerConstraint, ConstraintEquation
from duoti.model.equations import FrameEquation
from duoti.spatial.algebra import add, cross, dot, shift_of


@helper
def _law(i, j, parameter, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    return 0.5 * dot(d, d), dot(d, v), dot(d, acc) + dot(v, v), (cross(p, d), d)


@helper
def _tangent(i, j, parameter, R_A, R_B, d, p, xi):
    moved = shift_of(xi, p)
    return add(cross(moved, d), cross(p, moved)), moved


@helper
def _bias_tangent(i, j, parameter, R_A, R_B, d, p, V, xi, eta):
    moved, v = shift_of(xi, p), shift_of(V, p)  # phi = (v x d) . omega + v . v
    dv = add(shift_of(eta, p), cross(V[0], moved))
    turn = dot(add(cross(dv, d), cross(v, moved)), V[0]) + dot(cross(v, d), eta[0])
    return turn + 2.0 * dot(v, dv)


class HalfSquare(FrameEquation):
    """g = d . d / 2"""

    kind = "KIND"
    law = staticmethod(_law)
    tangent = staticmethod(_tangent)
    bias_tangent = staticmethod(_bias_tangent)


class Rod(MarkerConstraint):
    """A rod of a given length."""

    kind = "rod"

    def __init__(self, marker_a, marker_b, length):
        self.marker_a, self.marker_b, self.length = marker_a, marker_b, length

    def rows(self):
        return (ConstraintEquation("KIND", value=0.5 * self.length**2),)
'''

COORDINATE_ROW = '''
from duoti.kernel import helper
from duoti.model.constraints.base import Constraint, ConstraintEquation
from duoti.model.equations import CoordinateEquation
from duoti.model.equations.base import SLOPE, TERM_Q, TERM_V


@helper
def _law(terms, first, last, coefficients, parameter, tables, begin, end):
    x, y = terms[first, TERM_Q], terms[first + 1, TERM_Q]
    u, v = terms[first, TERM_V], terms[first + 1, TERM_V]
    terms[first, SLOPE], terms[first + 1, SLOPE] = 2.0 * x + y, 2.0 * y + x
    return x * x + y * y + x * y, (2.0 * x + y) * u + (2.0 * y + x) * v, 2.0 * (u * u + v * v + u * v)


@helper
def _curvature(n, m, terms, first, coefficients, parameter, tables, begin, end):
    return (2.0 if n == m else 1.0), 0.0


class Ellipse(CoordinateEquation):
    """g = x² + y² + x y"""

    kind = "KIND"
    law = staticmethod(_law)
    curvature = staticmethod(_curvature)


class OnEllipse(Constraint):
    """x² + y² + x y = value"""

    kind = "on_ellipse"

    def __init__(self, joint_x, joint_y, value):
        self.joint_x, self.joint_y, self.value = joint_x, joint_y, value

    def rows(self):
        return (ConstraintEquation("KIND", value=self.value, terms=((self.joint_x, 0, 1.0), (self.joint_y, 0, 1.0))),)
'''

# global errors of a few hundred steps with local ones of 1e-10 and less
SOLVERS = [dt.DOPRI5(rtol=1e-10, atol=1e-12), dt.Radau(rtol=1e-10, atol=1e-12)]
CLOSE = 1e-8
solvers = pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)
_NUMBER = count()


def load(text, folder, kind):
    """A module from a file of its own, imported as one beside a script would be."""
    name = f"own_{kind}_{next(_NUMBER)}"
    path = folder / f"{name}.py"
    path.write_text(text.replace("KIND", kind), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def no_traces():
    kinds, modules = dict(EQUATION_KINDS), set(sys.modules)
    yield
    EQUATION_KINDS.clear()
    EQUATION_KINDS.update(kinds)
    for name in set(sys.modules) - modules:
        if name.startswith("own_"):
            del sys.modules[name]


def slider(v0=2.0):
    m = dt.Model("slider", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)))
    m.add_joint("S", dt.Prismatic("x"), m.ground, "b", v0=v0)
    return m


def check_tangents(system, q, v):
    """Derivatives of the accelerations against central differences, whose error is 1e-6² and 1e-15 / 1e-6."""
    found, h = dt.analyses.forward_dynamics_derivatives(system, q, v, must_close=False), 1e-6
    for by, move in (
        (found.dq, lambda x: dt.accelerations(system, dt.analyses.displace(system, q, x), v, must_close=False)),
        (found.dv, lambda x: dt.accelerations(system, q, v + x, must_close=False)),
    ):
        for j, unit in enumerate(np.eye(system.nv)):
            wanted = (move(h * unit) - move(-h * unit)) / (2 * h)
            assert np.max(np.abs(by[:, j] - wanted)) < 1e-7 * max(1.0, np.max(np.abs(wanted)))


@solvers
def test_a_force_type_in_a_file(tmp_path, solver):
    """m dv/dt = -c v²: v = v0 / (1 + k t), x = v0/k ln(1 + k t) with k = c v0 / m; all that is lost is dissipated."""
    own = load(FORCE, tmp_path, "quadratic_drag")
    m = slider()
    m.add_force("drag", own.QuadraticDrag("S", 0.3))
    r = dt.simulate(m, 1.0, solver=solver)
    assert r.ok, r.reason
    k = 0.3 * 2.0 / 0.5
    assert np.max(np.abs(r["S.velocity"] - 2.0 / (1 + k * r.t))) < CLOSE
    assert np.max(np.abs(r["S.position"] - 2.0 / k * np.log(1 + k * r.t))) < CLOSE
    assert np.max(np.abs(r.energy.residual)) < CLOSE
    check_tangents(dt.compile(m), np.array([0.3]), np.array([-1.7]))


def test_types_stand_beside_each_other(tmp_path):
    """Elements of three types in turn: what each does is the sum of what they do alone."""
    own = load(FORCE, tmp_path, "quadratic_drag_too")
    forces = [own.QuadraticDrag("S", 0.3), dt.JointSpring("S", 4.0, 0.1), own.QuadraticDrag("S", 0.2)]
    forces += [dt.JointTorque("S", "sin(q)"), dt.JointSpring("S", 1.0)]
    m, alone = slider(), 0.0
    for i, force in enumerate(forces):
        m.add_force(f"f{i}", force)
        one = slider()
        one.add_force("f", force)
        alone += dt.accelerations(dt.compile(one), [0.4], [1.5])
    assert abs(dt.accelerations(dt.compile(m), [0.4], [1.5]) - alone) < 1e-14  # sums in another order


@solvers
def test_a_row_between_frames_in_a_file(tmp_path, solver):
    """A conical pendulum goes round at the rate sqrt(g / (L cos(angle)))."""
    own = load(FRAME_ROW, tmp_path, "half_square")
    length, angle = 1.3, 0.6
    rate = np.sqrt(9.81 / (length * np.cos(angle)))
    radius, depth = length * np.sin(angle), length * np.cos(angle)
    m = dt.Model("conical pendulum", gravity=(0, 0, -9.81))
    m.add_body("b", dt.Inertia.sphere(2.0, radius=0.1), position=(radius, 0, -depth))
    m.add_joint("F", dt.Free(), m.ground, "b", v0={"velocity": (0, radius * rate, 0)})
    m.add_constraint("rod", own.Rod(m.ground, "b", length))
    r = dt.simulate(m, 1.0, solver=solver)
    assert r.ok, r.reason
    expected = np.column_stack([radius * np.cos(rate * r.t), radius * np.sin(rate * r.t), np.full_like(r.t, -depth)])
    assert np.max(np.abs(r["b.position"] - expected)) < CLOSE
    assert np.max(np.abs(r.energy.residual)) < CLOSE * 2.0 * 9.81


def test_tangents_of_a_row_between_frames(tmp_path):
    own = load(FRAME_ROW, tmp_path, "half_square_too")
    m = dt.Model("two bodies")
    for name, at in (("A", (0.1, 0.2, 0)), ("B", (1.0, 0.3, 0.4))):
        m.add_body(name, dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)), position=at)
        m.add_joint(f"F{name}", dt.Spherical(), m.ground, name, at=(0.5, 0, 0))
        m.add_marker(f"m{name}", name, (0.1, -0.2, 0.3))
    m.add_constraint("rod", own.Rod("mA", "mB", 1.0))
    system = dt.compile(m)
    rng = np.random.default_rng(3)
    check_tangents(
        system, dt.analyses.displace(system, system.initial_state()[0], rng.normal(size=6)), rng.normal(size=6)
    )


@solvers
def test_a_row_between_coordinates_in_a_file(tmp_path, solver):
    """x² + y² + x y = c without forces: a point on an ellipse keeps its speed."""
    own = load(COORDINATE_ROW, tmp_path, "ellipse")
    m = dt.Model("ellipse", gravity=(0, 0, 0))
    m.add_body("carriage", dt.Inertia.point(0.0))
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "carriage", q0=1.0, v0=0.5)
    m.add_joint("Y", dt.Prismatic("y"), "carriage", "b", q0=0.0, v0=-1.0)
    m.add_constraint("c", own.OnEllipse("X", "Y", 1.0))
    r = dt.simulate(m, 2.0, solver=solver)
    assert r.ok, r.reason
    x, y, u, v = (r[name] for name in ("X.position", "Y.position", "X.velocity", "Y.velocity"))
    assert np.max(np.abs(x * x + y * y + x * y - 1.0)) < CLOSE
    assert np.max(np.abs(u * u + v * v - 1.25)) < CLOSE
    # and it gets as far as its speed takes it; the arc is an integral over the parameter s of the ellipse, with
    # semi-axes sqrt(2/3) along (1, 1) and sqrt(2) along (1, -1)
    phase = np.unwrap(np.arctan2(x - y, np.sqrt(3) * (x + y)))
    s = np.linspace(phase[0], phase[-1], 20001)
    speed = np.hypot(np.sqrt(2 / 3) * np.sin(s), np.sqrt(2) * np.cos(s))
    arc = abs(np.sum((speed[1:] + speed[:-1]) / 2 * np.diff(s)))
    assert abs(arc - np.sqrt(1.25) * 2.0) < 1e-7  # of which the trapezoidal rule makes 1e-4² / 12
    check_tangents(dt.compile(m), np.array([0.4, 0.7]), np.array([0.3, -1.1]))


# ------------------------------------------------------------------------------------------------------------- mistakes


def test_a_type_that_lacks_a_kernel_is_refused(tmp_path):
    with pytest.raises(TypeError, match="'lame' has no kernel tangent"):
        load(FORCE.replace("    tangent = staticmethod(_tangent)\n", ""), tmp_path, "lame")
    with pytest.raises(TypeError, match="'lame' has no kernel bias_tangent"):
        load(FRAME_ROW.replace("    bias_tangent = staticmethod(_bias_tangent)\n", ""), tmp_path, "lame")
    with pytest.raises(TypeError, match="kind of equation 'dot' is there already"):
        load(FRAME_ROW, tmp_path, "dot")


def test_numbers_that_are_not_declared_are_refused(tmp_path):
    own = load(FORCE.replace("    REALS = REALS\n", '    REALS = ("mass",)\n'), tmp_path, "undeclared")

    class Other(own.QuadraticDrag):
        def reals(self):
            return {"weight": 1.0}

    m = slider()
    m.add_force("drag", Other("S", 0.3))
    with pytest.raises(TypeError, match=r"declares the numbers .'mass',., but gives .'weight',."):
        dt.compile(m)


def test_an_unknown_row_kind_is_a_finding():
    from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint

    class Odd(MarkerConstraint):
        kind = "odd"
        marker_a, marker_b = "ground", "b"

        def rows(self):
            return (ConstraintEquation("nowhere"),)

    m = slider()
    m.add_constraint("odd", Odd())
    with pytest.raises(dt.ModelError, match="there is no kind of equation nowhere"):
        dt.compile(m)


@pytest.mark.parametrize("kind", sorted(FORCE_TYPES))
def test_places_of_numbers_are_those_declared(kind):
    """The constants by which kernels read `integers` and `reals` are the places in `INTEGERS` and `REALS`."""
    cls = FORCE_TYPES[kind]
    constants = {}
    for base in reversed(cls.__mro__):
        constants |= vars(sys.modules[base.__module__])
    if kind not in ("beam_element", "bushing", "cartesian_spring"):  # the first of three or of 36 each
        for names in (cls.INTEGERS, cls.REALS):
            for place, name in enumerate(names):
                assert constants[name.upper()] == place
