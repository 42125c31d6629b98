"""`no_grad()` can be nested and used as a decorator, and it belongs to one thread."""
# covers: autograd.no-grad
# needs: threading

import threading

import torch

w = torch.tensor([1.0], requires_grad=True)


@torch.no_grad()
def predict(x):
    return x * 2


print(predict(w).requires_grad, torch.is_grad_enabled())
#> False True

with torch.no_grad():
    with torch.enable_grad():
        print((w * 2).requires_grad)
#> True

with torch.no_grad():
    thread = threading.Thread(target=lambda: print("other thread:", torch.is_grad_enabled()))
    thread.start()
    thread.join()
#> other thread: True
