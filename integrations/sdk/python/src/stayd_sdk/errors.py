from __future__ import annotations


class StaydError(Exception):
    """A failure that the service has told in its envelope. Each code has its class."""

    def __init__(
        self,
        message: str,
        *,
        code: int,
        operation: str,
        request_id: str,
        retry_after_seconds: int | None = None,
        limit_scope: str | None = None,
    ) -> None:
        super().__init__(f"{operation}: {code} {message}")
        self.message = message
        self.code = code
        self.operation = operation
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        """Seconds until a request has room again, with 429."""
        self.limit_scope = limit_scope
        """Which limit stopped the request, with 429: user, endpoint, token or endpoint_error."""


class StaydConnectionError(Exception):
    """No envelope came: no connection, no answer in time, or an answer of something in between."""

    def __init__(self, operation: str, message: str, status: int | None = None) -> None:
        super().__init__(f"{operation}: {message}")
        self.operation = operation
        self.status = status
        """The HTTP status, if there was an answer."""
