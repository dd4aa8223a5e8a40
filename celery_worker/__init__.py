"""The clockwork: Celery carries keys to controllers, and thinks nothing itself."""
