"""The report, schema version 1: analyses as one JSON object, and that object as terminal text."""
