"""From a structure to a flexible body: modes, invariants of its mass, geometric stiffness."""
