"""The optimizers and schedulers of `torch.optim`."""
# engines: torch -- the subject is what torch's own module holds

import textwrap

import torch

names = [name for name in dir(torch.optim) if isinstance(getattr(torch.optim, name), type)]
print(textwrap.fill(" ".join(name for name in names if name != "Optimizer"), 72))
#> ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS Muon NAdam RAdam
#> RMSprop Rprop SGD SparseAdam
schedulers = [name for name in torch.optim.lr_scheduler.__all__ if name.endswith("LR")]
print(len(torch.optim.lr_scheduler.__all__), schedulers[:4])
#> 16 ['LambdaLR', 'MultiplicativeLR', 'StepLR', 'MultiStepLR']
