"""LLVM's text to machine code through llvmlite, which is imported here only; without it this module cannot be imported."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm


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
    """Verify, optimise and link a module."""
    if not _ready:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _ready.append(True)
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level, jit=True
    )
    module = llvm.parse_assembly(text)
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return Library(engine)
