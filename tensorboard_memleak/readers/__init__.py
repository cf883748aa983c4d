"""From bytes to the model; one module a format."""
