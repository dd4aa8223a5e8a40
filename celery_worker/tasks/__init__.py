"""The tasks: work on what is due, and the tick."""
