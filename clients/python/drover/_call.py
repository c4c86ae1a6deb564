"""One request, sent until it has an answer."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict
from urllib.parse import urlencode

import httpx

from ._retry import is_uncertain, with_retries
from ._steps import GetToken, Received, Send, Steps
from ._version import VERSION
from .errors import DroverError, to_drover_error


class CallOptions(TypedDict, total=False):
    """Of one request; each may be left out."""

    #: Sent with POST and PATCH. Without one, the client makes a UUID. The same key needs the same body.
    idempotency_key: str
    #: For each attempt.
    timeout_s: float
    max_retries: int


@dataclass(frozen=True)
class Connection:
    base_url: str
    #: False: for the token's own request.
    has_tokens: bool
    timeout_s: float
    max_retries: int


@dataclass(frozen=True)
class Request:
    method: str
    #: With the account, encoded, from the first slash.
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    content_type: str = "application/json"
    accept: str = "application/json"
    options: CallOptions = field(default_factory=CallOptions)


@dataclass(frozen=True)
class Answer:
    """A 2xx answer, read to its end."""

    status: int
    body: bytes


def call(connection: Connection, request: Request) -> Steps[Answer]:
    """Sends a request until it has an answer, with an `Idempotency-Key` where a repeat could do the work twice."""
    is_keyed = connection.has_tokens and request.method in ("POST", "PATCH")
    key = (request.options.get("idempotency_key") or str(uuid.uuid4())) if is_keyed else None

    may_be_done = False

    def send(token: str | None) -> Steps[Answer]:
        nonlocal may_be_done
        try:
            return (yield from _attempt(connection, request, key, token))
        except DroverError as error:
            # The attempt whose answer was lost has deleted it.
            if may_be_done and error.status == httpx.codes.NOT_FOUND and request.method == "DELETE":
                return Answer(httpx.codes.NO_CONTENT, b"")
            may_be_done = may_be_done or is_uncertain(error)
            raise

    max_retries = request.options.get("max_retries", connection.max_retries)
    return (yield from with_retries(lambda: _with_token(connection.has_tokens, send), max_retries=max_retries))


def _with_token(has_tokens: bool, send: Callable[[str | None], Steps[Answer]]) -> Steps[Answer]:
    """With a token; a rejected one is renewed once."""
    if not has_tokens:
        return (yield from send(None))
    token = yield GetToken()
    try:
        return (yield from send(token))
    except DroverError as error:
        if error.status != httpx.codes.UNAUTHORIZED:
            raise
    token = yield GetToken(rejected=token)
    return (yield from send(token))


def _attempt(connection: Connection, request: Request, key: str | None, token: str | None) -> Steps[Answer]:
    headers = {"accept": request.accept, "user-agent": f"drover-client-python/{VERSION}"}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    if key is not None:
        headers["idempotency-key"] = key
    content = None
    if request.body is not None:
        headers["content-type"] = request.content_type
        content = request.body if isinstance(request.body, str) else json.dumps(request.body, allow_nan=False)
    timeout_s = request.options.get("timeout_s", connection.timeout_s)
    name = f"{request.method} {request.path}"
    url = f"{connection.base_url}{request.path}{_to_query(request.query)}"
    try:
        received: Received = yield Send(request.method, url, headers, content, timeout_s)
    except httpx.TimeoutException as error:
        raise DroverError("timeout", f"{name} had no answer within {timeout_s:g} s.") from error
    except httpx.RequestError as error:
        message = f"{name} got no answer: the connection to {connection.base_url} failed."
        raise DroverError("connection_failed", message) from error
    if not 200 <= received.status <= 299:
        raise to_drover_error(received.status, received.headers, received.body)
    return Answer(received.status, received.body)


def _to_query(query: Mapping[str, Any]) -> str:
    given = [
        (name, str(one).lower() if isinstance(one, bool) else str(one))
        for name, value in query.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]
    return f"?{urlencode(given)}" if given else ""
