"""Structures: mass and stiffness of a mesh, of a beam, or of given matrices."""
