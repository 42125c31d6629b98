"""ModuleInfos, in torch's form, for the modules that torch's own module_db leaves out."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch.nn import Module
from torch.testing import make_tensor
from torch.testing._internal.common_modules import FunctionInput, ModuleInfo, ModuleInput

Case = tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]
"""Arguments of the constructor by place and by name, and the inputs: a tuple is the shape of a tensor to be made."""


def _inputs(cases: list[Case], module_info: Any, device: Any, dtype: Any, requires_grad: bool, training: bool) -> Any:
    make = partial(make_tensor, device=device, dtype=dtype, requires_grad=requires_grad)
    for args, kwargs, inputs in cases:
        tensors = [make(i) if isinstance(i, tuple) else i for i in inputs]
        yield ModuleInput(FunctionInput(*args, **kwargs), FunctionInput(*tensors))


def _info(cls: type[Module], *cases: Case, modes: bool = False) -> ModuleInfo:
    return ModuleInfo(cls, module_inputs_func=partial(_inputs, list(cases)), train_and_eval_differ=modes)


def _indices(high: int, *shape: int) -> Any:
    return torch.randint(0, high, shape, generator=torch.Generator().manual_seed(0))


def _of_dropout(cls: type[Module], *shapes: tuple[int, ...]) -> ModuleInfo:
    arguments: list[tuple[Any, ...]] = [(), (0.3,), (0.0,), (1.0,)]
    return _info(cls, *[(args, {}, (shape,)) for args in arguments for shape in shapes], modes=True)


def _unpool(dims: int) -> ModuleInfo:
    """The places of the maxima are those of windows of two."""
    small, large = (1, 2, *(2,) * dims), (1, 2, *(4,) * dims)
    values = torch.arange(2.0 * 4**dims).mul(0.7).sin().view(large)
    pool = getattr(torch.nn.functional, f"max_pool{dims}d")
    places = pool(values, 2, return_indices=True)[1]
    return _info(
        getattr(torch.nn, f"MaxUnpool{dims}d"),
        ((2,), {}, (small, places)),
        ((2,), {"stride": 2}, (small[1:], places[0])),
    )


def _lazy_norm(name: str, dims: int) -> ModuleInfo:
    shape = (3, 2, *(4,) * dims)
    cases: list[Case] = [
        ((), {}, (shape,)),
        ((), {"affine": False}, (shape,)),
        ((), {"bias": False, "eps": 0.1}, (shape,)),
    ]
    return _info(getattr(torch.nn, f"Lazy{name}{dims}d"), *cases, modes=True)


MORE_MODULES: list[ModuleInfo] = [
    _info(torch.nn.LazyLinear, ((3,), {}, ((2, 4),)), ((3, False), {}, ((4,),))),
    *[_lazy_norm(name, dims) for name in ("BatchNorm", "InstanceNorm") for dims in (1, 2, 3)],
    _info(torch.nn.Identity, ((), {}, ((2, 3),)), ((1, "any"), {"thing": 2}, ((3,),))),
    _of_dropout(torch.nn.Dropout, (4, 5), (100,), ()),
    _of_dropout(torch.nn.Dropout1d, (2, 3, 4), (3, 4)),
    _of_dropout(torch.nn.Dropout2d, (2, 3, 4, 5)),
    _of_dropout(torch.nn.Dropout3d, (2, 3, 2, 2, 2), (3, 2, 2, 2)),
    _of_dropout(torch.nn.AlphaDropout, (4, 5)),
    _of_dropout(torch.nn.FeatureAlphaDropout, (2, 3, 4)),
    _info(torch.nn.ChannelShuffle, ((2,), {}, ((1, 4, 3, 3),)), ((3,), {}, ((2, 6, 2, 2),))),
    _info(torch.nn.CosineSimilarity, ((), {}, ((3, 4), (3, 4))), ((0,), {"eps": 1e-4}, ((3, 4), (3, 4)))),
    _info(
        torch.nn.PairwiseDistance,
        ((), {}, ((3, 4), (3, 4))),
        ((1.0,), {"keepdim": True}, ((3, 4), (3, 4))),
        ((3,), {}, ((4,), (4,))),
    ),
    _info(
        torch.nn.AdaptiveLogSoftmaxWithLoss,
        ((8, 12, [4, 8]), {"div_value": 2.0}, ((6, 8), _indices(12, 6))),
        ((8, 5, [2]), {"head_bias": True}, ((8,), torch.tensor(3))),
    ),
    _info(
        torch.nn.EmbeddingBag,
        ((5, 3), {}, (_indices(5, 4, 2),)),
        ((5, 3), {"mode": "sum"}, (_indices(5, 7), torch.tensor([0, 2, 5]))),
        ((5, 3), {"mode": "max"}, (_indices(5, 2, 3),)),
        (
            (5, 3),
            {"mode": "mean", "padding_idx": 1, "include_last_offset": True},
            (_indices(5, 6), torch.tensor([0, 4, 6])),
        ),
    ),  # fmt: skip
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
    _info(
        torch.nn.Fold, (((3, 4), 2), {}, ((1, 8, 6),)), (((4, 4), (2, 2)), {"stride": 2, "padding": 1}, ((1, 4, 9),))
    ),
    _info(torch.nn.Hardsigmoid, ((), {}, ((4, 5),)), ((True,), {}, ((),))),
    _info(
        torch.nn.RReLU,
        ((), {}, ((4, 5),)),
        ((0.1, 0.9), {}, ((3,),)),
        ((0.3, 0.3), {"inplace": False}, ((2, 2),)),
        modes=True,
    ),  # fmt: skip
    *[_unpool(dims) for dims in (1, 2, 3)],
    _info(torch.nn.CrossMapLRN2d, ((3,), {}, ((2, 5, 3, 2),)), ((2, 0.5), {"beta": 1.5, "k": 2}, ((1, 4, 2, 2),))),
    _info(torch.nn.PixelShuffle, ((2,), {}, ((1, 8, 2, 3),)), ((3,), {}, ((9, 2, 2),))),
    _info(torch.nn.PixelUnshuffle, ((2,), {}, ((1, 2, 4, 6),))),
    _info(
        torch.nn.Upsample,
        ((), {"scale_factor": 2}, ((1, 2, 3, 3),)),
        ((), {"size": (5, 4), "mode": "bilinear"}, ((1, 2, 3, 3),)),
        ((), {"scale_factor": 1.5, "mode": "bilinear", "align_corners": True}, ((1, 2, 4, 4),)),
        ((), {"size": 7, "mode": "linear", "align_corners": False}, ((1, 2, 3),)),
        ((), {"scale_factor": (2, 3), "mode": "bicubic"}, ((1, 1, 3, 3),)),
        ((), {"scale_factor": 2, "mode": "trilinear"}, ((1, 1, 2, 2, 2),)),
    ),
    _info(torch.nn.UpsamplingNearest2d, ((), {"scale_factor": 2}, ((1, 2, 3, 3),)), ((4,), {}, ((1, 2, 3, 3),))),
    _info(torch.nn.UpsamplingBilinear2d, ((), {"scale_factor": 2}, ((1, 2, 3, 3),)), (((4, 5),), {}, ((1, 2, 3, 3),))),
    _info(
        torch.nn.TripletMarginLoss,
        ((), {}, ((3, 4), (3, 4), (3, 4))),
        ((), {"margin": 0.5, "p": 1.0, "swap": True, "reduction": "none"}, ((3, 4), (3, 4), (3, 4))),
    ),
    _info(
        torch.nn.TripletMarginWithDistanceLoss,
        ((), {}, ((3, 4), (3, 4), (3, 4))),
        ((), {"swap": True, "margin": 2.0, "reduction": "sum"}, ((3, 4), (3, 4), (3, 4))),
    ),
]

LEFT_OUT = {
    "Container": "an old name without a use",
    "DataParallel": "for several GPUs",
    "LinearCrossEntropyOptions": "how torch cuts a batch to save memory",
    "NLLLoss2d": "an old name of NLLLoss",
    "SyncBatchNorm": "for several processes",
}
"""The classes of torch.nn that the engine does not have, and what they are for."""
