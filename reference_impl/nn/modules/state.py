"""Save and load a module's state: parameters and persistent buffers by their dotted names."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn.parameter import Parameter


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"

    __str__ = __repr__


class State:
    """Base class of Module with the methods that save and load its state."""

    _version: int
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Return a dict of all parameters and persistent buffers by dotted name. The tensors share memory with the module.

        The results of `get_extra_state` have names that end in "_extra_state".

        Args:
            destination: a dict to fill and return, by default a new one.
            prefix: text before each name.
            keep_vars: return the parameters and buffers themselves instead of detached tensors.
        """
        if args:
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and not prefix else prefix
            keep_vars = args[2] if len(args) > 2 else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()  # the version of each module
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._own_state().items():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if self._has_extra_state("get_extra_state"):
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def _own_state(self) -> dict[str, Any]:
        persistent = {k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set}
        return {k: v for k, v in {**self._parameters, **persistent}.items() if v is not None}

    def _has_extra_state(self, method: str) -> bool:
        return getattr(type(self), method, None) is not getattr(State, method)

    def get_extra_state(self) -> Any:
        """Return additional state for `state_dict`. A subclass that has such state overrides this method; here it raises RuntimeError."""
        raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")

    def set_extra_state(self, state: Any) -> None:
        """Restore `state`, a result of `get_extra_state`. A subclass that overrides `get_extra_state` overrides this method too.

        Here it raises RuntimeError.
        """
        raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy the values of `state_dict` into the parameters and buffers of the same names, and call `set_extra_state` where defined.

        Args:
            strict: raise an error for missing and unexpected names.
            assign: replace the module's tensors by the tensors of `state_dict` instead of copying values.

        Returns:
            A named tuple (missing_keys, unexpected_keys) of lists of names.

        Raises:
            TypeError: `state_dict` is not a mapping.
            RuntimeError: shapes differ, a value is not a tensor or, if `strict`, names differ. The message lists all differences. The
                values without an error have been loaded nevertheless.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        self._load_tree(
            OrderedDict(state_dict), "", getattr(state_dict, "_metadata", None), assign, missing, unexpected, errors
        )
        if strict:
            for kind, keys in (("Missing", missing), ("Unexpected", unexpected)):
                if keys:
                    names = ", ".join(f'"{k}"' for k in keys)
                    errors.insert(
                        0 if kind == "Missing" else int(bool(missing)), f"{kind} key(s) in state_dict: {names}. "
                    )
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return _IncompatibleKeys(missing, unexpected)

    def _load_tree(
        self,
        state: Any,
        prefix: str,
        metadata: Any,
        assign: bool,
        missing: list[str],
        unexpected: list[str],
        errors: list[str],
    ) -> None:
        local_metadata = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local_metadata["assign_to_params_buffers"] = assign
        self._load_from_state_dict(state, prefix, local_metadata, True, missing, unexpected, errors)
        for name, child in self._modules.items():
            if child is not None:
                child_prefix = prefix + name + "."
                child_state = {k: v for k, v in state.items() if k.startswith(child_prefix)}
                child._load_tree(child_state, child_prefix, metadata, assign, missing, unexpected, errors)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        tensor_by_name = self._own_state()
        for name, tensor in tensor_by_name.items():
            key = prefix + name
            if key in state_dict:
                self._load_one(name, key, tensor, state_dict[key], local_metadata, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + "_extra_state"
        if self._has_extra_state("set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first = key[len(prefix) :].split(".", 1)
                    below = len(first) > 1 and first[0] in self._modules
                    if not below and (len(first) > 1 or first[0] not in tensor_by_name):
                        unexpected_keys.append(key)

    def _load_one(self, name: str, key: str, tensor: Tensor, value: Any, metadata: Any, errors: list[str]) -> None:
        if not isinstance(value, Tensor):
            errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
                f"received {type(value)}"
            )
            return
        if value.shape != tensor.shape and not (tensor.ndim == 0 and tuple(value.shape) == (1,)):
            errors.append(
                f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in current model "
                f"is {tensor.shape}."
            )
            return
        with no_grad():
            if metadata.get("assign_to_params_buffers", False):
                if isinstance(tensor, Parameter) and not isinstance(value, Parameter):
                    value = Parameter(value, requires_grad=tensor.requires_grad)
                setattr(self, name, value)
            else:
                tensor.copy_(value.reshape(tensor.shape) if value.shape != tensor.shape else value)

    # -- attributes for hooks that torch has; the engine never calls such hooks

    _state_dict_hooks: Any
    _state_dict_pre_hooks: Any
    _load_state_dict_pre_hooks: Any
    _load_state_dict_post_hooks: Any
