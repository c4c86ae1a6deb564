"""Drives the steps of a request in an event loop."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import httpx

from ._async_token import AsyncTokenCache
from ._steps import GetToken, Received, Send, Sleep, Step, Steps, T


@dataclass(frozen=True)
class AsyncDriver:
    http_client: httpx.AsyncClient
    tokens: AsyncTokenCache | None = None

    async def run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                try:
                    result = await self._do(step)
                except BaseException as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    async def _do(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, GetToken):
            return await self.tokens.get(step.rejected) if self.tokens else None
        return await self._send(step)

    async def _send(self, step: Send) -> Received:
        ends_at_s = time.monotonic() + step.timeout_s
        async with self.http_client.stream(
            step.method,
            step.url,
            headers=step.headers,
            content=step.content,
            timeout=step.timeout_s,
            # A redirected POST would become a GET.
            follow_redirects=False,
        ) as response:
            chunks = []
            async for chunk in response.aiter_bytes():
                # httpx's timeout is for each read, so a slow trickle of bytes would never time out.
                if time.monotonic() > ends_at_s:
                    raise httpx.ReadTimeout("The answer was too slow.")
                chunks.append(chunk)
        return Received(response.status_code, response.headers, b"".join(chunks))
