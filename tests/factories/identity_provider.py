"""A small OpenID Connect provider on this machine, which vouches for whom the test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Provider:
    """What the provider says, and where it listens."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self.code = "the-code"
        self.url = ""


@contextmanager
def identity_provider() -> Iterator[Provider]:
    """Run a provider."""
    provider = Provider()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/.well-known/openid-configuration":
                self._say(
                    {
                        "issuer": provider.url,
                        "authorization_endpoint": f"{provider.url}/authorize",
                        "token_endpoint": f"{provider.url}/token",
                        "userinfo_endpoint": f"{provider.url}/userinfo",
                        "jwks_uri": f"{provider.url}/keys",
                    }
                )
            elif self.path == "/userinfo" and self.headers["Authorization"] == "Bearer good":
                self._say(provider.claims)
            else:
                self._say({}, 404)

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
            right = f"code={provider.code}" in sent and "code_verifier=" in sent
            if right:
                self._say({"access_token": "good", "token_type": "Bearer"})
            else:
                self._say({"error": "invalid_grant"}, 400)

        def _say(self, body: dict[str, Any], status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
