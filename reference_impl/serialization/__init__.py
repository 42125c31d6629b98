"""`save` and `load`: write and read PyTorch's `.pt` files without PyTorch.

A file is a zip archive. Its record `data.pkl` is a pickle in which each tensor is a call of `torch._utils._rebuild_tensor_v2` with a
storage, an offset, a shape and strides. The bytes of the storages are in the records `data/0`, `data/1`, ... Tensors that share memory
share a storage. See torch/serialization.py and torch/csrc/jit/serialization, "PyTorch zip format".

`load` runs no code from the file unless `weights_only=False`: see `serialization.unpickler`.
"""

from __future__ import annotations

import io
import os
import pickle
import zipfile
import zlib
from collections import OrderedDict
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._device import device as Device
from reference_impl._pickle_names import class_named, reduce_ex
from reference_impl._size import Size
from reference_impl.arguments.missing_names import absent
from reference_impl.core.arrays import strides_of
from reference_impl.core.tensor import Tensor
from reference_impl.nn.parameter import Parameter
from reference_impl.serialization.map_location import move_storage
from reference_impl.serialization.unpickler import SAFE_GLOBALS, Unpickler, find_safe_global

DEFAULT_PROTOCOL = 2
_ALIGNMENT = 64  # bytes; torch aligns storages so that a file can be mapped into memory
_STORAGE_NAMES = {d.tensor_type + "Storage": d for d in _dtype.ALL}
_NEWEST = 10  # the newest version of the format that torch 2.13 reads


# -- how a pickle stores a tensor


def _rebuild_tensor_v2(
    storage: Any, offset: int, size: Any, stride: Any, requires_grad: bool, backward_hooks: Any, metadata: Any = None
) -> Tensor:
    """Return a tensor on `storage`, a one-dimensional array. `offset` and `stride` are in elements.

    Raises:
        RuntimeError: the tensor extends beyond the storage, or a stride is negative.
    """
    last = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if offset < 0 or min(stride, default=0) < 0 or (0 not in size and last >= storage.size):
        raise RuntimeError("Trying to resize storage that is not resizable")
    t = Tensor._wrap(_backend.as_strided(storage, tuple(size), tuple(stride), offset))
    t._requires_grad = requires_grad
    return t


def _rebuild_parameter(data: Tensor, requires_grad: bool, backward_hooks: Any) -> Any:
    return Parameter(data, requires_grad)


class _StorageType:
    """The dtype of a storage. It replaces torch's classes `FloatStorage`, `LongStorage` ... in a pickle."""

    def __init__(self, dtype: _dtype.dtype) -> None:
        self.dtype = dtype


# -- writing


_InPython: Any = pickle._Pickler  # unlike the class in C, its methods that write names can be overridden


class _Pickler(_InPython):
    """Pickler that writes tensors in torch's format and collects their storages."""

    def __init__(self, file: Any, protocol: int) -> None:
        super().__init__(file, protocol)
        self.storages: dict[int, tuple[str, Any]] = {}
        self.known_names: dict[int, tuple[str, str]] = {id(_rebuild_tensor_v2): ("torch._utils", "_rebuild_tensor_v2")}
        self.known_names[id(_rebuild_parameter)] = ("torch._utils", "_rebuild_parameter")
        self.known_names[id(Size)] = ("torch", "Size")
        self.known_names[id(Device)] = ("torch", "device")

    def reducer_override(self, value: Any) -> Any:
        """Return the function and arguments that rebuild `value`, as torch writes them; NotImplemented for Python's default.

        Classes of the engine are written under torch's names, not as calls of `_pickle_names.new` as in plain `pickle`.
        """
        if isinstance(value, Tensor):
            return self._reduce(value)
        if isinstance(value, Size):
            return Size, (tuple(value),)
        if isinstance(value, Device):
            return Device, (value.type,) if value.index is None else (value.type, value.index)
        if getattr(type(value), "__reduce_ex__", None) is reduce_ex:
            return object.__reduce_ex__(value, 2)
        return NotImplemented

    def _reduce(self, tensor: Tensor) -> Any:
        requires_grad = tensor.requires_grad
        if not tensor.is_leaf:
            tensor = tensor.detach()
        plain = self._layout(tensor)
        if type(tensor) is Tensor:
            return _rebuild_tensor_v2, (*plain, requires_grad, OrderedDict())
        return _rebuild_parameter, (_Plain(plain), requires_grad, OrderedDict())

    def _layout(self, tensor: Tensor) -> tuple[_Storage, int, tuple[int, ...], tuple[int, ...]]:
        """Return the storage of a tensor, and the tensor's offset in it, shape and strides, in elements.

        Raises:
            RuntimeError: a tensor of another dtype on the same memory was already written.
        """
        array, stride = tensor._array, tensor.stride()
        memory = _backend.memory_of(array)
        if memory is None or memory.nbytes % array.itemsize:  # write the values alone
            array = array.copy("C")
            memory, stride = array.reshape(-1), strides_of(array)
        memory = memory.view(array.dtype)
        address = _backend.address_of(memory)
        key, written = self.storages.setdefault(address, (str(len(self.storages)), memory))
        if written.dtype != memory.dtype:
            raise RuntimeError("Cannot save multiple tensors or storages that view the same data as different types")
        offset = (_backend.address_of(array) - address) // array.itemsize if array.size else 0
        return _Storage(key, written, tensor.dtype, str(tensor.device)), offset, tuple(array.shape), stride

    def persistent_id(self, value: Any) -> Any:
        if isinstance(value, _Storage):
            return ("storage", _StorageType(value.dtype), value.key, value.location, value.array.size)
        return None

    def save(self, value: Any, save_persistent_id: bool = True) -> Any:
        if isinstance(value, _Plain):
            return self.save_reduce(_rebuild_tensor_v2, (*value.arguments, False, OrderedDict()), obj=value)
        if isinstance(value, _StorageType):
            return self._write_name(value.dtype.tensor_type + "Storage", id(value.dtype))
        if isinstance(value, _dtype.dtype):
            return self._write_name(value.name, id(value) + 1)
        return super().save(value, save_persistent_id)

    def _write_name(self, name: str, key: int) -> None:
        if key in self.memo:
            self.write(self.get(self.memo[key][0]))
            return
        self.write(pickle.GLOBAL + b"torch\n" + name.encode() + b"\n")
        self.write(self.put(len(self.memo)))
        self.memo[key] = (len(self.memo), None)

    def save_global(self, obj: Any, name: str | None = None) -> None:
        known = self.known_names.get(id(obj))
        if known is None:
            module = getattr(obj, "__module__", "") or ""
            if module.startswith("reference_impl"):
                known = ("torch" + module[len("reference_impl") :], obj.__qualname__)
            elif module.split(".")[0] == "torch":
                known = (module, obj.__qualname__)
        if known is None:
            try:
                super().save_global(obj, name)
            except pickle.PicklingError:
                pickle.dumps(obj)  # raises the error of the pickler in C, which torch uses
                raise
            return
        self.write(pickle.GLOBAL + known[0].encode() + b"\n" + known[1].encode() + b"\n")
        self.memoize(obj)

    dispatch = {**_InPython.dispatch, FunctionType: save_global}


