"""Tests: webhooks."""
