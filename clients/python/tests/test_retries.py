from __future__ import annotations

import json
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from unittest import mock

import httpx

from drover import Drover, DroverError
from drover import __version__ as drover_version
from drover._retry import to_delay_s
from drover.types import DeliveryRequest

from .both_clients import BothClients, make_client
from .fake_api import FakeApi, answer, problem

ORDER = cast(DeliveryRequest, {"reference": "order-1001"})
CREATED = answer(201, {"data": {"id": "dlv_1"}})
GONE = problem(404, "not_found")
CUT = httpx.ReadError("connection reset")
WAIT = {"retry-after": "0"}

# What the API answers, how many requests the client sends, and the code of its error.
CASES: dict[str, tuple[list[httpx.Response | Exception], int, str | None]] = {
    "a connection error": ([CUT, CREATED], 2, None),
    "a timeout": ([httpx.ReadTimeout("late"), CREATED], 2, None),
    "408": ([problem(408, "request_timeout", WAIT), CREATED], 2, None),
    "429": ([problem(429, "rate_limited", WAIT), CREATED], 2, None),
    "503": ([problem(503, "service_unavailable", WAIT), CREATED], 2, None),
    "a proxy’s 502": ([httpx.Response(502, content="<h1>"), CREATED], 2, None),
    "the same key in progress": ([problem(409, "idempotency_in_progress", WAIT), CREATED], 2, None),
    "a booking in progress": ([problem(409, "booking_in_progress", WAIT), CREATED], 2, None),
    "three connection errors": ([CUT], 3, "connection_failed"),
    "500": ([problem(500, "internal_error")], 1, "internal_error"),
    "422": ([problem(422, "invalid_request")], 1, "invalid_request"),
    "a reused key": ([problem(422, "idempotency_key_reused")], 1, "idempotency_key_reused"),
    "an hour’s wait": ([problem(429, "rate_limited", {"retry-after": "3600"})], 1, "rate_limited"),
    "a redirect": ([httpx.Response(301, headers={"location": "/"})], 1, "unexpected_answer"),
    "an answer without JSON": ([httpx.Response(200, content="<h1>")], 1, "unexpected_answer"),
}


