"""The only way out: every connection to webhooks, chats, mail servers, peers, registries and identity providers."""
