import torch
import matplotlib.pyplot as plt


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x.abs() <= 1)


x = torch.linspace(-2, 2, 9, requires_grad=True)
Sign.apply(x).sum().backward()
print(x.grad)
print(torch.autograd.gradcheck(torch.tanh, torch.randn(3, dtype=torch.double, requires_grad=True)))

plt.plot(x.detach().numpy(), x.grad.numpy(), drawstyle="steps")
plt.axhline(0, color="black", linewidth=0.5)
plt.show()
