r"""Forces of tyres in kernels: Magic Formula, Fiala's brush, TMeasy, and what they have in common.

Axes are those of ISO 8855 and of .tir files (ISO-W): x forward along the line in which wheel plane and road meet, y to
the left, z up, normal to the road. Slip ratio kappa = (omega R_e - V_x) / |V_x|, slip angle tan(alpha) = V_y / |V_x|,
camber gamma positive if the top of the wheel leans to the right. A positive slip angle gives a negative lateral force.

The Magic Formula follows H. B. Pacejka, Tire and Vehicle Dynamics, 3rd edition, 2012, section 4.3.2, without turn slip:
numbers in comments are those of its equations (4.E..). Where MF-Tyre itself differs from the book, as mfeval by M.
Furlan found, so do these kernels: A.. are equations of Besselink, Schmeitz, Pacejka, An improved Magic Formula/Swift
tyre model (Vehicle System Dynamics 48, 2010, 337-352).

A tyre is its model (`MAGIC_FORMULA`, `FIALA`, `TMEASY`) and numbers from p on in an array c: see `model.tyres.numbers`.
"""

import cmath
import math

from duoti.kernel import helper, overloaded, part
from duoti.model.tyres.numbers import COMMON, FIALA, FIALA_NUMBERS, MAGIC, MAGIC_FORMULA, TMEASY_LOADED
from duoti.spatial.algebra import exp, sincos, sqrt

(
    R0, FNOMIN, LONGVL, VXLOW, NOMPRES, MIRROR, FZMAX, KPUMIN, KPUMAX, ALPMIN, ALPMAX, CAMMIN, CAMMAX, PRESMIN,
    PRESMAX, VERTICAL_STIFFNESS, VERTICAL_DAMPING, Q_FZ2, Q_V2, Q_FCX, Q_FCY, PFZ1, Q_RE0, Q_V1, BREFF, DREFF,
    FREFF, BOTTOM_DEFLECTION, BOTTOM_STIFF, CAMBER_FORM, TREAD_WIDTH, Q_FCY2, Q_CAM1, Q_CAM2, Q_CAM3, Q_FYS1,
    Q_FYS2, Q_FYS3, LEAST_RELAXATION,
) = range(len(COMMON))  # fmt: skip
(
    FORM, STAR, LFZO, LCX, LMUX, LEX, LKX, LHX, LVX, LCY, LMUY, LEY, LKY, LHY, LVY, LTR, LRES, LXAL, LYKA, LVYKA,
    LS, LKYC, LKZC, LVMX, LMX, LMY, LGAX, LGAY, LGAZ, LSGKP, LSGAL, PCX1, PDX1, PDX2, PDX3, PEX1, PEX2, PEX3, PEX4,
    PKX1, PKX2, PKX3, PHX1, PHX2, PVX1, PVX2, PPX1, PPX2, PPX3, PPX4, RBX1, RBX2, RBX3, RCX1, REX1, REX2, RHX1,
    QSX1, QSX2, QSX3, QSX4, QSX5, QSX6, QSX7, QSX8, QSX9, QSX10, QSX11, QSX12, QSX13, QSX14, PPMX1, PCY1, PDY1,
    PDY2, PDY3, PEY1, PEY2, PEY3, PEY4, PEY5, PKY1, PKY2, PKY3, PKY4, PKY5, PKY6, PKY7, PHY1, PHY2, PHY3, PVY1,
    PVY2, PVY3, PVY4, PPY1, PPY2, PPY3, PPY4, PPY5, RBY1, RBY2, RBY3, RBY4, RCY1, REY1, REY2, RHY1, RHY2, RVY1,
    RVY2, RVY3, RVY4, RVY5, RVY6, QSY1, QSY2, QSY3, QSY4, QSY5, QSY6, QSY7, QSY8, QBZ1, QBZ2, QBZ3, QBZ4, QBZ5,
    QBZ9, QBZ10, QCZ1, QDZ1, QDZ2, QDZ3, QDZ4, QDZ6, QDZ7, QDZ8, QDZ9, QDZ10, QDZ11, QEZ1, QEZ2, QEZ3, QEZ4, QEZ5,
    QHZ1, QHZ2, QHZ3, QHZ4, PPZ1, PPZ2, SSZ1, SSZ2, SSZ3, SSZ4, PTX1, PTX2, PTX3, PTY1, PTY2,
    LONGITUDINAL_STIFFNESS, LATERAL_STIFFNESS, PCFX1, PCFX2, PCFX3, PCFY1, PCFY2, PCFY3,
) = range(len(COMMON), len(COMMON) + len(MAGIC))  # fmt: skip
(
    F_FRICTION, F_SLIP_STIFFNESS, F_CORNERING_STIFFNESS, F_CONTACT_LENGTH, F_ROLLING_RESISTANCE, F_RELAXATION_X,
    F_RELAXATION_Y,
) = range(len(COMMON), len(COMMON) + len(FIALA_NUMBERS))  # fmt: skip
OWN = len(COMMON)
LOADED = len(TMEASY_LOADED)
TRAIL, TRAIL_ZERO, TRAIL_END = OWN + 2 * LOADED, OWN + 2 * LOADED + 1, OWN + 2 * LOADED + 2
AT_TWICE = 3
T_ROLLING = TRAIL + 2 * AT_TWICE
T_STIFFNESS_X, T_STIFFNESS_Y = T_ROLLING + 1, T_ROLLING + 2
SLOPE, SLIP_MAX, FORCE_MAX, SLIP_SLIDING, FORCE_SLIDING = range(5)
AXES_Y = 5

