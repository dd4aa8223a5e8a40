"""Sessions for libraries that speak `requests`: what they send leaves by the same way out."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import requests
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from requests.utils import get_encoding_from_headers

from migrations_app.adapters.egress.http import EgressClient
from migrations_app.domain.destinations import Destinations
from migrations_app.ports.processes.outbound import AddressRefused, Deadline, EgressError

MOST_BYTES = 1024 * 1024


class EgressSession(requests.Session):
    """A session that reaches only `destinations`, follows no redirects and knows no proxies."""

    def __init__(self, destinations: Destinations, seconds: float) -> None:
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        for scheme in ("http://", "https://"):
            self.mount(scheme, _Adapter(destinations, seconds))

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Name no address to go on to."""
        return


class _Adapter(BaseAdapter):
    """Carries one request of `requests` out, each with a deadline of its own."""

    def __init__(self, destinations: Destinations, seconds: float) -> None:
        super().__init__()
        self._client, self._seconds = EgressClient(destinations), seconds

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Send a request; what the caller says of timeouts, certificates and proxies does not count."""
        body = request.body or b""
        if not isinstance(body, str | bytes):
            raise requests.exceptions.InvalidURL("only whole bodies are sent", request=request)
        headers = {
            name: value.decode("latin-1") if isinstance(value, bytes) else value
            for name, value in request.headers.items()
        }
        try:
            answer = self._client.request(
                str(request.method),
                str(request.url),
                headers=headers,
                body=body.encode() if isinstance(body, str) else body,
                deadline=Deadline(self._seconds),
                most_bytes=MOST_BYTES,
            )
        except AddressRefused as error:
            raise requests.exceptions.InvalidURL(str(error), request=request) from error
        except EgressError as error:
            raise requests.ConnectionError(str(error), request=request) from error
        response = requests.Response()
        response.status_code, response.url, response.request = answer.status, str(request.url), request
        response.headers = CaseInsensitiveDict(answer.headers)
        response.encoding = get_encoding_from_headers(response.headers)
        response.raw = BytesIO(answer.body)
        return response

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
