"""The same tests for `Drover` and `AsyncDrover`: the asynchronous client behind blocking calls, in a loop of its own."""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
import unittest
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar, cast

import httpx

from drover import AsyncDrover, AsyncPages, Drover

T = TypeVar("T")
R = TypeVar("R")
NO_LIMITS = httpx.Limits()
Handler = Callable[[httpx.Request], httpx.Response]

_loop = asyncio.new_event_loop()
threading.Thread(target=_loop.run_forever, daemon=True).start()
#: The test programs read it from the environment.
_is_async = "DROVER_ASYNC" in os.environ


class BothClients(unittest.TestCase):
    """Tests that make their clients with `make_client`. A subclass with `is_async` runs them on the other one."""

    is_async = False

    def setUp(self) -> None:
        global _is_async
        _is_async = self.is_async


def make_client(
    base_url: str,
    *,
    handler: Handler | None = None,
    on_response: Callable[[httpx.Response], None] | None = None,
    **options: Any,
) -> Drover:
    """`handler`: answers instead of a server. `on_response`: called with each answer."""
    if not _is_async:
        if handler:
            options["http_client"] = httpx.Client(transport=httpx.MockTransport(handler))
        if on_response:
            options["http_client"] = httpx.Client(event_hooks={"response": [on_response]}, limits=NO_LIMITS)
        return Drover(base_url, "demo", **options)
    if handler:
        options["http_client"] = httpx.AsyncClient(transport=httpx.MockTransport(_in_thread(handler)))
    if on_response:
        hooks = {"response": [_in_thread(on_response)]}
        options["http_client"] = httpx.AsyncClient(event_hooks=hooks, limits=NO_LIMITS)
    if "token" in options:
        given = options["token"]

        async def token() -> str:
            return cast(str, given())

        options["token"] = token
    return cast(Drover, _Blocking(AsyncDrover(base_url, "demo", **options)))


def _in_thread(work: Callable[[T], R]) -> Callable[[T], Coroutine[Any, Any, R]]:
    async def run(given: T) -> R:
        return await asyncio.to_thread(work, given)

    return run


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run_coroutine_threadsafe(coroutine, _loop).result()


class _Blocking:
    def __init__(self, target: Any) -> None:
        self._target = target

    def __enter__(self) -> _Blocking:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        _run(self._target.aclose())

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        return _blocking(value) if callable(value) else _Blocking(value)


def _blocking(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **given: Any) -> Any:
        if isinstance(given.get("stop"), threading.Event):
            given["stop"] = _Stop(given["stop"])
        result = method(*args, **given)
        if inspect.iscoroutine(result):
            return _run(result)
        if isinstance(result, AsyncPages):
            return _BlockingPages(result)
        return _iterate(result)

    return call


class _BlockingPages(_Blocking):
    def __iter__(self) -> Iterator[Any]:
        return _iterate(aiter(self._target))


def _iterate(entries: AsyncIterator[Any]) -> Iterator[Any]:
    async def read_next() -> Any:
        return await anext(entries, _END)

    while (entry := _run(read_next())) is not _END:
        yield entry


_END = object()


class _Stop:
    """A `threading.Event` as the client's `asyncio.Event`."""

    def __init__(self, event: threading.Event) -> None:
        self.is_set = event.is_set

    async def wait(self) -> None:
        while not self.is_set():
            await asyncio.sleep(0.005)
