"""Five hooks run around the accumulation, three before `.grad` is filled and two after."""
# covers: hooks.operator-order-accumulate

import torch

w = torch.tensor([2.0], requires_grad=True)
y = w * 5
accumulate = y.grad_fn.next_functions[0][0]
print(accumulate.name(), accumulate.variable is w)
#> torch::autograd::AccumulateGrad True


def say(place):
    def hook(*args):
        print(place, "| .grad is", w.grad)

    return hook


y.grad_fn.register_hook(say("operator"))
w.register_hook(say("parameter"))
w.register_post_accumulate_grad_hook(say("after filling"))
accumulate.register_prehook(say("node, before"))
accumulate.register_hook(say("node, after"))

y.backward()
#> operator | .grad is None
#> parameter | .grad is None
#> node, before | .grad is None
#> after filling | .grad is tensor([5.])
#> node, after | .grad is tensor([5.])
