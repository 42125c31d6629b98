"""The names of some nodes in PyTorch 2.13."""
# covers: graph.backward-naming graph.exp-gradfn

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)

for text, result in [
    ("a + 1", a + 1),
    ("a - 1", a - 1),
    ("1 - a", 1 - a),
    ("-a", -a),
    ("a ** 2", a**2),
    ("a ** a", a**a),
    ("2 ** a", 2**a),
    ("a[0]", a[0]),
    ("a[:1]", a[:1]),
    ("a.sum()", a.sum()),
    ("a.sum(0)", a.sum(0)),
    ("a.max()", a.max()),
    ("a.norm()", a.norm()),
    ("a.double()", a.double()),
]:
    print(f"{text:12}{type(result.grad_fn).__name__}")
#> a + 1       AddBackward0
#> a - 1       SubBackward0
#> 1 - a       RsubBackward1
#> -a          NegBackward0
#> a ** 2      PowBackward0
#> a ** a      PowBackward1
#> 2 ** a      PowBackward2
#> a[0]        SelectBackward0
#> a[:1]       SliceBackward0
#> a.sum()     SumBackward0
#> a.sum(0)    SumBackward1
#> a.max()     MaxBackward1
#> a.norm()    LinalgVectorNormBackward0
#> a.double()  ToCopyBackward0
