"""Custom methods between versions: which is which, and how requests and responses cross."""
