"""Where a process forked from another finds memory for new objects.

The C library hands out the holes first that freed blocks have left, which lie all over the heap. A child that writes into
one copies a whole page for it. Once the holes are taken, what a child makes lies together, above all that it was forked with.
"""

from __future__ import annotations

import ctypes
import itertools

_LARGE = [1 << power for power in range(16, 10, -1)]
_SMALL = range(1032, 16, -16)  # bytes: each size that the library keeps a list of its own for, from the largest


class _Mallinfo2(ctypes.Structure):
    _fields_ = [*((f"other{i}", ctypes.c_size_t) for i in range(9)), ("keepcost", ctypes.c_size_t)]


def fill_holes() -> None:
    """Take all free blocks of this process but the one at the end of its heap, for good. Nothing without the GNU C library."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        return
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.sbrk.restype, libc.mallinfo2.restype = ctypes.c_void_p, _Mallinfo2
    end = libc.sbrk(0) - libc.mallinfo2().keepcost  # nothing above it was ever handed out
    for size in itertools.chain(_LARGE, _SMALL):
        while (libc.malloc(size) or end) < end:
            pass
