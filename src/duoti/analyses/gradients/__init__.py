"""Derivatives of whole runs: forward sensitivities, discrete adjoints, identification, optimisation."""
