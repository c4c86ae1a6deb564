"""The Python client of Drover’s API: quotes, deliveries, labels, the events feed and webhooks."""

from ._version import VERSION as __version__
from ._call import CallOptions
from ._client import AsyncDrover, Drover
from ._events import AsyncEventFeed, EventFeed, FollowedEvent
from ._pages import AsyncPages, Page, Pages
from .errors import DroverError, DroverErrorCode
from .webhooks import WebhookError, WebhookEvent, verify_webhook

__all__ = [
    "AsyncDrover",
    "AsyncEventFeed",
    "AsyncPages",
    "CallOptions",
    "Drover",
    "DroverError",
    "DroverErrorCode",
    "EventFeed",
    "FollowedEvent",
    "Page",
    "Pages",
    "WebhookError",
    "WebhookEvent",
    "__version__",
    "verify_webhook",
]
