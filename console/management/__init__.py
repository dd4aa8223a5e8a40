"""Commands that need the whole machine."""
