"""Machine code that was compiled before: the file that the package ships, and the user's own store."""
