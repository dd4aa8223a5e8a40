"""Which HTTP methods change nothing, and what opens a method to more than those who hold a permission."""

from __future__ import annotations

SAFE = ("GET", "HEAD", "OPTIONS")
OPEN = "open to anybody"
SIGNED_IN = "open to signed-in accounts"
LONGEST_KEY = 255
"""So many characters has an Idempotency-Key at most."""
