"""`training` draws its noise from a seeded stream, and the noise changes when check-ups are switched on. Repair `check_up`: training should draw the same numbers with check-ups and without."""
# exercise: repair
# covers: rng.set-rng-state
# about: tensors/random.md#the-state
# hint: `check_up` and `training` draw from the same stream.
# hint: There are three solutions: a separate generator, `fork_rng`, or saving the state and restoring it.

# %% start
import torch


def check_up(samples):
    return samples[torch.randperm(len(samples))[:3]]


def training(with_check_ups):
    torch.manual_seed(7)
    noise = []
    for step in range(4):
        if with_check_ups:
            check_up(torch.arange(10))
        noise.append(torch.rand(1))
    return torch.cat(noise)


print(training(with_check_ups=False))
print(training(with_check_ups=True))

# %% solution
# - def check_up(samples):
# -     return samples[torch.randperm(len(samples))[:3]]
# + own = torch.Generator()
# +
# +
# + def check_up(samples):
# +     return samples[torch.randperm(len(samples), generator=own)[:3]]

# %% right: the state saved and put back
# - def check_up(samples):
# -     return samples[torch.randperm(len(samples))[:3]]
# + def check_up(samples):
# +     state = torch.get_rng_state()
# +     chosen = samples[torch.randperm(len(samples))[:3]]
# +     torch.set_rng_state(state)
# +     return chosen

# %% right: a block
# - def check_up(samples):
# -     return samples[torch.randperm(len(samples))[:3]]
# + def check_up(samples):
# +     with torch.random.fork_rng():
# +         return samples[torch.randperm(len(samples))[:3]]

# %% check
_without, _with = training(with_check_ups=False), training(with_check_ups=True)
torch.manual_seed(7)
_stream = torch.rand(4)
_chosen = check_up(torch.arange(100, 1100))
assert not (_with == _with[0]).all(), "Every step of the training draws the same number: each check-up starts the stream over."
assert torch.equal(_without, _stream), "Now the training draws other numbers without check-ups. It is `check_up` that should change."
assert torch.equal(_with, _without), "With check-ups the training still draws other numbers than without."
assert len(set(_chosen.tolist())) == 3, "A check-up should still choose three different samples."
assert _chosen.tolist() != [100, 101, 102], "A check-up looks at the first three samples now. Choose them at random, apart from the stream."

# %% wrong: seeded in the check-up
# - def check_up(samples):
# -     return samples[torch.randperm(len(samples))[:3]]
# + def check_up(samples):
# +     torch.manual_seed(7)
# +     return samples[torch.randperm(len(samples))[:3]]

# %% wrong: the first three
# - def check_up(samples):
# -     return samples[torch.randperm(len(samples))[:3]]
# + def check_up(samples):
# +     return samples[:3]

# %% wrong: seeded in each step
# -     for step in range(4):
# +     for step in range(4):
# +         torch.manual_seed(step)

# %% wrong: one sample from a generator of its own
# - def check_up(samples):
# -     return samples[torch.randperm(len(samples))[:3]]
# + def check_up(samples):
# +     return samples[torch.randint(len(samples), (1,), generator=torch.Generator()).expand(3)]
