"""A way to a server that can fall silent: connections stay open, and nothing comes through any more.

Or it holds what is sent until it is mended, as a network does, or drops all connections.
"""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_REMEMBERED = 65536  # bytes of what was said on a connection, by which `mute` knows it


class Proxy:
    """Listens at a port of its own."""

    def __init__(self, reach: Callable[[], socket.socket], port: int = 0) -> None:
        self._reach = reach
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = int(self._listener.getsockname()[1])
        self._sockets: set[socket.socket] = set()
        self._is_cut = False
        self._flows = threading.Event()
        self._flows.set()
        self._mute: bytes | None = None
        self.rewrite: Callable[[bytes], bytes] = lambda answer: answer
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Nothing comes through any more, on no connection; new ones are taken, and silent, too."""
        self._is_cut = True

    def hold(self) -> None:
        """What is sent from now on arrives when this is mended, also what a client has given up by then."""
        self._flows.clear()

    def drop(self) -> None:
        """Every connection ends at once, whatever is on its way; new ones are taken as ever."""
        for each in list(self._sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._is_cut, self._mute = False, None
        self._flows.set()

    def mute(self, said: bytes) -> None:
        """Every connection on which that was said so far says nothing any more."""
        self._mute = said

    def close(self) -> None:
        self._flows.set()
        for each in (self._listener, *list(self._sockets)):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = self._reach()
            except OSError:  # nobody is there any more
                near.close()
                continue
            for each in (near, far):
                if each.family == socket.AF_INET:
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            said = bytearray()
            self._sockets |= {near, far}
            threading.Thread(target=self._carry, args=(near, far, said), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket, said: bytearray) -> None:
        """Both ways, until both have ended."""
        back = threading.Thread(target=self._pump, args=(far, near, said, None), daemon=True)
        back.start()
        self._pump(near, far, said, said)
        back.join()
        self._sockets -= {near, far}
        near.close()
        far.close()

    def _pump(self, source: socket.socket, sink: socket.socket, said: bytearray, mine: bytearray | None) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                if mine is None:
                    data = self.rewrite(data)
                elif len(mine) < _REMEMBERED:
                    mine += data
                if not (self._is_cut or (self._mute is not None and self._mute in said)):
                    sink.sendall(data)
        for each in (source, sink):  # an error on one way ends both
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy_to_port(port: int) -> Iterator[Proxy]:
    proxy = Proxy(lambda: socket.create_connection(("127.0.0.1", port)))
    try:
        yield proxy
    finally:
        proxy.close()
