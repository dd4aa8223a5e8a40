"""One noun per file: rows become frozen read models."""
