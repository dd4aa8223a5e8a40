"""Tests: the one way out."""
