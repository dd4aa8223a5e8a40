"""Leases on keys of work, in PostgreSQL and in memory."""
