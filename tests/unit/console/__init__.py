"""Unit tests of the console: settings, sockets, home."""
