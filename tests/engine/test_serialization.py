"""Each engine reads the `.pt` files of the other, and refuses damaged or unsafe files as torch does."""

from __future__ import annotations

import collections
import copy
import io
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_impl

DTYPES = ["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"]


def contents(engine):
    """Return tensors and other values to save, by name."""
    base = engine.arange(6.0)
    return {
        "transposed": base.view(2, 3).t(),
        "tail": base[2:],
        "every second": base[::2],
        "of another dtype": engine.arange(6.0).view(engine.int32)[1::2],
        "memory with gaps": engine.from_numpy(np.ndarray((3,), np.uint8, bytearray(range(6)), strides=(2,))),
        "expanded": engine.ones(1, 3).expand(2, 3),
        "dtypes": [engine.ones(2).to(getattr(engine, d)) for d in DTYPES],
        "parameter": engine.nn.Parameter(engine.ones(3)),
        "frozen": engine.nn.Parameter(engine.ones(2), requires_grad=False),
        "ordered": collections.OrderedDict(x=engine.ones(2, dtype=engine.int64), y=None),
        "dtype": engine.float32,
        "size": engine.Size([2, 1]),
        "empty": engine.zeros(0, 3),
        "number": engine.tensor(3.5, dtype=engine.float64),
        "plain": [1, 2.5, "text", True, None, (3, {4})],
    }


@pytest.mark.parametrize("writer, reader", [(torch, reference_impl), (reference_impl, torch), (reference_impl,) * 2])
def test_each_engine_reads_what_the_other_writes(writer, reader, tmp_path):
    path = tmp_path / "x.pt"
    writer.save(contents(writer), path)
    loaded = reader.load(path)
    assert str(loaded) == str(contents(reader))
    assert loaded["transposed"].stride() == (1, 3)
    assert loaded["every second"].stride() == (2,) == loaded["of another dtype"].stride()
    assert loaded["expanded"].stride() == (0, 1)
    assert [str(t.dtype) for t in loaded["dtypes"]] == [f"torch.{d}" for d in DTYPES]
    loaded["tail"].zero_()  # "tail" and "transposed" must share memory, as before
    assert loaded["transposed"].tolist() == [[0, 0], [1, 0], [0, 0]]


@pytest.mark.parametrize("first, second", [("x", "x.view(torch.int32)"), ("x.view(torch.uint8)[3:]", "x")])
def test_tensors_that_share_memory_with_two_dtypes_raise_the_error_of_torch(first, second, tmp_path):
    def error_of(engine):
        names = {"torch": engine, "x": engine.ones(4)}
        with pytest.raises(RuntimeError) as caught:
            engine.save([eval(first, names), eval(second, names)], tmp_path / "x.pt")
        return str(caught.value)

    assert error_of(reference_impl) == error_of(torch)


@pytest.mark.parametrize("writer, reader", [(torch, reference_impl), (reference_impl, torch), (reference_impl,) * 2])
def test_a_checkpoint_is_saved_and_loaded(writer, reader, tmp_path):
    model = writer.nn.Sequential(writer.nn.Linear(3, 2), writer.nn.BatchNorm1d(2))
    optimizer = writer.optim.Adam(model.parameters(), lr=0.1)
    loss = model(writer.ones(4, 3)).sum()
    loss.backward()
    optimizer.step()
    checkpoint = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "loss": loss}
    writer.save(checkpoint, tmp_path / "x.pt")

    loaded = reader.load(tmp_path / "x.pt")
    assert type(loaded["model"]) is collections.OrderedDict
    assert loaded["model"]._metadata == model.state_dict()._metadata
    other = reader.nn.Sequential(reader.nn.Linear(3, 2), reader.nn.BatchNorm1d(2))
    other.load_state_dict(loaded["model"])
    resumed = reader.optim.Adam(other.parameters())
    resumed.load_state_dict(loaded["optimizer"])
    assert resumed.param_groups[0]["lr"] == 0.1
    for loaded_value, saved_value in zip(other.state_dict().values(), model.state_dict().values(), strict=True):
        np.testing.assert_array_equal(loaded_value.numpy(), saved_value.numpy())
    assert loaded["loss"].requires_grad and loaded["loss"].is_leaf


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_tensors_are_saved_and_loaded(data):
    dtype = data.draw(st.sampled_from(DTYPES))
    shape = data.draw(st.lists(st.integers(0, 4), max_size=3))
    values = np.random.default_rng(data.draw(st.integers(0, 99))).integers(-9, 9, shape).astype(dtype)
    order = data.draw(st.permutations(range(len(shape))))
    engine_tensor = (
        reference_impl.from_numpy(values.copy()).permute(*order) if shape else reference_impl.from_numpy(values.copy())
    )
    torch_tensor = torch.from_numpy(values.copy()).permute(*order) if shape else torch.from_numpy(values.copy())
    file = io.BytesIO()
    reference_impl.save(engine_tensor, file)
    file.seek(0)
    read = torch.load(file)
    assert read.dtype == torch_tensor.dtype and read.shape == torch_tensor.shape and torch.equal(read, torch_tensor)
    file = io.BytesIO()
    torch.save(torch_tensor, file)
    file.seek(0)
    assert reference_impl.load(file).tolist() == torch_tensor.tolist()


