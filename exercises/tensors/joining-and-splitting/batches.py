"""Called with the batch size 32, `batches` returns 25 batches of 4 samples. Repair it: each batch should have the given size, and only the last may be smaller."""
# exercise: repair
# covers: tensor-ops.table.split
# about: tensors/joining-and-splitting.md#split
# hint: `chunk` reads the number as a count of parts. Here it is the size of a part.
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
assert _sizes != [3, 3, 3, 1], "Ten samples in batches of 4 gave four batches, because the size was taken for a count."
assert _sizes != [5, 5], "The parts are too large: 10 // 4 is 2, and two parts have five samples each."
assert sum(_sizes) == 10, f"There were ten samples, and the batches hold {sum(_sizes)}. The last batch is missing."
assert _sizes == [4, 4, 2], f"The sizes should be 4, 4 and 2. Yours are {_sizes}."
assert all(_one.shape == (len(_answers), 2) for _one, _answers in _made), "Samples and labels no longer match, because they are cut in different ways or have changed places."

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
