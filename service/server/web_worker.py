"""Run gunicorn's gevent worker behind a front door.

It limits what a connection may send and how much of a process an address may have, lets operators in when all else is
full, and stops promptly.
"""

import socket
from typing import Any

import gevent
from gunicorn import glogging, util
from gunicorn.workers.ggevent import GeventWorker

from service.callers.door import CONNECTIONS, NOT_COUNTED, Door, open_door
from service.callers.origin import network_of
from service.refusals import Problem
from service.server import binds
from service.server.connection import Connection
from service.server.heads import Settings

DEAF = 2  # times what an address may have refused: then nothing of it is listened to, not even a request's head
DEAF_SECONDS = 1.0  # that it then waits for its answer: who asks again and again costs next to nothing
SEND_BYTES = 128 * 1024  # that the kernel keeps for a connection; of itself it would keep four megabytes
LOOK_SECONDS = 1.0  # between looks whether those who wait are still there


class Logger(glogging.Logger):  # type: ignore[misc]
    def access(self, *_: Any) -> None:
        """Log nothing: `traffic.py` logs requests."""


class Worker(GeventWorker):  # type: ignore[misc]
    """The worker that `gunicorn_conf.py` names.

    What it overrides has no settings in gunicorn; pyproject.toml names the versions that it is written for.
    """

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self.idle: dict[Any, bool] = {}  # connections without a request, the longest first; whether they are public

    def run(self) -> None:
        found = self.wsgi.extensions
        self.config, self.traffic = found["config"], found["traffic"]
        self.settings = Settings(self.cfg)
        self._operations, self._back_door = found["operations"], open_door()
        self.door = Door(self.config, self.worker_connections)
        addresses = [util.parse_address(address) for address in binds.every(binds.ops_bind())]
        self._for_operators = {
            id(listener) for listener, address in zip(self.sockets, self.cfg.address) if address in addresses
        }
        for listener in self.sockets:
            self._mind_the_unread(listener)
        gevent.spawn(self._look_around)
        super().run()

    def _mind_the_unread(self, listener: Any) -> None:
        """Let the kernel buffer little for connections that do not read, and break them off; they inherit it."""
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        if listener.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * self.config.send_seconds)

    def _look_around(self) -> None:
        while True:
            gevent.sleep(LOOK_SECONDS)
            self.door.look_around()
            self.traffic.note_held(self.door.held())

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        client.setblocking(True)
        try:
            if id(listener) in self._for_operators:
                Connection(self, self._back_door, listener, client, addr, NOT_COUNTED, self._operations).serve()
            else:
                self._let_in(listener, client, addr)
        finally:
            util.close(client)

    def _let_in(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection, if its address has a place left. Behind proxies each request tells whose it is."""
        address = network_of(addr[0]) if addr and not self.config.proxies else NOT_COUNTED
        connection = Connection(self, self.door, listener, client, addr, address, self.wsgi)
        if not self.door.take(CONNECTIONS, address):
            connection.refuse(self.door.too_many(CONNECTIONS), briefly=True)
            return
        self.door.open += 1
        try:
            self.door.refusals.check(address, DEAF)
            if (lacking := self.door.lacking) > 0:
                self.let_idle_go(lacking)
            connection.serve()
        except Problem as problem:
            if self.door.lacking < 1:
                gevent.sleep(DEAF_SECONDS)
            connection.refuse(problem, briefly=True)
        finally:
            self.door.open -= 1
            self.door.give_back(CONNECTIONS, address)

    def let_idle_go(self, most: int | None = None) -> None:
        """End connections that wait for a next request, as if their clients had: all, or so many public ones.

        One on which a request arrives just now is still answered.
        """
        idle = [client for client, public in self.idle.items() if public or most is None]
        for client in idle[:most]:
            self.idle.pop(client, None)
            try:
                client.shutdown(socket.SHUT_RD)
            except OSError as error:
                self.log.debug("ended already: %s", error)
