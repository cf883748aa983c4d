"""The plugin inside of TensorBoard's own application, asked as a browser asks."""
