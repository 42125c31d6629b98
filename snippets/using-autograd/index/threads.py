"""Two threads with separate graphs add to the gradient of one leaf."""
# covers: autograd.three-apis

import threading

import torch

w = torch.tensor(2.0, requires_grad=True)
seen = []


def work(factor):
    loss = w * factor
    loss.register_hook(lambda grad: seen.append((factor, threading.current_thread().name)))
    loss.backward()


threads = [threading.Thread(target=work, args=(k,), name=f"thread {k}") for k in (3, 4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(seen))
#> [(3, 'thread 3'), (4, 'thread 4')]
print(w.grad)
#> tensor(7.)
