"""`torch.backends.cuda`: wishes about products of matrices and attention on a GPU. They are kept, without effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_impl import _backend
from reference_impl.backends import _precision


def is_built() -> bool:
    """Whether tensors can be made on 'cuda'."""
    return _backend.has_device("cuda")


class cuBLASModule:
    """Switches of the products of matrices: `torch.backends.cuda.matmul`.

    Attributes:
        allow_tf32, fp32_precision: whether float32 may be rounded, see `_precision`.
        allow_fp16_reduced_precision_reduction, allow_bf16_reduced_precision_reduction: whether sums may be rounded to 16 bits; set with
            a bool, or with two, the second for sums split into parts.
    """

    def __init__(self) -> None:
        kept = {
            f"allow_{kind}_reduced_precision_reduction{part}": True
            for kind in ("fp16", "bf16")
            for part in ("", "_split_k")
        }
        self.__dict__["_kept"] = {**kept, "allow_fp16_accumulation": False}

    def __getattr__(self, name: str) -> Any:
        if name == "allow_tf32":
            return _precision.cublas_allows_tf32()
        if name == "fp32_precision":
            return _precision.word("cuda", "matmul")
        if name not in self.__dict__["_kept"]:
            raise AttributeError("Unknown attribute " + name)
        return self.__dict__["_kept"][name]

    def __setattr__(self, name: str, value: Any) -> None:
        kept = self.__dict__["_kept"]
        if name == "allow_tf32":
            _precision.allow_tf32_for_cublas(value)
        elif name == "fp32_precision":
            _precision.set_word("cuda", "matmul", value)
        elif name == "allow_fp16_accumulation":
            _precision.check_bool("set_allow_fp16_accumulation_cublas", value)
            kept[name] = value
        elif name in kept and not name.endswith("split_k"):
            kept[name], kept[name + "_split_k"] = _reduction(name, value)
        else:
            raise AttributeError("Unknown attribute " + name)


def _reduction(name: str, value: Any) -> tuple[bool, bool]:
    """Raises:
    TypeError: neither a bool nor one or two of them."""
    if isinstance(value, bool):
        return value, True
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{name} expects a bool or a tuple/list of bools, but got {type(value)!r}")
    if not value:
        raise TypeError(f"{name} expects at least one boolean argument")
    if len(value) > 2:
        raise TypeError(f"{name} expects at most two boolean arguments")
    for which, part in zip(("allow_reduced_precision", "allow_splitk"), value, strict=False):
        if not isinstance(part, bool):
            raise TypeError(f"{name} expects a bool for {which}, but got {type(part)!r}")
    return value[0], value[1] if len(value) == 2 else True


matmul = cuBLASModule()

_attention = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}


def _asked(kind: str) -> Callable[[], bool]:
    def enabled() -> bool:
        """Whether this way to compute `scaled_dot_product_attention` may be used on a GPU."""
        return _attention[kind]

    return enabled


def _set(kind: str, setter: str) -> Callable[[bool], None]:
    def enable(enabled: bool) -> None:
        """Allow this way to compute `scaled_dot_product_attention` on a GPU, or don't."""
        _precision.check_bool(setter, enabled)
        _attention[kind] = enabled

    return enable


flash_sdp_enabled, enable_flash_sdp = _asked("flash"), _set("flash", "set_sdp_use_math")  # torch's own mistake
mem_efficient_sdp_enabled, enable_mem_efficient_sdp = _asked("mem_efficient"), _set("mem_efficient", "set_sdp_use_math")
math_sdp_enabled, enable_math_sdp = _asked("math"), _set("math", "set_sdp_use_math")
cudnn_sdp_enabled, enable_cudnn_sdp = _asked("cudnn"), _set("cudnn", "set_sdp_use_cudnn")


def is_flash_attention_available() -> bool:
    """False: attention is computed by its formula."""
    return False
