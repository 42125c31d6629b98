"""`batches` should cut samples and labels into batches of a given size, of which the last may be smaller. Asked for batches of 32, it makes 25 tiny ones. Repair it."""
# exercise: repair
# covers: tensor-ops.table.split
# about: tensors/splitting.md#split
# hint: What does the number mean to `chunk`, and what should it mean here?
# hint: Print how many batches there are and the length of each.

# %% start
import torch


def batches(samples, labels, size):
    return list(zip(samples.chunk(size), labels.chunk(size)))


samples, labels = torch.zeros(100, 2), torch.arange(100)
for one, answers in batches(samples, labels, 32):
    print(len(one), len(answers))

# %% solution
# -     return list(zip(samples.chunk(size), labels.chunk(size)))
# +     return list(zip(samples.split(size), labels.split(size)))

# %% right: slices
# -     return list(zip(samples.chunk(size), labels.chunk(size)))
# +     return [(samples[at : at + size], labels[at : at + size]) for at in range(0, len(samples), size)]

# %% check
_samples, _labels = torch.arange(20.0).reshape(10, 2), torch.arange(10)
_made = batches(_samples, _labels, 4)
_sizes = [len(_one) for _one, _ in _made]
assert _sizes != [3, 3, 3, 1], "Ten samples in batches of 4 gave four batches. The size was taken for a count."
assert _sizes != [5, 5], "Now the count is right for equal parts, and the parts are too large: 10 // 4 makes two of five."
assert sum(_sizes) == 10, f"Ten samples went in, and {sum(_sizes)} came out. Those at the end count, too."
assert _sizes == [4, 4, 2], f"The sizes should be 4, 4 and 2, and they are {_sizes}."
assert all(_one.shape == (len(_answers), 2) for _one, _answers in _made), "Samples and labels no longer belong together: they are cut in different ways, or have changed places."

# %% wrong: a count worked out
# -     return list(zip(samples.chunk(size), labels.chunk(size)))
# +     return list(zip(samples.chunk(len(samples) // size), labels.chunk(len(samples) // size)))

# %% wrong: the rest dropped
# -     return list(zip(samples.chunk(size), labels.chunk(size)))
# +     return list(zip(samples.unfold(0, size, size).movedim(2, 1), labels.unfold(0, size, size)))

# %% wrong: parts as equal as possible
# -     return list(zip(samples.chunk(size), labels.chunk(size)))
# +     number = -(-len(samples) // size)
# +     return list(zip(samples.tensor_split(number), labels.tensor_split(number)))

# %% wrong: only the samples
# -     return list(zip(samples.chunk(size), labels.chunk(size)))
# +     return list(zip(samples.split(size), labels.chunk(size)))
