"""From LLVM's intermediate code to machine code, for a level of processors."""

from __future__ import annotations

import functools
from typing import Any

import llvmlite.binding as ll

from duoti.kernel.store.images import image_of
from duoti.kernel.store.processors import HOT, levels

ll.initialize_native_target()
ll.initialize_native_asmprinter()
TRIPLE: str = ll.get_process_triple()


@functools.cache
def _machine(level: str, effort: int) -> Any:
    cpu, _ = levels()[level]
    return ll.Target.from_triple(TRIPLE).create_target_machine(cpu=cpu, opt=effort, reloc="pic", codemodel="default")


def code_of(bitcode: bytes, symbol: str, level: str, effort: int) -> bytes:
    """Optimise a module, and make an image of its machine code, or an object file where images are not known."""
    machine, module = _machine(level, effort), ll.parse_bitcode(bitcode)
    options = ll.create_pipeline_tuning_options(speed_level=effort)
    options.loop_vectorization, options.slp_vectorization = effort == HOT, False
    builder = ll.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    made = machine.emit_object(module)
    return image_of(made, symbol) or made


@functools.cache
def _jit() -> Any:
    return ll.create_lljit_compiler(ll.Target.from_triple(TRIPLE).create_target_machine())


def linked(made: bytes, symbol: str, name: str, outside: dict[str, int]) -> tuple[int, Any]:
    """Load an object file: the address of its function, and what must be kept for it to stay.

    outside: addresses by name, beside those of the C library.
    """
    builder = ll.JITLibraryBuilder().add_object_img(made).add_current_process()
    for known, address in outside.items():
        builder.import_symbol(known, address)
    library = builder.export_symbol(symbol).link(_jit(), name)
    return library[symbol], library
