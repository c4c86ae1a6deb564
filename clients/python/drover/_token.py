"""A single-flight cache of the access token: one request for all waiting threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from .errors import DroverError

#: Before the token's end, so that no request starts with a token that ends on its way.
RENEW_BEFORE_S = 60.0


@dataclass(frozen=True)
class AccessToken:
    value: str
    lifetime_s: float


def to_renewal_s(started_s: float, token: AccessToken) -> float:
    return started_s + token.lifetime_s - min(RENEW_BEFORE_S, token.lifetime_s / 2)


class TokenCache:
    def __init__(self, request: Callable[[], AccessToken]) -> None:
        self._request = request
        self._lock = threading.Lock()
        self._current: str | None = None
        self._renew_at_s = 0.0
        self._pending: Future[str] | None = None

    def get(self, rejected: str | None = None) -> str:
        """A valid token; other than `rejected`, which the API did not accept."""
        with self._lock:
            if self._current is not None and self._current != rejected and time.time() < self._renew_at_s:
                return self._current
            pending = self._pending or Future()
            is_first = self._pending is None
            self._pending = pending
        return self._renew(pending) if is_first else pending.result()

    def _renew(self, own: Future[str]) -> str:
        try:
            started_s = time.time()
            token = self._request()
        except BaseException as error:
            with self._lock:
                self._pending = None
            # A KeyboardInterrupt is this thread's alone; the others request a token of their own.
            interrupted = DroverError("connection_failed", "The token request was interrupted.")
            own.set_exception(error if isinstance(error, Exception) else interrupted)
            raise
        with self._lock:
            self._current = token.value
            self._renew_at_s = to_renewal_s(started_s, token)
            self._pending = None
        own.set_result(token.value)
        return token.value
