import torch
from torch import nn
import matplotlib.pyplot as plt

activations, gradients = {}, {}


def save_activation(name):
    def hook(module, inputs, output):
        activations[name] = output.detach()

    return hook


torch.manual_seed(0)
net = nn.Sequential(*[layer for _ in range(4) for layer in (nn.Linear(50, 50), nn.Tanh())])
for name, module in net.named_modules():
    if isinstance(module, nn.Tanh):
        module.register_forward_hook(save_activation(name))
        module.register_full_backward_hook(
            lambda module, grad_input, grad_output, name=name: gradients.update({name: grad_output[0].std().item()})
        )
x = torch.randn(200, 50, requires_grad=True)
net(x).pow(2).mean().backward()

plt.figure(figsize=(20, 4))
legends = []
for name, t in activations.items():
    print("layer %s: mean %+.2f, std %.2f, gradient %.1e" % (name, t.mean(), t.std(), gradients[name]))
    hy, hx = torch.histogram(t, 30, density=True)
    plt.plot(hx[:-1].detach(), hy.detach())
    legends.append(f"layer {name}")
plt.legend(legends)
plt.title("activation distribution")
plt.show()
