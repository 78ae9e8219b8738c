"""Answer with a stream: the headers and the places of every one, whatever it tells."""

from collections.abc import Callable, Iterator

from flask import Response, request

from service.api.web import config, guest, last_event_id, store
from service.callers.caller import Caller
from service.callers.door import STREAMS
from service.callers.limits import StreamLease

NO_BUFFER = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
RESUMABLE = "The `id` of the last message that you have; like `after`."


def streamed(
    form: str, who: Caller, lines: Callable[[StreamLease], Iterator[bytes]], headers: dict[str, str] | None = None
) -> Response:
    """Answer with the lines, which get a lease to renew and to give back. Raises a Problem for one stream too many."""
    return streamed_to(form, who.meter.who, lines, headers)


def streamed_to(
    form: str, who: str, lines: Callable[[StreamLease], Iterator[bytes]], headers: dict[str, str] | None = None
) -> Response:
    """Answer likewise, with a stream that is counted for whoever has that name."""
    told = (headers or {}) | NO_BUFFER
    if request.method == "HEAD":
        return Response(iter(()), mimetype=form, headers=told)
    guest().take(STREAMS)
    lease = StreamLease(store().redis, who, config().streams)
    return Response(lines(lease), mimetype=form, headers=told)


def resumed(after: int | None) -> int | None:
    """Return where the client wants to go on: after a number in the address, else after the last message it has."""
    return last_event_id() if after is None else after
