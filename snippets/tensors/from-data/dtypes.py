"""One picture in seven dtypes, which differ in kind and in size."""
# covers: tensor-props.class-parts

import torch

dtypes = [torch.bool, torch.uint8, torch.int32, torch.int64]
dtypes += [torch.float16, torch.float32, torch.float64]
for dtype in dtypes:
    t = torch.zeros(3, 224, 224, dtype=dtype)
    print(t.dtype, t.element_size(), t.nbytes)
#> torch.bool 1 150528
#> torch.uint8 1 150528
#> torch.int32 4 602112
#> torch.int64 8 1204224
#> torch.float16 2 301056
#> torch.float32 4 602112
#> torch.float64 8 1204224

print(torch.tensor([1.5]).dtype, torch.tensor([1]).dtype, torch.tensor([True]).dtype)
#> torch.float32 torch.int64 torch.bool
