"""The command `lawstone`: one file a command or small group; `main` finds them without importing them."""
