"""Precision and recall: on real captures, on simulated histories, on captures of others."""
