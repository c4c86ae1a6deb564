"""The client of one account."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import httpx

from ._call import Answer, CallOptions, Connection, Request, call
from ._events import EventFeed
from ._operations import Resources
from ._pages import Page, Pages
from ._token import AccessToken, TokenCache
from .errors import DroverError

TIMEOUT_S = 30.0
MAX_RETRIES = 2
#: One for each thread of a large program; httpx's own limit is 100, and more threads would wait for each other.
MAX_CONNECTIONS = 1_000


class Drover(Resources):
    """The API of one account. Keep one for the whole program: it holds the token. Threads may share it.

    `base_url`: of the installation, such as `https://drover.example.com`. `account`: its id, as in
    `/{account}/deliveries`. `token`: instead of an id and a secret, a function that returns a valid token; called
    before each request, and again if the API rejected the token. `timeout_s`: for each attempt. `max_retries`: after
    the first attempt. `http_client`: for proxies and tests.
    """

    def __init__(
        self,
        base_url: str,
        account: str,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        scope: str | None = None,
        token: Callable[[], str] | None = None,
        timeout_s: float = TIMEOUT_S,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        if (token is None) == (client_id is None or client_secret is None):
            raise TypeError("Pass either client_id and client_secret, or token.")
        self._owns_http_client = http_client is None
        limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
        self._root = f"/{_to_segment(account)}"
        anonymous = Connection(
            base_url=base_url.rstrip("/"),
            http_client=http_client or httpx.Client(limits=limits),
            tokens=None,
            timeout_s=timeout_s,
            max_retries=max_retries,
        )

        def request_token() -> AccessToken:
            if token is not None:
                return AccessToken(token(), 0)
            body = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
            if scope is not None:
                body["scope"] = scope
            # The request that waits for the token repeats.
            no_retries = CallOptions(max_retries=0)
            answer = call(anonymous, Request("POST", f"{self._root}/auth/token", body=body, options=no_retries))
            granted = _to_json(answer)
            return AccessToken(granted["access_token"], granted["expires_in"])

        self._connection = replace(anonymous, tokens=TokenCache(request_token))
        super().__init__(self._run)
        self.events = EventFeed(self._run)

    def close(self) -> None:
        """Closes the connections, except those of an `http_client` of your own."""
        if self._owns_http_client:
            self._connection.http_client.close()

    def __enter__(self) -> Drover:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(
        self, operation: str, ids: tuple[str, ...], body: Any, query: Mapping[str, Any], options: CallOptions
    ) -> Any:
        """An operation is `METHOD path answer body`, such as `PATCH deliveries/{}/book data json`."""
        method, template, kind, *media = operation.split(" ")
        request = Request(
            method=method,
            path=f"{self._root}/{template.format(*map(_to_segment, ids))}",
            query=query,
            body=body,
            content_type="text/csv" if media == ["csv"] else "application/json",
            accept="*/*" if kind == "bytes" else "application/json",
            options=options,
        )
        if kind == "pages":

            def request_page(place: dict[str, Any]) -> Page[Any]:
                json_page = _to_json(call(self._connection, replace(request, query={**query, **place})))
                return Page(json_page["data"], json_page["pagination"])

            return Pages(request_page)
        answer = call(self._connection, request)
        if kind == "bytes":
            return answer.body
        if kind == "nothing":
            return None
        value = _to_json(answer)
        return value["data"] if kind == "data" else value


def _to_segment(value: str) -> str:
    # With these, the URL would be another operation's; encoded dots, too, are resolved by URL parsers.
    if not isinstance(value, str) or re.fullmatch(r"\.{0,2}", value):
        raise ValueError('An id or reference must not be empty, "." or "..".')
    return quote(value, safe="")


def _to_json(answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        message = f"The server answered {answer.status} without JSON. Check base_url."
        raise DroverError("unexpected_answer", message, status=answer.status) from None
