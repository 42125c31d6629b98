"""The folder of the event file, with and without a comment."""
# covers: tensorboard.logdir-runs
# engines: torch -- it is torch's own writer
# needs: tensorboard

from pathlib import Path

from tensorboard.plugins.core.core_plugin import DEFAULT_PORT
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter(comment="DRconv") as writer:
    pass
folder = Path(writer.log_dir)
print(folder.parts[0])
#> runs
print(folder.name.endswith("_DRconv"), folder.name.endswith("DRconv"))
#> False True
print([file.name.split(".")[:3] for file in folder.iterdir()])
#> [['events', 'out', 'tfevents']]

with SummaryWriter("runs/second", comment="DRconv") as writer:
    pass
print(writer.log_dir)
#> runs/second

print(DEFAULT_PORT)
#> 6006
