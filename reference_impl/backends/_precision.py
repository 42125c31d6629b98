"""How exactly float32 may be computed: what a program has asked for. NumPy and CuPy multiply in full float32 whatever stands here.

torch keeps the wish in two ways (ATen/Context.cpp). The newer one is a word per backend and operation; "none" passes the question on
to the backend as a whole, and from there to all backends. The older one is a switch per library. A change of a switch also changes
the words, but not the other way round: where the two disagree, asking for a switch is an error.
"""

from __future__ import annotations

import warnings

PRECISIONS = {"generic": ("none", "ieee", "tf32", "bf16"), "mkldnn": ("none", "ieee", "tf32", "bf16"),
              "cuda": ("none", "ieee", "tf32")}  # fmt: skip

_words = {(backend, op): "none" for backend in ("mkldnn", "cuda") for op in ("all", "conv", "rnn", "matmul")}
_words |= {("generic", "all"): "none", ("cuda", "conv"): "tf32", ("cuda", "rnn"): "tf32"}
_matmul = "highest"
_cudnn_tf32 = True

_SEE = "https://pytorch.org/docs/main/notes/cuda.html#tensorfloat-32-tf32-on-ampere-and-later-devices"
_MIXED = (
    "Current status indicate that you have used mix of the legacy and new APIs to set the {what}. We suggest only using the new "
    "API {purpose}. See also: " + _SEE
)


def word(backend: str, op: str) -> str:
    """The precision of an operation: its own, otherwise its backend's, otherwise that of all."""
    asked = ((backend, op), (backend, "all"), ("generic", "all"))
    found = next((_words[key] for key in asked if _words[key] != "none"), "none")
    return found if found in PRECISIONS[backend] else "none"


def set_word(backend: str, op: str, precision: str) -> None:
    """Set the precision of an operation, or of "all" of a backend.

    Raises:
        TypeError: no text.
        RuntimeError: no such precision, or none for this backend.
    """
    if not isinstance(precision, str):
        raise TypeError(
            "_set_fp32_precision_setter(): incompatible function arguments. The following argument types are supported:\n"
            f"    1. (arg0: str, arg1: str, arg2: str) -> str\n\nInvoked with: {backend!r}, {op!r}, {precision!r}"
        )
    if precision not in PRECISIONS["generic"]:
        raise RuntimeError(f"Unknown precision: {precision}")
    if precision not in PRECISIONS[backend]:
        raise RuntimeError(f"backend '{backend}' does not support precision '{precision}'")
    _words[backend, op] = precision


class FP32Precision:
    """`fp32_precision` of one operation of one backend."""

    __slots__ = ("backend", "op")

    def __init__(self, backend: str, op: str) -> None:
        object.__setattr__(self, "backend", backend)
        object.__setattr__(self, "op", op)

    def __getattr__(self, name: str) -> str:
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        return word(self.backend, self.op)

    def __setattr__(self, name: str, value: str) -> None:
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        set_word(self.backend, self.op, value)


# -- the older switches


def get_float32_matmul_precision() -> str:
    """What `set_float32_matmul_precision` set last: "highest", "high" or "medium".

    Raises:
        RuntimeError: `fp32_precision` of a backend says something else.
    """
    mkldnn = word("mkldnn", "matmul")
    if (
        (word("cuda", "matmul") == "tf32" and _matmul == "highest")
        or (mkldnn == "bf16" and _matmul != "medium")
        or (mkldnn == "tf32" and _matmul != "high")
    ):
        raise RuntimeError(
            "PyTorch is checking the matmul precision without a specific backend name,"
            + _MIXED.format(what="matmul precision", purpose="for matmul precision")
        )
    return _matmul


def set_float32_matmul_precision(precision: str) -> None:
    """Set how exactly matrices of float32 are multiplied: "highest", "high" or "medium". Other words give a warning.

    Raises:
        RuntimeError: no text.
    """
    global _matmul
    if not isinstance(precision, str):
        raise RuntimeError(f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}")
    meant = {"highest": ("ieee", "ieee"), "high": ("tf32", "tf32"), "medium": ("tf32", "bf16")}
    if precision not in meant:
        # torch says the function's name without a blank before it.
        warnings.warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision call has no effect. "
            "(Triggered internally at /__w/pytorch/pytorch/aten/src/ATen/Context.cpp:458.)",
            stacklevel=1,
        )
        return
    _matmul = precision
    _words["cuda", "matmul"], _words["mkldnn", "matmul"] = meant[precision]


def cublas_allows_tf32() -> bool:
    """`torch.backends.cuda.matmul.allow_tf32`.

    Raises:
        RuntimeError: `fp32_precision` says something else.
    """
    allowed = _matmul != "highest"
    if allowed != (word("cuda", "matmul") == "tf32"):
        raise RuntimeError(
            "PyTorch is checking whether allow_tf32_new is enabled for cuBlas matmul,"
            + _MIXED.format(what="TF32 status for cublas matmul", purpose="to set the TF32 flag")
        )
    return allowed


def allow_tf32_for_cublas(allowed: bool) -> None:
    """Set `torch.backends.cuda.matmul.allow_tf32`.

    Raises:
        RuntimeError: no bool.
    """
    global _matmul
    check_bool("set_allow_tf32_cublas", allowed)
    _matmul = "high" if allowed else "highest"
    _words["cuda", "matmul"] = "tf32" if allowed else "ieee"


def cudnn_allows_tf32() -> bool:
    """`torch.backends.cudnn.allow_tf32`.

    Raises:
        RuntimeError: `fp32_precision` says something else.
    """
    rnn, conv = (word("cuda", op) == "tf32" for op in ("rnn", "conv"))
    if not rnn == conv == _cudnn_tf32:
        raise RuntimeError(
            "PyTorch is checking whether allow_tf32 is enabled for cuDNN without a specific operator name,but the current flag(s) "
            "indicate that cuDNN conv and cuDNN RNN have different TF32 flags.This combination indicates that you have used a mix "
            "of the legacy and new APIs to set the TF32 flags. We suggest only using the new API to set the TF32 flag(s). See also: "
            + _SEE
        )
    return _cudnn_tf32


def allow_tf32_for_cudnn(allowed: bool) -> None:
    """Set `torch.backends.cudnn.allow_tf32`.

    Raises:
        RuntimeError: no bool.
    """
    global _cudnn_tf32
    check_bool("set_allow_tf32_cublas", allowed)  # torch names the other library here
    _cudnn_tf32 = allowed
    _words["cuda", "rnn"] = _words["cuda", "conv"] = "tf32" if allowed else "none"


def check_bool(name: str, value: object) -> None:
    """Raises:
    RuntimeError: no bool."""
    if not isinstance(value, bool):
        raise RuntimeError(f"{name} expects a bool, but got {type(value).__name__}")
