"""In a network of `relu` and layers without a bias, the sum of a layer's output times its gradient equals the score. Here neither of the two sums does.

Repair the measurement, because the network is right. Make both sums equal to the score, in the order in which the layers run.
"""
# exercise: repair
# covers: hooks.forward-hook-usecase
# about: hooks/index.md#where-a-hook-can-be-hung
# hint: `relu` is one module that is called twice, and the first call fills `outputs` first.
# hint: The backward pass reaches the second call first.

# %% start
import torch
from torch import nn

torch.manual_seed(5)
relu = nn.ReLU()
net = nn.Sequential(nn.Linear(3, 4, bias=False), relu, nn.Linear(4, 4, bias=False), relu, nn.Linear(4, 1, bias=False))

outputs, gradients = [], []
relu.register_forward_hook(lambda module, inputs, output: outputs.append(output.detach()))
relu.register_full_backward_hook(lambda module, grad_input, grad_output: gradients.append(grad_output[0]))

x = torch.tensor([[1.0, -2.0, 3.0]])
score = net(x)
score.backward()
sums = [(output * gradient).sum().item() for output, gradient in zip(outputs, gradients)]
print(score.item(), sums)

# %% solution
# - relu.register_full_backward_hook(lambda module, grad_input, grad_output: gradients.append(grad_output[0]))
# + relu.register_full_backward_hook(lambda module, grad_input, grad_output: gradients.insert(0, grad_output[0]))

# %% right: the list reversed afterwards
# - sums = [(output * gradient).sum().item() for output, gradient in zip(outputs, gradients)]
# + sums = [(output * gradient).sum().item() for output, gradient in zip(outputs, reversed(gradients))]

# %% right: the gradient retained on the output
# - relu.register_forward_hook(lambda module, inputs, output: outputs.append(output.detach()))
# - relu.register_full_backward_hook(lambda module, grad_input, grad_output: gradients.append(grad_output[0]))
# + def keep(module, inputs, output):
# +     output.retain_grad()
# +     outputs.append(output)
# +
# +
# + relu.register_forward_hook(keep)

# - sums = [(output * gradient).sum().item() for output, gradient in zip(outputs, gradients)]
# + sums = [(output * output.grad).sum().item() for output in outputs]

# %% check
_weights = [_layer.weight.detach() for _layer in net if isinstance(_layer, nn.Linear)]
_first = torch.relu(x @ _weights[0].T)
_second = torch.relu(_first @ _weights[1].T)
_score = (_second @ _weights[2].T).item()
_crosswise = (_first * _weights[2]).sum().item()  # the gradient at the second call's output
assert torch.is_tensor(score) and abs(score.item() - _score) < 1e-6, "The score has changed. Leave the network as it is, and change which gradient is multiplied with which output."
assert len(sums) == 2, f"There are two calls of `relu`, and {len(sums)} sums. Each call has an output and a gradient, so there should be two sums."
assert not abs(sums[0] - _crosswise) < 1e-5, f"The score is {_score:.4f} and the sums are {sums[0]:.4f} and {sums[1]:.4f}. The first gradient doesn't belong to the first output: print the two lists."
assert all(abs(_sum - _score) < 1e-5 for _sum in sums), f"The sums are {sums[0]:.4f} and {sums[1]:.4f}, and the score is {_score:.4f}. Multiply each output by the gradient with respect to this output, from the same call."

# %% wrong: the gradient with respect to the input
# - relu.register_full_backward_hook(lambda module, grad_input, grad_output: gradients.append(grad_output[0]))
# + relu.register_full_backward_hook(lambda module, grad_input, grad_output: gradients.append(grad_input[0]))

# %% wrong: only the last call
# - sums = [(output * gradient).sum().item() for output, gradient in zip(outputs, gradients)]
# + sums = [(outputs[-1] * gradients[0]).sum().item()]

# %% wrong: the score itself
# - sums = [(output * gradient).sum().item() for output, gradient in zip(outputs, gradients)]
# + score = sum((output * gradient).sum() for output, gradient in zip(outputs, gradients))
# + sums = [score.item()] * 2