def test_saving_needs_no_torch(tmp_path):
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "import reference_impl as r\n"
        f"r.save({{'w': r.ones(2)}}, {str(tmp_path / 'w.pt')!r})\n"
        f"print(r.load({str(tmp_path / 'w.pt')!r}))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert run.stdout.strip() == "{'w': tensor([1., 1.])}", run.stderr


def damages():
    """Return functions that damage a file, by name.

    Each function takes the name and the bytes of a record and returns new bytes, or None to remove the record.
    """

    def change_record(suffix, change):
        return lambda name, data: change(data) if name.endswith(suffix) else data

    return {
        "no storage": change_record("data/0", lambda data: None),
        "no pickle": change_record("data.pkl", lambda data: None),
        "no version": change_record("/version", lambda data: None),
        "newer": change_record("/version", lambda data: b"99\n"),
        "short storage": change_record("data/0", lambda data: data[:-4]),
        "cut pickle": change_record("data.pkl", lambda data: data[:20]),
        "beyond its storage": change_record("data.pkl", lambda data: data.replace(b"Kd\x85", b"M\xe8\x03\x85")),
        "another archive": lambda name, data: data,
    }


def rewrite_archive(source, target, change, in_folder=True):
    """Copy an archive. `change` takes the name and the bytes of a record and returns new bytes, or None to remove the record.

    Without `in_folder`, the records in the copy are not in a folder.
    """
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name if in_folder else name.replace("/", "-"), data)


@pytest.mark.parametrize("case", sorted(damages()))
def test_a_damaged_record_is_refused_as_by_torch(case, tmp_path):
    reference_impl.save({"w": reference_impl.ones(100)}, tmp_path / "whole.pt")
    rewrite_archive(tmp_path / "whole.pt", tmp_path / "x.pt", damages()[case], in_folder=case != "another archive")
    error_types = []
    for engine in (torch, reference_impl):
        with pytest.raises((RuntimeError, pickle.UnpicklingError)) as error:
            engine.load(tmp_path / "x.pt")
        error_types.append(error.type)
    assert error_types[0] is error_types[1] and str(error.value)
    assert error.value.__notes__ == [f"The file being read was {str(tmp_path / 'x.pt')!r}."]


@pytest.mark.parametrize("length", [4, 10, 21, 22, 100, 400, -30, -1])
def test_a_file_that_was_cut_short_is_refused_as_by_torch(length, tmp_path):
    whole, cut = tmp_path / "whole.pt", tmp_path / "cut.pt"
    reference_impl.save({"w": reference_impl.ones(100)}, whole)
    cut.write_bytes(whole.read_bytes()[:length])
    for engine in (torch, reference_impl):
        with pytest.raises(RuntimeError, match="PytorchStreamReader failed reading zip archive") as error:
            engine.load(cut)
    assert str(cut) in error.value.__notes__[0]


