"""Kernels with wrong indices, and what a build says of each: a program for `test_checked_build`, which prints JSON.

Lines with a mark `# HERE name` are where the mistake of a case is.
"""

import json

import numpy as np

from duoti.kernel import (
    ContextType,
    KernelError,
    address_of,
    call_entry,
    entry,
    entry_address,
    for_kernels,
    helper,
    kernel,
    pack,
    part,
    record_dtype,
    run_entry,
    unpack,
)

RECORD = record_dtype("Wrong", x=float, k=int)
LAST = -1
VECTOR = ContextType(lambda: (np.zeros(1), np.zeros(1, np.int64)))


@for_kernels
def pick(a, i):
    """An ordinary function that kernels may call."""
    return a[i]  # HERE ordinary


@helper
def get(a, i):
    return a[i]  # HERE helper


@part
def row_of(m, i):
    row = m[i]  # HERE row
    return row[0]


@kernel
def read(case, a, m, records, i):
    """One mistake for each case, made if i is out of bounds."""
    if case == 0:
        return get(a, i)
    if case == 1:
        return row_of(m, i)
    if case == 2:
        return m[0, i]  # HERE column
    if case == 3:
        return records[i].x  # HERE record
    if case == 4:
        return a[i:][0]  # HERE start
    if case == 5:
        return m[0, :i][0] if i < 0 or i > 3 else 0.0  # HERE stop
    if case == 6:
        a[i] = 7.0  # HERE write
    if case == 7:
        m[i, 0] += 7.0  # HERE add
    if case == 8:
        records[i].k = 7  # HERE field
    if case == 9:
        return (1.0, 2.0, 3.0)[i]  # HERE tuple
    if case == 10:
        return m[:, i][0]  # HERE view
    if case == 13:
        fraction = slice(0, i) if i < 0 else slice(i, None)
        return a[fraction][0]  # HERE variable
    if case == 12:
        return pick(a, i)
    if case == 11:  # right: constants from behind
        return a[-1] + m[LAST, 0] + a[:-1][-1]
    return 0.0


@entry
def inner_entry(context):
    """Reads the element that the context names."""
    a, which = unpack(context, VECTOR)
    a[0] = a[which[0]]  # HERE entry


@kernel
def outer(address, context, a):
    """Calls it by its address; what comes after a fault must not happen."""
    call_entry(address, context)
    a[1] = 5.0


def told(call):
    """What a call returned, or the fault that it raised."""
    try:
        return call()
    except KernelError as error:
        places = [[each.file.rpartition("/")[2], int(each.line), each.function] for each in error.places]
        return {"kind": type(error).__name__, "text": str(error).splitlines()[0], "places": places}


def main():
    """All cases with a good index and bad ones."""
    said = {}
    for case in range(14):
        for i in (0, 4, -1, 10**12):
            a, m, records = np.arange(4.0), np.ones((2, 3)), np.zeros(2, RECORD)
            outcome = told(lambda: read(case, a, m, records, i))  # noqa: B023 - called at once
            untouched = bool((a == np.arange(4.0)).all() and (m == 1.0).all() and (records["k"] == 0).all())
            said[f"{case} {i}"] = [outcome, untouched]
    a, which, block = np.arange(4.0), np.array([9]), np.zeros(16)
    pack(block, (a, which), VECTOR)
    address = entry_address(inner_entry)
    said["outer"] = [told(lambda: outer(address, address_of(block), a)), a.tolist() == [0.0, 1.0, 2.0, 3.0]]
    said["run_entry"] = [told(lambda: run_entry(address, address_of(block))), True]
    said["no entry"] = [told(lambda: outer(0, address_of(block), a)), True]
    said["no context"] = [told(lambda: outer(address, 0, a)), True]
    which[0] = 2
    said["again"] = [told(lambda: outer(address, address_of(block), a)), a.tolist() == [2.0, 5.0, 2.0, 3.0]]
    print(json.dumps(said))


if __name__ == "__main__":
    main()
