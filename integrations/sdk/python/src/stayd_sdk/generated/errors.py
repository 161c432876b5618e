# Made by `npm run integrations` from the OpenAPI document; do not change it by hand.
from __future__ import annotations

from ..errors import StaydError


class BadRequestError(StaydError):
    """error_code 400: Bad request."""


class UnauthorizedError(StaydError):
    """error_code 401: Invalid access token"""


class ForbiddenError(StaydError):
    """error_code 403: This resource belongs to another operator."""


class NotFoundError(StaydError):
    """error_code 404: Not found."""


class ConflictError(StaydError):
    """error_code 409: Conflict."""


class AccountError(StaydError):
    """error_code 420: Subscription expired"""


class ValidationError(StaydError):
    """error_code 422: Validation failed."""


class RateLimitedError(StaydError):
    """error_code 429: Too Many Attempts."""


class ServerError(StaydError):
    """error_code 500: Server error."""


class NotEnabledError(StaydError):
    """error_code 501: This feature is not enabled."""


class UpstreamError(StaydError):
    """error_code 502: A channel failed."""


class UnavailableError(StaydError):
    """error_code 503: Temporarily unavailable."""


class UpstreamTimeoutError(StaydError):
    """error_code 504: A channel did not answer in time."""


ERRORS: dict[int, type[StaydError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    420: AccountError,
    422: ValidationError,
    429: RateLimitedError,
    500: ServerError,
    501: NotEnabledError,
    502: UpstreamError,
    503: UnavailableError,
    504: UpstreamTimeoutError,
}
