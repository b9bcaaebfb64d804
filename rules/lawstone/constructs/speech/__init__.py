"""What each construct says, as a sentence in the reader's language: a language a file, a method a construct."""
