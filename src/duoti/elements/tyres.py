r"""Tyres on roads in kernels: contact point, load, transient slips, forces (`duoti.model.forces.tyre_force`).

**Contact.** The wheel has the centre C and the axis e_y. At the place P below it the road is replaced by its tangent
plane with the normal n. The wheel plane meets it in the line along e_x = e_y x n / |e_y x n|; sin(gamma) = e_y . n, and
with the height h of C above the plane the loaded radius is R_l = h / cos(gamma). P is found by two looks at the road:
below C, and at the point that follows from it; on a plane the first is exact.

**Load.** From the deflection R_Omega - R_l and its rate, as in MF-Tyre (A1 to A7; 6.2 with camber), never negative; the
damping grows from zero over a quarter of the nominal deflection. Where forces in the plane of the road soften the tyre,
they are first evaluated without that, and taken in proportion to the load.

**Transient slips** (Pacejka, section 7.2): with the slip velocities V_sx = V_x - Omega R_e, V_sy of the contact point,
and the relaxation lengths sigma,

    sigma_x dkappa'/dt + |V_x| kappa' = -V_sx,    sigma_y dt'/dt + |V_x| t' = V_sy,    t' = tan(alpha')         (1)

and the forces are those of steady slip at kappa', alpha'. Without speed (1) is the deflection of a spring: a parked car
does not creep. This holds at small slips. At large ones forces do not grow any more, and neither may the deflection: a
relaxation length is a force over a slip and a stiffness. With the slips l_i = 1.5 D_i / K_i, the slip stiffness K_i and
the largest force D_i (there a brush has 7/8 of it),

    sigma_i ds_i/dt = (1 + n^4)^(1/4) (-+V_si - (|V_x| + b w) s_i)
    n^2 = sum (s_i / l_i)^2,    w^2 = sum (V_si / l_i)^2

b = (1 + cos(pi V_x / VXLOW)) / 2 below the speed VXLOW, 0 above it: slips of a wheel that slides at standstill stay
within l_i (n = 1). The forces are evaluated at s_i + b tau ds_i/dt, which is a damper beside the spring. Relaxation
lengths are never less than a tenth of the radius.
"""

import math

from duoti.elements.complex_steps import EPS
from duoti.elements.roads import FLAT, KIND, road_at
from duoti.elements.tyre_models import (
    ALPMAX,
    ALPMIN,
    BOTTOM_DEFLECTION,
    BOTTOM_STIFF,
    BREFF,
    CAMBER_FORM,
    CAMMAX,
    CAMMIN,
    DREFF,
    FNOMIN,
    FREFF,
    FZMAX,
    KPUMAX,
    KPUMIN,
    LEAST_LOAD,
    LEAST_RELAXATION,
    LONGVL,
    NOMPRES,
    PFZ1,
    PRESMAX,
    PRESMIN,
    Q_CAM1,
    Q_CAM2,
    Q_CAM3,
    Q_FCX,
    Q_FCY,
    Q_FCY2,
    Q_FYS1,
    Q_FYS2,
    Q_FYS3,
    Q_FZ2,
    Q_RE0,
    Q_V1,
    Q_V2,
    R0,
    TINY,
    TREAD_WIDTH,
    VERTICAL_DAMPING,
    VERTICAL_STIFFNESS,
    VXLOW,
    at_least,
    at_most,
    atan,
    clip,
    cosine,
    log,
    positive,
    sign,
    sine,
    tyre_forces,
    tyre_stiffness,
)
from duoti.kernel import helper, kernel, overloaded, part
from duoti.model.force_blocks import NUMBERS
from duoti.spatial.algebra import add, cross, dot, exp, mul, mulT, scale, sincos, sqrt, sub

STEPS = 40  # of searches for a radius
CLOSE = 1e-13  # part of the radius

# --------------------------------------------------------------------------------------------- vertical force, radii


@helper
def _first_stiffness(c, p):
    """q_Fz1 (A4)."""
    total = c[p + VERTICAL_STIFFNESS] * c[p + R0] / c[p + FNOMIN]
    rest = total * total - 4.0 * c[p + Q_FZ2]
    return sqrt(rest if rest.real > 0.0 else 0.0 * rest)


