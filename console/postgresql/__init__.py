"""Django's PostgreSQL backend, with a check of kept connections that sends nothing."""
