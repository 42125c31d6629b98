"""Programs return the same on the CPU and on an imitated GPU that is as strict as CuPy; `torch.cuda` behaves as in torch without a GPU."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch as pytorch

import reference_impl as torch
from reference_impl import _backend
from tests.engine.two_engines import outcome_of

F = torch.nn.functional


def random_tensor(device: str, *shape: int, requires_grad: bool = True, seed: int = 3) -> Any:
    """Return a tensor of random numbers, which are equal on all devices."""
    torch.manual_seed(seed)
    return torch.randn(*shape).to(device).requires_grad_(requires_grad)


# Programs: each returns tensors that must be equal on all devices.


def creation(device: str) -> list[Any]:
    """Create tensors by functions that take a device, and from tensors on the device."""
    tensors = [
        torch.zeros(2, 3, device=device), torch.ones(2, device=device), torch.full((2,), 7, device=device),
        torch.arange(5, device=device), torch.linspace(0, 1, 4, device=device), torch.eye(3, device=device),
        torch.tensor([[1.5, 2], [3, 4]], device=device), torch.empty(0, device=device),
    ]  # fmt: skip
    torch.manual_seed(1)
    tensors += [torch.rand(3, device=device), torch.randn(3, device=device), torch.randint(9, (3,), device=device)]
    tensors += [
        torch.zeros_like(tensors[0]),
        torch.rand_like(tensors[0]),
        tensors[0].new_ones(2),
        torch.randperm(5, device=device),
    ]
    return tensors


def arithmetic(device: str) -> list[Any]:
    """Compute results element by element, and the gradients of their sum."""
    x, y = random_tensor(device, 3, 4), random_tensor(device, 4, seed=4)
    out = (x * y + 2 - x / (y * y + 1)).exp().log1p().tanh() ** 2 + torch.maximum(x, y) - 3 / (x.abs() + 1)
    out = out + x.sigmoid() * x.relu() + torch.where(x > 0, x, y) + x.clamp(-1, 1) + F.gelu(x) + F.softplus(x)
    out.sum().backward()
    return [out, x.grad, y.grad, x > y, (x > 0) & (y > 0), x.to(torch.float64), (x * 3).long() % 2, x.lerp(y, 0.3)]


def reductions(device: str) -> list[Any]:
    """Reduce dimensions, and compute the gradient of the sum of all results."""
    x = random_tensor(device, 3, 4, 2)
    outs = [x.sum(), x.mean(1), x.var(0), x.std(), x.amax(2), x.max(), x.max(1)[0], x.max(1)[1], x.prod(2), x.norm()]
    outs += [
        x.softmax(1),
        x.log_softmax(1),
        x.logsumexp(0),
        x.cumsum(1),
        x.argmax(0),
        x.sort(1)[0],
        x.topk(2, 1)[0],
    ]
    sum(o.sum() for o in outs if o.requires_grad).backward()
    return [*outs, x.grad, (x > 0).any(), (x > -9).all(1)]


def indexing(device: str) -> list[Any]:
    """Select and move elements, and compute the gradient of a sum of squares. Write elements by index."""
    x = random_tensor(device, 4, 5)
    rows = torch.tensor([0, 2, 2], device=device)
    outs = [x[1], x[:, 1:3], x[::2, -1], x[rows], x[rows, rows], x[x > 0], x[None, ..., 0], x[:, [0, 3]]]
    outs += [
        x.gather(1, rows[:, None]),
        x.index_select(0, rows),
        x.masked_fill(x > 0, 9.0),
        x.take(rows),
        x.diagonal(),
        x.tril(),
    ]
    outs += [
        torch.cat([x, x[:1]]),
        torch.stack([x, x]),
        x.t(),
        x.reshape(2, 10),
        x.flip(0),
        x.roll(1, 1),
        x.expand(2, 4, 5),
        x.unfold(1, 2, 1),
    ]
    sum((o * o).sum() for o in outs).backward()
    zeros = torch.zeros(4, 5, device=device).scatter_add_(0, rows[None], torch.ones(1, 3, device=device))
    zeros.index_add_(0, rows, torch.ones(3, 5, device=device))
    zeros[rows, 1] = 5.0
    zeros[0] = torch.arange(5.0, device=device)
    return [*outs, x.grad, zeros]


def in_place(device: str) -> list[Any]:
    """Change views in place. The last result contains versions and is always on the CPU."""
    x = random_tensor(device, 3, 4)
    y = x * 1
    y[0].mul_(2)
    y[:, 1].add_(x[:, 2])
    y[1:, 2:] = 0
    row = y.view(2, 6)[1]
    row.mul_(3)
    y.t()[0].copy_(y[2, :3])
    (y * y).sum().backward()
    return [y, row, x.grad, torch.tensor([y._version, row._version])]


def matrices(device: str) -> list[Any]:
    """Multiply matrices and vectors, and compute the gradients of the sum of all products."""
    a, b, batch = (
        random_tensor(device, 3, 4),
        random_tensor(device, 4, 2, seed=4),
        random_tensor(device, 2, 4, 4, seed=5),
    )
    outs = [
        a @ b,
        a.mv(b[:, 0]),
        batch @ b,
        torch.bmm(batch, batch),
        torch.addmm(b[:3], a, b),
    ]
    outs += [F.linear(a, b.t()), torch.outer(a[0], b[0]), torch.dot(a[0], b[:, 0])]
    sum(o.sum() for o in outs).backward()
    return [*outs, a.grad, b.grad, batch.grad]


def images(device: str) -> list[Any]:
    """Convolve, pool, pad and normalize images, and compute the gradients of a sum of squares."""
    x, w, v, bias = (
        random_tensor(device, 2, 3, 6, 6),
        random_tensor(device, 4, 3, 3, 3, seed=4),
        random_tensor(device, 3, 2, 2, 2, seed=5),
        random_tensor(device, 4),
    )
    outs = [
        F.conv2d(x, w, bias, padding=1),
        F.conv2d(x, w, stride=2),
        F.conv_transpose2d(x, v, stride=2),
        F.max_pool2d(x, 2),
    ]
    outs += [F.avg_pool2d(x, 3, 2, 1), F.adaptive_avg_pool2d(x, 2), F.pad(x, (1, 1, 2, 0))]
    outs += [
        F.unfold(x, 2),
        F.pad(x, (1, 1, 1, 1), "reflect"),
    ]
    outs += [F.layer_norm(x, (6,)), F.group_norm(x, 3), F.batch_norm(x, None, None, training=True)]
    sum((o * o).sum() for o in outs).backward()
    return [*outs, x.grad, w.grad, v.grad, bias.grad]


def losses(device: str) -> list[Any]:
    """Compute losses of random scores, and a one-hot encoding.

    Return them, and the gradient of the sum of the losses with respect to the scores.
    """
    x, y = random_tensor(device, 4, 5), random_tensor(device, 4, 5, requires_grad=False, seed=4)
    classes = torch.tensor([0, 4, 2, 2], device=device)
    outs = [
        F.cross_entropy(x, classes),
        F.cross_entropy(x, classes, ignore_index=2, label_smoothing=0.1),
        F.nll_loss(x.log_softmax(1), classes),
    ]
    outs += [
        F.mse_loss(x, y),
        F.l1_loss(x, y),
        F.smooth_l1_loss(x, y),
        F.binary_cross_entropy_with_logits(x, (y > 0).float()),
    ]
    outs += [F.kl_div(x.log_softmax(1), y.softmax(1), reduction="batchmean"), F.cross_entropy(x, y.softmax(1))]
    outs += [F.one_hot(classes, 5)]
    sum(o.sum() for o in outs if o.requires_grad).backward()
    return [*outs, x.grad]


def second_gradients(device: str) -> list[Any]:
    """Compute first and second gradients of a convolution followed by pooling."""
    x, w = random_tensor(device, 2, 2, 5, 5), random_tensor(device, 3, 2, 2, 2, seed=4)
    out = F.max_pool2d(F.conv2d(x, w).tanh(), 2).sum()
    first = torch.autograd.grad(out, (x, w), create_graph=True)
    return [*first, *torch.autograd.grad(sum((g * g).sum() for g in first), (x, w))]


class LeNet(torch.nn.Module):
    """LeNet-5 for images of 28 x 28 pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = torch.nn.Conv2d(1, 6, 5), torch.nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = torch.nn.Linear(256, 120), torch.nn.Linear(120, 84), torch.nn.Linear(84, 10)

    def forward(self, x: Any) -> Any:
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x)))))


