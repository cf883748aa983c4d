"""Leak Finder: find device-memory leaks in the profiles TensorBoard already has."""

__version__ = "0.1.0"
