"""The playground page lists which names of torch the engine has, and a program with an absent or misspelt name gets advice."""

from __future__ import annotations

import json
import operator
import re
from pathlib import Path

import pytest
import torch

from gradnotes.browser import absent_names
from gradnotes.browser.advice import advice
from gradnotes.browser.run import prepare, run_program
from gradnotes.fences.engine_names import render_names
from gradnotes.markup import Page
from gradnotes.project import Project

NAME = re.compile(r"\btorch(?:\.[A-Za-z_]\w*)+")


def has(full_name: str, root: object) -> bool:
    """Return whether `root`, torch or the engine, has a full name such as `torch.nn.Linear`."""
    try:
        operator.attrgetter(full_name.partition(".")[2])(root)
    except AttributeError:
        return False
    return True


@pytest.fixture(scope="module")
def engine() -> object:
    """Return the engine, which a program imports as `torch`."""
    return absent_names.namespace("torch")


@pytest.fixture(scope="module")
def answers() -> dict[str, str]:
    """Map each name in the table of the playground page to the text of its cell: "yes", or "no" with a sentence of advice."""
    markup = render_names(Project(Path(__file__).parents[2]), Page("playground.md", set()), {})
    folds = re.findall(r"<details.*?<code>(torch[\w.]*)</code>(.*?)</details>", markup, re.DOTALL)
    assert [namespace for namespace, _ in folds] == list(absent_names.NAMESPACES)
    rows = {f"{namespace}.{name}": text for namespace, body in folds for name, text in ROW.findall(body)}
    assert len(rows) > 1_500
    return rows


ROW = re.compile(r"<tr><td><code>(\w+)</code></td><td>(.*?)</td></tr>")


def test_names_listed_as_present_exist_in_the_engine(answers: dict[str, str], engine: object) -> None:
    names = [name for name, text in answers.items() if text == "yes"]
    assert {"torch.ones", "torch.Tensor.backward", "torch.nn.Conv2d", "torch.optim.Adam"} <= set(names)
    assert [name for name in names if not has(name, engine)] == []


def test_names_listed_as_absent_exist_only_in_torch(answers: dict[str, str], engine: object) -> None:
    names = [name for name, text in answers.items() if text != "yes"]
    assert all(answers[name].startswith("no") for name in names)
    assert {"torch.vmap", "torch.nn.Transformer"} <= set(names)
    assert [name for name in names if has(name, engine)] == []
    modules = [name for name in names if not has(name, torch)]  # submodules that `import torch` does not import
    assert all(
        name.split(".")[1] in ("utils", "nn", "func", "autograd", "optim") or name.count(".") == 1 for name in modules
    )
    assert len(modules) < 40, modules


def test_the_page_names_alternatives(answers: dict[str, str]) -> None:
    assert answers["torch.vmap"] == "no. A loop over the first axis and <code>torch.stack</code> do the same, slower"
    assert answers["torch.dropout"] == "no. Use <code>torch.nn.functional.dropout</code>"


@pytest.mark.parametrize("name", absent_names.ALTERNATIVES)
def test_only_names_that_the_engine_lacks_have_alternatives_that_exist(name: str, engine: object) -> None:
    assert not has(name, engine), f"remove {name} from gradnotes/browser/absent_names.py: the engine has it"
    namespace, _, attribute = name.rpartition(".")
    assert attribute in absent_names.names(namespace)[1] or namespace == "torch.cuda", f"torch has no {name}"
    for alternative in NAME.findall(absent_names.ALTERNATIVES[name]):
        assert has(alternative, engine) and has(alternative, torch), alternative


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("torch.vmap(torch.sin)", "`torch.vmap` is not part of this engine. A loop over the first axis"),
        ("torch.linalg.pinv(torch.eye(2))", "`torch.linalg.pinv` is not part of this engine. `numpy.linalg`"),
        ("from torch.func import grad", "`torch.func` is not part of this engine. `torch.autograd.grad`"),
        ("torch.nn.Linear(1, 1).compile()", "`torch.nn.Module.compile` is not part of this engine. Leave the call out"),
        ("torch.dropout(1)", "`torch.dropout` is not part of this engine. Use `torch.nn.functional.dropout`."),
        ("torch.nn.AdaptiveMaxPool1d(1)", "The most similar name in it is `torch.nn.AdaptiveAvgPool1d`."),
        ("torch.sofmax(torch.ones(2), 0)", "PyTorch has no `torch.sofmax`. Did you mean `torch.softmax`?"),
        ("torch.ones(1).unsqeeze(0)", "PyTorch has no `torch.Tensor.unsqeeze`. Did you mean `torch.Tensor.unsqueeze`?"),
        ("from torch.nn import Conv2D", "PyTorch has no `torch.nn.Conv2D`. Did you mean `torch.nn.Conv2d`?"),
        ("torch.nn.functional.leaky_rel", "Did you mean `torch.nn.functional.leaky_relu`?"),
        ("import matplotlib.animation", "`matplotlib.animation` is not available here."),
        ("import tqdm_or_so", "`tqdm_or_so` is not available here."),
    ],
)
def test_the_error_of_a_missing_name_advises_what_to_use(program: str, expected: str) -> None:
    result = json.loads(run_program(f"import torch\n{program}\n", "run-x", ""))
    assert result["state"] == "failed" and expected in result["error"]["advice"], result["error"]


@pytest.mark.parametrize(
    "namespace", ["torch", "torch.Tensor", "torch.nn", "torch.optim.lr_scheduler", "torch.utils.data"]
)
def test_a_missing_name_is_explained_after_a_program_that_has_imported_much_of_the_engine(namespace: str) -> None:
    program = (
        "import torch\nnet = torch.nn.Linear(2, 2)\ntorch.optim.SGD(net.parameters(), lr=0.1)\n"
        "net.register_forward_hook(print)\ntorch.optim.lr_scheduler\ntorch.utils.data.DataLoader([1])\n"
        "torch.nn.LSTM(1, 1)\ntorch.manual_seed(0)\ntorch.autograd.functional.jacobian\ntorch.special\n"
    )
    missing_name = absent_names.names(namespace)[1][0]
    absent_names.names.cache_clear()  # the first missing name in a namespace looks the names up in the engine
    prepare()  # as the browser does: the program imports only the rest of the engine
    result = json.loads(run_program(f"{program}{namespace}.{missing_name}\n", "run-x", ""))
    assert f"`{namespace}.{missing_name}`" in result["error"]["advice"], result["error"]


def test_a_command_of_a_notebook_is_explained() -> None:
    for line in ("%matplotlib inline", "!pip install torch"):
        error = json.loads(run_program(f"{line}\nimport torch\n", "run-x", ""))["error"]
        assert "commands of a notebook" in error["advice"], error


def test_a_name_without_a_similar_one_gets_no_advice() -> None:
    for message in ("module 'torch' has no attribute 'xqzzq'", "'Tensor' object has no attribute 'xqzzq'"):
        assert advice("AttributeError", message) == ""