def training(device: str, make_optimizer: Callable[[Any], Any]) -> list[Any]:
    """Train LeNet for three steps; return the losses and parameters. `make_optimizer` takes the parameters."""
    torch.manual_seed(0)
    model = LeNet().to(device)
    images, classes = torch.randn(4, 1, 28, 28).to(device), torch.tensor([1, 2, 3, 9], device=device)
    optimizer = make_optimizer(model.parameters())
    step_losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), classes)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step_losses.append(loss)
    return [*step_losses, *model.parameters()]


# The programs by name.
PROGRAMS: dict[str, Callable[[str], list[Any]]] = {
    f.__name__: f for f in (creation, arithmetic, reductions, indexing, in_place, matrices, images, losses, second_gradients)
} | {
    f"LeNet with {name}": lambda device, name=name, options=options: training(
        device, lambda params: getattr(torch.optim, name)(params, **options)
    )
    for name, options in {
        "SGD": {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}, "Adam": {"amsgrad": True}, "ASGD": {},
    }.items()
}  # fmt: skip


@pytest.mark.usefixtures("imitated_gpu")
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_program_returns_the_same_on_the_device_and_the_cpu(name: str) -> None:
    check_same_on_device(name)


def check_same_on_device(name: str, rtol: float = 1e-5) -> None:
    """Assert that the results of the program `name` on the device are on the device and equal those on the CPU."""
    expected, actual = PROGRAMS[name]("cpu"), PROGRAMS[name]("cuda")
    assert len(expected) == len(actual)
    for number, (a, b) in enumerate(zip(expected, actual, strict=True)):
        if name != "in_place" or number < 3:
            assert b.is_cuda and str(b.device) == "cuda:0", f"result {number} is on {b.device}"
        assert (b.dtype, b.shape) == (a.dtype, a.shape), f"result {number}"
        assert (a.grad_fn is None) == (b.grad_fn is None)
        np.testing.assert_allclose(
            b.detach().cpu().numpy(), a.detach().numpy(), rtol=rtol, atol=rtol / 10, err_msg=f"result {number}"
        )


