"""Compatibility: which side may change first, and what a change would break or lose."""