@helper
def free_radius(c, p, omega):
    """Radius of the wheel in the air (A1)."""
    fast = omega * c[p + R0] / c[p + LONGVL]
    return c[p + R0] * (c[p + Q_RE0] + c[p + Q_V1] * fast * fast)


@helper
def rolling_radius(c, p, free, load, dpi):
    """Effective rolling radius (A7)."""
    ratio, stiffness = load / c[p + FNOMIN], c[p + VERTICAL_STIFFNESS] * (1.0 + c[p + PFZ1] * dpi)
    return free - c[p + FNOMIN] / stiffness * (c[p + DREFF] * atan(c[p + BREFF] * ratio) + c[p + FREFF] * ratio)


@helper
def _deflection(c, p, free, radius, gamma):
    """Deflection that carries the load; never negative. With camber: MF 6.2."""
    plain = free - radius
    plain = plain if plain.real > 0.0 else 0.0 * plain
    if c[p + CAMBER_FORM].real == 1.0:
        below = (c[p + Q_CAM1] + c[p + Q_CAM2] * free) * free
        if below.real != 0.0:
            part_c = (c[p + Q_CAM1] + c[p + Q_CAM2] * radius) * radius / below
            s, k = sincos(gamma)
            tilted = part_c * part_c * c[p + TREAD_WIDTH] / 8.0 * positive(s / k)
            plain = plain + (tilted - c[p + Q_CAM3] * plain * positive(gamma) if plain.real > 0.0 else 0.0 * plain)
    return plain if plain.real > 0.0 else 0.0 * plain


@helper
def _softening(c, p, free, radius, gamma, deflection):
    """Factors of Fx and Fy - S in the load, over the nominal load, and S."""
    x, y, shift = c[p + Q_FCX], c[p + Q_FCY], 0.0 * gamma
    y = y + 0.0 * deflection
    if c[p + CAMBER_FORM].real == 1.0:
        part_r = radius / free
        shift = (c[p + Q_FYS1] + (c[p + Q_FYS2] + c[p + Q_FYS3] * part_r) * part_r) * gamma
        if deflection.real > 0.0:
            y = y * exp(c[p + Q_FCY2] * log(deflection / c[p + R0]))
    return x / c[p + FNOMIN], y / c[p + FNOMIN], shift + 0.0 * deflection


@helper
def _elastic(c, p, deflection, omega, dpi):
    """Load without softening by forces, and what it is multiplied with for 1 of the softening's factor."""
    x = deflection / c[p + R0]
    base = (_first_stiffness(c, p) + c[p + Q_FZ2] * x) * x * c[p + FNOMIN] * (1.0 + c[p + PFZ1] * dpi)
    return base * (1.0 + c[p + Q_V2] * c[p + R0] / c[p + LONGVL] * positive(omega)), base


@helper
def _bottoming(c, p, deflection):
    """Force of the rim on the road, and its potential energy."""
    deep = deflection - c[p + BOTTOM_DEFLECTION]
    deep = deep if deep.real > 0.0 else 0.0 * deep
    return c[p + BOTTOM_STIFF] * deep, 0.5 * c[p + BOTTOM_STIFF] * deep * deep


@helper
def softened(load, base, soft_x, soft_y, shift, by_x, by_y):
    """The load, where it is reduced by forces of by_x and by_y times the load: the root of a quadratic equation."""
    a = base * (soft_x * soft_x * by_x * by_x + soft_y * soft_y * by_y * by_y)
    b = 1.0 - 2.0 * base * soft_y * soft_y * by_y * shift
    rest = load - base * soft_y * soft_y * shift * shift
    rest = rest if rest.real > 0.0 else 0.0 * rest
    return 2.0 * rest / (b + sqrt(b * b + 4.0 * a * rest))


@helper
def _carried(c, p, free, omega, gamma, dpi, radius, fx, fy):
    """Load at a loaded radius, with given forces."""
    deep = _deflection(c, p, free, radius, gamma)
    elastic, base = _elastic(c, p, deep, omega, dpi)
    soft_x, soft_y, shift = _softening(c, p, free, radius, gamma, deep)
    x, y = soft_x * fx, soft_y * (fy - shift)
    bottom, _ = _bottoming(c, p, deep)
    return elastic - base * (x * x + y * y) + bottom


