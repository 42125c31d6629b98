"""A network that is trained on the result of `shuffled` never gets better than guessing. Repair `shuffled`: pictures and labels should be in a random order, and each picture should keep its label."""
# exercise: repair
# covers: tensor-random.randperm
# about: tensors/random.md#randperm
# hint: Picture 3 belongs to label 3. Look for both in the output.
# hint: The program draws two permutations, and they differ. Draw one and use it twice.

# %% start
import torch


def shuffled(pictures, labels):
    pictures = pictures[torch.randperm(len(pictures))]
    labels = labels[torch.randperm(len(labels))]
    return pictures, labels


torch.manual_seed(0)
pictures, labels = shuffled(torch.arange(5.0)[:, None].expand(5, 3), torch.arange(5))
print(pictures)
print(labels)

# %% solution
# -     pictures = pictures[torch.randperm(len(pictures))]
# -     labels = labels[torch.randperm(len(labels))]
# -     return pictures, labels
# +     order = torch.randperm(len(pictures))
# +     return pictures[order], labels[order]

# %% right: sorted by random numbers
# -     pictures = pictures[torch.randperm(len(pictures))]
# -     labels = labels[torch.randperm(len(labels))]
# -     return pictures, labels
# +     order = torch.rand(len(pictures)).argsort()
# +     return pictures[order], labels[order]

# %% check
torch.manual_seed(1)
_labels = torch.arange(100, 140)
_pictures = _labels[:, None] + torch.tensor([0.25, 0.5])
_first = shuffled(_pictures, _labels)
_second = shuffled(_pictures, _labels)
assert torch.equal(_first[0][:, 0], _first[1] + 0.25), "In this check, each picture contains its label plus a fraction. After `shuffled`, the two no longer match."
assert len(_first[1]) == 40 and len(_first[1].unique()) == 40, "Some pictures occur twice and others not at all. `randint` draws with repetition."
assert not torch.equal(_first[1], _labels), "They match now, since nothing was moved."
assert not torch.equal(_first[1], _second[1]), "Two calls give the same order: with a fixed seed inside, each epoch would be the same."

# %% wrong: drawn with repetition
# -     pictures = pictures[torch.randperm(len(pictures))]
# -     labels = labels[torch.randperm(len(labels))]
# -     return pictures, labels
# +     order = torch.randint(len(pictures), (len(pictures),))
# +     return pictures[order], labels[order]

# %% wrong: not at all
# -     pictures = pictures[torch.randperm(len(pictures))]
# -     labels = labels[torch.randperm(len(labels))]
# -     return pictures, labels
# +     return pictures, labels

# %% wrong: the same seed before both
# -     pictures = pictures[torch.randperm(len(pictures))]
# -     labels = labels[torch.randperm(len(labels))]
# +     torch.manual_seed(0)
# +     pictures = pictures[torch.randperm(len(pictures))]
# +     torch.manual_seed(0)
# +     labels = labels[torch.randperm(len(labels))]
