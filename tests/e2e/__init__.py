"""A real TensorBoard process and a real Chromium, driven by roles and text as a person would."""
