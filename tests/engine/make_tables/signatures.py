"""Write reference_impl/arguments/signatures.txt: torch's signatures of functions and methods, from its code generator.

    python -m tests.engine.make_tables.signatures

A line is a signature as in torch's argument parser, such as `sum(Tensor input, *, ScalarType? dtype=None)`. Overloads are in the
order in which torch tries them. Methods follow the line `methods`, and their lines omit `self`. Names that the engine lacks are left
out.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torchgen
from torchgen.gen import parse_native_yaml
from torchgen.packaged.autograd import gen_python_functions as generator

import reference_impl
from reference_impl._tensor import Tensor
from reference_impl.ops.registry import builtins, functions, namespaces

for _module in reference_impl._LAZY_NAMES:
    importlib.import_module(f"reference_impl.{_module}")  # registers functions, as nn.functional does

PATH = Path(reference_impl.__file__).parent / "arguments" / "signatures.txt"
_PACKAGED = Path(torchgen.__file__).parent / "packaged"

# Signatures that torch defines in C++, as in python_variable_methods.cpp, and not in native_functions.yaml.
_FUNCTIONS_BY_HAND = (
    "frombuffer(PyObject* buffer, *, ScalarType dtype, int64_t count=-1, int64_t offset=0, bool requires_grad=False)",
)
_METHODS_BY_HAND = (
    "as_subclass(PyObject* cls)",
    "map2_(Tensor x, Tensor y, PyObject* callable)",
    "map_(Tensor other, PyObject* callable)",
)


def has_function(name: str) -> bool:
    """Return whether the engine has the function. Namespaces are prefixes, as in `special_erf`."""
    namespace, _, rest = name.partition("_")
    return name in functions or name in builtins or rest in namespaces.get(namespace, {})


def has_method(name: str) -> bool:
    """Return whether the engine's Tensor has the method."""
    return hasattr(Tensor, name)


def lines() -> Iterator[str]:
    """Yield the lines of signatures.txt."""
    native = _PACKAGED / "ATen" / "native"
    parsed = parse_native_yaml(str(native / "native_functions.yaml"), str(native / "tags.yaml")).native_functions
    bound = [f for f in parsed if generator.should_generate_py_binding(f)]
    yield "functions"
    yield from _FUNCTIONS_BY_HAND
    for is_bound in (
        generator.is_py_torch_function,
        generator.is_py_nn_function,
        generator.is_py_special_function,
        generator.is_py_linalg_function,
    ):
        yield from _section(bound, is_bound, has_function, is_method=False)
    yield "methods"
    yield from _METHODS_BY_HAND
    yield from _section(bound, generator.is_py_variable_method, has_method, is_method=True)


def _section(
    parsed: list[Any], is_bound: Callable[[Any], bool], is_known: Callable[[str], bool], is_method: bool
) -> Iterator[str]:
    deprecated = str(_PACKAGED / "autograd" / "deprecated.yaml")
    pairs = generator.load_signatures(parsed, deprecated, method=is_method)
    for name, overloads in sorted(
        generator.group_filter_overloads(pairs, is_bound).items(), key=lambda item: str(item[0])
    ):
        if is_known(str(name)):
            for group in generator.group_overloads(overloads):
                yield str(group.signature.signature_str()).replace("\n", "")


def main() -> None:
    """Write signatures.txt."""
    PATH.write_text("\n".join(lines()) + "\n")
    print(f"{PATH}: {len(PATH.read_text().splitlines())} lines")


if __name__ == "__main__":
    main()
