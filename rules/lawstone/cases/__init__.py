"""Edge-case suites: test vectors for any engine of a game, in any language, and the runner that judges by them."""
