"""Tests of `switchyard-sdk` that need no server."""
