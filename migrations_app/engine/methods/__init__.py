"""Custom methods: which handler answers a call, and what it may do."""
