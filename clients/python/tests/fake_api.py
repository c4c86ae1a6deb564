"""An API whose answers the test gives."""

from __future__ import annotations

import json
from typing import Any

import httpx

from drover import Drover

from .both_clients import make_client


def answer(status: int, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, content=json.dumps(body), headers=headers)


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> httpx.Response:
    body = {
        "type": f"urn:drover:error:{code}",
        "title": code,
        "status": status,
        "detail": f"It was {code}.",
        "code": code,
    }
    return answer(status, body, headers)


class FakeApi:
    """Gives these answers in order, the last one for ever. An error is raised."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = answers
        self.sent: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        given = self._answers[min(len(self.sent), len(self._answers)) - 1]
        if isinstance(given, Exception):
            raise given
        return httpx.Response(given.status_code, content=given.content, headers=given.headers)

    def client(self, **options: Any) -> Drover:
        """With a token at hand, so that the API sees only the request."""
        return make_client("http://drover.test/", handler=self, **{"token": lambda: "token", **options})
