"""Stores: namespaces of resources on PostgreSQL, and their twin in memory."""
