"""Tests: access, ledger, outbox and work on the real database."""