EPSILON = 1e-6  # of 4.E6a
TINY = 1e-20
LEAST_LOAD = 1e-6  # part of the nominal load below which forces are proportional to the load


def atan(x):
    """Angle of a slope, of a real or complex number."""
    return cmath.atan(x) if isinstance(x, complex) else math.atan(x)


overloaded(atan, lambda x: math.atan(x), lambda x: complex(math.atan(x.real), x.imag / (1.0 + x.real * x.real)))


@helper
def positive(x):
    """Absolute value."""
    return -x if x.real < 0.0 else x


@helper
def sign(x):
    """1, or -1 of negative numbers."""
    return -1.0 if x.real < 0.0 else 1.0


@helper
def at_most(x, y):
    """The smaller of a number and a limit."""
    return y + 0.0 * x if x.real > y.real else x


@helper
def at_least(x, y):
    """The larger of a number and a limit."""
    return y + 0.0 * x if x.real < y.real else x


@helper
def clip(x, low, high):
    """A number within limits; beyond them without a derivative."""
    if x.real < low.real:
        return low + 0.0 * x
    if x.real > high.real:
        return high + 0.0 * x
    return x


@helper
def cos_atan(x):
    """cos(atan(x))."""
    return 1.0 / sqrt(1.0 + x * x)


@helper
def sine(x):
    """Sine."""
    s, _ = sincos(x)
    return s


@helper
def cosine(x):
    """Cosine."""
    _, k = sincos(x)
    return k


@helper
def curved(x, E):
    """x - E (x - atan x), of which the Magic Formula takes sine or cosine."""
    return x - E * (x - atan(x))


# ------------------------------------------------------------------------------------------------- Magic Formula


@helper
def _increments(c, p, load, pressure):
    """dfz, dp (4.E1, 4.E2)."""
    nominal = c[p + LFZO] * c[p + FNOMIN]
    return (load - nominal) / nominal, (pressure - c[p + NOMPRES]) / c[p + NOMPRES]


@helper
def _cambers(c, p, gamma):
    """gamma where the book has it, gamma* (4.E4), and those of Fx, Fy, Mz (scales of MF 5.2)."""
    star, plain = gamma, gamma
    if c[p + STAR].real == 1.0:
        star = sine(gamma)
        if c[p + FORM].real == 52.0:
            plain = star
    return plain, star, c[p + LGAX] * plain, c[p + LGAY] * star, c[p + LGAZ] * star, c[p + LGAZ] * plain


