"""Conditional GET: a caller who has the present version of something is answered 304, before it is read whole."""

from collections.abc import Callable

from flask import Response, request
from werkzeug.http import unquote_etag


def conditional(validators: Callable[[], dict[str, str]], whole: Callable[[], Response]) -> Response:
    """Answer 304 if `If-None-Match` names the `ETag` that `validators` find; otherwise answer the whole.

    `validators` return the headers that both answers share. They are asked for only where the request is conditional:
    they cost a round trip, and little else.
    """
    known = request.if_none_match
    if known:
        headers = validators()
        if known.contains_weak(unquote_etag(headers["ETag"])[0]):
            return Response(status=304, headers=headers)
    return whole()