@pytest.mark.usefixtures("imitated_gpu")
def test_arrays_of_cpu_and_device_do_not_mix() -> None:
    x = torch.ones(2, device="cuda")
    for mix in (
        lambda: np.asarray(x._array),
        lambda: x._array + np.ones(2),
        lambda: np.add(np.ones(2), x._array),
        lambda: np.concatenate([x._array, np.ones(2)]),
        lambda: x._array[np.array([0])],
        lambda: x._array.__setitem__(slice(None), np.ones(2)),
        lambda: np.add(np.ones(2), np.ones(2), out=x._array),
        lambda: x.numpy(),
    ):
        with pytest.raises(TypeError):
            mix()
    message = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
    for mixed in (
        lambda: x + torch.ones(2),
        lambda: torch.ones(2) + x,
        lambda: torch.ones(2) + torch.tensor(1.0, device="cuda"),  # only a tensor without dimensions may be on the CPU
        lambda: torch.cat([x, torch.ones(2)]),
    ):
        with pytest.raises(RuntimeError) as caught:
            mixed()
        assert str(caught.value) == message
    with pytest.raises(RuntimeError, match="cpu and cuda:0!"):
        torch.cat([torch.ones(2), x])
    number = torch.tensor(2.0)  # a tensor without dimensions on the CPU may be either operand
    assert (x + number).device == (number + x).device == x.device


# Modules that call `np.asarray` or `np.ascontiguousarray`, and the values that they pass to it.
ARRAYS_FROM_PYTHON = {
    "_tensor.py": "values that NumPy passes to a method of a tensor",
    "core/tensor.py": "a scalar of NumPy, which is not an array",
    "fast/calls.py": "a Python number, and a scalar of NumPy",
    "core/declare.py": "operands, without the packages above the core; `ops.promotion` replaces this code",
    "core/operations/indexing.py": "an index, without the packages above the core",
    "rng/generator.py": "the state of the generator, which is always on the CPU",
    "ops/promotion.py": "a Python number",
    "numerics/precision.py": "scalars of NumPy",
}


def test_only_the_listed_modules_convert_values_by_numpy() -> None:
    """Check that no other module calls `np.asarray` or `np.ascontiguousarray`, which do not dispatch to CuPy."""
    package = Path(torch.__file__).parent
    users = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search(r"np\.(asarray|ascontiguousarray)\(", path.read_text())
    }
    assert users - {"_backend.py"} == set(ARRAYS_FROM_PYTHON)


