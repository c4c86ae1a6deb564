"""Verifies the webhook on the standard input, and with `standardwebhooks` where it is installed; prints its event."""

from __future__ import annotations

import json
import sys

from drover import verify_webhook

given = json.load(sys.stdin)
event = verify_webhook(**given)
try:
    from standardwebhooks import Webhook
except ImportError:
    pass
else:
    message = Webhook(given["secret"]).verify(given["body"], given["headers"])
    assert {**message, "id": event["id"]} == event
print(json.dumps(event))
