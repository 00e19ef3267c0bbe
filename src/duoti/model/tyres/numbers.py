"""The numbers of a tyre that kernels read (`duoti.elements.tyre_models`), in their order, and their defaults.

A tyre has the `COMMON` numbers and, behind them, those of its model. Defaults of the Magic Formula are those of the
MATLAB program mfeval (M. Furlan, readTIR), which follow the manual of MF-Tyre; those without an effect are 0 or 1.
"""

from __future__ import annotations

from math import pi

MAGIC_FORMULA, FIALA, TMEASY = range(3)
"""Models."""
INFINITE = 1e300

COMMON: dict[str, float] = {
    # general
    "UNLOADED_RADIUS": 0.3135, "FNOMIN": 4000.0, "LONGVL": 16.7, "VXLOW": 1.0, "NOMPRES": 220000.0, "MIRROR": 1.0,
    # ranges
    "FZMAX": 10000.0, "KPUMIN": -1.5, "KPUMAX": 1.5, "ALPMIN": -1.5, "ALPMAX": 1.5, "CAMMIN": -0.175, "CAMMAX": 0.175,
    "PRESMIN": 1e4, "PRESMAX": 1e6,
    # vertical force and radii
    "VERTICAL_STIFFNESS": 2e5, "VERTICAL_DAMPING": 50.0, "Q_FZ2": 1e-4, "Q_V2": 0.0, "Q_FCX": 0.0, "Q_FCY": 0.0,
    "PFZ1": 0.0, "Q_RE0": 1.0, "Q_V1": 0.0, "BREFF": 8.4, "DREFF": 0.27, "FREFF": 0.07, "BOTTOM_DEFLECTION": INFINITE,
    "BOTTOM_STIFF": 2e6, "CAMBER_FORM": 0.0, "TREAD_WIDTH": 0.0, "Q_FCY2": 0.0, "Q_CAM1": 0.0, "Q_CAM2": 0.0,
    "Q_CAM3": 0.0, "Q_FYS1": 0.0, "Q_FYS2": 0.0, "Q_FYS3": 0.0, "LEAST_RELAXATION": 0.03,
}  # fmt: skip
"""Of all models. CAMBER_FORM 1: vertical force of MF 6.2. MIRROR -1: the tyre of the other side."""

SCALES = (
    "LFZO", "LCX", "LMUX", "LEX", "LKX", "LHX", "LVX", "LCY", "LMUY", "LEY", "LKY", "LHY", "LVY", "LTR", "LRES", "LXAL",
    "LYKA", "LVYKA", "LS", "LKYC", "LKZC", "LVMX", "LMX", "LMY", "LGAX", "LGAY", "LGAZ", "LSGKP", "LSGAL",
)  # fmt: skip

