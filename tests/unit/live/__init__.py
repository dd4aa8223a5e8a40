"""Unit tests of the live stream."""
