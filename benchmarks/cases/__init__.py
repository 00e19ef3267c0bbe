"""Modules that declare cases (`@case`), each about one subject."""

ORDER = (
    "trees", "derivatives", "gradients", "calls", "linearise", "pendulum", "batches", "studies", "stepping", "setup",
    "start", "loops", "mechanisms", "stiff", "beams", "cable", "reduction", "flexible", "bond_graphs", "contact",
    "compliant", "friction", "complementarity", "export", "vehicles",
)  # fmt: skip
"""As the page shows them."""
