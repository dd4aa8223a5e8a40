"""The search index on PostgreSQL, and its twin in memory."""
