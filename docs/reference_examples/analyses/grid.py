"""Values in equal ratios."""

import duoti as dt

print(dt.grid(0.1, 100, 4, spacing="log"))
