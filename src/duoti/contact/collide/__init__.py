"""Where bodies touch: points, gaps and frames of pairs of shapes, and how far a step may go."""
