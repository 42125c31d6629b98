"""A network ends in a `tanh`, so −1 is black and 1 is white, and `to_bytes` makes dark areas bright. Repair it: it should return the bytes of such a picture, 0 for black and 255 for white."""
# exercise: repair
# covers: debug.tensor-to-image
# about: tensors/pictures.md#outside-the-range
# hint: −1 should become 0, 0 the middle of the bytes, and 1 should become 255.
# hint: First map the range of `tanh` to the range from 0 to 1.
# hint: `astype` cuts fractions off, so round first.

# %% start
import numpy as np
import torch


def to_bytes(x):
    return (x.numpy() * 255.0).astype(np.uint8)


print(to_bytes(torch.tensor([-1.0, -0.5, 0.0, 0.5, 1.0])))

# %% solution
# -     return (x.numpy() * 255.0).astype(np.uint8)
# +     return ((x.numpy() + 1) / 2 * 255.0).round().astype(np.uint8)

# %% right: in torch
# -     return (x.numpy() * 255.0).astype(np.uint8)
# +     return x.add(1).mul(127.5).round().clamp(0, 255).to(torch.uint8).numpy()

# %% check
_bytes = to_bytes(torch.tensor([-1.0, -0.998, -0.5, 0.25, 0.999, 1.0]))
_made = _bytes.tolist()
_exact = [0, 0, 64, 159, 255, 255]
assert _made[2] != 129, "-0.5 still becomes 129, because negative numbers overflow and become bright."
assert _made[0] == 0 and _made[2] > 0, "Everything darker than gray is black now. Half of the range of `tanh` is below 0."
assert _made[5] == 255, f"White, which is 1, should become 255. It becomes {_made[5]}."
assert all(abs(a - b) <= 1 for a, b in zip(_made, _exact)), "Black and white are right. Between them the bytes should grow evenly."
assert _made == _exact, "Some bytes are too small by one, because fractions are cut off instead of rounded."
assert _bytes.dtype == np.uint8, f"The numbers are right, but their dtype is {_bytes.dtype}. They should be bytes."

# %% wrong: clipped only
# -     return (x.numpy() * 255.0).astype(np.uint8)
# +     return (x.numpy() * 255.0).round().clip(0, 255).astype(np.uint8)

# %% wrong: half the brightness
# -     return (x.numpy() * 255.0).astype(np.uint8)
# +     return ((x.numpy() + 1) * 100).round().astype(np.uint8)

# %% wrong: not rounded
# -     return (x.numpy() * 255.0).astype(np.uint8)
# +     return ((x.numpy() + 1) / 2 * 255.0).astype(np.uint8)

# %% wrong: not even
# -     return (x.numpy() * 255.0).astype(np.uint8)
# +     return (((x.numpy() + 1) / 2) ** 2 * 255.0).round().astype(np.uint8)

# %% wrong: still floats
# -     return (x.numpy() * 255.0).astype(np.uint8)
# +     return ((x.numpy() + 1) / 2 * 255.0).round()
