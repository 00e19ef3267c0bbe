"""Laws: numbers, expressions, tables or functions of the user, and what they read."""
