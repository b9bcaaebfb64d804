"""Asking a solver: terms as circuits, free positions, unrolled games, induction; proofs that another program re-checks."""
