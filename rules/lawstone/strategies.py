"""Hypothesis strategies: see `lawstone.cases.strategies`. Hypothesis must be installed."""

from __future__ import annotations

from lawstone.cases.strategies import Playing, games, moves, playouts, positions

__all__ = ["Playing", "games", "moves", "playouts", "positions"]
