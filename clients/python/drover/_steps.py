"""Sans-I/O: the client's rules are generators.

They yield the steps that they need, and a blocking or an asynchronous driver performs them.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar, Union

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class GetToken:
    """A valid token. Never `rejected`, which the API did not accept."""

    rejected: str | None = None


@dataclass(frozen=True)
class Send:
    """One attempt. The driver raises the errors of httpx."""

    method: str
    url: str
    headers: dict[str, str]
    content: str | None
    timeout_s: float


@dataclass(frozen=True)
class Received:
    """An answer, read to its end."""

    status: int
    headers: httpx.Headers
    body: bytes


Step = Union[Sleep, GetToken, Send]
Steps = Generator[Step, Any, T]
