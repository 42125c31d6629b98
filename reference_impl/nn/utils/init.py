"""A module whose parameters have no values yet."""

from __future__ import annotations

import inspect
from typing import Any

from reference_impl.nn.modules.module import Module
from reference_impl.random import get_rng_state, set_rng_state


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """`module_cls(*args, **kwargs)`, its values not to be relied upon.

    torch makes it on the device "meta", where nothing is computed. There is none here: first values are drawn on the CPU, and the
    generator is put back, so that no number is missing from what is drawn later.

    Raises:
        RuntimeError: no module class, or one that takes no `device`.
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device, state = kwargs.pop("device", "cpu"), get_rng_state()
    try:
        return module_cls(*args, device="cpu", **kwargs).to(device)
    finally:
        set_rng_state(state)
