"""The store in memory, which contract tests hold to the same laws as PostgreSQL's."""
