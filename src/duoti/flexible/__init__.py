"""Flexible bodies: finite elements, modes, and what remains of them as a body of the tree."""
