"""The number of digits of a finite difference that are right depends on the size of the step."""
# covers: function.gradcheck

import math

import torch


def digits_right(dtype, step):
    x = torch.tensor(1.0, dtype=dtype)
    up, down = x + step, x - step
    slope = (up * up * up - down * down * down) / (2 * step)
    return -math.log10(abs(slope.item() - 3) / 3)


single = [digits_right(torch.float32, 10.0**-n) for n in range(1, 7)]
double = [digits_right(torch.float64, 10.0**-n) for n in range(1, 12)]
print([round(one) for one in single])
#> [2, 4, 5, 4, 3, 2]
print([round(one) for one in double])
#> [2, 4, 6, 8, 10, 11, 11, 9, 8, 7, 7]
