"""Request the graphs and scalars of all runs from the server."""
# engines: torch -- it is torch's own writer
# needs: tensorboard
# timeout: 60

import json
import logging
import time
import urllib.request

import torch
from tensorboard import program
from torch import nn
from torch.utils.tensorboard import SummaryWriter

logging.disable()
with SummaryWriter("runs/first") as writer:
    writer.add_graph(nn.Linear(2, 1), torch.ones(1, 2))
with SummaryWriter("runs/second") as writer:
    writer.add_scalar("Loss/train", 0.5, 0)

server = program.TensorBoard()
server.configure(argv=["tensorboard", "--logdir=runs", "--port=0", "--load_fast=false"])
address = server.launch()


def ask(path):
    with urllib.request.urlopen(address + path) as answer:
        return json.load(answer)


while len(ask("data/runs")) < 2:
    time.sleep(0.1)
print(sorted(ask("data/plugin/graphs/info")))
#> ['first']
print(ask("data/plugin/scalars/tags"))
#> {'second': {'Loss/train': {'displayName': 'Loss/train', 'description': ''}}}
