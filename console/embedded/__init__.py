"""Real PostgreSQL and Valkey from wheels, and the supervisor that keeps the processes of one machine."""
