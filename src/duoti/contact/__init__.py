"""Contact: gaps between shapes, laws, complementarity solvers and impact laws; each can be used by itself."""
