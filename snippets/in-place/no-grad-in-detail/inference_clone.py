"""A refused write to an inference tensor has changed it all the same; a clone is an ordinary tensor."""
# covers: autograd.no-grad

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.inference_mode():
    y = w * 3

try:
    y += 1
except RuntimeError as error:
    print(error)
#>? Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor ...
print(y)  # torch wrote the new values before it raised the error
#> tensor([4., 7.])

print(w * y.clone())
#> tensor([ 4., 14.], grad_fn=<MulBackward0>)
