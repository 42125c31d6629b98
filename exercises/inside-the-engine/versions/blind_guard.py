"""This guard never refuses. Repair `save`, without a copy of the numbers."""
# exercise: repair
# covers: inplace.version-counter
# about: inside-the-engine/versions.md#two-numbers-to-compare
# hint: `save` runs in the forward pass, and `unpack` in the backward pass.
# hint: The guard must compare the version at the time of `save` with that at the time of `unpack`. Now both are read in `unpack`.

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
assert save(_kept)() is _kept.numbers, "What comes out is a copy. In a network that would double the memory; keep the numbers themselves."
_written_before = Tensor([3.0, 4.0])
_written_before.fill_(5.0)
assert not _refuses(_written_before, lambda _x: None), "A tensor that was written to *before* it was saved may be used. The number itself means nothing."
assert _refuses(Tensor([3.0, 4.0]), lambda _x: _x.fill_(1000.0)), "`h` is overwritten after it was saved, and `unpack` hands out the new numbers. Which two versions did it compare?"
assert _refuses(Tensor([3.0, 3.0]), lambda _x: _x.fill_(3.0)), "You compare numbers. That takes a copy of the old ones, and time for each element; versions take neither."

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
