"""The addresses of the logs."""
