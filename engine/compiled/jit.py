"""The two decorators that compile the rules, and where the machine code is kept.

`@jit` marks a rule: it is compiled into whatever calls it. `@compiled(signature)` marks a door through which Python
enters: it is compiled at import, once for each machine, and kept in a folder named after a hash of the sources. An edit
of any file of the package leads to a new folder, so that stale code can't be loaded.

The folder is `$RED_NOVEMBER_CACHE` if that is set, else `__pycache__` beside the sources or the user's cache folder:
the one that already holds the code, or the first that can be written. With none, every process compiles for itself.
"""

import fcntl
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import config, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import CPUDispatcher

from engine.compiled.linked import LinkedDispatcher, is_known

F = TypeVar("F", bound=Callable[..., Any])

PACKAGES = Path(__file__).resolve().parents[2]
OPTIONS = {"nopython": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}

if config.DISABLE_JIT:
    # Compiled code wraps 64-bit words silently; interpreted NumPy scalars would warn each time.
    np.seterr(over="ignore")


@cache
def source_key(package: str) -> str:
    """Hash everything that a package's machine code depends on: its sources, the engine's, versions and flags."""
    digest = hashlib.sha256()
    for name in sorted({"engine", package}):
        for path in sorted((PACKAGES / name).rglob("*.py")):
            digest.update(f"{path.relative_to(PACKAGES)}\0".encode())
            digest.update(path.read_bytes())
    flags = (config.BOUNDSCHECK, config.OPT, config.CPU_NAME, config.CPU_FEATURES)
    digest.update(repr((sys.version_info, numba.__version__, np.__version__, flags)).encode())
    return digest.hexdigest()[:16]


def _processor() -> str:
    """Name the processor that the code is compiled for: code of another machine must not be loaded."""
    name = config.CPU_NAME or llvm.get_host_cpu_name()
    features = config.CPU_FEATURES or ("" if config.CPU_NAME else llvm.get_host_cpu_features().flatten())
    return hashlib.sha256(f"{name} {features}".encode()).hexdigest()[:8]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _user_folders(name: str) -> list[Path]:
    """Return the user's cache folder, if any: some containers have a user without a home."""
    try:
        cache_home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return []
    return [cache_home / "red-november" / name]


@cache
def cache_folder(package: str) -> Path | None:
    """Return the folder with a package's machine code, or the one for it; None if nothing can be written."""
    name = f"compiled-{source_key(package)}-{_processor()}"
    wanted = os.environ.get("RED_NOVEMBER_CACHE")
    folders = [Path(wanted) / name] if wanted else [PACKAGES / package / "__pycache__" / name, *_user_folders(name)]
    kept = (folder for folder in folders if any(folder.glob("*.nbi")))
    return next(kept, None) or next(filter(_writable, folders), None)


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Let processes that compile at once wait for each other, so that the second loads what the first made."""
    try:
        lock = (folder / "lock").open("a")
    except OSError:
        yield  # A read-only folder: nobody writes, so there is nobody to wait for.
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Make Numba keep code in our folder, and judge its freshness by the sources, not by a file's date."""

    def __init__(self, function: Callable[..., Any], file: str):
        self._py_file = file
        self._package = function.__module__.partition(".")[0]
        self._name = f"{function.__module__}.{function.__qualname__}"

    def get_cache_path(self) -> str:
        return str(cache_folder(self._package))

    def get_source_stamp(self) -> str:
        return source_key(self._package)

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._name.encode()).hexdigest()[:10]

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator":
        return cls(function, file)


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_Locator]


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class = _CacheImpl

    def holds(self, signature: Any, target: Any) -> bool:
        """Return whether the code is there. Only the index is read: loading the code twice would take twice as long."""
        return self._index_key(signature, target.codegen()) in self._cache_file._load_index()


@cache
def _say_once(package: str) -> None:
    print(f"red-november: compiling {package}/ for this machine, once; this takes half a minute ...", file=sys.stderr)


class _Widening:
    """A rule whose small numbers, enum members and literals are widened, so that it is compiled only once."""

    def compile(self, sig: Any) -> Any:
        return super().compile(tuple(_widened(types.unliteral(argument)) for argument in sig))  # type: ignore[misc]


class LinkedRule(_Widening, LinkedDispatcher):
    """A rule that is linked into its callers."""


class PlainRule(_Widening, CPUDispatcher):  # type: ignore[misc]
    """A rule as Numba compiles it, with machine code that nobody needs."""


Rule = LinkedRule if is_known() else PlainRule


def _widened(argument: Any) -> Any:
    if isinstance(argument, types.Float):
        return types.float64
    small = isinstance(argument, types.Integer) and argument.bitwidth < 64
    return types.int64 if small or isinstance(argument, types.Boolean | types.IntEnumMember) else argument


def jit(function: F) -> F:
    """Mark a rule, which is compiled together with the doors that lead to it."""
    if config.DISABLE_JIT:
        return function
    return Rule(function, {}, {**OPTIONS, "no_cpython_wrapper": True})


def compiled(*signature: Any) -> Callable[[F], F]:
    """Mark a door from Python with fixed argument types, which is compiled or loaded when its module is imported."""

    def decorate(function: F) -> F:
        if config.DISABLE_JIT:
            return function
        dispatcher = CPUDispatcher(function, {}, OPTIONS)
        package = function.__module__.partition(".")[0]
        folder = cache_folder(package)
        if folder is None:
            _say_once(package)
            dispatcher.compile(signature)
        else:
            dispatcher._cache = _Cache(function)
            with _one_at_a_time(folder):
                if not dispatcher._cache.holds(signature, dispatcher.targetctx):
                    _say_once(package)
                dispatcher.compile(signature)
        dispatcher.disable_compile()
        return dispatcher

    return decorate