@part
def magic_stiffness(c, p, load, gamma, pressure, friction):
    """Slip stiffness, cornering stiffness (negative), both coefficients of friction and both relaxation lengths."""
    dfz, dpi = _increments(c, p, load, pressure)
    _, _, gx, gy, _, _ = _cambers(c, p, gamma)
    nominal = c[p + LFZO] * c[p + FNOMIN]
    mux = (c[p + PDX1] + c[p + PDX2] * dfz) * (1.0 + (c[p + PPX3] + c[p + PPX4] * dpi) * dpi)  # 4.E13
    mux = mux * (1.0 - c[p + PDX3] * gx * gx) * c[p + LMUX] * friction
    muy = (c[p + PDY1] + c[p + PDY2] * dfz) * (1.0 + (c[p + PPY3] + c[p + PPY4] * dpi) * dpi)  # 4.E23
    muy = muy * (1.0 - c[p + PDY3] * gy * gy) * c[p + LMUY] * friction
    K_x = load * (c[p + PKX1] + c[p + PKX2] * dfz) * exp(c[p + PKX3] * dfz)  # 4.E15
    K_x = K_x * (1.0 + (c[p + PPX1] + c[p + PPX2] * dpi) * dpi) * c[p + LKX]
    K_y = _cornering(c, p, load, gy, dpi)
    if c[p + FORM].real == 52.0:
        R, PTX = c[p + R0], (c[p + PTX1] + c[p + PTX2] * dfz) * exp(-c[p + PTX3] * dfz)
        sigma_x = PTX * c[p + LSGKP] * R * load / c[p + FNOMIN]
        sigma_y = c[p + PTY1] * sine(2.0 * atan(load / (c[p + PTY2] * nominal))) * (1.0 - c[p + PKY3] * positive(gy))
        sigma_y = sigma_y * R * c[p + LFZO] * c[p + LSGAL]
    else:  # A17 to A19
        C_x = c[p + LONGITUDINAL_STIFFNESS] * (1.0 + (c[p + PCFX1] + c[p + PCFX2] * dfz) * dfz)
        C_y = c[p + LATERAL_STIFFNESS] * (1.0 + (c[p + PCFY1] + c[p + PCFY2] * dfz) * dfz)
        sigma_x = positive(K_x / (C_x * (1.0 + c[p + PCFX3] * dpi)))
        sigma_y = positive(K_y / (C_y * (1.0 + c[p + PCFY3] * dpi)))
    return K_x, K_y, mux, muy, sigma_x, sigma_y + 0.0 * sigma_x


@helper
def _cornering(c, p, load, gy, dpi):
    """Cornering stiffness K_y_alpha (4.E25)."""
    nominal = c[p + LFZO] * c[p + FNOMIN]
    peak = (c[p + PKY2] + c[p + PKY5] * gy * gy) * (1.0 + c[p + PPY2] * dpi)
    rise = sine(c[p + PKY4] * atan(load / nominal / peak))
    return c[p + PKY1] * nominal * (1.0 + c[p + PPY1] * dpi) * (1.0 - c[p + PKY3] * positive(gy)) * rise * c[p + LKY]


@helper
def _lateral(c, p, load, alpha, gy, dfz, dpi, K, S_H, S_V, mu, small):
    """Pure lateral force (4.E19) and B_y."""
    slip = alpha + S_H
    C = c[p + PCY1] * c[p + LCY]
    D = mu * load
    E = 1.0 + c[p + PEY5] * gy * gy - (c[p + PEY3] + c[p + PEY4] * gy) * sign(slip)  # 4.E24
    E = at_most((c[p + PEY1] + c[p + PEY2] * dfz) * E * c[p + LEY], 1.0)
    B = K / (C * D + small * sign(D))  # 4.E26
    return D * sine(C * atan(curved(B * slip, E))) + S_V, B


