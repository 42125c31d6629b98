"""Which of several equal elements torch's selections return.

Among equal elements every index would be right. torch's are what its algorithms happen to leave: std::sort, std::nth_element
and std::partial_sort of libstdc++ (bits/stl_algo.h, bits/stl_heap.h) and a quickselect of its own (ATen/native/Sorting.cpp).
The same steps, so the same indices; called for rows in which equal elements compete only. A row is a list of indices that is
permuted; `less(a, b)` compares two indices.
"""

from __future__ import annotations

from collections.abc import Callable

Less = Callable[[int, int], bool]
_THRESHOLD = 16  # std::sort leaves shorter parts to insertion sort


def sort(row: list[int], first: int, last: int, less: Less) -> None:
    """std::sort of row[first:last]."""
    if first == last:
        return
    depth = 2 * (last - first).bit_length() - 2
    parts = [(first, last, depth)]
    while parts:
        low, high, depth = parts.pop()
        while high - low > _THRESHOLD:
            if depth == 0:
                partial_sort(row, low, high, high, less)
                break
            depth -= 1
            cut = _partition_pivot(row, low, high, less)
            parts.append((cut, high, depth))
            high = cut
    border = min(first + _THRESHOLD, last)
    _insertion_sort(row, first, border, less)
    for i in range(border, last):
        _linear_insert(row, i, less)


def nth_element(row: list[int], first: int, nth: int, last: int, less: Less) -> None:
    """std::nth_element: what belongs at `nth` is there, smaller ones before it."""
    if first == last or nth == last:
        return
    depth = 2 * (last - first).bit_length() - 2
    while last - first > 3:
        if depth == 0:
            _heap_select(row, first, nth + 1, last, less)
            row[first], row[nth] = row[nth], row[first]
            return
        depth -= 1
        cut = _partition_pivot(row, first, last, less)
        if cut <= nth:
            first = cut
        else:
            last = cut
    _insertion_sort(row, first, last, less)


def partial_sort(row: list[int], first: int, middle: int, last: int, less: Less) -> None:
    """std::partial_sort: the smallest in order in row[first:middle]."""
    _heap_select(row, first, middle, last, less)
    while middle - first > 1:
        middle -= 1
        value, row[middle] = row[middle], row[first]
        _adjust_heap(row, first, 0, middle - first, value, less)


def _partition_pivot(row: list[int], first: int, last: int, less: Less) -> int:
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    x, y, z = row[a], row[b], row[c]
    if less(x, y):
        median = b if less(y, z) else c if less(x, z) else a
    else:
        median = a if less(x, z) else c if less(y, z) else b
    row[first], row[median] = row[median], row[first]
    pivot, low, high = row[first], first + 1, last
    while True:
        while less(row[low], pivot):
            low += 1
        high -= 1
        while less(pivot, row[high]):
            high -= 1
        if not low < high:
            return low
        row[low], row[high] = row[high], row[low]
        low += 1


def _insertion_sort(row: list[int], first: int, last: int, less: Less) -> None:
    for i in range(first + 1, last):
        if less(row[i], row[first]):
            row.insert(first, row.pop(i))
        else:
            _linear_insert(row, i, less)


def _linear_insert(row: list[int], i: int, less: Less) -> None:
    value = row[i]
    while less(value, row[i - 1]):
        row[i] = row[i - 1]
        i -= 1
    row[i] = value


def _heap_select(row: list[int], first: int, middle: int, last: int, less: Less) -> None:
    length = middle - first
    for parent in range((length - 2) // 2, -1, -1):
        _adjust_heap(row, first, parent, length, row[first + parent], less)
    for i in range(middle, last):
        if less(row[i], row[first]):
            value, row[i] = row[i], row[first]
            _adjust_heap(row, first, 0, length, value, less)


def _adjust_heap(row: list[int], first: int, hole: int, length: int, value: int, less: Less) -> None:
    top = child = hole
    while child < (length - 1) // 2:
        child = 2 * (child + 1)
        if less(row[first + child], row[first + child - 1]):
            child -= 1
        row[first + hole] = row[first + child]
        hole = child
    if length % 2 == 0 and child == (length - 2) // 2:
        child = 2 * (child + 1)
        row[first + hole] = row[first + child - 1]
        hole = child - 1
    while hole > top and less(row[first + (hole - 1) // 2], value):
        row[first + hole] = row[first + (hole - 1) // 2]
        hole = (hole - 1) // 2
    row[first + hole] = value


def quick_select(row: list[int], k: int, greater: Less) -> None:
    """torch's own quickselect: what belongs at `k` is there."""
    low, high = 0, len(row) - 1
    while low < high:
        if high == low + 1:
            if greater(row[low], row[high]):
                row[low], row[high] = row[high], row[low]
            return
        middle = low + (high - low) // 2
        row[middle], row[low + 1] = row[low + 1], row[middle]
        for a, b in ((low + 1, high), (low, high), (low + 1, low)):
            if greater(row[a], row[b]):
                row[a], row[b] = row[b], row[a]
        i, j, pivot = low + 1, high, row[low]
        while True:
            i += 1
            while greater(pivot, row[i]):
                i += 1
            j -= 1
            while greater(row[j], pivot):
                j -= 1
            if j < i:
                break
            row[i], row[j] = row[j], row[i]
        row[low], row[j] = row[j], row[low]
        if j <= k:
            low = i
        if j >= k:
            high = j - 1
