"""The clockwork: tasks that carry a key, no thinking."""
