"""What a game file may say: frozen models, a topic a file, with the reading of files and their faults."""
