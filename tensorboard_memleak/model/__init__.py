"""What a profile means, as plain frozen values: no files, no clock, no TensorBoard."""
