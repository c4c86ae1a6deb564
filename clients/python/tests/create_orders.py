"""Creates deliveries in threads until the standard input ends: `python -m tests.create_orders URL THREADS BODY`.

Prints the reference and the id of each. Fails with the first error of a thread.
"""

from __future__ import annotations

import json
import sys
import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import cast

from drover.types import DeliveryRequest

from .demo_client import demo_client


def main(base_url: str, count: int, body: str) -> None:
    drover = demo_client(base_url, max_retries=30)
    stop = threading.Event()
    printing = threading.Lock()

    def create(thread: int) -> None:
        number = 0
        while not stop.is_set():
            reference = f"order-{thread}-{number}"
            order = cast(DeliveryRequest, {**json.loads(body), "reference": reference})
            made = drover.deliveries.create(order)
            with printing:
                print(json.dumps({"reference": reference, "id": made["id"]}), flush=True)
            number += 1

    def wait_for_end() -> None:
        sys.stdin.read()
        stop.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    with ThreadPoolExecutor(count) as threads:
        tasks = [threads.submit(create, thread) for thread in range(count)]
        wait(tasks, return_when=FIRST_EXCEPTION)
        stop.set()
    for task in tasks:
        task.result()


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
