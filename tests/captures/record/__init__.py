"""Records the bundled captures: `make record` runs each scenario in a process of its own."""
