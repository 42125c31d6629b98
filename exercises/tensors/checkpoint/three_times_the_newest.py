"""A camera writes each picture into the same array, and `record` collects them. It works for the old camera, which delivers bytes. For the new one, which delivers float32, all pictures are equal to the newest. Repair `record` for both cameras."""
# exercise: repair
# covers: tensor-create.from-numpy
# about: tensors/from-data.md#copy-or-share
# hint: `as_tensor` shares memory if the array has the requested dtype, and copies otherwise.
# hint: For bytes, `as_tensor` has to convert and so it copies. For float32 it shares.
# hint: `torch.tensor` always copies. `.float()` doesn't: for a float32 tensor it returns the tensor itself.

# %% start
import numpy as np
import torch


def record(buffer, shots):
    pictures = []
    for shot in shots:
        buffer[:] = shot  # the camera takes a picture
        pictures.append(torch.as_tensor(buffer, dtype=torch.float32))
    return torch.stack(pictures)


print(record(np.zeros(3, dtype=np.uint8), [10, 20, 30]))
print(record(np.zeros(3, dtype=np.float32), [10, 20, 30]))

# %% solution
# -         pictures.append(torch.as_tensor(buffer, dtype=torch.float32))
# +         pictures.append(torch.tensor(buffer, dtype=torch.float32))

# %% right: a clone of what may be shared
# -         pictures.append(torch.as_tensor(buffer, dtype=torch.float32))
# +         pictures.append(torch.as_tensor(buffer, dtype=torch.float32).clone())

# %% right: the array is copied
# -         pictures.append(torch.as_tensor(buffer, dtype=torch.float32))
# +         pictures.append(torch.as_tensor(buffer.copy(), dtype=torch.float32))

# %% check
_buffers = {one: np.zeros(2, dtype=one) for one in (np.uint8, np.float32)}
_old, _new = (record(one, [1, 2, 3]) for one in _buffers.values())
_apart = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]
assert _old.tolist() == _apart, "Now the pictures of the old camera are all the newest as well, because `from_numpy` always shares."
assert _new.tolist() == _apart, "The pictures of the new camera are all equal, because they share the memory of the camera's array."
assert _old.dtype == _new.dtype == torch.float32, f"The pictures differ now, but they have {_old.dtype} and {_new.dtype}. Both should be float32."

# %% wrong: from_numpy
# -         pictures.append(torch.as_tensor(buffer, dtype=torch.float32))
# +         pictures.append(torch.from_numpy(buffer))

# %% wrong: a copy of the camera's dtype
# -         pictures.append(torch.as_tensor(buffer, dtype=torch.float32))
# +         pictures.append(torch.tensor(buffer))