@pytest.mark.usefixtures("imitated_gpu")
def test_torch_cuda_reports_the_imitated_gpu() -> None:
    assert torch.cuda.is_available()
    assert torch.cuda.device_count() == 2
    with torch.cuda.device(1):
        assert torch.cuda.current_device() == 1
    assert torch.cuda.current_device() == 0
    x = torch.zeros(1000).cuda()
    assert torch.cuda.memory_allocated() >= x.nbytes
    assert repr(torch.ones(2, device="cuda")) == "tensor([1., 1.], device='cuda:0')"
    assert x.cpu().device == torch.device("cpu")


@pytest.mark.skipif(
    pytorch.cuda.is_available() or _backend.has_device("cuda"),
    reason="this test compares behaviour without a GPU, but there is one",
)
@pytest.mark.parametrize("call", [
    lambda t: t.zeros(2, device="cuda"), lambda t: t.ones(2).cuda(), lambda t: t.ones(2).to("cuda"),
    lambda t: t.nn.Linear(1, 1).to("cuda") and None, lambda t: t.nn.Linear(1, 1).cuda() and None,
    lambda t: t.cuda.current_device(), lambda t: t.cuda.synchronize(),
    lambda t: t.cuda.get_device_name(), lambda t: t.cuda.get_device_name(0), lambda t: t.cuda.is_available(),
    lambda t: t.cuda.device_count(), lambda t: t.cuda.empty_cache(), lambda t: t.cuda.memory_allocated(),
    lambda t: t.cuda.memory_reserved(), lambda t: t.cuda.max_memory_allocated(), lambda t: t.cuda.manual_seed(3),
    lambda t: t.cuda.manual_seed_all(3),
])  # fmt: skip
def test_without_a_gpu_calls_behave_as_in_a_cpu_build_of_torch(call: Callable[[Any], Any]) -> None:
    """Compare with the installed torch.

    `pip install torch` installs a CUDA build on Linux. If this build reports a missing driver, expect the message of a CPU build
    instead.
    """
    expected, actual = outcome_of(lambda: call(pytorch)), outcome_of(lambda: call(torch))
    if (
        pytorch.version.cuda
        and expected[1]
        and expected[1].startswith("RuntimeError: Found no NVIDIA driver on your system.")
    ):
        expected = (None, "AssertionError: Torch not compiled with CUDA enabled")
    assert actual == expected


NEEDS_CPU_BUILD = pytest.mark.skipif(
    bool(pytorch.version.cuda) or _backend.has_device("cuda"), reason="this test needs a CPU build of torch and no GPU"
)


@NEEDS_CPU_BUILD
@pytest.mark.parametrize("name", ["current_accelerator", "synchronize", "current_device_index", "empty_cache"])
def test_without_an_accelerator_calls_behave_as_in_a_cpu_build_of_torch(name: str) -> None:
    """Compare with the installed torch. A CUDA build names its accelerator and looks for a driver."""
    expected, actual = (outcome_of(getattr(module.accelerator, name)) for module in (pytorch, torch))
    assert actual == expected


@NEEDS_CPU_BUILD
def test_a_device_index_needs_a_gpu() -> None:
    for call in (lambda t: t.ones(2).cuda(1), lambda t: t.ones(2, device=1), lambda t: t.nn.Linear(1, 1).to(0)):
        expected, actual = outcome_of(lambda call=call: call(pytorch)), outcome_of(lambda call=call: call(torch))
        assert actual == expected == (None, "RuntimeError: Cannot access accelerator device when none is available.")


def test_the_engine_is_a_build_without_cuda() -> None:
    """Check that `version.cuda`, `version.hip` and the flags of backends are those of a CPU build, even beside a CUDA build of torch."""
    builds = [
        (t.version.cuda, t.version.hip, t.backends.cuda.is_built(), t.backends.cudnn.is_available())
        for t in (torch, pytorch)
    ]
    assert builds[0] == (None, None, False, False)
    assert pytorch.version.cuda or pytorch.version.hip or builds[1] == builds[0]


def test_a_device_type_that_only_torch_has_raises_an_error_that_says_so() -> None:
    with pytest.raises(RuntimeError, match="reference_impl, which runs here, has no device 'mps', only cpu"):
        torch.ones(2).to("mps")
