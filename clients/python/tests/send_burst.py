"""Sends more requests at once than the account may: `python -m tests.send_burst URL REQUESTS`. Prints what was answered."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from .demo_client import demo_client


def main(base_url: str, total: int) -> None:
    statuses: list[int] = []

    def count(response: httpx.Response) -> None:
        statuses.append(response.status_code)

    drover = demo_client(base_url, on_response=count, max_retries=20)
    started_s = time.monotonic()
    with ThreadPoolExecutor(total) as threads:
        list(threads.map(lambda _: drover.stores.get("melbourne-cbd"), range(total)))
    seconds = time.monotonic() - started_s
    print(json.dumps({"answers": len(statuses), "limited": statuses.count(429), "seconds": seconds}))


main(sys.argv[1], int(sys.argv[2]))
