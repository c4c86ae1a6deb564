"""Mistakes that mypy must find: under `strict`, an `ignore` without one is an error. Never run."""

from __future__ import annotations

from drover import Drover, DroverError


def make_mistakes(drover: Drover) -> None:
    # There is no such status.
    drover.deliveries.list(status="lost")  # type: ignore[arg-type]
    # Most of the order is missing.
    drover.deliveries.create({"reference": "order-1001"})  # type: ignore[typeddict-item]
    # The TypeScript client's spelling.
    drover.deliveries.get("order-1001", idempotencyKey="order-1001")  # type: ignore[call-arg]
    try:
        # A delivery has no such field.
        drover.deliveries.get("order-1001")["carrier_name"]  # type: ignore[typeddict-item]
    except DroverError as error:
        # There is no such code.
        print(error.code == "duplicate")  # type: ignore[comparison-overlap]
