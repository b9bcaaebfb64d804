"""Findings: where two readings part, gaps that play runs into, examples that fail; each with a game that shows it."""
