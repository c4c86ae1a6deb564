"""Verifies webhooks as in Standard Webhooks 1.0.0."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, cast

from .types import WebhookMessage

TOLERANCE_S = 5 * 60
PREFIX = "whsec_"

WebhookErrorCode = Literal["header_missing", "timestamp_out_of_tolerance", "signature_mismatch"]


class WebhookEvent(WebhookMessage):
    #: The same at every attempt: skip an event whose id you have handled.
    id: str


class WebhookError(Exception):
    """The request is not Drover's, or it is too old: answer 400 and do nothing else."""

    def __init__(self, code: WebhookErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: WebhookErrorCode = code


class Headers(Protocol):
    """A dict, or the headers of a request in Flask, Django, FastAPI, httpx and http.server."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def verify_webhook(
    *, body: str | bytes, headers: Headers, secret: str | Sequence[str], now_s: float | None = None
) -> WebhookEvent:
    """The event of a webhook, if its signature is right and it was sent in the last five minutes.

    Otherwise it raises `WebhookError`. `body`: as it arrived; do not parse it first, because the signature is over its
    bytes. `secret`: `whsec_…`; several while you rotate. `now_s`: for tests, the current time.
    """
    event_id, timestamp, signatures = (
        _get_header(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    now_s = time.time() if now_s is None else now_s
    is_number = re.fullmatch(r"[0-9]{1,12}", timestamp)
    if not is_number or abs(now_s - int(timestamp)) > TOLERANCE_S:
        message = "The webhook was not sent in the last five minutes. Check the clock of this server."
        raise WebhookError("timestamp_out_of_tolerance", message)
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{event_id}.{timestamp}.".encode() + content
    candidates = [part[len("v1,") :] for part in signatures.split(" ") if part.startswith("v1,")]
    for one in [secret] if isinstance(secret, str) else secret:
        digest = hmac.new(_to_key(one), signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(digest, _from_base64(candidate) or b"") for candidate in candidates):
            return cast(WebhookEvent, {**json.loads(content), "id": event_id})
    message = "No signature matches. Check the secret, and that the body is the one that arrived."
    raise WebhookError("signature_mismatch", message)


def _get_header(headers: Headers, name: str) -> str:
    for key, value in headers.items():
        first = value if isinstance(value, str) else next(iter(value or ()), None)
        if key.lower() == name and first:
            return str(first)
    raise WebhookError("header_missing", f"The webhook has no {name} header.")


def _to_key(secret: str) -> bytes:
    key = _from_base64(secret[len(PREFIX) :] if secret.startswith(PREFIX) else secret)
    if not key:
        raise ValueError("The webhook secret is not base64: copy it again.")
    return key


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        return None
