"""Guide pages and theory chapters of single items, where they are not those of the group."""

GUIDES: dict[str, str] = {}
THEORIES: dict[str, str] = {}
