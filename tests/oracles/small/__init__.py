"""Naive engines of the small games, one file a game, each written alone from the rules in common knowledge."""
