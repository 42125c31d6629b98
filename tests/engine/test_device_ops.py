"""Operations and modules return the same on the CPU and on an imitated device that accepts only what CuPy accepts (`device_compare`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reference_impl as engine
from reference_impl import _backend
from tests.engine import cupy_checks, device_arrays
from tests.engine.device_compare import judge_module, judge_op
from tests.engine.make_tables.module import modules
from tests.engine.make_tables.op import operations
from tests.engine.op_compare import full_name

pytestmark = pytest.mark.usefixtures("imitated_gpu")

OPS, MODULES = operations()[0], modules()[0]
# Number of samples per dtype. All 27,000 samples take five minutes on one core and revealed one more difference, in empty_permuted.
SAMPLES = {"quick": 2, "pull-request": 2, "full": 4}


@pytest.mark.parametrize("op", OPS, ids=full_name)
def test_an_operation_returns_the_same_on_the_device(op: Any, tier: str) -> None:
    assert sorted(set(judge_op(op, SAMPLES[tier]))) == []


@pytest.mark.parametrize("info", MODULES, ids=lambda info: info.name)
def test_a_module_returns_the_same_on_the_device(info: Any, tier: str) -> None:
    assert sorted(set(judge_module(info, SAMPLES[tier]))) == []


@pytest.mark.skipif(cupy_checks.cupy is None, reason=cupy_checks.SKIP_REASON)
class TestCallsAreCheckedWithCupy:
    """The imitated device repeats each call on CuPy, and raises the errors of CuPy."""

    @pytest.mark.parametrize("call, text", [
        (lambda x: np.maximum.reduce(x), "`cupy_maximum.reduce` is not supported yet"),
        (lambda x: np.add(x, x, order="C"), "Wrong arguments {'order': 'C'}"),
        (lambda x: np.max(x, initial=0), "unexpected keyword argument 'initial'"),
        (lambda x: np.linspace(0, 1, 3, like=x), "unexpected keyword argument 'like'"),
        (lambda x: device_arrays.module.add.at(x.astype(np.int8), x.astype(np.int64), x.astype(np.int8)), "only supports"),
        (lambda x: np.add.at(x, (x.astype(np.int64),), x), "all returned NotImplemented"),
        (lambda x: np.add(x, x, where=x > 0), "Wrong arguments {'where'"),
        (lambda x: np.unique(x > 0), "boolean subtract"),
    ])  # fmt: skip
    def test_a_call_that_only_numpy_accepts_raises_the_error_of_cupy(self, call: Any, text: str) -> None:
        x = device_arrays.asarray(np.ones(3, np.float32))
        with pytest.raises((TypeError, NotImplementedError)) as caught:
            call(x)
        assert text in str(caught.value)

    def test_a_dtype_without_a_loop_raises_an_error(self) -> None:
        x = np.ones(2, np.longdouble)
        with pytest.raises(TypeError, match="cupy.add has no loop"):
            cupy_checks.check_types(np.add, (x, x), {}, x + x)

    def test_cupy_accepts_the_other_calls_of_the_engine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Check the functions of CuPy that `_backend` and `cuda` call: memory, devices, views and memory hooks."""
        cupy, runtime = cupy_checks.cupy, cupy_checks.cupy.cuda.runtime
        calls = [runtime.getDeviceCount, runtime.getDevice, runtime.deviceSynchronize]
        calls += [lambda: runtime.setDevice(0), lambda: runtime.getDeviceProperties(0)]
        calls += [lambda: cupy.empty((2, 3), dtype=np.float32), lambda: cupy.asarray(np.ones(3))]
        pool = cupy.get_default_memory_pool()
        calls += [pool.used_bytes, pool.total_bytes, pool.free_all_blocks]
        for call in calls:
            cupy_checks.check_call(call, None)
        monkeypatch.setitem(_backend._modules, "cuda", cupy)
        memory = cupy_checks.on_gpu(np.zeros(12, np.float32))
        for x in (_backend.as_strided(memory, (2, 2), (3, 1), 4), _backend.window(memory[4:], (2, 2), (12, 4))):
            assert (x.shape, x.strides, x.data.ptr) == ((2, 2), (12, 4), memory.data.ptr + 16)

        class Hook(cupy.cuda.MemoryHook):
            name = "test"

        with Hook():
            pass

    def test_a_view_with_other_strides_raises_an_error(self) -> None:
        host = np.ones((2, 3), np.float32)
        with pytest.raises(AssertionError, match="CuPy returns"):
            cupy_checks.check_call(lambda: cupy_checks.on_gpu(host).T, host)


