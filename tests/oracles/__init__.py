"""Naive engines of the four founding games, written from the rule texts alone; they import nothing of the toolkit.

They exist to be compared with the toolkit's own engine: all its back ends share one meaning, so a mistake in that
meaning shows only against something that was written apart from it. Each engine is a class with `start`, `legal`,
`moves`, `play`, `outcome`, `view` and `from_view`. Its keyword options are the board's size, the variant, and one
option a question (the question's id, underscores for dashes) whose value is the id of an answer. `QUESTIONS` beside
the class lists them, base answer first, so `Oxono(jump_over_totem="no")` plays that reading.

What holds for all of them:

- A move is text: the picks of one turn, as a person would write them. `legal` and `moves` are sorted by that text.
- A duty that cannot be met leaves the move legal: it is written as the picks made so far, and the outcome of the
  state behind it is `("no rule", clause)`. A player who must act and cannot, where no ending holds, has the same
  outcome with the first clause of the phase's turn.
- In a state whose game is over, `acts` and `phase` are those that would have come next; after a duty that could not
  be met they are still the mover's. They say nothing about the game and should not be compared there.
- Events (a clock, an agreed draw, a pass) are not played; the questions about them are known and change nothing.
"""
