"""The feed of the account's events."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import cast

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
        failures = 0
        while not _is_set(stop):
            try:
                page: Page[Event] = self.list(limit=PAGE_SIZE, after=after).page()
                failures = 0
            except DroverError as error:
                if not is_transient(error):
                    raise
                delay_s = max(poll_s, to_delay_s(failures, error.retry_after_s))
                failures += 1
                _pause(delay_s, stop)
                continue
            end = page.pagination.get("next") or after
            for index, event in enumerate(page.data):
                # The cursor stands after the whole page: until its last event is handled, only the page's start is safe.
                is_last = index == len(page.data) - 1
                yield cast(FollowedEvent, {**event, "next": end if is_last else after})
                if _is_set(stop):
                    return
            after = end
            if not page.pagination.get("has_more"):
                _pause(poll_s, stop)


def _is_set(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()


def _pause(seconds: float, stop: threading.Event | None) -> None:
    if stop is None:
        time.sleep(seconds)
    else:
        stop.wait(seconds)
