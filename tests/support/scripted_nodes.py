"""Nodes of a cluster that answer what a test has put down for them: odd things, that real ones say in rare moments."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import hiredis

HOST = "127.0.0.1"
OK = b"+OK\r\n"
_LAST_SLOT = 16383

Command = tuple[str, ...]
Answer = Callable[[Command], bytes]


@dataclass
class ScriptedNode:
    """A node that holds the first of all for the only master. What it is asked besides is answered by `answer`."""

    answer: Answer = lambda _: OK
    asked: list[Command] = field(default_factory=list)  # but for how nodes are met
    looks: int = 0  # at the map
    port: int = 0

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def says(self, *answers: bytes) -> None:
        """Answer these one after the other, and the last one ever after."""
        left = list(answers)
        self.answer = lambda _: left.pop(0) if len(left) > 1 else left[0]


def error(text: str) -> bytes:
    return f"-{text}\r\n".encode()


@contextmanager
def scripted_nodes(count: int = 1) -> Iterator[list[ScriptedNode]]:
    """Run that many nodes; all slots are the first one's, and all of them say so."""
    nodes = [ScriptedNode() for _ in range(count)]
    with ExitStack() as stack:
        for node in nodes:
            stack.enter_context(_running(node, nodes[0]))
        yield nodes


@contextmanager
def _running(node: ScriptedNode, first: ScriptedNode) -> Iterator[None]:
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            reader = hiredis.Reader()
            while data := self.request.recv(65536):
                reader.feed(data)
                while (command := reader.gets()) is not False:
                    self.request.sendall(reply_to(tuple(part.decode() for part in command)))

    def reply_to(command: Command) -> bytes:
        if command[:2] == ("CLUSTER", "SLOTS"):
            node.looks += 1
            return b"*1\r\n*3\r\n:0\r\n:%d\r\n*2\r\n$9\r\n%s\r\n:%d\r\n" % (_LAST_SLOT, HOST.encode(), first.port)
        if command[0] in ("CLIENT", "HELLO", "INFO"):
            return OK if command[0] != "INFO" else _bulk("master_replid:" + 40 * "a")
        node.asked.append(command)
        return node.answer(command)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server((HOST, 0), Handler) as server:
        node.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def _bulk(text: str) -> bytes:
    return b"$%d\r\n%s\r\n" % (len(text), text.encode())
