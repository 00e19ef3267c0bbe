"""Bond graphs as drawings and as text."""
