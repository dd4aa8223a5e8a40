"""Webhooks: which events they are told of, how a message is signed, and its way there."""