MAGIC: dict[str, float] = {
    "FORM": 61.0, "STAR": 0.0, **dict.fromkeys(SCALES, 1.0),
    # longitudinal
    "PCX1": 1.65, "PDX1": 1.3, "PDX2": -0.15, "PDX3": 0.0, "PEX1": 0.0, "PEX2": 0.0, "PEX3": 0.0, "PEX4": 0.0,
    "PKX1": 20.0, "PKX2": 0.0, "PKX3": 0.0, "PHX1": 0.0, "PHX2": 0.0, "PVX1": 0.0, "PVX2": 0.0, "PPX1": 0.0,
    "PPX2": 0.0, "PPX3": 0.0, "PPX4": 0.0, "RBX1": 20.0, "RBX2": 15.0, "RBX3": 0.0, "RCX1": 1.0, "REX1": 0.0,
    "REX2": 0.0, "RHX1": 0.0,
    # overturning
    "QSX1": 0.0, "QSX2": 0.0, "QSX3": 0.0, "QSX4": 5.0, "QSX5": 1.0, "QSX6": 10.0, "QSX7": 0.0, "QSX8": 0.0,
    "QSX9": 0.4, "QSX10": 0.0, "QSX11": 5.0, "QSX12": 0.0, "QSX13": 0.0, "QSX14": 0.0, "PPMX1": 0.0,
    # lateral
    "PCY1": 1.3, "PDY1": 1.1, "PDY2": -0.15, "PDY3": 0.0, "PEY1": 0.0, "PEY2": 0.0, "PEY3": 0.0, "PEY4": 0.0,
    "PEY5": 0.0, "PKY1": -20.0, "PKY2": 1.0, "PKY3": 0.0, "PKY4": 2.0, "PKY5": 0.0, "PKY6": -1.0, "PKY7": 0.0,
    "PHY1": 0.0, "PHY2": 0.0, "PHY3": 0.0, "PVY1": 0.0, "PVY2": 0.0, "PVY3": 0.0, "PVY4": 0.0, "PPY1": 0.0,
    "PPY2": 0.0, "PPY3": 0.0, "PPY4": 0.0, "PPY5": 0.0, "RBY1": 10.0, "RBY2": 10.0, "RBY3": 0.0, "RBY4": 0.0,
    "RCY1": 1.0, "REY1": 0.0, "REY2": 0.0, "RHY1": 0.0, "RHY2": 0.0, "RVY1": 0.0, "RVY2": 0.0, "RVY3": 0.0,
    "RVY4": 20.0, "RVY5": 2.0, "RVY6": 10.0,
    # rolling resistance
    "QSY1": 0.01, "QSY2": 0.0, "QSY3": 4e-4, "QSY4": 4e-5, "QSY5": 0.0, "QSY6": 0.0, "QSY7": 0.85, "QSY8": -0.4,
    # aligning
    "QBZ1": 10.0, "QBZ2": 0.0, "QBZ3": 0.0, "QBZ4": 0.0, "QBZ5": 0.0, "QBZ9": 10.0, "QBZ10": 0.0, "QCZ1": 1.1,
    "QDZ1": 0.12, "QDZ2": 0.0, "QDZ3": 0.0, "QDZ4": 0.0, "QDZ6": 0.0, "QDZ7": 0.0, "QDZ8": -0.05, "QDZ9": 0.0,
    "QDZ10": 0.0, "QDZ11": 0.0, "QEZ1": 0.0, "QEZ2": 0.0, "QEZ3": 0.0, "QEZ4": 0.0, "QEZ5": 0.0, "QHZ1": 0.0,
    "QHZ2": 0.0, "QHZ3": 0.0, "QHZ4": 0.0, "PPZ1": 0.0, "PPZ2": 0.0, "SSZ1": 0.0, "SSZ2": 0.0, "SSZ3": 0.0, "SSZ4": 0.0,
    # relaxation: of MF 5.2 and PAC2002, then of MF 6.x
    "PTX1": 0.0, "PTX2": 0.0, "PTX3": 0.0, "PTY1": 0.0, "PTY2": 1.0, "LONGITUDINAL_STIFFNESS": 3e5,
    "LATERAL_STIFFNESS": 1e5, "PCFX1": 0.0, "PCFX2": 0.0, "PCFX3": 0.0, "PCFY1": 0.0, "PCFY2": 0.0, "PCFY3": 0.0,
}  # fmt: skip
"""Of the Magic Formula. FORM: 52 (MF 5.2, PAC2002), 61 or 62. STAR 1: tan(alpha) and sin(gamma) as slips."""

FIALA_NUMBERS: dict[str, float] = {
    "friction": 1.0, "slip_stiffness": 1e5, "cornering_stiffness": 5e4, "contact_length": 0.15,
    "rolling_resistance": 0.0, "relaxation_x": 0.1, "relaxation_y": 0.3,
}  # fmt: skip

TMEASY_LOADED = ("slope_x", "slip_max_x", "force_max_x", "slip_sliding_x", "force_sliding_x",
                 "slope_y", "slip_max_y", "force_max_y", "slip_sliding_y", "force_sliding_y")  # fmt: skip
"""At the nominal load, then at twice the nominal load."""
TMEASY_NUMBERS: dict[str, float] = {
    **dict.fromkeys((f"{name}_{k}" for k in (1, 2) for name in TMEASY_LOADED), 0.0),
    **{f"{name}_{k}": 0.0 for k in (1, 2) for name in ("trail", "trail_zero", "trail_end")},
    "rolling_resistance": 0.0, "stiffness_x": 2e5, "stiffness_y": 1.5e5,
}  # fmt: skip

OWN = {MAGIC_FORMULA: MAGIC, FIALA: FIALA_NUMBERS, TMEASY: TMEASY_NUMBERS}
"""Numbers of each model, behind the common ones."""

RIGHT_ANGLE = 0.5 * pi
