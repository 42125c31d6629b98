"""This check never raises an error, even if the numbers were overwritten.

Repair `save`, without copying the numbers.
"""
# exercise: repair
# covers: inplace.version-counter
# about: inside-the-engine/versions.md#two-numbers-to-compare
# hint: `save` runs in the forward pass, and `unpack` in the backward pass.
# hint: Compare the version at the time of `save` with that at the time of `unpack`. The program reads both in `unpack`.

# %% start
class Tensor:
    def __init__(self, numbers):
        self.numbers, self.version = numbers, 0

    def fill_(self, number):
        self.numbers[:] = [number] * len(self.numbers)
        self.version += 1


def save(x):
    def unpack():
        then = x.version
        if x.version != then:
            raise RuntimeError("modified by an inplace operation")
        return x.numbers

    return unpack


h = Tensor([3.0, 4.0])
unpack = save(h)
h.fill_(1000.0)
try:
    print(unpack())
except RuntimeError as error:
    print(error)

# %% solution
#   def save(x):
# +     then = x.version
# +
#       def unpack():
# -         then = x.version

# %% check
def _refuses(_x, _write):
    _unpack = save(_x)
    _write(_x)
    try:
        _unpack()
    except RuntimeError:
        return True
    return False


_kept = Tensor([3.0, 4.0])
assert save(_kept)() is _kept.numbers, "`unpack` returns a copy. In a network, copies would double the memory, so save the numbers themselves."
_written_before = Tensor([3.0, 4.0])
_written_before.fill_(5.0)
assert not _refuses(_written_before, lambda _x: None), "A tensor that was written to only *before* it was saved may be used. The version itself means nothing."
assert _refuses(Tensor([3.0, 4.0]), lambda _x: _x.fill_(1000.0)), "The tensor was overwritten after it was saved, and `unpack` returns the new numbers. It has compared two versions that are always equal."
assert _refuses(Tensor([3.0, 3.0]), lambda _x: _x.fill_(3.0)), "You compare the numbers. This needs a copy of the old numbers and time for each element, and versions need neither."

# %% wrong: refuse what was ever written to
# -         if x.version != then:
# +         if x.version > 0:

# %% wrong: a copy
#   def save(x):
# +     numbers = list(x.numbers)
# +
#       def unpack():
# -         then = x.version
# -         if x.version != then:
# -             raise RuntimeError("modified by an inplace operation")
# -         return x.numbers
# +         return numbers

# %% wrong: compare the numbers
#   def save(x):
# +     numbers = list(x.numbers)
# +
#       def unpack():
# -         then = x.version
# -         if x.version != then:
# +         if x.numbers != numbers:
