"""Swish, composed of operations and as one operation: the same numbers, and half the memory."""
# covers: function.steps, function.subclass-two-statics, function.apply, function.save-for-backward, function.saved-tensors, function.ctx-note

import torch


# region: function
class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s * (1 - s))


x = torch.tensor([-2.0, 0.0, 2.0], requires_grad=True)
print(Swish.apply(x))
#> tensor([-0.2384,  0.0000,  1.7616], grad_fn=<SwishBackward>)
# endregion


# region: memory
def composed(x):
    return x * torch.sigmoid(x)


def saved_by(activation):
    places = set()

    def note(tensor):
        places.add(tensor.data_ptr())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        activation(torch.ones(1000, requires_grad=True))
    return len(places)


print(saved_by(composed))
#> 2
print(saved_by(Swish.apply))
#> 1
# endregion
