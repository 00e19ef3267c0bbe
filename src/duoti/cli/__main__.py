"""`python -m duoti.cli` is the `duoti` command."""

from duoti.cli.app import main

main()