@part
def magic_formula(c, p, load, kappa, tan_alpha, gamma, pressure, friction, speed, direction, smooth, roll, K):
    """fx, fy, mx, my, mz, trail, residual torque; K: what `magic_stiffness` returned.

    direction: 1, or -1 in reverse; smooth: 1, or less at low speed; roll: the sense of rotation.
    """
    K_x, K_y, mux, muy, _, _ = K
    R, rated = c[p + R0], c[p + FNOMIN]
    dfz, dpi = _increments(c, p, load, pressure)
    plain, star, _, gy, gz, plain_z = _cambers(c, p, gamma)
    old = c[p + FORM].real == 52.0
    small = 0.0 if old and c[p + STAR].real == 1.0 else EPSILON
    alpha = tan_alpha if c[p + STAR].real == 1.0 else atan(tan_alpha)  # 4.E3
    friction_x, friction_y = c[p + LMUX] * friction, c[p + LMUY] * friction
    # longitudinal
    C, D = c[p + PCX1] * c[p + LCX], mux * load
    B = K_x / (C * D + small * sign(D))  # 4.E16
    S_V = load * (c[p + PVX1] + c[p + PVX2] * dfz) * c[p + LVX] * friction_x * smooth  # 4.E18
    slip = kappa + (c[p + PHX1] + c[p + PHX2] * dfz) * c[p + LHX] * smooth  # 4.E10, 4.E17
    E = (c[p + PEX1] + (c[p + PEX2] + c[p + PEX3] * dfz) * dfz) * (1.0 - c[p + PEX4] * sign(slip)) * c[p + LEX]
    pure_x = D * sine(C * atan(curved(B * slip, at_most(E, 1.0)))) + S_V  # 4.E9
    S_H = c[p + RHX1]
    B = (c[p + RBX1] + c[p + RBX3] * star * star) * cos_atan(c[p + RBX2] * kappa) * c[p + LXAL]  # 4.E54
    E = at_most(c[p + REX1] + c[p + REX2] * dfz, 1.0)
    G = cosine(c[p + RCX1] * atan(curved(B * (alpha + S_H), E)))  # 4.E51
    fx = pure_x * G / cosine(c[p + RCX1] * atan(curved(B * S_H, E)))  # 4.E50
    # lateral
    S_Vg = load * (c[p + PVY3] + c[p + PVY4] * dfz) * gy * c[p + LKYC] * friction_y  # 4.E28
    S_V0 = load * (c[p + PVY1] + c[p + PVY2] * dfz) * c[p + LVY] * friction_y
    S_H0 = (c[p + PHY1] + c[p + PHY2] * dfz) * c[p + LHY]
    K_y1 = K_y + small * sign(K_y)  # 4.E39
    if old:
        S_H = S_H0 + c[p + PHY3] * gy * c[p + LKYC]
    else:
        K_yg = load * (c[p + PKY6] + c[p + PKY7] * dfz) * (1.0 + c[p + PPY5] * dpi) * c[p + LKYC]  # 4.E30
        S_H = S_H0 + (K_yg * gy - S_Vg) / K_y1  # 4.E27
    S_H, S_V = S_H * smooth, (S_V0 + S_Vg) * smooth
    pure_y, B_y = _lateral(c, p, load, alpha, gy, dfz, dpi, K_y, S_H, S_V, muy, small)
    D = muy * load * (c[p + RVY1] + c[p + RVY2] * dfz + c[p + RVY3] * star) * cos_atan(c[p + RVY4] * alpha)  # 4.E67
    by_kappa = D * sine(c[p + RVY5] * atan(c[p + RVY6] * kappa)) * c[p + LVYKA] * smooth  # 4.E66
    S_K = c[p + RHY1] + c[p + RHY2] * dfz
    B = (c[p + RBY1] + c[p + RBY4] * star * star) * cos_atan(c[p + RBY2] * (alpha - c[p + RBY3])) * c[p + LYKA]
    E = at_most(c[p + REY1] + c[p + REY2] * dfz, 1.0)
    G = cosine(c[p + RCY1] * atan(curved(B * (kappa + S_K), E)))  # 4.E59
    G = G / cosine(c[p + RCY1] * atan(curved(B * S_K, E)))
    fy = G * pure_y + by_kappa  # 4.E58
    # aligning torque
    residual_slip = alpha + S_H + S_V / K_y1  # 4.E37, 4.E38
    trail_slip = alpha + c[p + QHZ1] + c[p + QHZ2] * dfz + (c[p + QHZ3] + c[p + QHZ4] * dfz) * gz
    by_load = c[p + LKY] / friction_y
    B = (c[p + QBZ1] + (c[p + QBZ2] + c[p + QBZ3] * dfz) * dfz) * by_load  # A58
    B = B * (1.0 + c[p + QBZ4] * plain_z + c[p + QBZ5] * positive(plain_z))
    D = (c[p + QDZ1] + c[p + QDZ2] * dfz) * (1.0 - c[p + PPZ1] * dpi)  # A60
    D = D * (1.0 + (c[p + QDZ3] + c[p + QDZ4] * plain_z) * plain_z) * load * R / c[p + FNOMIN] * c[p + LTR]
    E = c[p + QEZ1] + (c[p + QEZ2] + c[p + QEZ3] * dfz) * dfz  # 4.E44
    E = E * (1.0 + (c[p + QEZ4] + c[p + QEZ5] * gz) * (2.0 / math.pi) * atan(B * c[p + QCZ1] * trail_slip))
    both = K_x / K_y1 * kappa
    x = curved(B * _equivalent(trail_slip, both), at_most(E, 1.0))
    total = positive(speed) / cos_atan(tan_alpha) + TINY
    trail = D * cosine(c[p + QCZ1] * atan(x)) * direction * cos_atan(tan_alpha) * smooth  # 4.E73
    trail = trail * total / (total + small)  # 4.E6
    B = c[p + QBZ9] * by_load + c[p + QBZ10] * B_y * c[p + PCY1] * c[p + LCY]  # 4.E45
    D = (c[p + QDZ8] + c[p + QDZ9] * dfz) * (1.0 + c[p + PPZ2] * dpi)  # 4.E47
    D = (D + (c[p + QDZ10] + c[p + QDZ11] * dfz) * positive(gz)) * gz * c[p + LKZC]
    D = (D + (c[p + QDZ6] + c[p + QDZ7] * dfz) * c[p + LRES]) * load * R * friction_y
    residual = D * cos_atan(B * _equivalent(residual_slip, both)) * direction * cos_atan(tan_alpha)  # 4.E75
    residual = residual * smooth
    arm = c[p + SSZ1] + c[p + SSZ2] * fy / rated + (c[p + SSZ3] + c[p + SSZ4] * dfz) * plain  # A56
    if old:
        across = fy - by_kappa
    else:
        K_0 = _cornering(c, p, load, 0.0 * gy, dpi)
        mu_0 = (c[p + PDY1] + c[p + PDY2] * dfz) * (1.0 + (c[p + PPY3] + c[p + PPY4] * dpi) * dpi) * friction_y
        across, _ = _lateral(c, p, load, alpha, 0.0 * gy, dfz, dpi, K_0, S_H0 * smooth, S_V0 * smooth, mu_0, small)
        across = G * across  # 4.E74
    mz = residual - trail * across + arm * R * c[p + LS] * fx  # 4.E71
    # overturning couple (A49) and rolling resistance (A48)
    part_z, part_y = load / rated, fy / rated
    mx = c[p + QSX1] * c[p + LVMX] - c[p + QSX2] * plain * (1.0 + c[p + PPMX1] * dpi) + c[p + QSX3] * part_y
    x = atan(c[p + QSX6] * part_z * (c[p + QSX6] * part_z))
    s = c[p + QSX7] * plain + c[p + QSX8] * atan(c[p + QSX9] * part_y)
    mx = mx + c[p + QSX4] * cosine(c[p + QSX5] * x) * sine(s) + c[p + QSX10] * atan(c[p + QSX11] * part_z) * plain
    mx = (
        mx * load + fy * (c[p + QSX13] + c[p + QSX14] * positive(plain)) - load * c[p + QSX12] * plain * positive(plain)
    )
    fast = positive(speed) / c[p + LONGVL]
    my = c[p + QSY1] + c[p + QSY2] * fx / rated + c[p + QSY3] * fast + c[p + QSY4] * fast * fast * fast * fast
    if old:
        my = my * load
    else:
        my = my + (c[p + QSY5] + c[p + QSY6] * part_z) * plain * plain
        by_pressure = exp(c[p + QSY8] * log(pressure / c[p + NOMPRES]))
        my = my * rated * by_pressure * exp(c[p + QSY7] * log(part_z))
    return fx, fy, R * c[p + LMX] * mx, -R * c[p + LMY] * roll * my, mz, trail, residual


