"""A typed client of stayd."""

from .client import Stayd
from .errors import StaydConnectionError, StaydError
from .generated import types
from .generated.errors import *  # noqa: F403
from .generated.errors import ERRORS
from .generated.version import VERSION
from .transport import LEFT_OUT, LeftOut
from .webhook import WebhookVerificationError, verify_webhook

__version__ = VERSION
__all__ = [
    "LEFT_OUT",
    "LeftOut",
    "Stayd",
    "StaydConnectionError",
    "StaydError",
    "VERSION",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
    *(error.__name__ for error in ERRORS.values()),
]
