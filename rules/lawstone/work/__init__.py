"""Running long work: independent questions side by side, bounds of time and memory, results kept between runs."""
