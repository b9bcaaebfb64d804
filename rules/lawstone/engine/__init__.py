"""Playing: the reference interpreter, the everyday engine emitted from the same terms, and what people do with them."""