class Retries(BothClients):
    def setUp(self) -> None:
        super().setUp()
        # Backoff is random: without the waits, the table takes no time.
        self.sleep = mock.Mock()

        async def sleep(seconds: float) -> None:
            self.sleep(seconds)

        for patch in (
            mock.patch("drover._blocking.time.sleep", self.sleep),
            mock.patch("drover._asynchronous.asyncio.sleep", sleep),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def test_after_each_failure_a_create_is_repeated_or_fails_under_one_key(self) -> None:
        for name, (answers, sent, code) in CASES.items():
            with self.subTest(name):
                api = FakeApi(*answers)
                if code is None:
                    self.assertEqual(api.client().deliveries.create(ORDER)["id"], "dlv_1")
                else:
                    with self.assertRaises(DroverError) as raised:
                        api.client().deliveries.create(ORDER)
                    self.assertEqual(raised.exception.code, code)
                self.assertEqual(len(api.sent), sent)
                keys = {request.headers["idempotency-key"] for request in api.sent}
                self.assertEqual(len(keys), 1)
                self.assertRegex(keys.pop(), r"^[\da-f]{8}-[\da-f-]{27}$")

    def test_a_callers_own_key_goes_along_and_a_get_has_no_key(self) -> None:
        api = FakeApi(CREATED)
        drover = api.client()
        drover.deliveries.create(ORDER, idempotency_key="order-1001")
        drover.deliveries.get("a/b ü", store_reference="melbourne-cbd")
        self.assertEqual([request.headers.get("idempotency-key") for request in api.sent], ["order-1001", None])
        self.assertEqual(json.loads(api.sent[0].content), ORDER)
        self.assertEqual(api.sent[0].headers["user-agent"], f"drover-client-python/{drover_version}")
        self.assertEqual(
            str(api.sent[1].url),
            "http://drover.test/demo/deliveries/a%2Fb%20%C3%BC?store_reference=melbourne-cbd",
        )

    def test_an_id_cannot_lead_to_another_operation(self) -> None:
        for wrong in ("", ".", ".."):
            with self.subTest(wrong), self.assertRaises(ValueError):
                FakeApi(CREATED).client().deliveries.get(wrong)

    def test_a_deletion_whose_answer_was_lost_has_succeeded_if_the_thing_is_gone(self) -> None:
        FakeApi(CUT, GONE).client().links.revoke("lnk_1")
        for answers in ([GONE], [problem(429, "rate_limited", WAIT), GONE]):
            with self.assertRaises(DroverError) as raised:
                FakeApi(*answers).client().links.revoke("lnk_1")
            self.assertEqual(raised.exception.code, "not_found")

    def test_a_deletion_that_was_not_sent_because_its_token_request_was_lost_fails_if_the_thing_is_gone(self) -> None:
        api = FakeApi(CUT, answer(200, {"access_token": "token", "expires_in": 3_600}), GONE)
        drover = make_client("http://drover.test", handler=api, client_id="c", client_secret="s")
        with self.assertRaises(DroverError) as raised:
            drover.links.revoke("lnk_1")
        self.assertEqual(raised.exception.code, "not_found")
        self.assertEqual(len(api.sent), 3)

    def test_a_rejected_secret_is_an_error_with_the_code_and_the_description_of_rfc_6749(self) -> None:
        api = FakeApi(answer(401, {"error": "invalid_client", "error_description": "The secret is wrong."}))
        drover = make_client("http://drover.test", handler=api, client_id="c", client_secret="s")
        with self.assertRaises(DroverError) as raised:
            drover.links.revoke("lnk_1")
        error = raised.exception
        self.assertEqual((error.code, error.status, str(error)), ("invalid_client", 401, "The secret is wrong."))
        self.assertEqual(len(api.sent), 1)

    def test_backoff_is_random_up_to_half_a_second_doubled_to_8_seconds(self) -> None:
        for attempt in [*range(12), 5_000]:
            self.assertTrue(0 <= to_delay_s(attempt, None) <= min(8.0, 0.5 * 2 ** min(attempt, 5)))
            self.assertTrue(3.0 <= to_delay_s(attempt, 3.0) <= 3.5)

    def test_retry_after_is_the_least_wait_as_seconds_or_as_a_date(self) -> None:
        FakeApi(problem(429, "rate_limited", {"retry-after": "7"}), CREATED).client().deliveries.create(ORDER)
        self.assertTrue(7 <= self.sleep.call_args.args[0] <= 7.5)
        dated = problem(503, "service_unavailable", {"retry-after": "Fri, 31 Dec 2999 23:59:59 GMT"})
        with self.assertRaises(DroverError) as raised:
            FakeApi(dated).client().deliveries.create(ORDER)
        self.assertGreater(raised.exception.retry_after_s or 0, 3_600)

    def test_work_in_progress_is_waited_for_but_not_for_ever(self) -> None:
        api = FakeApi(problem(409, "booking_in_progress", {"retry-after": "10"}))
        with self.assertRaises(DroverError):
            api.client(max_retries=0).deliveries.create(ORDER)
        self.assertEqual(len(api.sent), 7)

    def test_an_error_has_its_fields_its_request_id_and_the_whole_problem(self) -> None:
        refused = {
            "code": "invalid_request",
            "detail": "The request is wrong.",
            "errors": [{"field": "parcels", "message": "Give at least one.", "code": "too_few"}],
            "request_id": "req_1",
        }
        with self.assertRaises(DroverError) as raised:
            FakeApi(answer(422, refused)).client().deliveries.create(ORDER)
        error = raised.exception
        self.assertEqual((error.code, error.status, error.request_id), ("invalid_request", 422, "req_1"))
        self.assertEqual(error.errors[0]["field"], "parcels")
        self.assertEqual(str(error), "The request is wrong. parcels: Give at least one.")


class TokenApi:
    """Gives a new token for each request of one; `revoked` are rejected."""

    def __init__(self, revoked: tuple[str, ...] = (), lifetime_s: int = 3_600, fails: int = 0) -> None:
        self.tokens = 0
        self._revoked = [f"Bearer {token}" for token in revoked]
        self._lifetime_s = lifetime_s
        self._fails = fails

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/auth/token"):
            self.tokens += 1
            count = self.tokens
            time.sleep(0.02)
            if count <= self._fails:
                return problem(401, "invalid_credentials")
            return answer(200, {"access_token": f"token-{count}", "expires_in": self._lifetime_s})
        if request.headers["authorization"] in self._revoked:
            return problem(401, "unauthorized")
        return answer(200, {"data": {"id": "dlv_1"}})

    def client(self) -> Drover:
        return make_client("http://drover.test", handler=self, client_id="c", client_secret="s")


class Tokens(BothClients):
    def test_fifty_threads_make_one_token_request_and_a_rejected_token_makes_one_more(self) -> None:
        api = TokenApi(revoked=("token-1",))
        drover = api.client()
        together = threading.Barrier(50)

        def get(_: int) -> None:
            together.wait()
            drover.deliveries.get("dlv_1")

        with ThreadPoolExecutor(50) as threads:
            list(threads.map(get, range(50)))
        self.assertEqual(api.tokens, 2)

    def test_a_failed_token_request_fails_for_its_threads_and_the_next_request_tries_again(self) -> None:
        api = TokenApi(fails=1)
        drover = api.client()
        with self.assertRaises(DroverError) as raised:
            drover.deliveries.get("dlv_1", max_retries=0)
        self.assertEqual(raised.exception.code, "invalid_credentials")
        self.assertEqual(drover.deliveries.get("dlv_1")["id"], "dlv_1")

    def test_a_token_that_ends_within_a_minute_is_renewed_before_it_ends(self) -> None:
        api = TokenApi(lifetime_s=600)
        drover = api.client()
        for now_s, expected in [(0, 1), (539, 1), (541, 2)]:
            with mock.patch("drover._token.time.time", return_value=now_s):
                drover.deliveries.get("dlv_1")
            self.assertEqual(api.tokens, expected)

    def test_a_token_function_is_called_before_each_request_and_again_after_401(self) -> None:
        given = iter(["revoked", "valid", "valid"])
        api = TokenApi(revoked=("revoked",))
        drover = make_client("http://drover.test", handler=api, token=lambda: next(given))
        drover.deliveries.get("dlv_1")
        drover.deliveries.get("dlv_1")
        self.assertEqual(list(given), [])
        self.assertEqual(api.tokens, 0)

    def test_a_client_needs_an_id_and_a_secret_or_a_token(self) -> None:
        wrong: list[dict[str, Any]] = [{}, {"client_id": "c"}, {"client_id": "c", "client_secret": "s", "token": str}]
        for options in wrong:
            with self.subTest(options), self.assertRaises(TypeError):
                make_client("http://drover.test", **options)


class Trickle(BaseHTTPRequestHandler):
    """An answer that never ends, one byte at a time."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" ")
                time.sleep(0.01)
        except OSError:
            pass

    def log_message(self, *_: object) -> None:
        pass


class Timeouts(BothClients):
    def test_an_answer_that_trickles_is_a_timeout(self) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Trickle)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with make_client(f"http://127.0.0.1:{server.server_port}", token=lambda: "token") as drover:
            with self.assertRaises(DroverError) as raised:
                drover.stores.get("melbourne-cbd", timeout_s=0.2, max_retries=0)
        self.assertEqual((raised.exception.code, raised.exception.status), ("timeout", None))


class Threads(BothClients):
    def test_a_thread_that_is_interrupted_while_it_requests_the_token_does_not_end_the_others(self) -> None:
        requested, interrupt = threading.Event(), threading.Event()

        def token() -> str:
            if requested.is_set():
                return "valid"
            requested.set()
            interrupt.wait()
            raise KeyboardInterrupt

        drover = FakeApi(answer(200, {"data": {"id": "dlv_1"}})).client(token=token)
        with ThreadPoolExecutor(2) as threads:
            first = threads.submit(drover.deliveries.get, "dlv_1")
            requested.wait()
            second = threads.submit(drover.deliveries.get, "dlv_1")
            # Long enough for the second thread to wait for the first one's token.
            time.sleep(0.05)
            interrupt.set()
            self.assertRaises(KeyboardInterrupt, first.result)
            self.assertEqual(second.result()["id"], "dlv_1")


class AsyncRetries(Retries):
    is_async = True


class AsyncTokens(Tokens):
    is_async = True


class AsyncTimeouts(Timeouts):
    is_async = True
