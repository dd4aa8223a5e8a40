"""The live stream: one outbox behind a websocket and server-sent events."""