@part
def loaded_radius(c, p, free, omega, gamma, dpi, load, fx, fy):
    """Loaded radius at which a tyre carries the load; NaN if there is none: by false position (Illinois)."""
    low, high = 0.0 * free, 1.0 * free
    below = _carried(c, p, free, omega, gamma, dpi, low, fx, fy) - load
    above = _carried(c, p, free, omega, gamma, dpi, high, fx, fy) - load
    if above == 0.0:
        return high
    if not below > 0.0:
        return 0.0 * low + float("nan")
    guess = free - 0.9 * load / c[p + VERTICAL_STIFFNESS]
    guess = guess if 0.0 < guess < free else 0.5 * free
    side = 0
    for _ in range(2 * STEPS):
        here = _carried(c, p, free, omega, gamma, dpi, guess, fx, fy) - load
        if here > 0.0:
            low, below = guess, here
            if side == 1:
                above = 0.5 * above
            side = 1
        else:
            high, above = guess, here
            if side == -1:
                below = 0.5 * below
            side = -1
        before, guess = guess, (low * above - high * below) / (above - below)
        if abs(guess - before) < CLOSE * free or here == 0.0:
            return guess
    return 0.0 * low + float("nan")


# ------------------------------------------------------------------------------------------------- forces of an instant

INPUTS = ("load", "slip_ratio", "slip_angle", "camber", "speed", "pressure", "friction")
OUTPUTS = (
    "fx", "fy", "fz", "mx", "my", "mz", "trail", "residual_torque", "friction_x", "friction_y", "slip_stiffness",
    "cornering_stiffness", "relaxation_x", "relaxation_y", "effective_radius", "loaded_radius", "clipped",
)  # fmt: skip


@helper
def _outside(x, low, high):
    """0 within limits, 1 outside."""
    return 0 if low <= x <= high else 1


@kernel("i d1 i d2 d2")
def steady_forces(model, c, limited, given, found):
    """Rows of `OUTPUTS` for rows of `INPUTS`; with limited = 1 as mfeval limits them and reduces slips at low speed."""
    p = 0
    for i in range(given.shape[0]):
        load, kappa, alpha, gamma = given[i, 0], given[i, 1], given[i, 2], given[i, 3]
        speed, pressure, friction = given[i, 4], given[i, 5], given[i, 6]
        carried, turning, smooth = max(load, 0.0), sign(speed) + kappa, 1.0
        clipped = 0
        if limited == 1:
            low = c[p + VXLOW]
            if abs(speed) <= low:
                kappa = kappa * abs(speed) / low
                smooth = 0.5 * (1.0 - math.cos(math.pi * speed / low))
            both = abs(speed) * (1.0 + abs(math.tan(alpha)))
            if both < low:
                alpha = alpha * both / low
            clipped = (
                _outside(carried, 0.0, c[p + FZMAX]) + 2 * _outside(kappa, c[p + KPUMIN], c[p + KPUMAX])
                + 4 * _outside(alpha, c[p + ALPMIN], c[p + ALPMAX])
                + 8 * _outside(gamma, c[p + CAMMIN], c[p + CAMMAX])
                + 16 * _outside(pressure, c[p + PRESMIN], c[p + PRESMAX])
            )  # fmt: skip
            carried = min(carried, c[p + FZMAX])
            kappa = min(max(kappa, c[p + KPUMIN]), c[p + KPUMAX])
            alpha = min(max(alpha, c[p + ALPMIN]), c[p + ALPMAX])
            gamma = min(max(gamma, c[p + CAMMIN]), c[p + CAMMAX])
            pressure = min(max(pressure, c[p + PRESMIN]), c[p + PRESMAX])
        least = LEAST_LOAD * c[p + FNOMIN]
        pressed = max(carried, least)
        tan_alpha = math.tan(alpha)
        roll = turning * abs(speed) / c[p + VXLOW]
        roll = math.sin(0.5 * math.pi * min(max(roll, -1.0), 1.0))
        K = tyre_stiffness(model, c, p, pressed, gamma, pressure, friction)
        fx, fy, mx, my, mz, trail, residual = tyre_forces(
            model, c, p, pressed, kappa, tan_alpha, gamma, pressure, friction, speed, sign(speed), smooth, roll, K
        )
        part_l = carried / pressed
        K_x, K_y, mux, muy, sigma_x, sigma_y = K
        fx, fy, mx, my, mz = fx * part_l, fy * part_l, mx * part_l, my * part_l, mz * part_l
        found[i, 0], found[i, 1], found[i, 2] = fx, fy, max(load, 0.0)
        found[i, 3], found[i, 4], found[i, 5] = mx, my, mz
        found[i, 6], found[i, 7] = trail, residual * part_l
        found[i, 8], found[i, 9], found[i, 10], found[i, 11] = mux, muy, K_x * part_l, -K_y * part_l
        found[i, 12], found[i, 13] = sigma_x * part_l, sigma_y * part_l
        dpi = (pressure - c[p + NOMPRES]) / c[p + NOMPRES]
        R = 0.965 * c[p + R0]
        omega, free = 0.0, c[p + R0]
        for _ in range(STEPS):
            omega = abs(turning * speed) / R
            free = free_radius(c, p, omega)
            before, R = R, rolling_radius(c, p, free, max(load, 0.0), dpi)
            if abs(R - before) < CLOSE * R:
                break
        else:
            R = math.nan
        found[i, 14] = R
        found[i, 15] = loaded_radius(c, p, free, omega, gamma, dpi, max(load, 0.0), fx, fy)
        found[i, 16] = clipped


