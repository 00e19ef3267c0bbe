"""The Magic Formula a second time, equation by equation, in NumPy: the other side of tests of `dt.Tyre`.

H. B. Pacejka, Tire and Vehicle Dynamics, 3rd ed., 2012, 4.3.2 (numbers 4.E..), without turn slip; A..: Besselink,
Schmeitz, Pacejka, Vehicle System Dynamics 48 (2010), where MF-Tyre follows the paper. MF 5.2: the formulas of the first
edition, 2002, 4.3.2. Coefficients come from a dictionary, nothing is shared with the package.
"""

import numpy as np

DEFAULTS = {"LGAX": 1, "LGAY": 1, "LGAZ": 1, "LKYC": 1, "LKZC": 1, "LSGKP": 1, "LSGAL": 1, "PKY4": 2, "NOMPRES": 220000}
EPS = 1e-6


class Coefficients(dict):
    """Those of a file; what it lacks is 0, or neutral."""

    def __missing__(self, name):
        return DEFAULTS.get(name, 0.0)


def coefficients(path):
    """Numbers of a file in SI units (metres, newtons, radians)."""
    found = Coefficients()
    for line in path.read_text().splitlines():
        name, _, value = line.split("$")[0].partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            continue
    return found


def magic(B, C, D, E, x):
    return D * np.sin(C * np.arctan(B * x - E * (B * x - np.arctan(B * x))))


def magic_cosine(B, C, E, x):
    return np.cos(C * np.arctan(B * x - E * (B * x - np.arctan(B * x))))


def sgn(x):
    return np.where(x < 0, -1.0, 1.0)


