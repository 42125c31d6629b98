"""`register_post_accumulate_grad_hook` runs when `.grad` is filled, and can take the optimizer's step."""

import torch

w = torch.tensor([1.0], requires_grad=True)


def step(parameter):
    print("in .grad:", parameter.grad)
    with torch.no_grad():
        parameter -= 0.1 * parameter.grad
    parameter.grad = None


w.register_post_accumulate_grad_hook(step)
(w * 5).backward()
#> in .grad: tensor([5.])
print(w, w.grad)
#> tensor([0.5000], requires_grad=True) None

(w * 2).register_post_accumulate_grad_hook(step)
#! RuntimeError: post accumulate grad hooks cannot be registered on non-leaf tensors
