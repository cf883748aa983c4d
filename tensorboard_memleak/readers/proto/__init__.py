"""Trimmed message definitions and the code generated from them by `generate.sh`."""
