from __future__ import annotations

import threading
from typing import Any

import httpx

from .both_clients import BothClients
from .fake_api import FakeApi, answer, problem


def page(ids: str, pagination: dict[str, Any]) -> httpx.Response:
    return answer(200, {"data": [{"id": one, "type": "delivery.created"} for one in ids], "pagination": pagination})


class Lists(BothClients):
    def test_a_list_goes_over_its_pages_and_asks_for_nothing_before_it_is_read(self) -> None:
        api = FakeApi(page("ab", {"has_more": True, "next": "2"}), page("c", {"has_more": False, "next": None}))
        deliveries = api.client().deliveries.list(status="on_hold")
        self.assertEqual(len(api.sent), 0)
        self.assertEqual([one["id"] for one in deliveries], ["a", "b", "c"])
        self.assertEqual(
            [dict(request.url.params) for request in api.sent],
            [{"status": "on_hold"}, {"status": "on_hold", "after": "2"}],
        )

    def test_a_list_of_numbered_pages_goes_to_the_last(self) -> None:
        api = FakeApi(page("a", {"page": 1, "total_pages": 2}), page("b", {"page": 2, "total_pages": 2}))
        self.assertEqual([one["id"] for one in api.client().staff_couriers.list()], ["a", "b"])
        self.assertEqual([request.url.query for request in api.sent], [b"", b"page=2"])

    def test_to_list_stops_at_its_limit_and_requests_no_more_pages(self) -> None:
        api = FakeApi(page("ab", {"has_more": True, "next": "2"}))
        deliveries = api.client().deliveries.list()
        self.assertEqual(deliveries.to_list(limit=0), [])
        self.assertEqual(len(deliveries.to_list(limit=2)), 2)
        self.assertEqual(len(api.sent), 1)
        self.assertEqual(deliveries.page().pagination, {"has_more": True, "next": "2"})


class Feed(BothClients):
    def test_it_survives_an_outage_and_resumes_only_after_whole_pages(self) -> None:
        api = FakeApi(
            page("ab", {"has_more": True, "next": "2"}),
            httpx.ConnectError("refused"),
            problem(503, "service_unavailable", {"retry-after": "0"}),
            page("", {"has_more": False, "next": "2"}),
            page("c", {"has_more": False, "next": "3"}),
        )
        stop = threading.Event()
        seen = []
        for event in api.client(max_retries=0).events.follow(after="1", stop=stop, poll_s=0):
            seen.append((event["id"], event["next"]))
            if event["id"] == "c":
                stop.set()
        self.assertEqual(seen, [("a", "1"), ("b", "2"), ("c", "3")])
        after = [request.url.params["after"] for request in api.sent]
        self.assertEqual(after, ["1", "2", "2", "2", "2"])

    def test_an_error_that_will_not_pass_ends_it(self) -> None:
        feed = FakeApi(problem(403, "insufficient_scope")).client().events.follow()
        with self.assertRaisesRegex(Exception, "insufficient_scope"):
            next(feed)


class AsyncLists(Lists):
    is_async = True


class AsyncFeed(Feed):
    is_async = True
