"""Neural networks: modules, functions, initialisation."""

from __future__ import annotations

import importlib
import re
from typing import Any

from reference_impl._fields import renamed
from reference_impl.arguments.missing_names import absent
from reference_impl.nn import functional, init
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

# The module classes by the file in `nn/modules` that defines them. A file is imported when one of its classes is first used.
_FILES = {
    "activation": "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish PReLU RReLU "
    "ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh Tanhshrink Threshold",
    "batchnorm": "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d",
    "container": "ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "conv": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d",
    "distance": "CosineSimilarity PairwiseDistance",
    "dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "flatten": "Flatten Unflatten",
    "fold": "Unfold",
    "instancenorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "linear": "Identity LazyLinear Linear",
    "loss": "BCELoss BCEWithLogitsLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HuberLoss KLDivLoss L1Loss MSELoss NLLLoss "
    "SmoothL1Loss TripletMarginLoss",
    "normalization": "GroupNorm LayerNorm RMSNorm",
    "rnn": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
    "sparse": "Embedding",
    "padding": "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d "
    "ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
    "pooling": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d "
    "AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d "
    "MaxPool3d",
    "upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
}
_HOMES = {name: file for file, names in _FILES.items() for name in names.split()}

__all__ = [
    "Buffer",
    "DataParallel",
    "Module",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "functional",
    "init",
    *_HOMES,
]


# Layers, without "1d", "2d" or "3d", whose `__init__` torch inherits from a private class. Errors name this class.
_CLASS_OF_INIT = {
    "AdaptiveAvgPool": "_AdaptiveAvgPoolNd", "AlphaDropout": "_DropoutNd", "BCELoss": "_WeightedLoss", "BatchNorm": "_BatchNorm",
    "Dropout": "_DropoutNd", "FeatureAlphaDropout": "_DropoutNd", "InstanceNorm": "_InstanceNorm", "L1Loss": "_Loss",
    "LazyBatchNorm": "_LazyNormBase", "MSELoss": "_Loss", "MaxPool": "_MaxPoolNd",
}  # fmt: skip


# The same for `forward`. The classes of recurrent layers are public, but the engine inherits their `forward`.
_CLASS_OF_FORWARD = {
    "BatchNorm": "_BatchNorm", "CircularPad": "_CircularPadNd", "ConstantPad": "_ConstantPadNd", "GRU": "GRU", "InstanceNorm": "_InstanceNorm",
    "LazyBatchNorm": "_BatchNorm", "RNN": "RNN", "ReflectionPad": "_ReflectionPadNd", "ReplicationPad": "_ReplicationPadNd",
    "ZeroPad": "_ConstantPadNd",
}  # fmt: skip


def _name_methods(cls: type) -> None:
    """Copy methods that `cls` inherits from another class, so that Python's errors for wrong arguments name the class that torch names."""
    family = re.sub("[123]d$", "", cls.__name__)
    named = {
        "__init__": _CLASS_OF_INIT.get(family),
        "forward": _CLASS_OF_FORWARD.get(family),
        "append": None,
        "pop": None,
    }
    for name, class_name in named.items():
        method = getattr(cls, name, None)
        if method is not None and (class_name or method.__qualname__.startswith("_")):
            setattr(cls, name, renamed(method, class_name or cls.__name__))


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(f"reference_impl.nn.modules.{_HOMES[name]}"), name)
        _name_methods(value)
        globals()[name] = value
        return value
    if name == "DataParallel":
        return importlib.import_module("reference_impl.nn.parallel").DataParallel
    if name in ("grad", "utils", "modules", "parallel", "parameter"):
        return importlib.import_module(f"reference_impl.nn.{name}")
    raise absent("torch.nn", name)
