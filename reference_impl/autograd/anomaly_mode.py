"""Anomaly detection: report the line of the forward pass whose backward fails or returns nan. Also call recorders of backward passes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from reference_impl.core.backward import BackwardPass
from reference_impl.core.extensions import extensions, states
from reference_impl.core.node import Node


class _Mode:
    __slots__ = ("enabled", "check_nan")

    def __init__(self) -> None:
        self.enabled = False
        self.check_nan = True


mode = _Mode()


def is_anomaly_enabled() -> bool:
    """Return whether anomaly detection is on."""
    return mode.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether anomaly detection, when it is on, reports gradients that contain nan."""
    return mode.check_nan


class set_detect_anomaly:
    """Switch anomaly detection on or off immediately. As a context manager, restore the previous setting at the end of the block.

    Args:
        mode: True switches anomaly detection on, False off.
        check_nan: raise an error if a node returns a gradient that contains nan.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.previous = (globals()["mode"].enabled, globals()["mode"].check_nan)
        _set(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        _set(*self.previous)


class detect_anomaly:
    """Context manager: store in each node the program's calls that recorded it. Warn with these calls if the node fails or returns nan.

    Creating it warns that programs run slower.

    Args:
        check_nan: whether a gradient that contains nan raises RuntimeError.
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.previous = (mode.enabled, mode.check_nan)
        _set(True, self.check_nan)

    def __exit__(self, *error: Any) -> None:
        _set(*self.previous)


def _set(enabled: bool, check_nan: bool) -> None:
    mode.enabled, mode.check_nan = enabled, check_nan
    states.anomaly = enabled
    states.observed = enabled or bool(recorders)


recorders: list[Any] = []
"""The recorders of the open `record_passes` blocks, such as a `trace.Trace`. Only the last of them is called."""


@contextmanager
def record_passes(recorder: Any) -> Iterator[None]:
    """Report the first backward pass inside the `with` block, in any thread, to `recorder`: call the methods that `ObservedPass` lists.

    If `recorder` has a method `note_node`, call `recorder.note_node(node)` for each node that an operation records.
    """
    recorders.append(recorder)
    states.observed = True
    try:
        yield
    finally:
        recorders.remove(recorder)
        states.observed = mode.enabled or bool(recorders)


def _node_recorded(node: Node) -> None:
    """Under anomaly detection, store the calls that recorded `node`. Call the method `note_node` of the last recorder, if it has one."""
    if mode.enabled:
        _note_location(node)
    if recorders and hasattr(recorders[-1], "note_node"):
        recorders[-1].note_node(node)


def _note_location(node: Node) -> None:
    """Store the stack of the program's calls in `node.forward_location`, a list of strings, without the frames of this engine."""
    import traceback  # imported here: it costs as much as ten modules of the engine, and few programs need it

    frames = traceback.extract_stack()
    outside = [f for f in frames if "/reference_impl/" not in f.filename.replace("\\", "/")]
    node.forward_location = traceback.format_list(outside)  # type: ignore[attr-defined]


class ObservedPass(BackwardPass):
    """A backward pass under anomaly detection, or with a recorder, or with both.

    A recorder records one pass. While its list `steps` is empty, a new pass calls these methods:

        begin(root, dependencies)                       at the start, with the number of gradients that other nodes will send to each node
        take(node, gradients, waiting_nodes)            for each node, before it runs
        send(node, target, output_nr, gradient, n)      for each gradient that a node sends; the target still waits for n gradients
        end()                                           at the end
    """

    running: Any = None

    def run(self, edges: Sequence[Any], grads: Sequence[Any]) -> None:
        """Run the pass from `edges`, which receive `grads`. If there is a recorder, call its `begin` before and `end` after the pass."""
        self.recorder = recorders[-1] if recorders and not recorders[-1].steps else None
        if self.recorder is not None:
            roots = [node for node, _ in edges]
            dependencies = {node: n - roots.count(node) for node, n in self.dependencies.items()}
            self.recorder.begin(roots[0], dependencies)
        super().run(edges, grads)
        if self.recorder is not None:
            self.recorder.end()

    def receive(self, target: Node, output_nr: int, grad: Any) -> None:
        """Add `grad` to the gradients of `target`. If a node sent it, and there is a recorder, call the recorder's method `send`."""
        super().receive(target, output_nr, grad)
        if self.recorder is not None and self.running is not None:
            self.recorder.send(self.running, target, output_nr, grad, self.dependencies[target])

    def evaluate(self, node: Node, grads: list[Any]) -> tuple[Any, ...] | None:
        """Run the node and return the gradients of its inputs, or None if it does not run. First call the recorder's method `take`."""
        if self.recorder is not None:
            self.recorder.take(node, grads, self.ready)
        self.running = node
        return self.check(node, grads) if mode.enabled else super().evaluate(node, grads)

    def check(self, node: Node, grads: list[Any]) -> tuple[Any, ...] | None:
        """Run the node and return the gradients of its inputs. If it fails, warn with the calls that recorded it, and reraise the error.

        Raises:
            RuntimeError: a gradient contains nan, and `mode.check_nan` is True.
        """
        try:
            results = super().evaluate(node, grads)
        except Exception:
            _warn(node)
            raise
        if mode.check_nan:
            for index, grad in enumerate(results or ()):
                if grad is not None and grad._array.dtype.kind == "f" and bool(np.isnan(grad._array).any()):
                    _warn(node)
                    raise RuntimeError(f"Function '{node.name()}' returned nan values in its {index}th output.")
        return results


def _warn(node: Node) -> None:
    if not hasattr(node, "forward_location"):
        message = (
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information."
        )
    else:
        message = f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n" + "".join(
            node.forward_location
        )
    warnings.warn(message, stacklevel=2)


extensions.fill(node_recorded=_node_recorded, observed_pass=ObservedPass)
