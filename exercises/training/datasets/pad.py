"""Write `pad`, a `collate_fn` for sequences of different lengths. It should return one tensor for the batch, in which each row is filled with zeros to the length of the longest, and a second tensor with the lengths."""
# exercise: write
# covers: data.torchvision-mnist
# about: training/datasets.md#from-samples-to-a-batch
# hint: `collate_fn` gets a list of samples. Here each sample is a tensor with one axis.
# hint: Begin with `torch.zeros` of the right shape, and write each sample into its row.

# %% start
import torch
from torch.utils.data import DataLoader

sequences = [torch.tensor([1, 2, 3]), torch.tensor([4]), torch.tensor([5, 6]), torch.tensor([7, 8, 9, 10])]


def pad(samples):
    """`samples`: tensors of one axis. Returns (batch, longest) and the lengths, (batch,), of whole numbers."""
    return torch.stack(samples), torch.tensor([len(s) for s in samples])


for batch, lengths in DataLoader(sequences, batch_size=2, collate_fn=pad):
    print(batch, lengths)

# %% solution
# -     return torch.stack(samples), torch.tensor([len(s) for s in samples])
# +     lengths = torch.tensor([len(s) for s in samples])
# +     batch = torch.zeros(len(samples), int(lengths.max()), dtype=samples[0].dtype)
# +     for row, sample in zip(batch, samples):
# +         row[: len(sample)] = sample
# +     return batch, lengths

# %% check
_samples = [torch.tensor([1.5]), torch.tensor([2.5, 3.5, 4.5]), torch.tensor([5.5, 6.5])]
_batch, _lengths = pad(_samples)
assert _batch.shape == (3, 3), f"Samples of the lengths 1, 3 and 2 should make a batch of shape (3, 3), but yours has {tuple(_batch.shape)}."
assert _lengths.tolist() == [1, 3, 2], "The second tensor should hold the lengths of the samples in their order."
assert _batch.dtype == _samples[0].dtype, f"The samples are float32, but the batch is {_batch.dtype}. It should have the type of the samples."
assert _batch.tolist() == [[1.5, 0, 0], [2.5, 3.5, 4.5], [5.5, 6.5, 0]], "Some numbers are in the wrong place. Write each sample at the left of its row, in the order of the samples."

# %% wrong: whole numbers only
# -     return torch.stack(samples), torch.tensor([len(s) for s in samples])
# +     lengths = torch.tensor([len(s) for s in samples])
# +     batch = torch.zeros(len(samples), int(lengths.max()), dtype=torch.int64)
# +     for row, sample in zip(batch, samples):
# +         row[: len(sample)] = sample
# +     return batch, lengths

# %% wrong: at the right end
# -     return torch.stack(samples), torch.tensor([len(s) for s in samples])
# +     lengths = torch.tensor([len(s) for s in samples])
# +     batch = torch.zeros(len(samples), int(lengths.max()), dtype=samples[0].dtype)
# +     for row, sample in zip(batch, samples):
# +         row[-len(sample) :] = sample
# +     return batch, lengths

# %% wrong: the longest of all
# -     return torch.stack(samples), torch.tensor([len(s) for s in samples])
# +     lengths = torch.tensor([len(s) for s in samples])
# +     batch = torch.zeros(len(samples), 4, dtype=samples[0].dtype)
# +     for row, sample in zip(batch, samples):
# +         row[: len(sample)] = sample
# +     return batch, lengths

# %% wrong: sorted by length
# -     return torch.stack(samples), torch.tensor([len(s) for s in samples])
# +     samples = sorted(samples, key=len, reverse=True)
# +     lengths = torch.tensor([len(s) for s in samples])
# +     batch = torch.zeros(len(samples), int(lengths.max()), dtype=samples[0].dtype)
# +     for row, sample in zip(batch, samples):
# +         row[: len(sample)] = sample
# +     return batch, lengths
