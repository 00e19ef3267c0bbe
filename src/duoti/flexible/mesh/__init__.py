"""Meshes of finite elements: nodes, cells, files, built-in shapes, loads on faces."""
