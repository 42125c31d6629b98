"""Give a module's full backward hooks the gradients of its inputs and outputs.

The inputs and the outputs of the module each pass through an identity function, which adds a node to the graph. In the backward
pass, the node of the outputs receives their gradients, and later the node of the inputs receives theirs. See torch/utils/hooks.py,
`BackwardHook`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_impl._settings import warn_user
from reference_impl._tensor import Tensor
from reference_impl.autograd.function import Function
from reference_impl.autograd.grad_mode import mode
from reference_impl.core.node import Node


class BackwardHookFunction(Function):
    """The identity function. Tensors and their gradients pass through it unchanged."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> tuple[Tensor, ...]:
        """Return the arguments unchanged. Those that do not require grad are marked as non-differentiable."""
        ctx.mark_non_differentiable(*[a for a in args if not a.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        """Return the gradients unchanged."""
        return args


class BackwardHook:
    """The hooks of one call of a module that has full backward hooks or backward pre-hooks.

    Attributes:
        grad_outputs: gradients of the module's outputs; None until they are computed, and after the hooks were called.
    """

    def __init__(self, module: Any, user_hooks: list[Any], user_pre_hooks: list[Any]) -> None:
        self.module, self.user_hooks, self.user_pre_hooks = module, user_hooks, user_pre_hooks
        self.grad_outputs: tuple[Any, ...] | None = None
        self.input_positions: list[int] | None = None
        self.output_positions: list[int] | None = None
        self.n_inputs = self.n_outputs = 0

    def setup_input_hook(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Pass the tensors in `args`, the module's inputs, through an identity function, and return the new arguments.

        If no tensor requires grad, or recording is off, return `args`.
        """
        self.n_inputs = len(args)
        args, self.input_positions = _through_node(args, lambda node: node.register_hook(self._on_inputs))
        return args

    def setup_output_hook(self, result: Any) -> Any:
        """Pass the tensors in `result`, the module's output, through an identity function, and return the new output.

        If no tensor requires grad, or recording is off, return an equal output without new nodes.
        """
        is_tuple = isinstance(result, tuple)
        outputs = result if is_tuple else (result,)
        self.n_outputs = len(outputs)
        outputs, self.output_positions = _through_node(outputs, lambda node: node.register_hook(self._on_outputs))
        return outputs if is_tuple else outputs[0]

    def _on_outputs(self, _: Any, grad_output: tuple[Any, ...]) -> tuple[Any, ...] | None:
        assert self.output_positions is not None
        self.grad_outputs = _spread(grad_output, self.output_positions, self.n_outputs)
        for hook in self.user_pre_hooks:
            replaced = hook(self.module, self.grad_outputs)
            if replaced is None:
                continue
            if len(replaced) != self.n_outputs:
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, "
                    f"got {len(replaced)}, but expected {self.n_outputs}"
                )
            self.grad_outputs = replaced
        seen = self.grad_outputs
        assert seen is not None
        if self.input_positions is None:
            self._call_without_inputs()
        return tuple(seen[i] for i in self.output_positions)

    def _call_without_inputs(self) -> None:
        """Warn, and call the hooks with None as the gradients of the inputs. No input requires grad, so the inputs have no identity node.

        Raises:
            RuntimeError: a hook returns something other than None or a tuple of None.
        """
        warn_user(
            "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
            "gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module."
            "register_full_backward_hook for more details.",
        )
        for hook in self.user_hooks:
            result = hook(self.module, (None,) * self.n_inputs, self.grad_outputs)
            if result is not None and not (isinstance(result, tuple) and all(r is None for r in result)):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None or None for all "
                    "gradients."
                )
        self.grad_outputs = None

    def _on_inputs(self, grad_input: tuple[Any, ...], _: Any) -> tuple[Any, ...] | None:
        if self.grad_outputs is None:
            return None
        assert self.input_positions is not None
        grads = _spread(grad_input, self.input_positions, self.n_inputs)
        for hook in self.user_hooks:
            replaced = hook(self.module, grads, self.grad_outputs)
            if replaced is None:
                continue
            if len(replaced) != len(grads):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, "
                    f"got {len(replaced)}, but expected {len(grads)}"
                )
            grads = replaced
        self.grad_outputs = None
        return tuple(grads[i] for i in self.input_positions)


def _spread(values: tuple[Any, ...], positions: list[int], size: int) -> tuple[Any, ...]:
    """Return a tuple of length `size` with `values` at `positions` and None elsewhere."""
    result: list[Any] = [None] * size
    for position, value in zip(positions, values, strict=True):
        result[position] = value
    return tuple(result)


def _through_node(args: tuple[Any, ...], on_node: Callable[[Node], Any]) -> tuple[tuple[Any, ...], list[int] | None]:
    """Pass the tensors of `args` through a BackwardHookFunction, and call `on_node` with its node.

    Return the new arguments, and the positions of the tensors in `args`. If no tensor requires grad, or recording is off, return `args`
    itself and None.
    """
    positions = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
    if not (mode.enabled and any(args[i].requires_grad for i in positions)):
        return args, None
    outputs = BackwardHookFunction.apply(*[args[i] for i in positions])
    node = next(t.grad_fn for t in outputs if t.grad_fn is not None)
    on_node(node)
    result = list(args)
    for position, t in zip(positions, outputs, strict=True):
        result[position] = t
    return (tuple(result) if type(args) is tuple else type(args)(*result)), positions