def test_an_error_names_the_class_of_a_file_object():
    with pytest.raises(pickle.UnpicklingError) as error:
        reference_impl.load(io.BytesIO(b"no archive"))
    assert error.value.__notes__ == ["The file being read was 'BytesIO'."]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_changed_bytes_raise_a_documented_error_or_change_nothing(data):
    """Change up to four bytes of a file: `load` must raise a documented error, or return the same tensor unless its name changed."""
    file = io.BytesIO()
    reference_impl.save({"w": reference_impl.arange(50.0)}, file)
    raw = bytearray(file.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        loaded = reference_impl.load(io.BytesIO(bytes(raw)))
    except (RuntimeError, pickle.UnpicklingError, EOFError):
        return
    if isinstance(loaded, dict) and "w" in loaded:
        assert loaded["w"].tolist() == list(range(50))


def test_a_flipped_bit_in_a_storage_is_detected(tmp_path):
    path = tmp_path / "x.pt"
    reference_impl.save({"w": reference_impl.ones(100)}, path)
    data = bytearray(path.read_bytes())
    position = data.index(np.ones(4, "f4").tobytes())
    data[position] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(RuntimeError, match="damaged.*data/0"):
        reference_impl.load(path)


def test_missing_empty_and_foreign_files_raise_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        reference_impl.load(tmp_path / "none.pt")
    (tmp_path / "empty.pt").write_bytes(b"")
    with pytest.raises(EOFError):
        reference_impl.load(tmp_path / "empty.pt")
    (tmp_path / "text.pt").write_bytes(b"hello world")
    with pytest.raises(pickle.UnpicklingError, match="not a PyTorch zip file"):
        reference_impl.load(tmp_path / "text.pt")


def test_saving_into_a_missing_folder_or_a_local_class_raises_the_error_of_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Local:
        pass

    monkeypatch.chdir(tmp_path)
    for value, path in ((1, "./no/x.pt"), (Local(), "no/x.pt"), (Local(), "x.pt"), ([Local], tmp_path / "x.pt")):
        outcomes = []
        for library in (torch, reference_impl):
            with pytest.raises((RuntimeError, AttributeError, pickle.PicklingError)) as raised:
                library.save(value, path)
            outcomes.append((raised.type, str(raised.value)))
        assert outcomes[0] == outcomes[1]


class CreatesFolder:
    """An object whose pickle creates a folder when it is loaded."""

    def __reduce__(self):
        return (os.mkdir, ("made-by-a-pickle",))


def picklable_objects(engine):
    """Return objects that can be pickled on both engines, many of them under the names of torch's classes."""
    model = engine.nn.Sequential(engine.nn.Linear(2, 3), engine.nn.BatchNorm1d(3))
    optimizer = engine.optim.AdamW(model.parameters())
    model(engine.ones(4, 2)).sum().backward()
    scheduler = engine.optim.lr_scheduler.StepLR(optimizer, 1)
    optimizer.step()
    return {
        "model": model,
        "optimizer": optimizer,
        "scheduler": scheduler.last_epoch,
        "size": engine.Size([1, 2]),
        "device": engine.device("cuda", 1),
        "dtype": engine.int32,
        "layout": engine.strided,
        "generator": engine.Generator().manual_seed(3).get_state().sum(),
        "dataset": list(engine.utils.data.TensorDataset(engine.arange(3.0))),
        "named tuple": engine.ones(2, 2).max(0),
    }


@pytest.mark.parametrize("writer, reader", [(torch, reference_impl), (reference_impl, torch), (reference_impl,) * 2])
def test_a_whole_model_is_saved_and_loaded(writer, reader, tmp_path):
    """Save a module, not its state_dict, with one engine, and load it with the other engine, which finds the classes by name."""
    model = writer.nn.Sequential(
        writer.nn.Conv2d(1, 2, 3), writer.nn.ReLU(), writer.nn.Flatten(), writer.nn.Linear(8, 3)
    )
    writer.save(model, tmp_path / "x.pt")
    loaded = reader.load(tmp_path / "x.pt", weights_only=False)
    assert type(loaded) is reader.nn.Sequential and repr(loaded) == repr(model)
    expected = model(writer.ones(1, 1, 4, 4)).tolist()
    np.testing.assert_allclose(loaded(reader.ones(1, 1, 4, 4)).tolist(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    "copy_value", [lambda v: pickle.loads(pickle.dumps(v)), copy.deepcopy], ids=["pickle", "deepcopy"]
)
def test_objects_that_torch_copies_can_be_copied(copy_value):
    """Check that `pickle` finds the engine's classes, although they have the names of torch's classes."""
    for engine in (torch, reference_impl):
        before = picklable_objects(engine)
        after = copy_value(before)
        for name, value in before.items():
            assert type(after[name]) is type(value), name
        assert repr(after) == repr(before)
        assert after["layout"] is engine.strided
        assert after["optimizer"].param_groups[0]["params"][0] is next(after["model"].parameters())
        for p in after["model"].parameters():
            p.grad = engine.ones_like(p)
        after["optimizer"].step()
        assert before["model"][0].weight.tolist() != after["model"][0].weight.tolist()


def archive_of(*instructions):
    """Return an archive in memory whose pickle consists of these instructions."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a/data.pkl", b"\x80\x02" + b"".join(instructions) + b".")
        archive.writestr("a/version", b"3\n")
    file.seek(0)
    return file


# Instructions of pickles that `load` must refuse, by what they do.
HOSTILE = {
    "calls os.system": (b"cposix\nsystem\n", b"X\x02\0\0\0ls", b"\x85R"),
    "calls os.system by an old instruction": (b"(X\x02\0\0\0lsi", b"posix\nsystem\n"),
    "calls eval": (b"cbuiltins\neval\n", b"X\x01\0\0\x001", b"\x85R"),
    "reaches through an attribute": (b"ccollections\nOrderedDict.__init__.__globals__\n",),
    "changes a class": (b"ctorch\nTensor\n", b"N}X\x03\0\0\0addK\x01s\x86b"),
    "changes a tensor": (b"ctorch\nTensor\n", b")\x81", b"}X\x03\0\0\0addK\x01sb"),
    "creates an object of a function": (b"c_codecs\nencode\n", b")\x81"),
    "calls a string": (b"X\x01\0\0\0a", b")R"),
    "appends to a dict": (b"}K\x01a",),
    "sets items of a list": (b"]K\x01K\x02s",),
    "asks for a registered class": (b"\x82\x01",),
    "asks for too much memory": (b"cbuiltins\nbytearray\n", b"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x85R"),
}


@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_hostile_instructions_are_refused(case):
    before = dict(vars(reference_impl.Tensor))
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        reference_impl.load(archive_of(*HOSTILE[case]))
    assert dict(vars(reference_impl.Tensor)) == before


def test_no_code_in_a_file_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.save({"w": torch.ones(1), "evil": CreatesFolder()}, "evil.pt")
    for engine in (torch, reference_impl):
        with pytest.raises(pickle.UnpicklingError, match="posix.mkdir"):
            engine.load("evil.pt")
    assert not (tmp_path / "made-by-a-pickle").exists()


def save_with_location(location: str, path) -> None:
    """Write a file that records `location` as the device of its storages."""
    source = io.BytesIO()
    torch.save({"a": torch.arange(3.0), "b": torch.ones(2, dtype=torch.int64)}, source)
    old, new = ("X" + chr(len(text)) + "\0\0\0" + text for text in ("cpu", location))

    def relocate(name, data):
        if not name.endswith("data.pkl"):
            return data
        assert old.encode() in data
        return data.replace(old.encode(), new.encode())

    rewrite_archive(source, path, relocate)


# Values of `map_location`, as functions of an engine.
MAPS = {
    "none": lambda engine: None,
    "name": lambda engine: "cpu",
    "device": lambda engine: engine.device("cpu"),
    "dict": lambda engine: {"cuda:0": "cpu", "cuda:7": "cpu"},
    "dict of another device": lambda engine: {"cuda:1": "cpu"},
    "function": lambda engine: lambda storage, location: storage,
    "function that returns None": lambda engine: lambda storage, location: None,
    "to cuda": lambda engine: "cuda:0",
}


@pytest.mark.skipif(torch.cuda.is_available(), reason="this test compares errors without a GPU, but there is one")
@pytest.mark.parametrize("location", ["cpu", "cuda:0", "cuda:7", "nowhere"])
@pytest.mark.parametrize("map_location", MAPS)
def test_map_location_has_the_outcome_of_torch(map_location, location, tmp_path):
    save_with_location(location, tmp_path / "x.pt")
    results = []
    for engine in (torch, reference_impl):
        try:
            results.append(str(engine.load(tmp_path / "x.pt", MAPS[map_location](engine))))
        except RuntimeError as error:
            results.append(str(error))
    assert results[0] == results[1]


def test_map_location_is_called_with_each_storage(tmp_path):
    save_with_location("cuda:0", tmp_path / "x.pt")
    calls_by_engine = {}
    for engine in (torch, reference_impl):
        calls = calls_by_engine.setdefault(engine.__name__, [])

        def record(storage, location, calls=calls):
            calls.append((storage.nbytes(), location))
            return storage

        engine.load(tmp_path / "x.pt", map_location=record)
    assert calls_by_engine["torch"] == calls_by_engine["reference_impl"]