# --------------------------------------------------------------------------------------------------- tyre on a road

HEADER = ("scratch", "numbers", "lists", "model")
MODEL = 3
"""Integers of a block; its numbers: the axis of the wheel in its marker, then those of the tyre."""
AXIS = 0
OWN_NUMBERS = 3
SEEN = (
    "load", "slip_ratio", "slip_angle", "camber", "fx", "fy", "mx", "my", "mz", "deflection", "loaded_radius",
    "effective_radius", "x", "y", "z", "turning", "speed", "slip_speed_x", "slip_speed_y", "friction",
)  # fmt: skip
"""What a law leaves in its scratch, for channels."""
SLIP_LIMIT = 1.5  # D / K: a brush has 7/8 of its largest force there
LEAST_LIMIT = 0.01  # of these slips


@helper
def _plane_at(block, c, road, place):
    """Point of the road below (or above) a place, normal there, and friction; all in the axes of the road."""
    z, z_x, z_y, friction = road_at(block, c, road, place[0], place[1])
    long = 1.0 / sqrt(1.0 + z_x * z_x + z_y * z_y)
    return (place[0], place[1], z), (-z_x * long, -z_y * long, long + 0.0 * z_x), friction


@helper
def _axes_at(e_y, normal):
    """e_x, upward unit vector in the wheel plane, sin and cos of the camber."""
    ahead = cross(e_y, normal)
    size = sqrt(dot(ahead, ahead) + TINY)
    e_x = scale(1.0 / size, ahead)
    return e_x, cross(e_x, e_y), dot(e_y, normal), size


@part
def _contact(block, c, road, C, e_y):
    """Loaded radius, normal, sin and cos of the camber, friction; wheel centre C, axis e_y, in the axes of the road."""
    Q, normal, friction = _plane_at(block, c, road, C)
    _, up, _, c_gamma = _axes_at(e_y, normal)
    P = sub(C, scale(dot(normal, sub(C, Q)) / c_gamma, up))
    Q, normal, friction = _plane_at(block, c, road, P)
    _, _, s_gamma, c_gamma = _axes_at(e_y, normal)
    return dot(normal, sub(C, Q)) / c_gamma, normal, s_gamma, c_gamma, friction


@helper
def _moving_point(x, rate):
    step = EPS * 1j
    return x[0] + step * rate[0], x[1] + step * rate[1], x[2] + step * rate[2]


