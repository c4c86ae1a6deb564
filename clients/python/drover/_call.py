"""One request, sent until it has an answer."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict
from urllib.parse import urlencode

import httpx

from ._retry import with_retries
from ._token import TokenCache
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
    http_client: httpx.Client
    tokens: TokenCache | None
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


def call(connection: Connection, request: Request) -> Answer:
    """Sends a request until it has an answer, with an `Idempotency-Key` where a repeat could do the work twice."""
    is_keyed = connection.tokens is not None and request.method in ("POST", "PATCH")
    key = (request.options.get("idempotency_key") or str(uuid.uuid4())) if is_keyed else None

    def send(is_uncertain: bool) -> Answer:
        try:
            return _with_token(connection, request, key)
        except DroverError as error:
            # The attempt whose answer was lost has deleted it.
            if is_uncertain and error.status == httpx.codes.NOT_FOUND and request.method == "DELETE":
                return Answer(httpx.codes.NO_CONTENT, b"")
            raise

    return with_retries(send, max_retries=request.options.get("max_retries", connection.max_retries))


def _with_token(connection: Connection, request: Request, key: str | None) -> Answer:
    """With a token; a rejected one is renewed once."""
    if connection.tokens is None:
        return _attempt(connection, request, key, None)
    token = connection.tokens.get()
    try:
        return _attempt(connection, request, key, token)
    except DroverError as error:
        if error.status != httpx.codes.UNAUTHORIZED:
            raise
    return _attempt(connection, request, key, connection.tokens.get(token))


def _attempt(connection: Connection, request: Request, key: str | None, token: str | None) -> Answer:
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
    ends_at_s = time.monotonic() + timeout_s
    name = f"{request.method} {request.path}"
    timeout_error = DroverError("timeout", f"{name} had no answer within {timeout_s:g} s.")
    url = f"{connection.base_url}{request.path}{_to_query(request.query)}"
    try:
        with connection.http_client.stream(
            request.method,
            url,
            headers=headers,
            content=content,
            timeout=timeout_s,
            # A redirected POST would become a GET.
            follow_redirects=False,
        ) as response:
            chunks = []
            for chunk in response.iter_bytes():
                # The timeout of httpx is for each read; an answer that trickles would have no end.
                if time.monotonic() > ends_at_s:
                    raise timeout_error
                chunks.append(chunk)
    except httpx.TimeoutException as error:
        raise timeout_error from error
    except httpx.RequestError as error:
        message = f"{name} got no answer: the connection to {connection.base_url} failed."
        raise DroverError("connection_failed", message) from error
    body = b"".join(chunks)
    if not response.is_success:
        raise to_drover_error(response.status_code, response.headers, body)
    return Answer(response.status_code, body)


def _to_query(query: Mapping[str, Any]) -> str:
    given = [
        (name, str(one).lower() if isinstance(one, bool) else str(one))
        for name, value in query.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]
    return f"?{urlencode(given)}" if given else ""
