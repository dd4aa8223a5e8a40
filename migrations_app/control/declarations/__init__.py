"""Declared objects: several writes as one, and what each declaring party made."""
