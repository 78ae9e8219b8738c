"""What nodes of a cluster answer in rare moments, one after the other, and what the client makes of it."""

import threading
import time
from collections.abc import Iterator

import pytest
from redis.exceptions import RedisError

from service.store.cluster import MOMENT_SECONDS, ClusterClient, slot_of
from service.store.cluster_map import REFRESH_SECONDS
from tests.support.scripted_nodes import HOST, OK, ScriptedNode, error, scripted_nodes
from tests.support.serving import free_port

KEY = "{p17}:key"
SLOT = slot_of(KEY)
WRITE, WAIT = ("SET", KEY, "1"), ("WAIT", "1", "100")


@pytest.fixture
def nodes() -> Iterator[list[ScriptedNode]]:
    with scripted_nodes(2) as made:
        yield made


@pytest.fixture
def client(nodes: list[ScriptedNode]) -> Iterator[ClusterClient]:
    made = ClusterClient.connect(f"redis+cluster://{nodes[0].address}")
    yield made
    made.close()


@pytest.mark.parametrize(
    "refusal",
    [
        "CLUSTERDOWN The cluster is down",
        "CLUSTERDOWN Hash slot not served",
        "READONLY You can't write against a read only replica.",
        "LOADING Redis is loading the dataset in memory",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    ],
)
def test_what_passes_is_waited_for_and_the_map_is_looked_at(
    nodes: list[ScriptedNode], client: ClusterClient, refusal: str
) -> None:
    nodes[0].says(error(refusal), error(refusal), OK)
    assert client.ask(WRITE) == [b"OK"]
    assert nodes[0].asked == [WRITE] * 3
    assert nodes[0].looks == 3, "once at first, and after each refusal"


def test_all_who_fail_at_once_share_a_look_at_the_map(nodes: list[ScriptedNode], client: ClusterClient) -> None:
    client.ask(WRITE)
    nodes[0].looks = 0
    is_up = threading.Event()
    nodes[0].answer = lambda _: OK if is_up.is_set() else error("CLUSTERDOWN The cluster is down")
    began = time.monotonic()
    crowd = [threading.Thread(target=client.ask, args=(WRITE,)) for _ in range(20)]
    for one in crowd:
        one.start()
    while nodes[0].looks < 3:
        time.sleep(0.01)
    is_up.set()
    for one in crowd:
        one.join()
    assert nodes[0].looks <= 2 + (time.monotonic() - began) / REFRESH_SECONDS


def test_asking_goes_before_each_command_whatever_it_is(nodes: list[ScriptedNode], client: ClusterClient) -> None:
    first, other = nodes
    first.says(error(f"ASK {SLOT} {other.address}"), OK)
    assert client.ask(WRITE, WAIT) == [b"OK", b"OK"]
    assert other.asked == [("ASKING",), WRITE, ("ASKING",), WAIT]
    assert client.map.owner(SLOT).address[1] == first.port, "the slot has not moved yet"


def test_a_slot_that_has_moved_is_believed_to_be_there_and_its_wait_goes_with_it(
    nodes: list[ScriptedNode], client: ClusterClient
) -> None:
    first, other = nodes
    first.says(error(f"MOVED {SLOT} {other.address}"), OK)
    assert client.ask(WRITE, WAIT) == [b"OK", b"OK"]
    assert other.asked == [WRITE, WAIT]
    assert client.map.owner(SLOT).address[1] == other.port


def test_a_node_without_a_name_is_where_it_was_asked(nodes: list[ScriptedNode], client: ClusterClient) -> None:
    """A node that does not know its own address tells the port alone."""
    nodes[0].says(error(f"MOVED {SLOT} :{nodes[1].port}"))
    client.ask(WRITE)
    assert client.map.owner(SLOT).address == (HOST, nodes[1].port)


@pytest.mark.parametrize("word", ["MOVED", "ASK"])
def test_a_node_that_is_told_of_and_is_not_there_is_not_asked_again(
    nodes: list[ScriptedNode], client: ClusterClient, word: str
) -> None:
    nodes[0].says(error(f"{word} {SLOT} {HOST}:{free_port()}"), OK)
    assert client.ask(WRITE) == [b"OK"]


@pytest.mark.parametrize("word", ["MOVED", "ASK"])
def test_nodes_that_send_each_other_whoever_asks_are_asked_with_pauses_and_given_up(
    nodes: list[ScriptedNode], client: ClusterClient, word: str
) -> None:
    """Each of two holds the other for the owner, as for a moment after a failover, or when a move breaks off."""
    first, other = nodes
    client.patience = 0.3
    first.says(error(f"{word} {SLOT} {other.address}"))
    other.answer = lambda command: error(f"MOVED {SLOT} {first.address}") if command != ("ASKING",) else OK
    began = time.monotonic()
    with pytest.raises(RedisError, match=f"^({word}|MOVED)? ?{SLOT}"):
        client.ask(WRITE)
    rounds = sum(command == WRITE for node in nodes for command in node.asked)
    assert 3 < rounds <= 3 + (time.monotonic() - began) / MOMENT_SECONDS


def test_keys_that_are_apart_are_asked_for_with_pauses_until_they_are_together(
    nodes: list[ScriptedNode], client: ClusterClient
) -> None:
    nodes[0].says(*[error("TRYAGAIN Multiple keys request during rehashing of slot")] * 5, OK)
    began = time.monotonic()
    assert client.ask(WRITE) == [b"OK"]
    assert time.monotonic() - began >= 5 * MOMENT_SECONDS
    assert nodes[0].looks == 1, "the map is as good as before"


def test_what_a_node_refuses_for_good_is_not_sent_again(nodes: list[ScriptedNode], client: ClusterClient) -> None:
    nodes[0].says(error("CROSSSLOT Keys in request don't hash to the same slot"))
    with pytest.raises(RedisError, match="same slot"):
        client.ask(WRITE, WAIT)
    assert nodes[0].asked == [WRITE, WAIT]
