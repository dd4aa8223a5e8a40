"""Notifications: webhooks, chats, mails, and own notices."""
