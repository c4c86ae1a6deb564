"""Drives the steps of a request in the thread that called it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import httpx

from ._steps import GetToken, Received, Send, Sleep, Step, Steps, T
from ._token import TokenCache


@dataclass(frozen=True)
class BlockingDriver:
    http_client: httpx.Client
    tokens: TokenCache | None = None

    def run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                try:
                    result = self._do(step)
                except BaseException as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    def _do(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, GetToken):
            return self.tokens.get(step.rejected) if self.tokens else None
        return self._send(step)

    def _send(self, step: Send) -> Received:
        ends_at_s = time.monotonic() + step.timeout_s
        with self.http_client.stream(
            step.method,
            step.url,
            headers=step.headers,
            content=step.content,
            timeout=step.timeout_s,
            # A redirected POST would become a GET.
            follow_redirects=False,
        ) as response:
            chunks = []
            for chunk in response.iter_bytes():
                # httpx's timeout is for each read, so a slow trickle of bytes would never time out.
                if time.monotonic() > ends_at_s:
                    raise httpx.ReadTimeout("The answer was too slow.")
                chunks.append(chunk)
        return Received(response.status_code, response.headers, b"".join(chunks))
