"""Free joint (虚铰, virtual joint): no constraint at all; its coordinates place one body relative to another."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import Array, Joint, attitude, position, quaternions_of
from duoti.spatial.algebra import ZERO3, add, cross, matmul, mul, mulT, put3, quaternion_matrix, scale
from duoti.spatial.reflection import Reflection


@helper
def _free(q, k, v, j, p, b, X_PF, H, c):
    R_PF, p_PF = X_PF
    R_FM = quaternion_matrix(q[k + 3], q[k + 4], q[k + 5], q[k + 6])
    # V_J = (omega, R_FM^T pdot): the rate of position is kept in F, the angular velocity in M
    for i in range(3):
        put3(H, j + i, 0, ZERO3)
        put3(H, j + i, 3, (R_FM[3 * i], R_FM[3 * i + 1], R_FM[3 * i + 2]))
        put3(H, j + 3 + i, 0, ZERO3)
        put3(H, j + 3 + i, 3, ZERO3)
        H[j + 3 + i, i] = 1.0
    velocity = mulT(R_FM, (v[j], v[j + 1], v[j + 2]))
    put3(c, b, 0, ZERO3)
    put3(c, b, 3, scale(-1.0, cross((v[j + 3], v[j + 4], v[j + 5]), velocity)))
    return matmul(R_PF, R_FM), add(p_PF, mul(R_PF, (q[k], q[k + 1], q[k + 2])))


class Free(Joint):
    r"""No constraint: six coordinates place the child relative to the parent.

    $$p_{FM} = (q_1, q_2, q_3), \qquad R_{FM} = R(q_4, \dots, q_7)$$

    Coordinates: the position of M's origin in F, then a unit quaternion, scalar first. Velocities: that of M's origin
    in F's axes, then the angular velocity in M's axes.

    M is fixed to the child. With a marker on the child, M is that marker. Otherwise M coincides with F in the reference
    configuration. F is the marker on the parent or, without one, parallel to the world. So M is not parallel to the
    axes of a body that was added with a `rotation` $R_0$. The angular velocity is then $R_0 \omega$, with $\omega$ in
    the axes of the body.

    A floating body needs one: `m.add_joint("b_free", dt.Free(), m.ground, "b")`.
    """

    kind = "free"
    coordinates = (position(3), attitude())
    law = staticmethod(_free)
    closure = ()

    @property
    def subspace_at_zero(self) -> tuple[tuple[float, ...], ...]:
        """Shifts, then turns."""
        return tuple(tuple(float(i == k) for i in range(6)) for k in (3, 4, 5, 0, 1, 2))

    @property
    def moves(self) -> tuple[tuple[int, ...], ...]:
        """The shifts are along axes of F, the turns about axes of M."""
        return (*[(1,) * 6] * 3, *[(0, 0, 0, 1, 1, 1)] * 3)

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return np.column_stack([p_FM, quaternions_of(R_FM)])

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return np.column_stack([velocity, omega])

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """A vector and a quaternion."""
        vector, pseudo = reflection.signs("vector"), reflection.signs("pseudovector")
        return self, (*vector, *reflection.signs("quaternion")), (*vector, *pseudo)

    @staticmethod
    def sample(rng: np.random.Generator) -> Free:
        """There is only one."""
        return Free()
