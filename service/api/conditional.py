"""Conditional requests: changes to the version that was seen, and a 304 for whoever has the present version already."""

from collections.abc import Callable

from flask import Response, request
from werkzeug.datastructures import ETags
from werkzeug.http import unquote_etag

from service.api.application import Response as Whole
from service.refusals import bad_header


def expected() -> ETags | None:
    """Return the `ETag`s of which the request wants one to be the present one; refuse a header that names none."""
    if "If-Match" not in request.headers:
        return None
    if not request.if_match:
        detail = "If-Match: must be the ETag that you saw, quotes and all, or `*`"
        raise bad_header("bad_request", "If-Match", "format", detail)
    return request.if_match


def conditional(validators: Callable[[], dict[str, str]], whole: Callable[[], Response]) -> Response:
    """Answer 304 if `If-None-Match` names the `ETag` that `validators` find; otherwise answer the whole.

    `validators` return the headers that both answers share. They are asked for only where the request is conditional:
    they cost a round trip, and little else.
    """
    known = request.if_none_match
    if known:
        headers = validators()
        if known.contains_weak(unquote_etag(headers["ETag"])[0]):
            return Whole(status=304, headers=headers)
    return whole()
