"""The use cases: what the page and the terminal may ask, answered in plain JSON-ready values."""
