"""Motions for other programs that draw: glTF, VTK."""
