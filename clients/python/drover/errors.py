"""Errors of requests that failed."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal, Union, cast

if TYPE_CHECKING:
    from .types import FieldError, Problem, ProblemCode

#: Of a token request (RFC 6749, section 5.2); `invalid_request` is also a code of the API.
TokenErrorCode = Literal["invalid_client", "invalid_scope", "unsupported_grant_type"]
#: The API's own codes, those of a token request, and three of the client: no answer, an answer too late, an answer that
#: is not the API's.
DroverErrorCode = Union["ProblemCode", TokenErrorCode, Literal["connection_failed", "timeout", "unexpected_answer"]]


class DroverError(Exception):
    """A request that failed, after its retries. `code` says why; `/docs/errors` of any installation explains each."""

    def __init__(
        self,
        code: DroverErrorCode,
        message: str,
        *,
        status: int | None = None,
        problem: Problem | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code: DroverErrorCode = code
        #: HTTP status; None if there was no answer.
        self.status = status
        #: The whole answer (RFC 9457), with the details of its code, such as `delivery_id`.
        self.problem = problem
        #: One entry for each wrong field; usually empty.
        self.errors: Sequence[FieldError] = (problem.get("errors") if problem else None) or []
        #: For the operator: it finds the request in the logs.
        self.request_id = request_id or (problem.get("request_id") if problem else None)
        #: How long the API asked to wait; None if it did not.
        self.retry_after_s = retry_after_s


def to_drover_error(status: int, headers: Mapping[str, str], body: bytes) -> DroverError:
    """The error of an answer that is not 2xx. A proxy's answer has no code of ours."""
    answer = _parse_object(body)
    problem = _to_problem(answer)
    request_id = headers.get("x-request-id")
    retry_after_s = _to_retry_after_s(headers.get("retry-after"))
    error = answer.get("error")
    if problem is None and isinstance(error, str):
        description = answer.get("error_description")
        message = description if isinstance(description, str) else f"The token request failed: {error}."
        return DroverError(
            cast("TokenErrorCode", error), message, status=status, request_id=request_id, retry_after_s=retry_after_s
        )
    if problem is None:
        message = f"The response ({status}) is not from Drover. Check base_url, and any proxy in between."
        return DroverError(
            "unexpected_answer", message, status=status, request_id=request_id, retry_after_s=retry_after_s
        )
    fields = "".join(f" {one['field']}: {one['message']}" for one in problem.get("errors") or [])
    return DroverError(
        problem["code"],
        f"{problem['detail']}{fields}",
        status=status,
        problem=problem,
        request_id=request_id,
        retry_after_s=retry_after_s,
    )


def _parse_object(body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _to_problem(answer: Mapping[str, Any]) -> Problem | None:
    is_problem = all(isinstance(answer.get(name), str) for name in ("code", "detail"))
    return cast("Problem", answer) if is_problem else None


def _to_retry_after_s(header: str | None) -> float | None:
    """RFC 9110: seconds or a date."""
    if not header:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
