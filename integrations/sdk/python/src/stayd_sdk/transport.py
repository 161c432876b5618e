from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .errors import StaydConnectionError, StaydError
from .generated.errors import ERRORS
from .generated.version import VERSION

SUCCESSES: Final = frozenset({200, 0})
RATE_LIMITED: Final = 429
PASSING: Final = frozenset({500, 502, 503, 504})
"""Failures that may be over at the next attempt."""
FIRST_WAIT_SECONDS: Final = 0.5
PAGE_ROWS: Final = 100


class LeftOut:
    """The type of LEFT_OUT: an argument that is not sent. None is sent, as null."""

    def __repr__(self) -> str:
        return "LEFT_OUT"


LEFT_OUT: Final = LeftOut()


@dataclass(frozen=True)
class Operation:
    """An operation on the wire."""

    id: str
    method: str
    path: str
    query: tuple[str, ...]
    has_body: bool
    is_keyed: bool
    is_read: bool


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token elsewhere."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Transport:
    """Sends requests, takes the envelope off, and repeats what may be repeated."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 3,
        max_wait: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Makes a client.

        base_url: the address of the service, without /v3. token: `./stayd token create` makes one.
        timeout: seconds that one attempt may take. max_retries: attempts after the first.
        max_wait: longest wait for a limit, in seconds; a longer one is raised as RateLimitedError at once.
        """
        self._url = base_url.rstrip("/") + "/v3"
        self._token = token
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_wait = max_wait
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _call(self, operation: Operation, given: Mapping[str, Any], key: str | LeftOut = LEFT_OUT) -> Any:
        """Calls an operation and returns its data.

        Raises StaydError when the service refuses, StaydConnectionError when no answer of the service comes.
        """
        request = self._request(operation, given, key)
        attempt = 0
        while True:
            try:
                return self._attempt(operation, request)
            except (StaydError, StaydConnectionError) as error:
                wait = _wait(error, attempt)
                if attempt >= self._max_retries or not _may_repeat(error, operation) or wait > self._max_wait:
                    raise
            self._sleep(wait)
            attempt += 1

    def _pages(self, read: Callable[..., Any], given: Mapping[str, Any], key: str) -> Iterator[Any]:
        """Reads a list to its end by cursor; by offset from a deployment that knows no cursor."""
        page: dict[str, Any] = {"cursor": "start"}
        seen = 0
        while True:
            data = read(**given, limit=PAGE_ROWS, **page)
            yield from data[key]
            seen += len(data[key])
            if "next_cursor" in data:
                if data["next_cursor"] is None:
                    return
                page = {"cursor": data["next_cursor"]}
            else:
                if not data[key] or seen >= data.get("total", 0):
                    return
                page = {"offset": seen}

    def _request(self, operation: Operation, given: Mapping[str, Any], key: str | LeftOut) -> urllib.request.Request:
        left = {name: value for name, value in given.items() if value is not LEFT_OUT}

        def fill(match: re.Match[str]) -> str:
            return urllib.parse.quote(str(left.pop(match[1])), safe="")

        path = re.sub(r"\{(\w+)\}", fill, operation.path)
        query = {name: _text(left.pop(name)) for name in operation.query if name in left}
        headers = {
            "Accept": "application/json",
            "Service-Access-Token": self._token,
            "User-Agent": f"stayd-sdk-python/{VERSION}",
        }
        if operation.is_keyed:
            headers["Idempotency-Key"] = str(uuid.uuid4()) if isinstance(key, LeftOut) else key
        body = None
        if operation.has_body:
            headers["Content-Type"] = "application/json"
            body = json.dumps(left).encode()
        url = self._url + path + (f"?{urllib.parse.urlencode(query)}" if query else "")
        return urllib.request.Request(url, data=body, headers=headers, method=operation.method)

    def _attempt(self, operation: Operation, request: urllib.request.Request) -> Any:
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                status, headers, content = response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                status, headers, content = error.code, error.headers, error.read()
        except (OSError, http.client.HTTPException) as error:
            raise StaydConnectionError(operation.id, f"no answer: {error}") from error
        envelope = _envelope(content)
        if envelope is None:
            raise StaydConnectionError(operation.id, f"HTTP {status} without an envelope", status)
        code = envelope["error_code"]
        if code in SUCCESSES:
            return envelope.get("data")
        raise ERRORS.get(code, StaydError)(
            envelope.get("error_msg", ""),
            code=code,
            operation=operation.id,
            request_id=envelope.get("request_id", ""),
            retry_after_seconds=_seconds(headers.get("Retry-After")),
            limit_scope=headers.get("X-RateLimit-Scope"),
        )


def _may_repeat(error: StaydError | StaydConnectionError, operation: Operation) -> bool:
    """A limit refuses before anything is done. What may have been done is repeated only where that does no harm."""
    if isinstance(error, StaydError) and error.code == RATE_LIMITED:
        return True
    if not operation.is_read and not operation.is_keyed:
        return False
    return isinstance(error, StaydConnectionError) or error.code in PASSING


def _wait(error: StaydError | StaydConnectionError, attempt: int) -> float:
    if isinstance(error, StaydError) and error.retry_after_seconds is not None:
        return error.retry_after_seconds
    return FIRST_WAIT_SECONDS * float(2**attempt) * (0.5 + random.random() / 2)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _envelope(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("error_code"), int) else None


def _seconds(header: str | None) -> int | None:
    return int(header) if header is not None and re.fullmatch(r"[0-9]{1,9}", header) else None
