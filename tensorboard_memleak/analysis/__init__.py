"""From a capture to findings: numpy in, frozen values out; one question a module."""
