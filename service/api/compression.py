"""Compress texts that are worth it, for whoever can unpack them.

An answer that may hold a secret stays as it is: the size of a compressed text tells what in it repeats, so whoever can
bring words of theirs into it could guess the secret letter by letter. Tokens are told in answers to changes alone, so
that those are left out, and all that is read is free of them. Streams stay as they are too: each line goes out at once.
"""

import gzip

from flask import Request, Response

from service.api.static_files import takes_gzip

SMALLEST = 1024  # bytes that are worth it: less goes out in one packet anyway
FASTEST = 1  # level: 15 µs for a state, to two fifths of its size; the best one saves little more
_TEXTS = ("application/json", "application/problem+json", "application/x-ndjson", "image/svg+xml")
_READING = ("GET", "HEAD")


def compress(request: Request, response: Response) -> None:
    """Compress an answer if that is safe and worth it; tell caches that the answer depends on whether it was asked."""
    status, headers = response.status_code, response.headers
    if status not in (200, 304) or request.method not in _READING or response.is_streamed:
        return
    if status == 200 and not _is_text(headers.get("Content-Type", "").partition(";")[0]):
        return
    varies = headers.get("Vary", "")
    if "Accept-Encoding" in varies:  # whoever made it has seen to that
        return
    headers["Vary"] = f"{varies}, Accept-Encoding" if varies else "Accept-Encoding"
    if "HTTP_ACCEPT_ENCODING" not in request.environ or (response.content_length or 0) < SMALLEST or not takes_gzip():
        return
    response.set_data(gzip.compress(response.get_data(), FASTEST, mtime=0))
    headers["Content-Encoding"] = "gzip"


def _is_text(media_type: str) -> bool:
    return media_type in _TEXTS or media_type.startswith("text/")
