"""Write a graph to an event file and read it back."""
# covers: tensorboard.add-graph
# engines: torch -- it is torch's own writer, and it follows the model with torch.jit
# needs: tensorboard

import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

# region: write
net = nn.Sequential(nn.Conv2d(3, 10, 3, padding=9), nn.ReLU(), nn.MaxPool2d(2))
x = torch.rand(4, 3, 32, 32)
with SummaryWriter(comment="-small-net") as writer:
    writer.add_graph(net, (x,))
# endregion
# region: read
events = EventAccumulator(writer.log_dir, size_guidance={"graph": 0}).Reload()
for node in events.Graph().node:
    if node.op.startswith("aten::"):
        print(node.name, node.op)
#> Sequential/Conv2d[0]/input.3 aten::_convolution
#> Sequential/ReLU[1]/input aten::relu
#> Sequential/MaxPool2d[2]/84 aten::max_pool2d
# endregion
# region: shapes
for node in events.Graph().node:
    if node.op.startswith("aten::"):
        shape = node.attr["_output_shapes"].list.shape[0]
        print(node.op, [dim.size for dim in shape.dim])
#> aten::_convolution [4, 10, 48, 48]
#> aten::relu [4, 10, 48, 48]
#> aten::max_pool2d [4, 10, 24, 24]
# endregion
