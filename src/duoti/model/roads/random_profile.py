"""Random roads with the displacement spectrum of ISO 8608."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
REFERENCE = 0.1  # n0, cycles/m
CLASSES = {name: 16e-6 * 4.0**k for k, name in enumerate("ABCDEFGH")}
"""G_d(n0) [m^3]: the geometric means of ISO 8608, table C.1."""


def spectrum(roughness: float, n: Array) -> Array:
    """One-sided displacement spectrum G_d(n) = G_d(n0) (n/n0)^-2 [m^3] over spatial frequency n [1/m]."""
    return roughness * (n / REFERENCE) ** -2


def heights(
    roughness: float, count: int, length: float, tracks: Array, frequencies: tuple[float, float], seed: int
) -> Array:
    """Heights [count, tracks] at equal distances over a length, after which the road repeats.

    A sum of sines at the multiples n of 1/length within the frequencies, with random phases. Along the first track
    every amplitude is sqrt(2 G_d(n) dn) exactly. Other tracks have the coherence of an isotropic surface with this
    spectrum: with their distance b and x = 2 pi n b, the cross-spectrum is G_d(n) x K_1(x), K_1 the modified Bessel
    function (Kamash and Robson, The application of isotropy in road surface modelling, J. Sound Vib. 57, 1978, 89).
    """
    from scipy.special import kv

    dn = 1.0 / length
    first, last = int(np.ceil(frequencies[0] / dn - 1e-9)), int(np.floor(frequencies[1] / dn + 1e-9))
    order = np.arange(max(first, 1), last + 1)
    n = np.asarray(order * dn, dtype=np.float64)
    amplitude = np.sqrt(2.0 * spectrum(roughness, n) * dn)
    phases = np.exp(2j * np.pi * np.random.default_rng(seed).random((len(tracks), len(n))))
    x = 2.0 * np.pi * np.abs(tracks[:, None] - tracks[None, :])[None] * n[:, None, None]
    with np.errstate(invalid="ignore"):
        coherence = np.where(x > 0.0, x * kv(1, x), 1.0)
    mixed = np.einsum("kij,jk->ki", np.linalg.cholesky(coherence + 1e-12 * np.eye(len(tracks))), phases)
    lines = np.zeros((count // 2 + 1, len(tracks)), dtype=complex)
    lines[order] = 0.5 * count * amplitude[:, None] * mixed
    return np.fft.irfft(lines, count, axis=0)
