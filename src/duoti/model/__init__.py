"""The description of a mechanical system: bodies, markers, joints, forces, and the check of it all."""
