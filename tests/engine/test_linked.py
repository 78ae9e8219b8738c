"""Rules are linked into doors without machine code of their own, where Numba's inside is known, else as Numba does."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core import types
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary

from engine.compiled import jit
from engine.compiled.linked import is_known
from tests.support.probe import digests

ROOT = Path(__file__).parents[2]
# Does what Numba does, in a way that nobody has read.
OTHERWISE = """
from numba.core.base import BaseContext
before = BaseContext.insert_user_function
BaseContext.insert_user_function = lambda self, function, description, libraries=(): before(
    self, function, description, libraries)
"""


def double(number: int) -> int:
    return 2 * number


def below(number: int) -> int:
    if number == 0:
        return 0
    return 1 + below(number - 1)


def made_by(kind: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A door that calls rules of a kind, one of which calls itself."""
    monkeypatch.setattr(jit, "Rule", kind)
    monkeypatch.setattr(jit, "cache_folder", lambda package: None)
    monkeypatch.setattr(jit, "_say_once", lambda package: None)
    twice, count = jit.jit(double), jit.jit(below)
    monkeypatch.setitem(globals(), "below", count)

    @jit.compiled(types.int64)
    def door(number: int) -> int:
        return twice(number) + count(number)

    return door, twice


def test_the_numba_that_is_installed_was_read() -> None:
    """Whoever raises Numba's bound reads what is named in `engine/compiled/linked.py` anew."""
    assert is_known()
    assert jit.Rule is jit.LinkedRule


@pytest.mark.parametrize("kind", [jit.LinkedRule, jit.PlainRule])
def test_a_door_comes_to_the_same_with_linked_rules_and_with_plain_ones(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    door, _ = made_by(kind, monkeypatch)
    assert door(5) == 15


def test_a_linked_rule_has_no_machine_code_and_python_cant_call_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _, rule = made_by(jit.LinkedRule, monkeypatch)
    (result,) = rule.overloads.values()
    assert not callable(result.entry_point)
    with pytest.raises(TypeError):
        rule(5)


def test_a_numba_that_looks_otherwise_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BaseContext, "insert_user_function", lambda self, function, description, libs=(): None)
    assert not is_known()
    monkeypatch.undo()
    assert is_known()
    monkeypatch.delattr(CPUCodeLibrary, "_get_module_for_linking")
    assert not is_known()


@pytest.mark.soak
def test_games_are_the_same_with_a_numba_that_looks_otherwise(tmp_path: Path) -> None:
    program = OTHERWISE + "import runpy, sys\nsys.argv = ['probe', '4']\n"
    program += "from engine.compiled import jit\nassert jit.Rule is jit.PlainRule\n"
    program += "runpy.run_module('tests.support.probe', run_name='__main__')\n"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "RED_NOVEMBER_CACHE": str(tmp_path)}
    told = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "compiling" in told.stderr
    assert json.loads(told.stdout)["digests"] == digests(4)
