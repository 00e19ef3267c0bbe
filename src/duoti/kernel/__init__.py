"""Kernels: Python functions of arrays and numbers that run as machine code.

`@kernel` marks a function that Python may call, `@entry` one that other kernels call by its address, `@part` a larger
piece that only kernels call, `@helper` a small one that is always inlined. With `DUOTI_JIT=0` in the environment all
are left as plain Python, for debugging and tests.

Rules for what stands under these decorators (the reasons, with measurements, are in docs/design.md):

* no allocation, no NumPy calls: workspaces are passed in; small vectors are tuples (`duoti.spatial.algebra`);
* named tuples arrive as references: read their fields by name, nothing else;
* indices count from the front; from behind only as a constant (`a[-1]`): the sign is looked at only in the checked
  build (`DUOTI_CHECK=1`), which compares every index with its bounds;
* branch on integers (joint type, topology), not on floating-point states, unless the kernel is a solver;
* generic in the number type, so that complex-step derivatives work;
* report trouble by a status code: only Python knows names.

Where the machine code comes from (Numba and LLVM, once; then a store on disk) is explained in
`duoti.kernel.store.load_or_compile`.
This folder is the only place that configures Numba, and Numba is imported only when something has to be compiled.
"""

from __future__ import annotations

from duoti.kernel.blas import one_blas_thread
from duoti.kernel.console import say
from duoti.kernel.decorators import (
    CHECK,
    JIT,
    OPTIONS,
    cold_entry,
    cold_kernel,
    entry,
    fold,
    for_kernels,
    helper,
    kernel,
    on_demand,
    overloaded,
    part,
    plain,
    subclasses_of_package,
)
from duoti.kernel.faults import KernelError, KernelIndexError, KernelStageError
from duoti.kernel.packing import ContextType, address_of, describe, flatten, name_types, pack, remember, signature
from duoti.kernel.records import record_dtype

if JIT:
    from duoti.kernel.calling import call_address, call_entry, entry_address, entry_caller, prepare, run_entry, unpack
else:
    from duoti.kernel.interpreted import (
        call_address,
        call_entry,
        entry_address,
        entry_caller,
        prepare,
        run_entry,
        unpack,
    )
from duoti.kernel.store.cache_keys import fingerprint

__all__ = [
    "CHECK",
    "JIT",
    "OPTIONS",
    "ContextType",
    "KernelError",
    "KernelIndexError",
    "KernelStageError",
    "address_of",
    "call_address",
    "call_entry",
    "cold_entry",
    "cold_kernel",
    "describe",
    "entry",
    "entry_address",
    "entry_caller",
    "fingerprint",
    "flatten",
    "fold",
    "for_kernels",
    "helper",
    "kernel",
    "name_types",
    "on_demand",
    "one_blas_thread",
    "overloaded",
    "pack",
    "part",
    "plain",
    "prepare",
    "record_dtype",
    "remember",
    "run_entry",
    "say",
    "signature",
    "subclasses_of_package",
    "unpack",
]
