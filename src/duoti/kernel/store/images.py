"""Machine code that only has to be copied into memory: an object file is linked once, when it is made.

A kernel is one piece of code that refers to itself and to a few functions of the C library. Where its parts stand
relative to each other is known as soon as it is compiled, so that LLVM's linker is not needed when it is loaded: an
*image* holds the parts one behind the other, with the references between them filled in. What is left for each process
are the addresses of the functions of the C library, and of tables inside the image that hold addresses.

`image_of` knows the relocations that LLVM writes for x86-64 in ELF files, the format of Linux. For anything else it
returns None; object files are then kept as they are and linked by llvmlite (`load_or_compile`).
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from typing import Any, NamedTuple

MAGIC = b"duoti image 1\n"
_HEAD = struct.Struct("<IIIII")  # size, entry, first slot, number of names, number of places with addresses
_PAGE = 4096
_STUB = 16  # bytes of a jump to a function of the C library

# what the ELF format calls these (System V ABI, AMD64 supplement)
_ALLOCATED, _PROGBITS, _SYMBOLS, _RELOCATIONS = 2, 1, 2, 4
_X86_64 = 62
_ABSOLUTE, _RELATIVE, _CALL = 1, 2, 4  # R_X86_64_64, R_X86_64_PC32, R_X86_64_PLT32
_UNWINDING = ".eh_frame"  # kernels raise nothing that C++ could catch


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Symbol(NamedTuple):
    name: int
    info: int
    other: int
    section: int
    value: int
    size: int


class _Object:
    """An ELF object file."""

    def __init__(self, data: bytes):
        self.data = data
        (first,) = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<HHH", data, 0x3A)
        self.sections = [_Section(*struct.unpack_from("<IIQQQQIIQQ", data, first + i * size)) for i in range(count)]
        self._names = self.sections[names]
        self.symbols: list[_Symbol] = []
        for each in self.sections:
            if each.kind == _SYMBOLS:
                self._texts = self.sections[each.link]
                places = range(each.offset, each.offset + each.size, 24)
                self.symbols = [_Symbol(*struct.unpack_from("<IBBHQQ", data, at)) for at in places]

    def name_of(self, section: _Section) -> str:
        return self._text(self._names.offset + section.name)

    def name_of_symbol(self, symbol: _Symbol) -> str:
        return self._text(self._texts.offset + symbol.name)

    def _text(self, at: int) -> str:
        return self.data[at : self.data.index(b"\0", at)].decode()

    def relocations(self, of: int) -> list[tuple[int, int, _Symbol, int]]:
        """Place, kind, symbol and addend of the references in a section."""
        found: list[tuple[int, int, _Symbol, int]] = []
        for each in self.sections:
            if each.kind == _RELOCATIONS and each.info == of:
                for at in range(each.offset, each.offset + each.size, 24):
                    place, info, addend = struct.unpack_from("<QQq", self.data, at)
                    found.append((place, info & 0xFFFFFFFF, self.symbols[info >> 32], addend))
        return found


def _is_known(data: bytes) -> bool:
    little_elf_64 = data[:6] == b"\x7fELF\x02\x01"
    return little_elf_64 and struct.unpack_from("<HH", data, 0x10) == (1, _X86_64)


def image_of(data: bytes, symbol: str) -> bytes | None:
    """The image of an object file whose one function for others has this name; None if it holds something unknown."""
    if not _is_known(data):
        return None
    file = _Object(data)
    body, placed = bytearray(), dict[int, int]()
    for i, each in enumerate(file.sections):
        if each.flags & _ALLOCATED and file.name_of(each) != _UNWINDING and each.size:
            if each.kind != _PROGBITS:
                return None  # variables, or something else that needs memory of its own
            body += bytes(-len(body) % max(each.alignment, 1))
            placed[i] = len(body)
            body += data[each.offset : each.offset + each.size]
    outside: dict[str, int] = {}  # functions of the C library, and where the jump to each stands
    absolute: list[int] = []
    calls: list[tuple[int, str, int]] = []
    for i, start in placed.items():
        for place, kind, target, addend in file.relocations(i):
            at = start + place
            if kind in (_RELATIVE, _CALL) and target.section in placed:
                struct.pack_into("<i", body, at, placed[target.section] + target.value + addend - at)
            elif kind == _CALL and target.section == 0:
                calls.append((at, file.name_of_symbol(target), addend))
            elif kind == _ABSOLUTE and target.section in placed:
                struct.pack_into("<q", body, at, placed[target.section] + target.value + addend)
                absolute.append(at)
            else:
                return None
    body += b"\xcc" * (-len(body) % 16)
    names = sorted({name for _, name, _ in calls})
    first_stub, first_slot = len(body), len(body) + _STUB * len(names)
    for i, name in enumerate(names):
        outside[name] = len(body)
        body += b"\xff\x25" + struct.pack("<i", first_slot + 8 * i - len(body) - 6)  # jmp [rip + ...]
        body += b"\xcc" * (first_stub + _STUB * (i + 1) - len(body))
    for at, name, addend in calls:
        struct.pack_into("<i", body, at, outside[name] + addend - at)
    body += bytes(8 * len(names))
    entry = next((x for x in file.symbols if x.section in placed and file.name_of_symbol(x) == symbol), None)
    if entry is None:
        return None
    head = _HEAD.pack(len(body), placed[entry.section] + entry.value, first_slot, len(names), len(absolute))
    places = struct.pack(f"<{len(absolute)}I", *absolute)
    return MAGIC + head + places + b"".join(name.encode() + b"\0" for name in names) + bytes(body)


def is_image(data: bytes) -> bool:
    """Whether this is an image, not an object file."""
    return data[: len(MAGIC)] == MAGIC


_LIBRARY: dict[str, int] = {}
_LOADED: list[Any] = []  # the memory of all images: it stays


def load(data: bytes) -> int:
    """Copy an image into memory that may be executed; the address of its function."""
    size, entry, first_slot, names, places = _HEAD.unpack_from(data, len(MAGIC))
    at = len(MAGIC) + _HEAD.size
    absolute = struct.unpack_from(f"<{places}I", data, at)
    at += 4 * places
    body = len(data) - size
    memory = mmap.mmap(-1, max(size, 1))
    memory[:size] = data[body:]
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for i, name in enumerate(data[at:body].split(b"\0")[:names]):
        struct.pack_into("<Q", memory, first_slot + 8 * i, _function(name.decode()))
    for place in absolute:
        (inside,) = struct.unpack_from("<Q", memory, place)
        struct.pack_into("<Q", memory, place, address + inside)
    _make_executable(address, size)
    _LOADED.append(memory)
    return address + entry


def _function(name: str) -> int:
    """Address of a function of the C library."""
    if name not in _LIBRARY:
        _LIBRARY[name] = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value or 0
    return _LIBRARY[name]


def _make_executable(address: int, size: int) -> None:
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    if protect(address, -(-size // _PAGE) * _PAGE, mmap.PROT_READ | mmap.PROT_EXEC):
        number = ctypes.get_errno()
        raise OSError(number, "memory for machine code may not be executed here")


class Parts(NamedTuple):
    """What an image consists of."""

    body: bytes
    entry: int
    """Place of its function in the body."""
    stubs: tuple[tuple[int, str], ...]
    """Place of the jump to each function of the C library, and its name."""
    slots: int
    """Place from which the body holds the addresses of these functions."""


_PICKLED = b"\x80"  # how the text of an exception begins, to which the code of its raising refers


def parts(data: bytes) -> Parts | None:
    """An image taken apart, for a linker; None if it needs addresses inside itself that kernels read.

    Tables of exceptions hold such addresses: (text, its size, digest, ...). Nobody reads them after a kernel failed.
    """
    size, entry, first_slot, count, places = _HEAD.unpack_from(data, len(MAGIC))
    at = len(MAGIC) + _HEAD.size
    absolute = set(struct.unpack_from(f"<{places}I", data, at))
    body = data[len(data) - size :]
    names = [name.decode() for name in data[at + 4 * places : len(data) - size].split(b"\0")[:count]]
    texts = {place for place in absolute if body[struct.unpack_from("<Q", body, place)[0] :][:1] == _PICKLED}
    if absolute - texts - {place + 16 for place in texts}:
        return None
    stubs = tuple((first_slot - _STUB * (count - i), name) for i, name in enumerate(names))
    return Parts(body, entry, stubs, first_slot)
