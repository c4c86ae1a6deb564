from __future__ import annotations

import json
import unittest
from datetime import datetime, timezone
from email.message import Message
from typing import Any

import httpx

from drover import WebhookError, verify_webhook

try:
    from standardwebhooks import Webhook
except ImportError:
    Webhook = None  # type: ignore[assignment,misc]

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
NOW_S = datetime(2026, 11, 24, 10, tzinfo=timezone.utc).timestamp()
MESSAGE = {
    "type": "delivery.booked",
    "timestamp": "2026-11-24T10:00:00Z",
    "sequence": 2,
    "data": {"reference": "Café 1"},
}
BODY = json.dumps(MESSAGE, ensure_ascii=False, separators=(",", ":"))
# By the library of Standard Webhooks for JavaScript.
SIGNATURE = "v1,kCpPMeqEblOBQLrDyS3lffvmtpjgcT118D6IeopFsOA="
OTHER_SIGNATURE = "v1,WS5O0egWBIzkTGmWPQ1NlmRfO3/5jtyFd3cMlTHUfGc="
HEADERS = {"webhook-id": "evt_1", "webhook-timestamp": str(int(NOW_S)), "webhook-signature": SIGNATURE}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another secret": ({"secret": OTHER}, "signature_mismatch"),
    "a changed body": ({"body": BODY.replace("booked", "failed")}, "signature_mismatch"),
    "another id": ({"headers": {**HEADERS, "webhook-id": "evt_9"}}, "signature_mismatch"),
    "no signature of version 1": ({"headers": {**HEADERS, "webhook-signature": "v2,AAAA"}}, "signature_mismatch"),
    "no base64": ({"headers": {**HEADERS, "webhook-signature": "v1,§"}}, "signature_mismatch"),
    "an empty signature": ({"headers": {**HEADERS, "webhook-signature": "v1,"}}, "signature_mismatch"),
    "a missing header": ({"headers": {**HEADERS, "webhook-id": ""}}, "header_missing"),
    "a timestamp in words": ({"headers": {**HEADERS, "webhook-timestamp": "now"}}, "timestamp_out_of_tolerance"),
    "an old webhook": ({"now_s": NOW_S + 301}, "timestamp_out_of_tolerance"),
    "a webhook of the future": ({"now_s": NOW_S - 301}, "timestamp_out_of_tolerance"),
}


class Webhooks(unittest.TestCase):
    def test_a_webhook_is_verified_as_text_as_bytes_and_with_each_kind_of_headers(self) -> None:
        message = Message()
        for name, value in HEADERS.items():
            message[name.title()] = value
        lists = {name.upper(): [value] for name, value in HEADERS.items()}
        for headers in (HEADERS, httpx.Headers(HEADERS), message, lists):
            for body in (BODY, BODY.encode()):
                event = verify_webhook(body=body, headers=headers, secret=SECRET, now_s=NOW_S)
                self.assertEqual(event, {**MESSAGE, "id": "evt_1"})

    def test_during_a_rotation_either_secret_verifies(self) -> None:
        both = {**HEADERS, "webhook-signature": f"{SIGNATURE} v1a,ignored {OTHER_SIGNATURE}"}
        self.assertEqual(verify_webhook(body=BODY, headers=both, secret=OTHER, now_s=NOW_S)["id"], "evt_1")
        event = verify_webhook(body=BODY, headers=HEADERS, secret=[OTHER, SECRET], now_s=NOW_S)
        self.assertEqual(event["id"], "evt_1")

    def test_each_wrong_webhook_is_refused_with_its_code(self) -> None:
        for name, (over, code) in REFUSED.items():
            given: dict[str, Any] = {"body": BODY, "headers": HEADERS, "secret": SECRET, "now_s": NOW_S, **over}
            with self.subTest(name), self.assertRaises(WebhookError) as raised:
                verify_webhook(**given)
            self.assertEqual(raised.exception.code, code)

    def test_five_minutes_either_way_are_accepted(self) -> None:
        for now_s in (NOW_S - 299, NOW_S + 299):
            verify_webhook(body=BODY, headers=HEADERS, secret=SECRET, now_s=now_s)

    def test_a_secret_that_is_not_base64_is_a_mistake_of_the_caller(self) -> None:
        with self.assertRaises(ValueError):
            verify_webhook(body=BODY, headers=HEADERS, secret="whsec_§", now_s=NOW_S)

    @unittest.skipUnless(Webhook, "standardwebhooks is not installed")
    def test_what_standardwebhooks_signs_is_verified(self) -> None:
        now = datetime.now(timezone.utc)
        signature = Webhook(SECRET).sign("evt_2", now, BODY)
        headers = {
            "webhook-id": "evt_2",
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": signature,
        }
        self.assertEqual(verify_webhook(body=BODY, headers=headers, secret=SECRET)["id"], "evt_2")
        self.assertEqual(Webhook(SECRET).sign("evt_1", datetime.fromtimestamp(NOW_S, timezone.utc), BODY), SIGNATURE)
