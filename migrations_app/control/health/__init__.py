"""Health of the system, and work that needs a person."""
