"""Compiled play: kernels from the emitted text through llvmlite, each trusted only after it has played as that text does."""