def log(x):
    """Natural logarithm, of a real or complex number."""
    return cmath.log(x) if isinstance(x, complex) else math.log(x)


overloaded(log, lambda x: math.log(x), lambda x: complex(math.log(x.real), x.imag / x.real))


@helper
def _equivalent(slip, both):
    """Size of an equivalent slip angle (A54, A55); only even functions of it are needed."""
    s, k = sincos(slip)
    t = s / k
    return atan(sqrt(t * t + both * both))


# --------------------------------------------------------------------------------------------------- simple models


@helper
def _fiala_forces(c, p, load, kappa, tan_alpha, friction, direction, roll):
    """Brush with a parabolic pressure: Fiala (1954), for slip in both directions Pacejka, section 3.2.3."""
    limit = c[p + F_FRICTION] * friction * load
    x, y = c[p + F_SLIP_STIFFNESS] * kappa, c[p + F_CORNERING_STIFFNESS] * tan_alpha
    size = sqrt(x * x + y * y + TINY)
    turning = positive(1.0 + direction * kappa)
    psi = size / (3.0 * limit * (turning + TINY) + TINY)
    force, arm = limit, 0.0 * psi
    if psi.real < 1.0:
        force = limit * psi * (3.0 - psi * (3.0 - psi))
        rest = 1.0 - psi
        arm = 0.5 * c[p + F_CONTACT_LENGTH] * rest * rest * rest / (3.0 - psi * (3.0 - psi))
    fx, fy = force * x / size, -force * y / size
    my = -c[p + F_ROLLING_RESISTANCE] * load * c[p + R0] * roll
    return fx, fy, 0.0 * fx, my + 0.0 * fx, -arm * fy, arm + 0.0 * fx, 0.0 * fx


