"""Resources, what refers to them, and deletions."""
