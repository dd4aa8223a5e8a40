"""Tests: simulation."""
