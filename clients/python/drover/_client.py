"""The client of one account."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import httpx

from ._async_operations import AsyncResources
from ._async_token import AsyncTokenCache
from ._asynchronous import AsyncDriver
from ._blocking import BlockingDriver
from ._call import Answer, CallOptions, Connection, Request, call
from ._events import AsyncEventFeed, EventFeed
from ._operations import Resources
from ._pages import AsyncPages, Page, Pages
from ._steps import Steps
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
        _check_credentials(token, client_id, client_secret)
        self._owns_http_client = http_client is None
        self._account = _Account(base_url, account, timeout_s, max_retries)
        anonymous = BlockingDriver(http_client or httpx.Client(limits=httpx.Limits(max_connections=MAX_CONNECTIONS)))

        def request_token() -> AccessToken:
            if token is not None:
                return AccessToken(token(), 0)
            return anonymous.run(self._account.request_token(client_id, client_secret, scope))

        self._driver = replace(anonymous, tokens=TokenCache(request_token))
        super().__init__(self._run, self._list)
        self.events = EventFeed(self._run, self._list)

    def close(self) -> None:
        """Closes the connections, except those of an `http_client` of your own."""
        if self._owns_http_client:
            self._driver.http_client.close()

    def __enter__(self) -> Drover:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, *operation: Any) -> Any:
        return self._driver.run(self._account.operate(*operation))

    def _list(self, *operation: Any) -> Pages[Any]:
        read_page = self._account.page_reader(*operation)
        return Pages(lambda place: self._driver.run(read_page(place)))


class AsyncDrover(AsyncResources):
    """The API of one account for `asyncio`. Keep one for the whole program: it holds the token. Use it in one event loop.

    Takes the parameters of `Drover`, except that `token` is a coroutine function.
    """

    def __init__(
        self,
        base_url: str,
        account: str,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        scope: str | None = None,
        token: Callable[[], Awaitable[str]] | None = None,
        timeout_s: float = TIMEOUT_S,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        _check_credentials(token, client_id, client_secret)
        self._owns_http_client = http_client is None
        self._account = _Account(base_url, account, timeout_s, max_retries)
        limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
        anonymous = AsyncDriver(http_client or httpx.AsyncClient(limits=limits))

        async def request_token() -> AccessToken:
            if token is not None:
                return AccessToken(await token(), 0)
            return await anonymous.run(self._account.request_token(client_id, client_secret, scope))

        self._driver = replace(anonymous, tokens=AsyncTokenCache(request_token))
        super().__init__(self._run, self._list)
        self.events = AsyncEventFeed(self._run, self._list)

    async def aclose(self) -> None:
        """Closes the connections, except those of an `http_client` of your own."""
        if self._owns_http_client:
            await self._driver.http_client.aclose()

    async def __aenter__(self) -> AsyncDrover:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _run(self, *operation: Any) -> Any:
        return await self._driver.run(self._account.operate(*operation))

    def _list(self, *operation: Any) -> AsyncPages[Any]:
        read_page = self._account.page_reader(*operation)

        async def request_page(place: dict[str, Any]) -> Page[Any]:
            return await self._driver.run(read_page(place))

        return AsyncPages(request_page)


class _Account:
    """What both clients share: the operations of one account as steps."""

    def __init__(self, base_url: str, account: str, timeout_s: float, max_retries: int) -> None:
        self._root = f"/{_to_segment(account)}"
        self._connection = Connection(base_url.rstrip("/"), True, timeout_s, max_retries)

    def request_token(
        self, client_id: str | None, client_secret: str | None, scope: str | None
    ) -> Steps[AccessToken]:
        body = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        if scope is not None:
            body["scope"] = scope
        # The request that needs the token does the retries.
        no_retries = CallOptions(max_retries=0)
        request = Request("POST", f"{self._root}/auth/token", body=body, options=no_retries)
        granted = _to_json((yield from call(replace(self._connection, has_tokens=False), request)))
        return AccessToken(granted["access_token"], granted["expires_in"])

    def operate(
        self, operation: str, ids: tuple[str, ...], body: Any, query: Mapping[str, Any], options: CallOptions
    ) -> Steps[Any]:
        kind, request = self._to_request(operation, ids, body, query, options)
        answer = yield from call(self._connection, request)
        if kind == "bytes":
            return answer.body
        if kind == "nothing":
            return None
        value = _to_json(answer)
        return value["data"] if kind == "data" else value

    def page_reader(
        self, operation: str, ids: tuple[str, ...], body: Any, query: Mapping[str, Any], options: CallOptions
    ) -> Callable[[dict[str, Any]], Steps[Page[Any]]]:
        _, request = self._to_request(operation, ids, body, query, options)

        def read_page(place: dict[str, Any]) -> Steps[Page[Any]]:
            json_page = _to_json((yield from call(self._connection, replace(request, query={**query, **place}))))
            return Page(json_page["data"], json_page["pagination"])

        return read_page

    def _to_request(
        self, operation: str, ids: tuple[str, ...], body: Any, query: Mapping[str, Any], options: CallOptions
    ) -> tuple[str, Request]:
        """An operation is `METHOD path answer body`, such as `PATCH deliveries/{}/book data json`."""
        method, template, kind, *media = operation.split(" ")
        return kind, Request(
            method=method,
            path=f"{self._root}/{template.format(*map(_to_segment, ids))}",
            query=query,
            body=body,
            content_type="text/csv" if media == ["csv"] else "application/json",
            accept="*/*" if kind == "bytes" else "application/json",
            options=options,
        )


def _check_credentials(token: object, client_id: str | None, client_secret: str | None) -> None:
    if (token is None) == (client_id is None or client_secret is None):
        raise TypeError("Pass either client_id and client_secret, or token.")


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
