"""The rules themselves, in what Numba can compile."""
