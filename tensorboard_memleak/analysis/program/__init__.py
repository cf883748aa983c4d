"""What the compiler planned: lifetimes, and which bytes of a program could go."""
