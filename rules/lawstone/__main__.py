"""`python -m lawstone` is the command `lawstone`."""

from lawstone.cli.main import main

main()
