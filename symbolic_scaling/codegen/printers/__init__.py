"""One short file per target, imported on first use."""
