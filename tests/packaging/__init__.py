"""The wheel and the sdist: built from the tree, looked into, installed, and run."""
