"""Retries with exponential backoff and full jitter."""

from __future__ import annotations

import random
from collections.abc import Callable

from ._steps import Sleep, Steps, T
from .errors import DroverError

RETRYABLE_STATUSES = (408, 429, 502, 503, 504)
#: Another request works on the same thing and will end: an answer to wait for, not a failure.
IN_PROGRESS_CODES = ("idempotency_in_progress", "booking_in_progress")
MAX_IN_PROGRESS_S = 60.0
#: Beyond it the caller decides, because a program that sleeps for an hour looks hung.
MAX_RETRY_AFTER_S = 60.0
FIRST_BACKOFF_S = 0.5
MAX_BACKOFF_S = 8.0


def is_transient(error: DroverError) -> bool:
    """No answer, or one that says "later"."""
    return error.code in ("connection_failed", "timeout") or error.status in RETRYABLE_STATUSES


def to_delay_s(attempt: int, retry_after_s: float | None) -> float:
    """A random time up to 0.5 s, 1 s, 2 s … 8 s; `Retry-After` is the least."""
    # From attempt 4 on, the limit is 8 s; without the minimum, a long outage would overflow the float.
    backoff_s = random.random() * min(MAX_BACKOFF_S, FIRST_BACKOFF_S * 2.0 ** min(attempt, 10))
    # Clients that were all refused together must not all come back together.
    return backoff_s if retry_after_s is None else retry_after_s + min(backoff_s, FIRST_BACKOFF_S)


def is_uncertain(error: DroverError) -> bool:
    """Whether the request may have been carried out although its answer was lost."""
    return error.status in (None, 502, 504)


def with_retries(send: Callable[[], Steps[T]], *, max_retries: int) -> Steps[T]:
    """Repeats a request that is safe to repeat."""
    retries = 0
    waits = 0
    waited_s = 0.0
    while True:
        try:
            return (yield from send())
        except DroverError as error:
            is_in_progress = error.code in IN_PROGRESS_CODES and waited_s < MAX_IN_PROGRESS_S
            if not is_in_progress and (retries >= max_retries or not is_transient(error)):
                raise
            if error.retry_after_s is not None and error.retry_after_s > MAX_RETRY_AFTER_S:
                raise
            delay_s = to_delay_s(waits if is_in_progress else retries, error.retry_after_s)
            if is_in_progress:
                waits += 1
                waited_s += delay_s
            else:
                retries += 1
        yield Sleep(delay_s)
