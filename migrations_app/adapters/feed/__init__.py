"""Change feeds: on PostgreSQL, and in memory."""
