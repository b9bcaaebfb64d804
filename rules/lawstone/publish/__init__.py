"""The reference site: every rule with its examples, sources, questions and boards, checked before it is shown."""
