"""Rules without machine code of their own: they are linked into the doors that lead to them, and never run alone.

Numba optimizes every function and makes machine code of it, though each door holds its rules once more and is optimized
as a whole; nearly half of the time of compiling goes there. It has no setting for that, so its inside is used.
`is_known` tells whether the Numba that is installed looks as those that were read: 0.66, 0.67 and 0.68, which are alike
in it. With another one rules are compiled as Numba does it.
"""

import hashlib
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler, CompilerBase
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import BaseNativeLowering

# What is replaced here, and what calls it or relies on it.
_USED = (
    (CPUCodeLibrary, "finalize"),
    (CPUCodeLibrary, "_finalize_final_module"),
    (CPUCodeLibrary, "_get_module_for_linking"),
    (CompilerBase, "compile_extra"),
    (BaseNativeLowering, "run_pass"),
    (BaseContext, "insert_user_function"),
    (Dispatcher, "add_overload"),
    (Dispatcher, "compile"),
)
_READ = "8c0a41e03520216a"


def is_known() -> bool:
    """Tell whether Numba's inside is the one that was read, by the names that its functions use."""
    digest = hashlib.sha256()
    for owner, name in _USED:
        function = getattr(owner, name, None)
        names = sorted(set(_names_in(function.__code__))) if function is not None else []
        digest.update(f"{name}: {names}\n".encode())
    return digest.hexdigest()[:16] == _READ


def _names_in(code: CodeType) -> Iterator[str]:
    """Yield the names that code uses, with those of functions in it: newer Pythons have fewer such functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of a rule, for its callers to link and to optimize."""

    def _optimize_final_module(self) -> None:
        """Leave it as it is: a door is optimized whole, with all that it is made of."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _Compiler(Compiler):  # type: ignore[misc]
    """Compile a rule as far as its callers need it."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        self.state.library = _Library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.flags.no_compile = True
        return super().compile_extra(func)


class LinkedDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function for compiled code only. It must not print, nor call itself by way of another function."""

    def __init__(self, function: Callable[..., Any], local_types: dict[str, Any], options: dict[str, Any]):
        super().__init__(function, local_types, options, pipeline_class=_Compiler)

    def add_overload(self, cres: Any) -> None:
        """Name it to its callers, for whom anything that can be looked up will do: they don't go by address."""
        entry = object()
        self.targetctx.insert_user_function(entry, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres._replace(entry_point=entry)
