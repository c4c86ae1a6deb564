"""The feed of the account's events."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Union, cast

from ._async_operations import AsyncEventsResource
from ._operations import EventsResource
from ._pages import Page
from ._retry import is_transient, to_delay_s
from .errors import DroverError
from .types import Event

POLL_S = 5.0
PAGE_SIZE = 100


class FollowedEvent(Event):
    #: Store it once you have handled the event, and follow on after it.
    next: str | None


@dataclass(frozen=True)
class _ReadPage:
    after: str | None


@dataclass(frozen=True)
class _Pause:
    seconds: float


@dataclass(frozen=True)
class _Emit:
    event: FollowedEvent


_FeedStep = Union[_ReadPage, _Pause, _Emit]


def _follow(
    after: str | None, poll_s: float, is_stopped: Callable[[], bool]
) -> Generator[_FeedStep, Any, None]:
    failures = 0
    while not is_stopped():
        try:
            page: Page[Event] = yield _ReadPage(after)
            failures = 0
        except DroverError as error:
            if not is_transient(error):
                raise
            delay_s = max(poll_s, to_delay_s(failures, error.retry_after_s))
            failures += 1
            yield _Pause(delay_s)
            continue
        end = page.pagination.get("next") or after
        for index, event in enumerate(page.data):
            # The cursor stands after the whole page: until its last event is handled, only the page's start is safe.
            is_last = index == len(page.data) - 1
            yield _Emit(cast(FollowedEvent, {**event, "next": end if is_last else after}))
            if is_stopped():
                return
        after = end
        if not page.pagination.get("has_more"):
            yield _Pause(poll_s)


class EventFeed(EventsResource):
    def follow(
        self, *, after: str | None = None, stop: threading.Event | None = None, poll_s: float = POLL_S
    ) -> Iterator[FollowedEvent]:
        """The account's events in order, without gaps, until `stop` is set. It retries while the API is down.

        After a restart, events since the stored `next` come again: skip those whose `id` you have handled.

        `after`: where you stopped, the `next` of the last event that you handled. Without one, from the first event
        there is. `stop`: once it is set, the iterator ends without an error. `poll_s`: between requests while there
        are no new events.
        """
        steps = _follow(after, poll_s, lambda: stop is not None and stop.is_set())
        step = next(steps, None)
        while step is not None:
            result = None
            try:
                if isinstance(step, _ReadPage):
                    result = self.list(limit=PAGE_SIZE, after=step.after).page()
                elif isinstance(step, _Pause):
                    _pause(step.seconds, stop)
            except DroverError as error:
                step = steps.throw(error)
                continue
            if isinstance(step, _Emit):
                yield step.event
            step = _next_step(steps, result)


class AsyncEventFeed(AsyncEventsResource):
    async def follow(
        self, *, after: str | None = None, stop: asyncio.Event | None = None, poll_s: float = POLL_S
    ) -> AsyncIterator[FollowedEvent]:
        """The account's events in order, without gaps, until `stop` is set. See `Drover.events.follow`."""
        steps = _follow(after, poll_s, lambda: stop is not None and stop.is_set())
        step = next(steps, None)
        while step is not None:
            result = None
            try:
                if isinstance(step, _ReadPage):
                    result = await self.list(limit=PAGE_SIZE, after=step.after).page()
                elif isinstance(step, _Pause):
                    await _pause_async(step.seconds, stop)
            except DroverError as error:
                step = steps.throw(error)
                continue
            if isinstance(step, _Emit):
                yield step.event
            step = _next_step(steps, result)


def _next_step(steps: Generator[_FeedStep, Any, None], result: Page[Event] | None) -> _FeedStep | None:
    try:
        return steps.send(result)
    except StopIteration:
        return None


def _pause(seconds: float, stop: threading.Event | None) -> None:
    if stop is None:
        time.sleep(seconds)
    else:
        stop.wait(seconds)


async def _pause_async(seconds: float, stop: asyncio.Event | None) -> None:
    if stop is None:
        await asyncio.sleep(seconds)
        return
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except asyncio.TimeoutError:
        pass
