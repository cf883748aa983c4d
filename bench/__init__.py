"""Speed and memory on large captures, beside XProf."""
