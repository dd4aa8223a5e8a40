"""Versioning metadata as authors write it, read with its places."""
