"""Signing in: sessions, tokens, single sign-on."""
