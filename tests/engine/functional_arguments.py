"""Makes reference_impl/nn/tensor_arguments.txt: what torch's functions of nn.functional say of a list in a tensor's place.

    python -m tests.engine.functional_arguments

A line is a function, one of its arguments, and either what torch asks that argument for (`size`: an AttributeError follows) or the
function of C++ that it hands it to, with its name and position there (a TypeError). Functions that are `@builtin` in the engine are
left out: their signatures are in signatures.txt.
"""

from __future__ import annotations

import inspect
import re
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

import reference_impl
from reference_impl.nn import functional
from reference_impl.ops.registry import builtins

PATH = Path(reference_impl.__file__).parent / "nn" / "tensor_arguments.txt"

# Values for arguments that are no tensors, by name.
_OTHERS = {
    "dim": 1,
    "downscale_factor": 2,
    "groups": 1,
    "kernel_size": 2,
    "normalized_shape": (3,),
    "num_groups": 1,
    "output_size": 2,
    "pad": (1, 1),
    "scale_factor": 2,
    "size": None,
    "threshold": 0.1,
    "upscale_factor": 2,
    "value": 0.1,
}
_ASKED = re.compile(r"'list' object has no attribute '(\w+)'")
_HANDED_OVER = re.compile(r"(\w+\(\): argument '\w+' \(position \d+\)) must be Tensor, not list")


def names() -> list[str]:
    """The functions that are looked at."""
    return sorted(name for name in functional.__all__ if name not in builtins or _in_python(name))


def _in_python(name: str) -> bool:
    return isinstance(getattr(torch.nn.functional, name), types.FunctionType)


def tensor_arguments(name: str) -> list[inspect.Parameter]:
    """The arguments of a function of nn.functional that are tensors, the optional ones too."""
    parameters = inspect.signature(getattr(functional, name)).parameters.values()
    tensors = [p for p in parameters if str(p.annotation).startswith("Tensor") and p.name != "out"]
    return tensors or [next(iter(parameters))]


def call(module: Any, name: str, argument: str, value: Any) -> str:
    """What becomes of a call with `value` for `argument`, and a tensor or a fitting value for the others."""
    given: dict[str, Any] = {}
    for parameter in inspect.signature(getattr(functional, name)).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty or parameter.name in ("dim", "scale_factor"):
            given[parameter.name] = _OTHERS[parameter.name] if parameter.name in _OTHERS else module.ones(2, 3)
    given[argument] = value
    first = next(iter(given))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(module.nn.functional, name)(given.pop(first), **given)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def lines() -> Iterator[str]:
    """The lines of the file."""
    for name in names():
        for parameter in tensor_arguments(name):
            said = call(torch, name, parameter.name, [1.0, 2.0])
            found = _HANDED_OVER.search(said) or _ASKED.search(said)
            if found:
                yield f"{name}\t{parameter.name}\t{found[1]}"


if __name__ == "__main__":
    PATH.write_text("\n".join(lines()) + "\n")
