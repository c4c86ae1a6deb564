"""A client of the demo account."""

from __future__ import annotations

from typing import Any

from drover import Drover

from .both_clients import make_client


def demo_client(base_url: str, **options: Any) -> Drover:
    return make_client(base_url, client_id="demo-client", client_secret="demo-secret", **options)
