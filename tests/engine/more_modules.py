"""Define ModuleInfos, torch's descriptions for tests, of modules that torch's module_db leaves out."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch.nn import Module
from torch.testing import make_tensor
from torch.testing._internal.common_modules import FunctionInput, ModuleInfo, ModuleInput

Case = tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]
"""(args, kwargs, inputs): arguments of the constructor, and inputs, where a tuple is the shape of a random tensor."""


def _inputs(cases: list[Case], module_info: Any, device: Any, dtype: Any, requires_grad: bool, training: bool) -> Any:
    make = partial(make_tensor, device=device, dtype=dtype, requires_grad=requires_grad)
    for args, kwargs, inputs in cases:
        tensors = [make(i) if isinstance(i, tuple) else i for i in inputs]
        yield ModuleInput(FunctionInput(*args, **kwargs), FunctionInput(*tensors))


def _info(cls: type[Module], *cases: Case, modes: bool = False) -> ModuleInfo:
    return ModuleInfo(cls, module_inputs_func=partial(_inputs, list(cases)), train_and_eval_differ=modes)


def _indices(high: int, *shape: int) -> Any:
    return torch.randint(0, high, shape, generator=torch.Generator().manual_seed(0))


def _dropout_info(cls: type[Module], *shapes: tuple[int, ...]) -> ModuleInfo:
    arguments: list[tuple[Any, ...]] = [(), (0.3,), (0.0,), (1.0,)]
    return _info(cls, *[(args, {}, (shape,)) for args in arguments for shape in shapes], modes=True)


MORE_MODULES: list[ModuleInfo] = [
    _info(torch.nn.Identity, ((), {}, ((2, 3),)), ((1, "any"), {"thing": 2}, ((3,),))),
    _dropout_info(torch.nn.Dropout, (4, 5), (100,), ()),
    _dropout_info(torch.nn.Dropout1d, (2, 3, 4), (3, 4)),
    _dropout_info(torch.nn.Dropout2d, (2, 3, 4, 5)),
    _dropout_info(torch.nn.Dropout3d, (2, 3, 2, 2, 2), (3, 2, 2, 2)),
    _dropout_info(torch.nn.AlphaDropout, (4, 5)),
    _dropout_info(torch.nn.FeatureAlphaDropout, (2, 3, 4)),
    _info(torch.nn.CosineSimilarity, ((), {}, ((3, 4), (3, 4))), ((0,), {"eps": 1e-4}, ((3, 4), (3, 4)))),
    _info(
        torch.nn.PairwiseDistance,
        ((), {}, ((3, 4), (3, 4))),
        ((1.0,), {"keepdim": True}, ((3, 4), (3, 4))),
        ((3,), {}, ((4,), (4,))),
    ),
    _info(
        torch.nn.TripletMarginLoss,
        ((), {}, ((3, 4), (3, 4), (3, 4))),
        ((0.5, 1.0), {"swap": True, "reduction": "none"}, ((3, 4), (3, 4), (3, 4))),
        ((), {"eps": 1e-3, "reduction": "sum"}, ((4,), (4,), (4,))),
    ),
    _info(torch.nn.Flatten, ((), {}, ((2, 3, 4),)), ((0, 1), {}, ((2, 3, 4),)), ((), {"end_dim": -2}, ((2, 3, 4, 2),))),
    _info(
        torch.nn.Unflatten,
        ((1, (2, 3)), {}, ((4, 6),)),
        ((-1, torch.Size([3, 2])), {}, ((4, 6),)),
        ((0, (-1, 2)), {}, ((4, 6),)),
    ),
    _info(
        torch.nn.Unfold,
        ((2,), {}, ((1, 2, 4, 5),)),
        (((2, 3),), {"dilation": 1, "padding": (1, 0), "stride": 2}, ((2, 1, 5, 6),)),
    ),
    _info(torch.nn.Hardsigmoid, ((), {}, ((4, 5),)), ((True,), {}, ((),))),
    _info(
        torch.nn.RReLU,
        ((), {}, ((4, 5),)),
        ((0.1, 0.9), {}, ((3,),)),
        ((0.3, 0.3), {"inplace": False}, ((2, 2),)),
        modes=True,
    ),  # fmt: skip
    _info(
        torch.nn.Upsample,
        ((5,), {}, ((1, 2, 3),)),
        ((), {"scale_factor": 2}, ((1, 2, 3, 2),)),
        ((), {"scale_factor": (1.5, 2), "mode": "bilinear", "align_corners": True}, ((1, 2, 3, 4),)),
        ((), {"scale_factor": 1.7, "mode": "bicubic", "recompute_scale_factor": True}, ((1, 2, 3, 3),)),
        (((2, 3, 4),), {"mode": "trilinear"}, ((1, 1, 3, 3, 3),)),
    ),
    _info(torch.nn.UpsamplingNearest2d, ((), {"scale_factor": 2}, ((1, 2, 3, 2),)), (((2, 5),), {}, ((1, 2, 3, 3),))),
    _info(torch.nn.UpsamplingBilinear2d, ((), {"scale_factor": 2}, ((1, 2, 3, 2),)), ((4,), {}, ((1, 2, 3, 3),))),
]
