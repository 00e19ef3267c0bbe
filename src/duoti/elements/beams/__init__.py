"""Kernels of beam elements of higher order and of thin beams."""
