"""Beams, cables and segmented rods: sections, course, nodes and elements."""