class _Plain:
    """Wrapper that makes `_Pickler` write a Parameter's data as a plain tensor."""

    def __init__(self, arguments: Any) -> None:
        self.arguments = arguments


class _Storage:
    def __init__(self, key: str, array: Any, dtype: _dtype.dtype, location: str) -> None:
        self.key, self.array, self.dtype, self.location = key, array, dtype, location


def save(
    obj: Any,
    f: Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
) -> None:
    """Write `obj`, a tensor, a container of tensors or any other object that can be pickled, to a file that PyTorch can read.

    Args:
        f: a path, whose file is created or overwritten, or a binary file opened for writing.
        pickle_protocol: version of the pickle in the file.
        pickle_module, _use_new_zipfile_serialization: accepted and ignored.

    Raises:
        RuntimeError: the folder of the file does not exist, or two tensors of different dtypes share memory.
    """
    is_path = isinstance(f, (str, os.PathLike))
    folder = os.path.split(f)[0] if is_path else ""
    if folder and not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    pickled = io.BytesIO()
    pickler = _Pickler(pickled, pickle_protocol)
    pickler.dump(obj)
    if is_path:
        with open(f, "wb") as file:
            _write_archive(file, Path(f).stem, pickled.getvalue(), pickler.storages)
    else:
        _write_archive(f, "archive", pickled.getvalue(), pickler.storages)


