"""Digests and differences between two namespaces."""
