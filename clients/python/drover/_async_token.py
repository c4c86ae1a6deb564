"""A single-flight cache of the access token: one request for all waiting tasks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from ._token import AccessToken, to_renewal_s


class AsyncTokenCache:
    def __init__(self, request: Callable[[], Awaitable[AccessToken]]) -> None:
        self._request = request
        self._current: str | None = None
        self._renew_at_s = 0.0
        self._pending: asyncio.Task[str] | None = None

    async def get(self, rejected: str | None = None) -> str:
        """A valid token. Never `rejected`, which the API did not accept."""
        if self._current is not None and self._current != rejected and time.time() < self._renew_at_s:
            return self._current
        if self._pending is None:
            self._pending = asyncio.ensure_future(self._renew())
        # A task that is cancelled does not cancel the request that others wait for.
        return await asyncio.shield(self._pending)

    async def _renew(self) -> str:
        try:
            started_s = time.time()
            token = await self._request()
            self._current = token.value
            self._renew_at_s = to_renewal_s(started_s, token)
            return token.value
        finally:
            self._pending = None