@helper
def _quadratic(c, p, k, ratio):
    """A number of TMeasy given at the nominal load and at twice it, zero without load."""
    one, two = c[p + OWN + k], c[p + OWN + LOADED + k]
    return ratio * (2.0 * one - 0.5 * two - (one - 0.5 * two) * ratio)


@helper
def _linear(c, one, two, ratio):
    """A number of TMeasy given at the nominal load and at twice it."""
    return c[one] + (c[two] - c[one]) * (ratio - 1.0)


@helper
def _tmeasy_line(c, p, axis, ratio):
    """Slope at no slip, slip and force at the maximum, and where sliding begins, of one direction."""
    k = axis * AXES_Y
    slips = p + OWN + k
    s_m = _linear(c, slips + SLIP_MAX, slips + LOADED + SLIP_MAX, ratio)
    s_s = _linear(c, slips + SLIP_SLIDING, slips + LOADED + SLIP_SLIDING, ratio)
    slope, most = _quadratic(c, p, k + SLOPE, ratio), _quadratic(c, p, k + FORCE_MAX, ratio)
    return slope, s_m, most, s_s, _quadratic(c, p, k + FORCE_SLIDING, ratio)


@helper
def _mean(a, b, cos2, sin2, rest):
    """Root of the weighted mean of squares; without slip the geometric mean."""
    return sqrt(a * a * cos2 + b * b * sin2 + positive(a * b) * rest)


