"""`python -m duoti` is the `duoti` command."""

from duoti.cli.app import main

main()
