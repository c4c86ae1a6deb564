"""On a running API: python.test.ts gives its address in DROVER_URL, and bodies in DROVER_BODIES."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import importlib
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any

from drover import DroverError

from .both_clients import BothClients
from .demo_client import demo_client

URL = os.environ["DROVER_URL"]
BODIES = json.loads(os.environ["DROVER_BODIES"])
RESTARTS = 10
README = Path(__file__).parent.parent / "README.md"


def order(reference: str, **over: Any) -> Any:
    return {**BODIES["delivery"], "reference": reference, **over}


class OnTheApi(BothClients):
    name = "blocking"

    def setUp(self) -> None:
        super().setUp()
        self.drover = demo_client(URL)
        self.addCleanup(self.drover.close)

    def test_a_quote_a_booked_delivery_and_its_label_as_bytes(self) -> None:
        quotes = self.drover.quotes.next_available(BODIES["quote"], hold=True)["data"]
        self.assertTrue(quotes["standard"]["quote_id"])
        body = order(f"{self.name}-1", delivery_type="standard", book_delivery_now=True)
        delivery = self.drover.deliveries.create(body)
        self.assertTrue(delivery["booked_at"])
        self.assertEqual(self.drover.deliveries.label(f"{self.name}-1")[:5], b"%PDF-")
        self.assertEqual(self.drover.deliveries.label(f"{self.name}-1", format="zpl")[:3], b"^XA")
        self.assertEqual(self.drover.deliveries.get(delivery["id"])["reference"], f"{self.name}-1")

    def test_a_list_goes_over_its_pages(self) -> None:
        made = {self.drover.deliveries.create(order(f"{self.name}-listed-{number}"))["id"] for number in range(5)}
        listed = [delivery["id"] for delivery in self.drover.deliveries.list(limit=2)]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertLessEqual(made, set(listed))
        self.assertTrue(self.drover.staff_couriers.list().to_list())

    def test_a_refusal_is_an_error_with_its_code_its_fields_and_the_request_id(self) -> None:
        with self.assertRaises(DroverError) as raised:
            self.drover.deliveries.create(order(f"{self.name}-wrong", parcels=[]))
        error = raised.exception
        self.assertEqual((error.code, error.status), ("invalid_request", 422))
        self.assertEqual(error.errors[0]["field"], "parcels")
        self.assertTrue(error.request_id)

    def test_csv_is_sent_as_it_is(self) -> None:
        with self.assertRaises(DroverError) as raised:
            self.drover.carriers.report_statuses("nobody", "consignment_number,status,at,note\n")
        self.assertEqual(raised.exception.code, "not_found")

    def test_the_feed_has_no_gap_and_its_order_although_its_reader_stops_at_any_event(self) -> None:
        makers = [threading.Thread(target=self._make, args=(f"{self.name}-feed-{maker}", 15)) for maker in range(4)]
        for maker in makers:
            maker.start()
        expected = {f"{self.name}-feed-{maker}-{number}" for maker in range(4) for number in range(15)}
        handled: dict[str, Any] = {}
        stored: str | None = None
        restarts = 0
        while not expected <= {event["data"].get("reference") for event in handled.values()}:
            stop = threading.Event()
            for event in self.drover.events.follow(after=stored, stop=stop, poll_s=0.05):
                handled.setdefault(event["id"], event)
                stored = event["next"]
                # More often, and no reader would reach the end of a page, where its cursor moves on.
                if restarts < RESTARTS and random.random() < 0.1:
                    restarts += 1
                    break
                if expected <= {one["data"].get("reference") for one in handled.values()}:
                    stop.set()
        for maker in makers:
            maker.join()
        self.assertEqual(restarts, RESTARTS)
        listed = [event["id"] for event in self.drover.events.list()]
        self.assertEqual(list(handled), listed[: len(handled)])

    def _make(self, name: str, count: int) -> None:
        for number in range(count):
            self.drover.deliveries.create(order(f"{name}-{number}"))


class AsyncOnTheApi(OnTheApi):
    is_async = True
    name = "async"


class Readme(unittest.TestCase):
    def test_the_programs_of_the_readme_run_as_they_are(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            blocks = re.findall(r"^```python\n# (\w+)\.py\n([\s\S]*?)^```", README.read_text("utf-8"), re.M)
            for name, text in blocks:
                Path(folder, f"{name}.py").write_text(text.replace("http://127.0.0.1:8080", URL), "utf-8")
            sys.path.insert(0, folder)
            self.addCleanup(sys.path.remove, folder)
            programs = {name: importlib.import_module(name) for name, _ in blocks}

        label = programs["ship_order"].ship_order("WC-1001", "2026-11-24T14:00:00+11:00")
        self.assertEqual(label[:5], b"%PDF-")
        self.assertEqual(programs["ship_order"].ship_order("WC-1001", "2026-11-24T14:00:00+11:00"), label)
        self.assertEqual(programs["cancel_order"].cancel_order("WC-1001"), "cancelled")
        self.assertEqual(programs["on_hold"].list_on_hold(), [])

        stop = threading.Event()
        written = []

        class Store:
            def read(self) -> None:
                return None

            def write(self, next: str) -> None:
                written.append(next)
                stop.set()

        programs["follow_events"].follow_events(Store(), stop)
        self.assertEqual(len(written), 1)

        self.assertIsInstance(asyncio.run(programs["count_on_hold"].count_on_hold()), int)

        secret, body = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"type":"delivery.booked","data":{}}'
        now = str(int(time.time()))
        digest = hmac.new(base64.b64decode(secret), b"evt_1.%s.%s" % (now.encode(), body), hashlib.sha256).digest()
        signature = f"v1,{base64.b64encode(digest).decode()}"
        headers = {"webhook-id": "evt_1", "webhook-timestamp": now, "webhook-signature": signature}
        receive = programs["receive_webhook"].receive_webhook
        self.assertEqual(receive(body, headers, f"whsec_{secret}"), 204)
        self.assertEqual(receive(body + b" ", headers, f"whsec_{secret}"), 400)
