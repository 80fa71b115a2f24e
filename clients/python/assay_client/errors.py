"""The errors of the API as classes. A code that this client does not know is told apart by its status."""

from __future__ import annotations

import json
from typing import Any, Mapping


class ApiError(Exception):
    """An answer with an error status."""

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: int | None = None) -> None:
        super().__init__(body.get("message") or f"The server answered {status}.")
        self.status = status
        self.code: str = body.get("code", "UNKNOWN")
        self.details: list[dict[str, str]] = body.get("details", [])
        """Every fault of the request."""
        self.request_id: str | None = body.get("request_id")
        """Name it when you report a fault of the server."""
        self.retry_after = retry_after
        """Whole seconds to wait before the next try, where the server said so."""


class InvalidParamsError(ApiError):
    """400, 405, 413, 414, 415: the request is not right."""


class UnauthorizedError(ApiError):
    """401: no key, or none that is valid."""


class ForbiddenError(ApiError):
    """403: the plan does not allow it."""


class NotFoundError(ApiError):
    """404: not indexed, or no such alert."""


class ConflictError(ApiError):
    """409: the Idempotency-Key was used for something else."""


class RateLimitedError(ApiError):
    """429: a limit is used up, and waiting for ``retry_after`` was not allowed."""


class ServerError(ApiError):
    """5xx: the server failed, or has too much to do."""


_BY_STATUS: dict[int, type[ApiError]] = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
}


def to_error(status: int, headers: Mapping[str, str], text: bytes) -> ApiError:
    """The error of an answer; its body may be something else than ours, as of a proxy."""
    try:
        body = json.loads(text).get("error", {})
    except (ValueError, AttributeError):
        body = {}
    seconds = headers.get("Retry-After") or ""
    retry_after = int(seconds) if seconds.isascii() and seconds.isdigit() else None
    cls = ServerError if status >= 500 else _BY_STATUS.get(status, InvalidParamsError)
    return cls(status, body if isinstance(body, dict) else {}, retry_after)
