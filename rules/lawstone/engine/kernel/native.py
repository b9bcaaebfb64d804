"""LLVM's text to machine code through llvmlite, which is imported here only; without it this module cannot be imported.

Machine code is kept on disk under a digest of the text, the machine and the compiler, so that a later process need not optimise it
again. A stored file begins with a digest of what follows; one that does not match is compiled anew.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from lawstone.work.cache import cache_folder, switched_off

DIGEST = 32
KEPT = 400
"""Files of machine code that are kept."""


def has_bmi() -> bool:
    """Whether this machine can deposit bits in one instruction (BMI2)."""
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


class Library:
    """A compiled module; it lives as long as its functions are used."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def function(self, name: str, takes: list[Any]) -> Callable[..., int]:
        """A function of the module that gives a number."""
        found = ctypes.CFUNCTYPE(ctypes.c_int64, *takes)(self._engine.get_function_address(name))
        found._library = self  # type: ignore[attr-defined]
        return found


_ready: list[Any] = []


def compiled(text: str, level: int = 3) -> Library:
    """Verify, optimise and link a module, or take its stored machine code."""
    if not _ready:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _ready.append(True)
    target = llvm.Target.from_default_triple()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    machine = target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)
    file = cache_folder() / "code" / _key(text, target.triple, cpu, features, level)
    stored = _stored(file)
    module = llvm.parse_assembly(text)
    if stored is None:
        module.verify()
        passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
        passes.getModulePassManager().run(module, passes)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.set_object_cache(lambda _, code: _store(file, code), lambda _: stored)
    engine.finalize_object()
    return Library(engine)


def _key(text: str, *about: object) -> str:
    told = hashlib.sha256(text.encode())
    told.update(repr((about, llvm.llvm_version_info, llvmlite.__version__)).encode())
    return told.hexdigest()


def _stored(file: Path) -> bytes | None:
    """Stored machine code that is whole."""
    if switched_off():
        return None
    try:
        content = file.read_bytes()
    except OSError:
        return None
    return content[DIGEST:] if hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST] else None


def _store(file: Path, code: bytes) -> None:
    """Keep machine code; where the oldest of many is in the way, it goes."""
    if switched_off():
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        kept = sorted(file.parent.iterdir(), key=lambda f: f.stat().st_mtime)
        for old in kept[: max(0, len(kept) - KEPT + 1)]:
            old.unlink(missing_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(hashlib.sha256(code).digest() + code)
        part.replace(file)
    except OSError:
        pass  # without a cache it is compiled again