def forces(c, version, Fz, kappa, alpha, gamma, V, p):
    """Fx, Fy, Mx, My, Mz, trail, sigma_x, sigma_y; version "PAC2002", "6.1" or "6.2"; pressure p."""
    old = version == "PAC2002"
    eps = 0.0 if old else EPS
    R0, Fz0, V0 = c["UNLOADED_RADIUS"], c["FNOMIN"], c["LONGVL"]
    Fz0_ = c["LFZO"] * Fz0  # 4.E1
    dfz = (Fz - Fz0_) / Fz0_  # 4.E2a
    dpi = 0.0 if old else (p - c["NOMPRES"]) / c["NOMPRES"]  # 4.E2b
    a = np.tan(alpha) if old else alpha  # 4.E3
    g = np.sin(gamma) if old else gamma  # 4.E4
    gx, gy, gz = c["LGAX"] * g, c["LGAY"] * g, c["LGAZ"] * g
    lmx, lmy = c["LMUX"], c["LMUY"]

    # longitudinal, pure
    mux = (c["PDX1"] + c["PDX2"] * dfz) * (1 + c["PPX3"] * dpi + c["PPX4"] * dpi**2) * (1 - c["PDX3"] * gx**2) * lmx
    Kxk = Fz * (c["PKX1"] + c["PKX2"] * dfz) * np.exp(c["PKX3"] * dfz) * (1 + c["PPX1"] * dpi + c["PPX2"] * dpi**2)
    Kxk = Kxk * c["LKX"]
    Cx, Dx = c["PCX1"] * c["LCX"], mux * Fz
    kx = kappa + (c["PHX1"] + c["PHX2"] * dfz) * c["LHX"]
    Ex = (c["PEX1"] + c["PEX2"] * dfz + c["PEX3"] * dfz**2) * (1 - c["PEX4"] * sgn(kx)) * c["LEX"]
    SVx = Fz * (c["PVX1"] + c["PVX2"] * dfz) * c["LVX"] * lmx
    Fx0 = magic(Kxk / (Cx * Dx + eps), Cx, Dx, np.minimum(Ex, 1), kx) + SVx
    # combined
    Bxa = (c["RBX1"] + c["RBX3"] * g**2) * np.cos(np.arctan(c["RBX2"] * kappa)) * c["LXAL"]
    Exa = np.minimum(c["REX1"] + c["REX2"] * dfz, 1)
    Gxa = magic_cosine(Bxa, c["RCX1"], Exa, a + c["RHX1"]) / magic_cosine(Bxa, c["RCX1"], Exa, c["RHX1"])
    Fx = Gxa * Fx0

    # lateral, pure; at the camber g_ (gy, or 0)
    def lateral(g_):
        K = c["PKY1"] * Fz0_ * (1 + c["PPY1"] * dpi) * (1 - c["PKY3"] * np.abs(g_)) * c["LKY"]
        K = K * np.sin(c["PKY4"] * np.arctan(Fz / Fz0_ / ((c["PKY2"] + c["PKY5"] * g_**2) * (1 + c["PPY2"] * dpi))))
        K_ = K + eps * sgn(K)
        SVg = Fz * (c["PVY3"] + c["PVY4"] * dfz) * g_ * c["LKYC"] * lmy
        SV = Fz * (c["PVY1"] + c["PVY2"] * dfz) * c["LVY"] * lmy + SVg
        SH = (c["PHY1"] + c["PHY2"] * dfz) * c["LHY"]
        if old:
            SH = SH + c["PHY3"] * g_
        else:
            Kg0 = Fz * (c["PKY6"] + c["PKY7"] * dfz) * (1 + c["PPY5"] * dpi) * c["LKYC"]
            SH = SH + (Kg0 * g_ - SVg) / K_
        mu = (c["PDY1"] + c["PDY2"] * dfz) * (1 + c["PPY3"] * dpi + c["PPY4"] * dpi**2) * (1 - c["PDY3"] * g_**2) * lmy
        C, D, x = c["PCY1"] * c["LCY"], mu * Fz, a + SH
        E = (c["PEY1"] + c["PEY2"] * dfz) * c["LEY"]
        E = E * (1 + c["PEY5"] * g_**2 - (c["PEY3"] + c["PEY4"] * g_) * sgn(x))
        B = K / (C * D + eps)
        return magic(B, C, D, np.minimum(E, 1), x) + SV, B, C, mu, K, K_, SH, SV

    Fy0, By, Cy, muy, Kya, Kya_, SHy, SVy = lateral(gy)
    # combined
    DVyk = muy * Fz * (c["RVY1"] + c["RVY2"] * dfz + c["RVY3"] * g) * np.cos(np.arctan(c["RVY4"] * a))
    SVyk = DVyk * np.sin(c["RVY5"] * np.arctan(c["RVY6"] * kappa)) * c["LVYKA"]
    SHyk = c["RHY1"] + c["RHY2"] * dfz
    Byk = (c["RBY1"] + c["RBY4"] * g**2) * np.cos(np.arctan(c["RBY2"] * (a - c["RBY3"]))) * c["LYKA"]
    Eyk = np.minimum(c["REY1"] + c["REY2"] * dfz, 1)
    Gyk = magic_cosine(Byk, c["RCY1"], Eyk, kappa + SHyk) / magic_cosine(Byk, c["RCY1"], Eyk, SHyk)
    Fy = Gyk * Fy0 + SVyk

    # aligning torque
    Vc = V / np.cos(alpha)
    cos_ = V / (Vc + eps)  # 4.E6
    ar = a + SHy + SVy / Kya_
    at = a + c["QHZ1"] + c["QHZ2"] * dfz + (c["QHZ3"] + c["QHZ4"] * dfz) * gz
    g_plain = gz if old else gamma
    Bt = (c["QBZ1"] + c["QBZ2"] * dfz + c["QBZ3"] * dfz**2) * c["LKY"] / lmy
    Bt = Bt * (1 + c["QBZ4"] * g_plain + c["QBZ5"] * np.abs(g_plain))  # A58
    Dt = Fz * (R0 / Fz0) * (c["QDZ1"] + c["QDZ2"] * dfz) * (1 - c["PPZ1"] * dpi) * c["LTR"]
    Dt = Dt * (1 + c["QDZ3"] * g_plain + c["QDZ4"] * g_plain**2)  # A60
    Et = c["QEZ1"] + c["QEZ2"] * dfz + c["QEZ3"] * dfz**2
    Et = Et * (1 + (c["QEZ4"] + c["QEZ5"] * gz) * (2 / np.pi) * np.arctan(Bt * c["QCZ1"] * at))
    ate = np.arctan(np.sqrt(np.tan(at) ** 2 + (Kxk / Kya_) ** 2 * kappa**2)) * sgn(at)  # A55
    are = np.arctan(np.sqrt(np.tan(ar) ** 2 + (Kxk / Kya_) ** 2 * kappa**2)) * sgn(ar)  # A54
    t = Dt * magic_cosine(Bt, c["QCZ1"], np.minimum(Et, 1), ate) * cos_
    Dr = (c["QDZ6"] + c["QDZ7"] * dfz) * c["LRES"]
    Dr = Dr + (c["QDZ8"] + c["QDZ9"] * dfz) * (1 + c["PPZ2"] * dpi) * gz * c["LKZC"]
    Dr = Dr + (c["QDZ10"] + c["QDZ11"] * dfz) * gz * np.abs(gz) * c["LKZC"]
    Dr = Dr * Fz * R0 * lmy * np.cos(alpha)
    Br = c["QBZ9"] * c["LKY"] / lmy + c["QBZ10"] * By * Cy
    Mzr = Dr * np.cos(np.arctan(Br * are))
    s = R0 * (c["SSZ1"] + c["SSZ2"] * Fy / Fz0 + (c["SSZ3"] + c["SSZ4"] * dfz) * (g if old else gamma)) * c["LS"]
    across = Fy - SVyk if old else Gyk * lateral(0.0 * gy)[0]  # 4.E74
    Mz = -t * across + Mzr + s * Fx

    # overturning couple (A49), rolling resistance (A48)
    G = g if old else gamma
    Mx = c["QSX1"] * c["LVMX"] - c["QSX2"] * G * (1 + c["PPMX1"] * dpi) + c["QSX3"] * Fy / Fz0
    Mx = Mx + c["QSX10"] * np.arctan(c["QSX11"] * Fz / Fz0) * G
    Mx = Mx + c["QSX4"] * np.cos(c["QSX5"] * np.arctan((c["QSX6"] * Fz / Fz0) ** 2)) * np.sin(
        c["QSX7"] * G + c["QSX8"] * np.arctan(c["QSX9"] * Fy / Fz0)
    )
    Mx = R0 * c["LMX"] * (Fz * Mx + Fy * (c["QSX13"] + c["QSX14"] * np.abs(G)) - Fz * c["QSX12"] * G * np.abs(G))
    My = c["QSY1"] + c["QSY2"] * Fx / Fz0 + c["QSY3"] * np.abs(V / V0) + c["QSY4"] * (V / V0) ** 4
    if old:
        My = -R0 * Fz * c["LMY"] * My
    else:
        My = My + (c["QSY5"] + c["QSY6"] * Fz / Fz0) * gamma**2
        My = -R0 * Fz0 * c["LMY"] * My * (Fz / Fz0) ** c["QSY7"] * (p / c["NOMPRES"]) ** c["QSY8"]

    My = My * np.sin(np.pi / 2 * np.clip((1 + kappa) * V / c["VXLOW"], -1, 1))  # mfeval: near the blocked wheel

    # relaxation lengths
    if old:
        sx = (c["PTX1"] + c["PTX2"] * dfz) * np.exp(-c["PTX3"] * dfz) * c["LSGKP"] * R0 * Fz / Fz0
        sy = c["PTY1"] * np.sin(2 * np.arctan(Fz / (c["PTY2"] * Fz0_))) * (1 - c["PKY3"] * np.abs(gy)) * R0 * c["LFZO"]
    else:
        sx = np.abs(Kxk / c["LONGITUDINAL_STIFFNESS"])
        sx = sx / (1 + c["PCFX1"] * dfz + c["PCFX2"] * dfz**2) / (1 + c["PCFX3"] * dpi)
        sy = np.abs(Kya / c["LATERAL_STIFFNESS"])
        sy = sy / (1 + c["PCFY1"] * dfz + c["PCFY2"] * dfz**2) / (1 + c["PCFY3"] * dpi)
    return {"fx": Fx, "fy": Fy, "mx": Mx, "my": My, "mz": Mz, "trail": t, "relaxation_x": sx, "relaxation_y": sy}