@helper
def _tmeasy_forces(c, p, load, kappa, tan_alpha, friction, direction, roll):
    """TMeasy (Rill, Road Vehicle Dynamics, 2011, section 3.3): a line through its maximum to sliding, combined slip."""
    ratio = load / c[p + FNOMIN]
    slope_x, max_x, most_x, end_x, slide_x = _tmeasy_line(c, p, 0, ratio)
    slope_y, max_y, most_y, end_y, slide_y = _tmeasy_line(c, p, 1, ratio)
    # friction scales forces, and slips with them, so that the slopes stay
    most_x, most_y, slide_x, slide_y = most_x * friction, most_y * friction, slide_x * friction, slide_y * friction
    max_x, max_y, end_x, end_y = max_x * friction, max_y * friction, end_x * friction, end_y * friction
    by_x, by_y = most_x / slope_x, most_y / slope_y
    scale_x = max_x / (max_x + max_y) + by_x / (by_x + by_y)
    scale_y = max_y / (max_x + max_y) + by_y / (by_x + by_y)
    turning = positive(1.0 + direction * kappa) + TINY
    across = tan_alpha / turning
    x, y = kappa / turning / scale_x, across / scale_y
    square = x * x + y * y + TINY
    s = sqrt(square)
    cos2, sin2, rest = x * x / square, y * y / square, TINY / square
    slope = _mean(slope_x * scale_x, slope_y * scale_y, cos2, sin2, rest)
    s_m, s_s = (
        _mean(max_x / scale_x, max_y / scale_y, cos2, sin2, rest),
        _mean(end_x / scale_x, end_y / scale_y, cos2, sin2, rest),
    )
    most, slide = _mean(most_x, most_y, cos2, sin2, rest), _mean(slide_x, slide_y, cos2, sin2, rest)
    force = slide
    if s.real < s_m.real:
        part_s = s / s_m
        force = s_m * slope * part_s / (1.0 + part_s * (part_s + slope * s_m / most - 2.0))
    elif s.real < s_s.real:
        part_s = (s - s_m) / (s_s - s_m)
        force = most - (most - slide) * part_s * part_s * (3.0 - 2.0 * part_s)
    fx, fy = force * x / s, -force * y / s
    size = positive(across)
    zero = _linear(c, p + TRAIL_ZERO, p + TRAIL_ZERO + AT_TWICE, ratio)
    end = _linear(c, p + TRAIL_END, p + TRAIL_END + AT_TWICE, ratio)
    arm = 0.0 * size
    if size.real < zero.real:
        arm = 1.0 - size / zero
    elif size.real < end.real:
        back = (end - size) / (end - zero)
        arm = -(size - zero) / zero * back * back
    arm = arm * _linear(c, p + TRAIL, p + TRAIL + AT_TWICE, ratio)
    my = -c[p + T_ROLLING] * load * c[p + R0] * roll
    return fx, fy, 0.0 * fx, my + 0.0 * fx, -arm * fy, arm + 0.0 * fx, 0.0 * fx


# ----------------------------------------------------------------------------------------------------------- all models


@part
def tyre_stiffness(model, c, p, load, gamma, pressure, friction):
    """Slip stiffness, cornering stiffness (negative), both coefficients of friction, both relaxation lengths."""
    if model == MAGIC_FORMULA:
        return magic_stiffness(c, p, load, gamma, pressure, friction)
    none = 0.0 * (load + gamma + pressure + friction)
    if model == FIALA:
        mu, K_x, K_y = (
            c[p + F_FRICTION] * friction + none,
            c[p + F_SLIP_STIFFNESS] + none,
            none - c[p + F_CORNERING_STIFFNESS],
        )
        return K_x, K_y, mu, mu, c[p + F_RELAXATION_X] + none, c[p + F_RELAXATION_Y] + none
    ratio = load / c[p + FNOMIN]
    slope_x, _, most_x, _, _ = _tmeasy_line(c, p, 0, ratio)
    slope_y, _, most_y, _, _ = _tmeasy_line(c, p, 1, ratio)
    mux, muy = most_x * friction / load + none, most_y * friction / load + none
    return (
        slope_x + none,
        none - slope_y,
        mux,
        muy,
        slope_x / c[p + T_STIFFNESS_X] + none,
        slope_y / c[p + T_STIFFNESS_Y] + none,
    )


@part
def tyre_forces(model, c, p, load, kappa, tan_alpha, gamma, pressure, friction, speed, direction, smooth, roll, K):
    """fx, fy, mx, my, mz, trail, residual torque, of the tyre as it is or of its mirror image."""
    side = c[p + MIRROR]
    if model == MAGIC_FORMULA:
        fx, fy, mx, my, mz, trail, residual = magic_formula(
            c, p, load, kappa, side * tan_alpha, side * gamma, pressure, friction, speed, direction, smooth, roll, K
        )
    elif model == FIALA:
        fx, fy, mx, my, mz, trail, residual = _fiala_forces(
            c, p, load, kappa, side * tan_alpha, friction, direction * smooth, roll
        )
        mz, trail = direction * smooth * mz, direction * smooth * trail
    else:
        fx, fy, mx, my, mz, trail, residual = _tmeasy_forces(
            c, p, load, kappa, side * tan_alpha, friction, direction * smooth, roll
        )
        mz, trail = direction * smooth * mz, direction * smooth * trail
    return fx, side * fy, side * mx, my, side * mz, trail, side * residual
