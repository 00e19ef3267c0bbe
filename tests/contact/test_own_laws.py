"""A law of compliant contact of one's own: one file, outside the package; every pair of shapes has it.

`Padded` is a pad that grows stiffer as it is pressed, N = k d (1 + (d / L)²), with viscous friction. Its kernel is
compared with closed forms, with its own numbers for results, and its linear limit with `CompliantContact`.
"""

import importlib.util
import sys

import numpy as np
import pytest

import duoti as dt

LAW = '''
from duoti.kernel import helper
from duoti.model.contacts.base import CompliantLaw, range_faults
from duoti.spatial.algebra import add, dot, scale, sub

NUMBERS = ("stiffness", "length", "rubbing")
K, L, RUBBING = range(len(NUMBERS))


@helper
def _point_force(reals, f, gap, u, n):
    k, u_n, x = reals[f, K], dot(n, u), gap * gap / (reals[f, L] * reals[f, L])
    normal = -k * gap * (1.0 + x)
    u_t = sub(u, scale(u_n, n))
    along = scale(-reals[f, RUBBING] * normal, u_t)
    return add(scale(normal, n), along), k * gap * gap * (0.5 + 0.25 * x), -dot(along, u_t)


class Padded(CompliantLaw):
    """k d (1 + (d / L)²); friction = rubbing [s/m] times the normal force and the slip velocity."""

    kind = "KIND"
    NUMBERS = NUMBERS
    point_force = staticmethod(_point_force)

    def __init__(self, stiffness, length, rubbing=0.0):
        self.stiffness, self.length, self.rubbing = stiffness, length, rubbing

    def faults(self):
        return range_faults(self, "stiffness", "length", "rubbing")

    def normal_force(self, penetration, rate):
        return self.stiffness * penetration * (1.0 + (penetration / self.length) ** 2)

    def friction_force(self, normal, slip):
        return -self.rubbing * normal[..., None] * slip
'''


@pytest.fixture
def own(tmp_path):
    """The class of a file."""
    path = tmp_path / "own_law.py"
    path.write_text(LAW.replace("KIND", "padded"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("own_law", path)
    module = sys.modules["own_law"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module.Padded
    del sys.modules["own_law"]


def on_floor(law, shape, height, v0=(0.0, 0.0, 0.0)):
    m = dt.Model("on a floor", gravity=(0, 0, -9.81))
    m.add_body("b", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, height))
    m.add_joint("F", dt.Free(), m.ground, "b", v0={"velocity": v0})
    m.add_contact("floor", law, m.ground, "b", shapes=(dt.Shape.plane(), shape))
    return m


def test_a_ball_rests_where_the_law_says(own):
    """m g = k d (1 + (d / L)²): a cubic equation with one real root."""
    k, length = 1e4, 1e-3
    roots = np.roots([k / length**2, 0.0, k, -2.0 * 9.81])
    d = roots[np.argmin(abs(roots.imag))].real
    m = on_floor(own(k, length), dt.Shape.sphere(0.1), 0.1 - d)
    r = dt.simulate(m, 0.1, outputs=0.05, solver=dt.DOPRI5(rtol=1e-10, atol=1e-12))
    assert r.ok, r.reason
    assert r["b.position"][-1, 2] == pytest.approx(0.1 - d, abs=1e-10)  # it stays in equilibrium, to the tolerance
    assert r["floor.normal_force"][-1] == pytest.approx(2.0 * 9.81, rel=1e-6)  # 1e-10 m times the stiffness there


def test_a_ball_that_falls_keeps_its_energy_and_slides_as_the_law_says(own):
    """m dv/dt = -c N v and m dw/dt = N - m g: v falls as exp(-c dp / m) with the impulse p of the normal force."""
    c = 0.3
    m = on_floor(own(1e4, 2e-3, c), dt.Shape.sphere(0.1), 0.105, v0=(0.5, 0.0, -0.5))
    del m.joints["F"]
    m.add_body("slide", dt.Inertia.point(0.0))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "slide", at=(0, 0, 0), v0=0.5)
    m.add_joint("Z", dt.Prismatic("z"), "slide", "b", at=(0, 0, 0.105), v0=-0.5)
    r = dt.simulate(m, 0.2, outputs=0.2, solver=dt.DOPRI5(rtol=1e-10, atol=1e-12))
    assert r.ok, r.reason
    impulse = 2.0 * (r["Z.velocity"][-1] + 0.5 + 9.81 * 0.2)
    assert impulse > 1.0  # it has bounced
    assert r["X.velocity"][-1] == pytest.approx(0.5 * np.exp(-c * impulse / 2.0), abs=1e-8)  # the local tolerance
    assert np.max(np.abs(r.energy.residual)) < 1e-7


@pytest.mark.parametrize(
    ("shape", "height"), [(dt.Shape.box((0.2, 0.2, 0.2)), 0.0995), (dt.Shape.capsule(0.1, 0.2), 0.1995)]
)
def test_other_shapes_and_derivatives(own, shape, height):
    """Where L is large, the law is a linear spring: accelerations, and their derivatives, are its twin's."""
    found = []
    for law in (own(1e4, 1e3, 0.0), dt.CompliantContact(1e4, friction=0.0)):
        system = dt.compile(on_floor(law, shape, height, v0=(0.1, 0.2, -0.3)))
        q, v = system.initial_state()
        slopes = dt.analyses.forward_dynamics_derivatives(system, q, v)
        found.append([dt.accelerations(system, q, v), slopes.dq, slopes.dv])
    for mine, twin in zip(*found, strict=True):
        # (d / L)² < 1e-12 is what it differs by; forces of 10 N of four corners, in sums of another order
        assert np.max(np.abs(mine - twin)) < 1e-11 * max(1.0, np.max(np.abs(twin)))


def test_what_is_missing_is_said(own):
    with pytest.raises(TypeError, match="contact law 'lame' has no point_force"):
        type("Lame", (own.__mro__[1],), {"kind": "lame"})
    with pytest.raises(TypeError, match="contact law 'long' has 9 numbers; 8 are the most"):
        type("Long", (own,), {"kind": "long", "NUMBERS": tuple("abcdefghi")})
    with pytest.raises(dt.ModelError, match="stiffness is -1"):
        dt.compile(on_floor(own(-1.0, 1.0), dt.Shape.sphere(0.1), 0.1))
