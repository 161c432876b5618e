from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

TOLERANCE_SECONDS = 300
"""The allowed difference between the time in a signature and now, in either direction."""


class WebhookVerificationError(Exception):
    """The request does not come from the service, or is old, or is no event. Answer 401 and do nothing."""


def verify_webhook(
    *,
    secret: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    require_signature: bool = False,
    tolerance: int = TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
) -> Any:
    """Returns the event of a request that the service has sent: a `types.StaydEvent`.

    secret: what the registration answered as `secret_token`; several while one is replaced.
    body: the bytes as they came; a body that was parsed and written again has another signature.
    require_signature: the secret in a header is not enough.

    A signature decides where there is one; otherwise the secret in `service-webhook-secret-token`. The same event
    can come twice: remember its `event_id`.
    """
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one]
    if not secrets:
        raise WebhookVerificationError("no secret is set")
    given = {name.lower(): value for name, value in headers.items()}
    is_signed = given.get("webhook-signature", "") != ""
    if is_signed or require_signature:
        _verify_signature(secrets, given, body, tolerance, now())
    elif not _any_same([given.get("service-webhook-secret-token", "")], secrets):
        raise WebhookVerificationError("neither a signature nor the secret")
    return _event(body, given["webhook-id"] if is_signed else None)


def _verify_signature(
    secrets: Sequence[str], headers: Mapping[str, str], body: bytes, tolerance: int, now: float
) -> None:
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not id or not re.fullmatch(r"[1-9][0-9]{0,11}", timestamp):
        raise WebhookVerificationError("not signed")
    if abs(int(now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("the signature is too old, or of the future")
    signed = f"{id}.{timestamp}.".encode() + body
    expected = [
        "v1," + base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode() for secret in secrets
    ]
    if not _any_same(headers["webhook-signature"].split(" ") if "webhook-signature" in headers else [], expected):
        raise WebhookVerificationError("the signature is not of this secret and body")


def _any_same(given: Sequence[str], expected: Sequence[str]) -> bool:
    return any(hmac.compare_digest(one.encode(), other.encode()) for one in given for other in expected)


def _key(secret: str) -> bytes:
    """The bytes after `whsec_`, in base64; any other secret as it is."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"))
    except binascii.Error as error:
        raise WebhookVerificationError("the secret is no base64") from error


def _event(body: bytes, id: str | None) -> Any:
    try:
        event = json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("the body is no JSON") from error
    if not isinstance(event, dict):
        raise WebhookVerificationError("the body is no event")
    if id is not None and "event_id" in event and event["event_id"] != id:
        raise WebhookVerificationError("event_id is not what was signed")
    return event
