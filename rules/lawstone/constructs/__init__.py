"""The words of the language: what each means in core terms, and how it is said; a topic a file."""