def _write_archive(file: Any, root: str, pickled: bytes, storages: dict[int, tuple[str, Any]]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:

        def record(name: str, data: bytes) -> None:
            info = zipfile.ZipInfo(f"{root}/{name}", (1980, 1, 1, 0, 0, 0))
            start = archive.fp.tell() + 30 + len(info.filename) + 4  # type: ignore[union-attr]
            padding = -start % _ALIGNMENT
            info.extra = b"FB" + padding.to_bytes(2, "little") + b"Z" * padding
            archive.writestr(info, data)

        record("data.pkl", pickled)
        record(".format_version", b"1")
        record(".storage_alignment", str(_ALIGNMENT).encode())
        record("byteorder", b"little")
        for key, memory in storages.values():
            array = _backend.to_numpy(memory)
            record(f"data/{key}", array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
        record("version", b"3\n")


# -- reading


SAFE_GLOBALS |= {
    "torch._utils._rebuild_tensor_v2": _rebuild_tensor_v2,
    "torch._utils._rebuild_parameter": _rebuild_parameter,
    **{f"torch.{name}": _StorageType(d) for name, d in _STORAGE_NAMES.items()},
}


class _UnsafeUnpickler(pickle.Unpickler):
    """Unpickler that runs any code in the file, for `weights_only=False`."""

    def __init__(self, file: Any, persistent_load: Any) -> None:
        super().__init__(file, encoding="utf-8")
        self._load = persistent_load

    def persistent_load(self, saved_id: Any) -> Any:
        return self._load(saved_id)

    def find_class(self, module: str, name: str) -> Any:
        known = find_safe_global(module, name)
        if known is not None:
            return known
        if module.split(".")[0] == "torch":
            return class_named(module, name)
        return super().find_class(module, name)


class _Archive:
    """An open `.pt` file.

    Args:
        map_location: device of the storages; see `load`.

    Raises:
        RuntimeError: the file is damaged, or not a zip archive of a known version of this format.
    """

    def __init__(self, file: Any, map_location: Any) -> None:
        self.map_location = map_location
        self.storages: dict[str, Any] = {}
        try:
            self.zip = zipfile.ZipFile(file)
        except zipfile.BadZipFile as error:
            raise _corruption_error(str(error)) from error
        names = self.zip.namelist()
        self.root = names[0].split("/")[0] + "/" if names else ""
        version = next((self.read(n) for n in ("version", ".data/version") if self.root + n in names), None)
        if version is None:
            raise _corruption_error("the record 'version' is missing")
        if int(version) > _NEWEST:
            raise RuntimeError(
                f"The file has version {int(version)} of the format; PyTorch 2.13 reads versions up to {_NEWEST}."
            )
        order = self.read("byteorder") if self.root + "byteorder" in names else b"little"
        self.byteorder: Any = "<" if order == b"little" else ">"

    def read(self, name: str) -> bytes:
        """Return the bytes of a record of the archive. Raise RuntimeError if the record is missing or damaged."""
        try:
            return self.zip.read(self.root + name)
        except (KeyError, zipfile.BadZipFile, EOFError, OSError, NotImplementedError, zlib.error) as error:
            # The text of a KeyError is in quotes.
            reason = error.args[0] if isinstance(error, KeyError) else error
            raise _corruption_error(f"{name}: {reason}") from error

    def storage(self, saved_id: Any) -> Any:
        """Return a storage as a one-dimensional array. The first call for a storage reads it from the file.

        Args:
            saved_id: ("storage", type, key, device, number of elements), as the pickle has it.

        Raises:
            pickle.UnpicklingError: `saved_id` does not describe a storage.
            RuntimeError: the record of the storage is missing or damaged, or the device is not available.
        """
        kind, storage_type, key, location, numel = saved_id
        if kind != "storage" or not isinstance(storage_type, _StorageType):
            raise pickle.UnpicklingError(f"the pickle refers to an object of unknown kind {kind!r}, expected 'storage'")
        dtype = storage_type.dtype
        if key not in self.storages:
            data = self.read(f"data/{key}")
            expected = numel * dtype.itemsize
            if len(data) != expected:
                raise _corruption_error(f"storage data/{key} must have {expected} bytes, got {len(data)}")
            array = np.frombuffer(data, dtype.numpy.newbyteorder(self.byteorder)).astype(dtype.numpy)
            self.storages[key] = move_storage(array, location, self.map_location)
        return self.storages[key]


def _corruption_error(reason: str) -> RuntimeError:
    return RuntimeError(f"PytorchStreamReader failed reading zip archive: the file is damaged or incomplete ({reason})")


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Return the object in a file that `save` or PyTorch has written. Errors have a note with the name of the file.

    Args:
        f: a path or a binary file opened for reading.
        map_location: the device for all tensors; or a dict that maps saved devices such as `"cuda:0"` to new devices; or a function
            of a storage and its saved device that returns a storage, or None for the saved device. By default, tensors are created
            on their saved device.
        weights_only: raise UnpicklingError for everything that could run code. The default is True.
        pickle_module, mmap, pickle_load_args: accepted and ignored.

    Raises:
        FileNotFoundError: the file does not exist.
        EOFError: the file is empty.
        RuntimeError: the zip archive is damaged, or a device is not available.
        pickle.UnpicklingError: the file is not a PyTorch zip file, its pickle is damaged, or `weights_only` refuses a class in the pickle.
    """
    weights_only = True if weights_only is None else weights_only
    is_path = isinstance(f, (str, os.PathLike))
    try:
        if is_path:
            with open(f, "rb") as file:
                return _load(file, weights_only, map_location)
        return _load(f, weights_only, map_location)
    except Exception as error:
        name = os.fspath(f) if is_path else getattr(f, "name", type(f).__name__)
        error.add_note(f"The file being read was {name!r}.")
        raise


def _load(file: Any, weights_only: bool, map_location: Any) -> Any:
    start = file.read(4)
    file.seek(0)
    if not start:
        raise EOFError() if weights_only else EOFError("Ran out of input")
    if start != b"PK\x03\x04":
        raise pickle.UnpicklingError(
            "not a PyTorch zip file: it is not a checkpoint, or PyTorch before 1.6 wrote it, in a format that reference_impl "
            "does not read"
        )
    archive = _Archive(file, map_location)
    unpickler = Unpickler if weights_only else _UnsafeUnpickler
    return unpickler(io.BytesIO(archive.read("data.pkl")), archive.storage).load()


def __getattr__(name: str) -> Any:
    raise absent("torch.serialization", name)