def test_a_checkpoint_is_loaded_to_the_device_of_its_tensors(tmp_path: Path) -> None:
    """Save tensors on the device, and load them there or to the CPU.

    Tensors that share memory must still share it, and training must continue with the same parameters on the device.
    """
    model = engine.nn.Linear(3, 2).to("cuda")
    optimizer = engine.optim.Adam(model.parameters())
    x = engine.ones(4, 3).to("cuda")

    def train_step() -> list[Any]:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
        return [p.tolist() for p in model.parameters()]

    train_step()
    base = engine.arange(4.0).to("cuda")
    saved = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "base": base, "view": base[1:]}
    engine.save(saved, tmp_path / "x.pt")
    expected = train_step()
    for map_location in (None, "cpu", {"cuda:0": "cpu"}):
        loaded = engine.load(tmp_path / "x.pt", map_location)
        assert loaded["base"].is_cuda == (map_location is None)
        loaded["base"].zero_()
        assert loaded["view"].tolist() == [0.0, 0.0, 0.0]
        model.load_state_dict(loaded["model"])
        optimizer.load_state_dict(loaded["optimizer"])
        assert all(p.is_cuda for p in model.parameters())
        assert train_step() == expected


def test_gradcheck_accepts_tensors_on_the_device() -> None:
    x = engine.randn(3, dtype=engine.float64).to("cuda").requires_grad_()
    assert engine.autograd.gradcheck(lambda x: x.tanh(), x)
    assert engine.autograd.gradgradcheck(lambda x: x.tanh(), x)


F = engine.nn.functional
# Calls with one tensor on the device and one on the CPU.
MIXED: dict[str, Any] = {
    "@": lambda x, y: x @ y, "mm": lambda x, y: engine.mm(x, y), "cat": lambda x, y: engine.cat([x, y]), "linear": F.linear,
    "a module": lambda x, y: engine.nn.Linear(2, 2)(x), "+": lambda x, y: x + y, "equal": lambda x, y: x.equal(y),
    "gather": lambda x, y: x.gather(1, y.long()), "index_select": lambda x, y: x.index_select(0, y[0].long()),
    "masked_fill": lambda x, y: x.masked_fill(y > 0, 1.0), "mse_loss": F.mse_loss, "where": lambda x, y: engine.where(x > 0, x, y),
    "cross_entropy": lambda x, y: F.cross_entropy(x, y[0].long()),
    "conv2d": lambda x, y: F.conv2d(x[None, None], y[None, None]), "out": lambda x, y: engine.add(x, x, out=y),
}  # fmt: skip


@pytest.mark.parametrize("name", MIXED)
def test_tensors_on_two_devices_are_refused(name: str) -> None:
    x, y = engine.ones(2, 2).to("cuda"), engine.ones(2, 2)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        MIXED[name](x, y)


def test_a_tensor_without_dimensions_may_be_on_the_cpu() -> None:
    """Multiply a tensor on the device by a 0-d tensor on the CPU. The gradient of the 0-d tensor must be on the CPU."""
    x = engine.arange(6.0).view(2, 3).to("cuda").requires_grad_()
    s = engine.tensor(3.0, requires_grad=True)
    w = engine.tensor([1.0, 2.0], requires_grad=True)
    out = (x * s + engine.lerp(x, x.detach(), s) + engine.where(x > 2, x, s)).sum() * w.sum()
    assert out.is_cuda
    out.backward()
    assert (x.grad.device.type, s.grad.device.type, w.grad.device.type) == ("cuda", "cpu", "cpu")
    assert engine.autograd.grad((x.detach() * w.sum()).sum(), w)[0].tolist() == [15.0, 15.0]
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x * engine.ones(3)


def test_packed_sequences_equal_those_on_the_cpu() -> None:
    """Check that batch sizes and lengths stay on the CPU, and that values and gradients equal those on the CPU."""
    rnn = engine.nn.utils.rnn
    engine.manual_seed(0)
    model = engine.nn.GRU(2, 3, bidirectional=True)
    x = engine.randn(4, 3, 2)
    results = []
    for device in ("cpu", "cuda"):
        moved, leaf = model.to(device), x.detach().to(device).requires_grad_()
        packed = rnn.pack_padded_sequence(leaf, [2, 4, 1], enforce_sorted=False)
        assert packed.is_cuda == packed.sorted_indices.is_cuda == (device == "cuda")
        assert packed.batch_sizes.is_cpu
        output, hidden = moved(packed)
        padded, lengths = rnn.pad_packed_sequence(output, padding_value=-1.0)
        assert lengths.tolist() == [2, 4, 1] and lengths.is_cpu
        (padded.sum() + hidden.sum() + rnn.pad_sequence([leaf[0], leaf[:2, 1]]).sum()).backward()
        results.append([t.detach().cpu().numpy() for t in (padded, hidden, leaf.grad)])
    for expected, actual in zip(*results, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
