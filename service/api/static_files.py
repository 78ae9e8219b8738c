"""Serve what is the same for everybody: compressed for whoever takes that, and 304 for whoever has it."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property

from flask import Response, request


def takes_gzip() -> bool:
    """Return whether the client can unpack what is compressed."""
    return request.accept_encodings.quality("gzip") > 0


@dataclass(frozen=True)
class StaticFile:
    """A text that stays as it is while a process lives."""

    content: bytes
    media_type: str

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self.content, mtime=0)

    @cached_property
    def _tag(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:16]

    def reply(self, headers: dict[str, str]) -> Response:
        """Answer with the file, or with 304 where `If-None-Match` names it."""
        packs = takes_gzip()
        response = Response(self._packed if packs else self.content, headers=headers, mimetype=self.media_type)
        response.vary.add("Accept-Encoding")
        if packs:
            response.headers["Content-Encoding"] = "gzip"
        response.set_etag(self._tag, weak=True)  # both forms say the same
        response.make_conditional(request)
        return response
