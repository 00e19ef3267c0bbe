"""XML files: trees with line numbers, and what importers share."""
