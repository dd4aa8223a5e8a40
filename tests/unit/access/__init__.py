"""Tests: access."""
