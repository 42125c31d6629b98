"""A name that the engine lacks raises an error that says whether torch has it. A misspelt name raises Python's usual error."""

from __future__ import annotations

import json
import operator
import subprocess
import sys

import pytest
import torch

import reference_impl
from tests.engine.make_tables.torch_names import PATH

ONLY_IN_TORCH = [
    "Tensor.qr", "fft", "qr", "backends.opt_einsum", "autograd.profiler", "autograd.functional.fwAD", "autograd.graph.disable_saved_tensors_hooks", "serialization.safe_globals", "cuda.Stream", "linalg.pinv", "nn.Transformer",
    "nn.functional.ctc_loss", "nn.grad.conv3d_input", "nn.init.dirac_",
    "nn.modules.module.register_module_full_backward_hook", "nn.utils.prune", "optim.LBFGS", "optim.Optimizer.register_state_dict_pre_hook", "optim.swa_utils",
    "special.i0", "utils.checkpoint", "utils.data.StackDataset",
]  # fmt: skip


@pytest.mark.parametrize("name", ONLY_IN_TORCH)
def test_a_name_that_only_torch_has_raises_an_error_that_says_so(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^PyTorch has torch.{name}; reference_impl, which runs here, does not$"):
        operator.attrgetter(name)(reference_impl)


@pytest.mark.parametrize(
    "name", [name.rpartition(".")[0] for name in ONLY_IN_TORCH if "Tensor" not in name and "Optimizer" not in name]
)
def test_a_misspelt_name_raises_the_usual_error(name: str) -> None:
    namespace = f"torch.{name}".rstrip(".")
    with pytest.raises(AttributeError, match=f"^module '{namespace}' has no attribute 'qqr'$"):
        operator.attrgetter(f"{name}.qqr".lstrip("."))(reference_impl)


def test_a_tensor_method_that_only_torch_has_raises_an_error_that_says_so() -> None:
    parameter = reference_impl.nn.Parameter(reference_impl.ones(2))
    with pytest.raises(
        AttributeError, match="^PyTorch has torch.Tensor.sparse_mask; reference_impl, which runs here, does"
    ):
        parameter.sparse_mask(parameter)
    assert not hasattr(parameter, "qr") and not hasattr(reference_impl.Tensor, "qr")
    with pytest.raises(AttributeError, match="^'Tensor' object has no attribute 'qqr'$"):
        reference_impl.ones(2).qqr()


def test_the_engine_has_no_tensor_attribute_that_torch_lacks() -> None:
    assert {name for name in dir(reference_impl.Tensor) if name[0] != "_"} <= set(dir(torch.Tensor))


def test_a_module_method_that_only_torch_has_raises_an_error_that_says_so() -> None:
    layer = reference_impl.nn.Linear(1, 1)
    with pytest.raises(
        AttributeError, match="^PyTorch has torch.nn.Module.compile; reference_impl, which runs here, does"
    ):
        layer.compile()
    with pytest.raises(AttributeError, match="^'Linear' object has no attribute 'bias_'$"):
        _ = layer.bias_
    layer.compile = 3
    assert layer.compile == 3 and not hasattr(layer, "to_empty")


IMPORTS = {
    "import torch.fft": "torch.fft",
    "from torch import fft": "torch.fft",
    "import torch.nn.utils.prune as prune": "torch.nn.utils.prune",
    "from torch.utils.checkpoint import checkpoint": "torch.utils.checkpoint",
    "from torch.nn import Linear, Transformer": "torch.nn.Transformer",
    "from torch.nn.functional import relu, ctc_loss": "torch.nn.functional.ctc_loss",
    "from torch.autograd.functional import fwAD": "torch.autograd.functional.fwAD",
    "from torch.nn.modules.transformer import Transformer": "torch.nn.modules.transformer",
    "from torch.optim import Rprop": "torch.optim.Rprop",
}
IMPORTING = """
import json, sys
from gradnotes.recorder.program import as_torch
outcomes = []
with as_torch():
    for statement in json.load(sys.stdin):
        try:
            exec(statement)
            outcomes.append("imported")
        except ImportError as error:
            outcomes.append(f"{type(error).__name__}: {error}")
print(json.dumps(outcomes))
"""


def test_imports_of_absent_and_misspelt_names_raise_the_same_kinds_of_errors() -> None:
    """Run imports with the name `torch` bound to reference_impl, as in programs of a page."""
    other_imports = ["import torch.qqr", "from torch import qqr", "from torch.nn.functional import relu"]
    program = [sys.executable, "-c", IMPORTING]
    *messages, module, name, last_message = json.loads(
        subprocess.run(
            program,
            input=json.dumps([*IMPORTS, *other_imports]),
            capture_output=True,
            text=True,
            check=True,
            timeout=600,
        ).stdout
    )
    message = "ModuleNotFoundError: PyTorch has {}; reference_impl, which runs here, does not"
    assert messages == [message.format(name) for name in IMPORTS.values()]
    assert module == "ModuleNotFoundError: No module named 'torch.qqr'"
    assert name.startswith("ImportError: cannot import name 'qqr' from 'reference_impl'") and last_message == "imported"


@pytest.mark.parametrize("statement", IMPORTS)
def test_the_imports_of_absent_names_succeed_in_torch(statement: str) -> None:
    exec(statement)


def test_the_file_of_torchs_names_is_up_to_date() -> None:
    program = "from tests.engine.make_tables import torch_names; print(*torch_names.lines(), sep='\\n')"
    text = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600
    ).stdout
    assert text == PATH.read_text(), (
        "torch_names.txt is outdated: run `.venv/bin/python -m tests.engine.make_tables.torch_names`"
    )
