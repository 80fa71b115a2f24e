"""Typed client of Assay's REST API, with the standard library alone."""

from .client import Client, Pages, StreamEnded
from .errors import (
    ApiError,
    ConflictError,
    ForbiddenError,
    InvalidParamsError,
    NotFoundError,
    RateLimitedError,
    ServerError,
    UnauthorizedError,
)

__all__ = [
    "ApiError",
    "Client",
    "ConflictError",
    "ForbiddenError",
    "InvalidParamsError",
    "NotFoundError",
    "Pages",
    "RateLimitedError",
    "ServerError",
    "StreamEnded",
    "UnauthorizedError",
]
