"""What only the asynchronous client has: tasks."""

from __future__ import annotations

import asyncio
import unittest

import httpx

from drover import AsyncDrover

from .fake_api import answer


class Tasks(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.tokens = 0
        self.requested = asyncio.Event()
        self.grant = asyncio.Event()

    async def handle(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/auth/token"):
            self.tokens += 1
            self.requested.set()
            await self.grant.wait()
            return answer(200, {"access_token": "token", "expires_in": 3_600})
        return answer(200, {"data": {"id": "dlv_1"}})

    def client(self) -> AsyncDrover:
        http_client = httpx.AsyncClient(transport=httpx.MockTransport(self.handle))
        return AsyncDrover("http://drover.test", "demo", client_id="c", client_secret="s", http_client=http_client)

    async def test_fifty_tasks_make_one_token_request(self) -> None:
        drover = self.client()
        tasks = [asyncio.create_task(drover.deliveries.get("dlv_1")) for _ in range(50)]
        await self.requested.wait()
        self.grant.set()
        self.assertEqual({delivery["id"] for delivery in await asyncio.gather(*tasks)}, {"dlv_1"})
        self.assertEqual(self.tokens, 1)

    async def test_a_task_that_is_cancelled_while_it_requests_the_token_does_not_end_the_others(self) -> None:
        drover = self.client()
        first = asyncio.create_task(drover.deliveries.get("dlv_1"))
        await self.requested.wait()
        second = asyncio.create_task(drover.deliveries.get("dlv_1"))
        await asyncio.sleep(0)
        first.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await first
        self.grant.set()
        self.assertEqual((await second)["id"], "dlv_1")
        self.assertEqual(self.tokens, 1)

    async def test_the_client_is_an_asynchronous_context_manager(self) -> None:
        self.grant.set()
        async with self.client() as drover:
            self.assertEqual((await drover.deliveries.get("dlv_1"))["id"], "dlv_1")
