"""A client of the demo account."""

from __future__ import annotations

from typing import Any

from drover import Drover


def demo_client(base_url: str, **options: Any) -> Drover:
    return Drover(base_url, "demo", client_id="demo-client", client_secret="demo-secret", **options)
