"""Lists that the API sends in pages."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    data: list[T]
    #: `next` and `has_more`, or `page` and `total_pages`.
    pagination: dict[str, Any]


class Pages(Generic[T]):
    """A list. Nothing is requested before it is read."""

    def __init__(self, request: Callable[[dict[str, Any]], Page[T]]) -> None:
        self._request = request

    def page(self) -> Page[T]:
        """The first page, or the one at the `after` of the query, with its `pagination`."""
        return self._request({})

    def __iter__(self) -> Iterator[T]:
        place: dict[str, Any] | None = {}
        while place is not None:
            page = self._request(place)
            yield from page.data
            place = _next_place(page.pagination)

    def to_list(self, *, limit: int | None = None) -> list[T]:
        """Every entry, at most `limit`."""
        return list(self if limit is None else itertools.islice(self, max(0, limit)))


class AsyncPages(Generic[T]):
    """A list. Nothing is requested before it is read."""

    def __init__(self, request: Callable[[dict[str, Any]], Awaitable[Page[T]]]) -> None:
        self._request = request

    async def page(self) -> Page[T]:
        """The first page, or the one at the `after` of the query, with its `pagination`."""
        return await self._request({})

    async def __aiter__(self) -> AsyncIterator[T]:
        place: dict[str, Any] | None = {}
        while place is not None:
            page = await self._request(place)
            for one in page.data:
                yield one
            place = _next_place(page.pagination)

    async def to_list(self, *, limit: int | None = None) -> list[T]:
        """Every entry, at most `limit`."""
        entries: list[T] = []
        if limit is not None and limit <= 0:
            return entries
        async for one in self:
            entries.append(one)
            if len(entries) == limit:
                break
        return entries


def _next_place(pagination: dict[str, Any]) -> dict[str, Any] | None:
    if pagination.get("has_more") and pagination.get("next"):
        return {"after": pagination["next"]}
    page, total_pages = pagination.get("page"), pagination.get("total_pages")
    return {"page": page + 1} if page and total_pages and page < total_pages else None