def rates_of_contact(radius, block, c, road, C, e_y, moving, turning, on_plane):
    """Rates of the loaded radius and of cos(gamma), where C moves and e_y turns; on_plane: those for a fixed plane.

    In kernels of real numbers by a complex step, which sees how the road bends.
    """
    if block[road + KIND] == FLAT:
        return on_plane
    moved, _, _, c_gamma, _ = _contact(block, c, road, _moving_point(C, moving), _moving_point(e_y, turning))
    return moved.imag / EPS, c_gamma.imag / EPS


def _on_plane(radius, block, c, road, C, e_y, moving, turning, on_plane):
    return on_plane


overloaded(rates_of_contact, rates_of_contact, _on_plane)


@helper
def _smooth_step(x):
    """0 below 0, 1 above 1, and its slope is continuous."""
    if x.real <= 0.0:
        return 0.0 * x
    if x.real >= 1.0:
        return 1.0 + 0.0 * x
    return x * x * (3.0 - 2.0 * x)


@part
def tyre_on_road(block, c, at, road, X_A, X_B, V_A, V_B, centre, slips, pressure, road_factor, damping):
    """Wrench about `centre` on the wheel, its potential, dissipated power, rates of both slips, and `SEEN`.

    X_A, V_A: pose of the road and twist of its body about `centre`; X_B, V_B: of the wheel.
    """
    model = block[at + MODEL]
    p = block[at + NUMBERS] + OWN_NUMBERS
    k = block[at + NUMBERS] + AXIS
    R_B, C = X_B
    e_y = mul(R_B, (c[k], c[k + 1], c[k + 2]))
    R_A = X_A[0]
    C_A, e_A = mulT(R_A, sub(C, X_A[1])), mulT(R_A, e_y)
    radius, normal_A, s_gamma, c_gamma, friction = _contact(block, c, road, C_A, e_A)
    normal = mul(R_A, normal_A)
    e_x, up, _, _ = _axes_at(e_y, normal)
    P = sub(C, scale(radius, up))
    gamma = atan(s_gamma / c_gamma)
    friction = friction * road_factor
    # velocities, relative to the road
    arm_C, arm_P = sub(C, centre), sub(P, centre)
    omega_rel = sub(V_B[0], V_A[0])
    v_C = sub(add(V_B[1], cross(V_B[0], arm_C)), add(V_A[1], cross(V_A[0], arm_C)))
    v_P = sub(add(V_B[1], cross(V_B[0], arm_P)), add(V_A[1], cross(V_A[0], arm_P)))
    omega = dot(omega_rel, e_y)
    e_l = cross(normal, e_x)
    V_x = dot(e_x, v_P) + omega * radius
    turning = cross(omega_rel, e_y)
    tilting = -s_gamma * dot(turning, normal) / c_gamma  # d cos(gamma)/dt
    sinking = (radius * tilting - dot(normal, v_C)) / c_gamma
    # load
    dpi = (pressure - c[p + NOMPRES]) / c[p + NOMPRES]
    free = free_radius(c, p, omega)
    deep = _deflection(c, p, free, radius, gamma)
    elastic, base = _elastic(c, p, deep, omega, dpi)
    bottom, _ = _bottoming(c, p, deep)
    touching = 0.25 * c[p + FNOMIN] / c[p + VERTICAL_STIFFNESS]
    pressed = bottom + c[p + VERTICAL_DAMPING] * sinking * _smooth_step(deep / touching)
    load = elastic + pressed
    load = load if load.real > 0.0 and deep.real > 0.0 else 0.0 * load
    gamma_in = clip(gamma, c[p + CAMMIN], c[p + CAMMAX])
    pressure = clip(pressure, c[p + PRESMIN], c[p + PRESMAX])
    soft_x, soft_y, shift = _softening(c, p, free, radius, gamma, deep)
    softens = soft_x.real != 0.0 or soft_y.real != 0.0
    speed = positive(V_x)
    b = 0.0 * speed
    if speed.real < c[p + VXLOW].real:
        b = 0.5 * (1.0 + cosine(math.pi * speed / c[p + VXLOW]))
    Re = free
    fx, fy, mx, my, mz = 0.0 * load, 0.0 * load, 0.0 * load, 0.0 * load, 0.0 * load
    rate_x, rate_y, kappa, alpha = 0.0 * load, 0.0 * load, 0.0 * load, 0.0 * load
    V_sx, V_sy = 0.0 * load, 0.0 * load
    for turn in range(2 if softens else 1):
        if turn == 1:
            by_x, by_y = fx / (load + TINY), fy / (load + TINY)
            load = softened(elastic, base, soft_x, soft_y, shift, by_x, by_y) + pressed
            load = load if load.real > 0.0 and deep.real > 0.0 else 0.0 * load
        carried = at_most(load, c[p + FZMAX])
        least = LEAST_LOAD * c[p + FNOMIN]
        used = carried if carried.real > least.real else least + 0.0 * carried
        part_l = carried / used
        Re = rolling_radius(c, p, free, load, dpi)
        V_sx, V_sy = V_x - omega * Re, dot(e_l, v_P)
        K = tyre_stiffness(model, c, p, used, gamma_in, pressure, friction)
        K_x, K_y, mux, muy, sigma_x, sigma_y = K
        sigma_x = at_least(sigma_x, c[p + LEAST_RELAXATION])
        sigma_y = at_least(sigma_y, c[p + LEAST_RELAXATION])
        l_x = at_least(SLIP_LIMIT * positive(mux * used / K_x), LEAST_LIMIT)
        l_y = at_least(SLIP_LIMIT * positive(muy * used / K_y), LEAST_LIMIT)
        n_x, n_y, w_x, w_y = slips[0] / l_x, slips[1] / l_y, V_sx / l_x, V_sy / l_y
        square = n_x * n_x + n_y * n_y
        more = sqrt(sqrt(1.0 + square * square))
        transport = speed + b * sqrt(w_x * w_x + w_y * w_y + TINY)
        rate_x = more / sigma_x * (-V_sx - transport * slips[0])
        rate_y = more / sigma_y * (V_sy - transport * slips[1])
        kappa = clip(slips[0] + b * damping * rate_x, c[p + KPUMIN], c[p + KPUMAX])
        alpha = clip(atan(slips[1] + b * damping * rate_y), c[p + ALPMIN], c[p + ALPMAX])
        s, k_a = sincos(alpha)
        roll = 0.5 * math.pi * clip(omega * Re / c[p + VXLOW], -1.0, 1.0)
        fx, fy, mx, my, mz, _, _ = tyre_forces(
            model, c, p, used, kappa, s / k_a, gamma_in, pressure, friction, V_x, sign(V_x), 1.0 - b, sine(roll), K
        )
        fx, fy, mx, my, mz = fx * part_l, fy * part_l, mx * part_l, my * part_l, mz * part_l
    force = add(add(scale(fx, e_x), scale(fy, e_l)), scale(load, normal))
    torque = add(add(scale(mx, e_x), scale(my, e_l)), scale(mz, normal))
    # energy: the vertical spring of the tyre at rest stores, all else that is taken from the bodies is dissipated
    deep_0 = c[p + R0] * c[p + Q_RE0] - radius
    deep_0 = deep_0 if deep_0.real > 0.0 else 0.0 * deep_0
    x = deep_0 / c[p + R0]
    _, spring = _elastic(c, p, deep_0, 0.0 * omega, dpi)
    rim, stored = _bottoming(c, p, deep_0)
    stored = stored + (0.5 * _first_stiffness(c, p) + c[p + Q_FZ2] * x / 3.0) * x * deep_0 * c[p + FNOMIN] * (
        1.0 + c[p + PFZ1] * dpi
    )
    lifting, tilting = rates_of_contact(
        radius, block, c, road, C_A, e_A, mulT(R_A, v_C), mulT(R_A, turning), (-sinking, tilting)
    )
    lost = -dot(force, v_P) - dot(torque, omega_rel) + (spring + rim) * c_gamma * lifting - stored * tilting
    stored = c_gamma * stored
    wrench = add(torque, cross(arm_P, force)), force
    seen = (
        load, kappa, alpha, gamma, fx, fy, mx, my, mz, deep, radius, Re, P[0], P[1], P[2], omega, V_x, V_sx, V_sy,
        friction,
    )  # fmt: skip
    return wrench, stored, lost, (rate_x, rate_y), seen
