"""Compare a module of `nn` with PyTorch, on the samples of PyTorch's test suite.

`torch.testing._internal.common_modules.module_db` holds a ModuleInfo per module: arguments for its constructor, inputs for its
`forward`, and arguments and inputs that must raise an error. `more_modules` adds ModuleInfos for modules that module_db leaves out.
`judge(info)` runs all samples on both engines and compares

    signature   names and defaults of the arguments of the constructor and of `forward`
    initial     parameters and buffers after construction, bit for bit, and the state of the generator afterwards
    attributes  public attributes with plain values
    text        `repr`
    state       names, shapes and order of `state_dict`, parameters and buffers; loading torch's values; the error for missing keys
    copies      results of a deep copy, a pickled copy and a copy saved to a file
    to          dtypes and values after `.to(float64)` and `.half()`
    forward     values, dtype and shape, and the buffers afterwards; in training and evaluation mode
    gradient    gradients of inputs and parameters, for a fixed random gradient of the results
    second      the gradients of these gradients, where torch has them (float64)
    strided     forward and gradient with inputs that are not contiguous
    errors      type and message of the error for inputs that must raise one

Numbers are compared in float64 and float32, everything else once.
"""

from __future__ import annotations

import copy
import inspect
import io
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_modules import ModuleErrorEnum
from torch.testing._internal.common_utils import noncontiguous_like

import reference_impl as engine
from tests.engine.last_bits import same_draws
from tests.engine.op_compare import (
    Backward,
    Outcome,
    Verdict,
    describe_sample,
    in_float64,
    is_nearly_as_exact,
    quick_seeding,
    run,
    seed,
)
from tests.engine.op_samples import Choose, choose_every
from tests.engine.torch_bridge import OutOfScope, array_of, copy_of, difference, tensors_in, to_engine

DTYPES = (torch.float64, torch.float32)
KINDS = ("signature", "initial", "attributes", "text", "state", "copies", "to", "forward", "gradient", "second",
         "strided", "errors")  # fmt: skip

# Modules whose results torch computes wrongly for inputs that are not contiguous.
TORCH_ERRORS = {
    "nn.CTCLoss": "torch ignores the strides of targets: its loss differs from the loss for a contiguous copy"
}

TENSOR_SCALE = {"forward": 1.0, "gradient": 10.0, "second": 100.0, "strided": 10.0}


def lookup(name: str) -> Any:
    """Return the engine's module class `name` (`nn.Linear`), or None."""
    target: Any = engine
    for part in name.split("."):
        target = getattr(target, part, None)
    return target


# -- converting arguments of constructors


def convert_arguments(value: Any) -> Any:
    """Convert arguments for the engine as `to_engine` does, and functions of torch to those of the same name in `nn.functional`."""
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return type(value)([convert_arguments(v) for v in value])
    if isinstance(value, dict):
        return {key: convert_arguments(v) for key, v in value.items()}
    if callable(value) and not isinstance(value, (torch.Tensor, type)):
        return getattr(engine.nn.functional, value.__name__)
    return to_engine(value)


def construct_both(classes: tuple[Any, Any], arguments: tuple[Any, Any]) -> tuple[Outcome, Outcome]:
    """Construct the module on both engines with the same seed. Return the outcome on torch and on the engine.

    The attribute `inputs` of each outcome holds the state of the generator afterwards.
    """
    outcomes = []
    for library, cls, (args, kwargs) in zip(
        (torch, engine), classes, (arguments, convert_arguments(arguments)), strict=True
    ):
        seed()
        outcome = run(lambda _, cls=cls, args=args, kwargs=kwargs: cls(*args, **kwargs), (None, (), {}))
        outcome.inputs = [library.get_rng_state().numpy()]
        outcomes.append(outcome)
    return outcomes[0], outcomes[1]


def state_of(module: Any) -> list[np.ndarray]:
    """Return the arrays of the state_dict of a module, in order."""
    return [array_of(t) for t in module.state_dict().values()]


def load_torch_values(engine_module: Any, torch_module: Any) -> None:
    """Load torch's values into the engine's module, so that results can be compared if the initial values differ."""
    engine_module.load_state_dict({name: to_engine(t.detach()) for name, t in torch_module.state_dict().items()})


# -- judging


def judge(info: Any, dtypes: tuple[Any, ...] = DTYPES, choose: Choose = choose_every) -> Verdict:
    """Compare a module with torch on the samples that `choose` selects. The module docstring lists the kinds of comparisons."""
    verdict = Verdict(info.name)
    classes = (info.module_cls, lookup(info.name))
    seen: set[str] = set()
    with warnings.catch_warnings(), quick_seeding():
        warnings.simplefilter("ignore")
        compare_signatures(classes, verdict)
        for dtype in dtypes:
            verdict.dtypes.append(str(dtype).removeprefix("torch."))
            for training in (True, False) if info.train_and_eval_differ else (True,):
                seed()
                torch.manual_seed(0)
                samples = info.module_inputs_func(
                    info, device="cpu", dtype=dtype, requires_grad=True, training=training
                )
                for sample in choose(samples, dtype):
                    judge_sample(info, classes, sample, dtype, training, verdict, seen)
        if info.module_error_inputs_func is not None:
            judge_errors(info, classes, verdict)
    return verdict


def compare_signatures(classes: tuple[Any, Any], verdict: Verdict) -> None:
    """Compare the signatures of the constructor and of `forward`."""
    for method in ("__init__", "forward"):
        expected, actual = [describe_signature(getattr(cls, method)) for cls in classes]
        verdict.count("signature", None if expected == actual else f"{actual} instead of {expected}", method)


def describe_signature(function: Any) -> list[str]:
    """Return a line per parameter: kind, name and default.

    If the default is a function, the line contains its name, so that `F.relu` is equal on both engines.
    """
    lines = []
    for p in inspect.signature(function).parameters.values():
        default = getattr(p.default, "__name__", repr(p.default)) if p.default is not p.empty else "-"
        lines.append(f"{p.kind.name.lower()} {p.name} {default}")
    return lines


def judge_sample(
    info: Any, classes: tuple[Any, Any], sample: Any, dtype: Any, training: bool, verdict: Verdict, seen: set[str]
) -> None:
    """Compare the results of a sample. Compare its construction too, unless its arguments are in `seen`; add them to `seen`.

    A sample that the engine cannot represent is only counted, in `verdict.left_out`.
    """
    arguments = (sample.constructor_input.args, sample.constructor_input.kwargs)
    inputs = (sample.forward_input.args, sample.forward_input.kwargs) if sample.forward_input else None
    mode = "" if training else ".eval()"
    text = f"{info.name}{describe_call(arguments)}{mode}{describe_call(inputs) if inputs else ''}"
    try:
        convert_arguments(arguments), to_engine(inputs)
    except OutOfScope as reason:
        verdict.left_out[str(reason)] += 1
        return
    verdict.samples += 1
    expected, actual = construct_both(classes, arguments)
    if expected.error is not None or actual.error is not None:
        verdict.count(
            "initial", None if expected.text == actual.text else f"{actual.text} INSTEAD OF {expected.text}", text
        )
        return
    pair = (expected.result.train(training), actual.result.train(training))
    if hasattr(pair[0], "initialize_parameters"):
        initialize_sizes(pair, inputs)
    is_new = repr(arguments) not in seen
    seen.add(repr(arguments))
    if is_new:
        verdict.count("initial", initial_difference(expected, actual), text)
        compare_structure(pair, verdict, text)
    pair[0].to(dtype)
    pair[1].to(to_engine(dtype))
    load_torch_values(pair[1], pair[0])
    if inputs is None:
        return
    if is_new:
        compare_copies(pair[1], to_engine(inputs), verdict, text)
    compare_numbers(pair, inputs, dtype, info, verdict, text)


def initialize_sizes(pair: tuple[Any, Any], inputs: Any) -> None:
    """Call two lazy modules once with the same seed, so that their parameters get shapes and values."""
    for module, arguments in zip(pair, (copy_of(inputs), to_engine(inputs)), strict=True):
        seed()
        # This call may raise an error because of the dtype, but only after the initialisation.
        run(lambda _, m=module, a=arguments: m(*a[0], **a[1]), (None, (), {}))


def describe_call(arguments: tuple[Any, Any]) -> str:
    """Format the arguments of a call on a line, as in `(float32[2, 3], 2, bias=False)`."""
    args, kwargs = arguments
    return (
        describe_sample((args[0], args[1:], kwargs))
        if args
        else describe_sample(("", (), kwargs)).replace("('', ", "(")
    )


# -- structure


def compare_structure(pair: tuple[Any, Any], verdict: Verdict, text: str) -> None:
    """Compare attributes, text, state and casts of a pair of modules."""
    torch_module, engine_module = pair
    verdict.count("attributes", attribute_difference(torch_module, engine_module), text)
    verdict.count(
        "text",
        None if repr(engine_module) == repr(torch_module) else f"{engine_module!r} instead of {torch_module!r}",
        text,
    )
    verdict.count("state", state_difference(torch_module, engine_module), text)
    verdict.count("to", cast_difference(torch_module, engine_module), text)


def initial_difference(expected: Outcome, actual: Outcome) -> str | None:
    """Describe the first initial value or the generator state that differs; return None if all are equal."""
    for (name, torch_tensor), array in zip(expected.result.state_dict().items(), state_of(actual.result), strict=False):
        if not same_draws(array, array_of(torch_tensor)):
            return f"{name} has other initial values"
    same = np.array_equal(expected.inputs[0], actual.inputs[0])
    return None if same else "the generator has another state after construction"


PLAIN = (bool, int, float, str, tuple, list, type(None))


def attribute_difference(torch_module: Any, engine_module: Any) -> str | None:
    """Describe the first public attribute of torch's module that differs or is missing on the engine; else return None."""
    for name, expected in vars(torch_module).items():
        if name.startswith("_") or not isinstance(expected, PLAIN):
            continue
        if not hasattr(engine_module, name):
            return f"no attribute {name}"
        actual = getattr(engine_module, name)
        if actual != expected or repr(actual) != repr(expected):
            return f"{name} is {actual!r} instead of {expected!r}"
    return None


def describe_state(module: Any) -> dict[str, Any]:
    """Return the names, shapes and types in the state_dict, parameters, buffers and submodules of a module."""
    state = module.state_dict()
    return {
        "state_dict": [(name, tuple(t.shape), str(t.dtype)) for name, t in state.items()],
        "versions": dict(state._metadata),
        "parameters": [(name, p.requires_grad, type(p).__name__) for name, p in module.named_parameters()],
        "buffers": [name for name, _ in module.named_buffers()],
        "modules": [(name, type(m).__module__, type(m).__name__, m.training) for name, m in module.named_modules()],
    }


def state_difference(torch_module: Any, engine_module: Any) -> str | None:
    """Describe the first difference in the state or in the behaviour of load_state_dict; else return None.

    The call adds 1 to all values in the state of both modules.
    """
    expected, actual = describe_state(torch_module), describe_state(engine_module)
    for name in expected:
        if expected[name] != actual[name]:
            return f"{name}: {actual[name]} instead of {expected[name]}"
    numbers = {name: t + 1 for name, t in torch_module.state_dict().items()}
    load_result = engine_module.load_state_dict({name: to_engine(t) for name, t in numbers.items()})
    if repr(load_result) != repr(torch_module.load_state_dict(numbers)):
        return f"load_state_dict returns {load_result!r}"
    for name, t in engine_module.state_dict().items():
        if not np.array_equal(array_of(t), array_of(numbers[name])):
            return f"{name} was not loaded"
    refusals = [run(lambda m: m.load_state_dict({"no": 1}), (m, (), {})).text for m in (torch_module, engine_module)]
    return None if refusals[0] == refusals[1] else f"{refusals[1]} INSTEAD OF {refusals[0]}"


def cast_difference(torch_module: Any, engine_module: Any) -> str | None:
    """Describe the first difference between the engines after a cast to float64 or to float16; else return None."""
    for expected, actual in (
        (copy.deepcopy(torch_module).to(torch.float64), copy.deepcopy(engine_module).to(engine.float64)),
        (copy.deepcopy(torch_module).half(), copy.deepcopy(engine_module).half()),
    ):
        for x, y in zip(state_of(expected), state_of(actual), strict=True):
            if x.dtype != y.dtype or not np.array_equal(x, y):
                return f"{y.dtype} instead of {x.dtype}, or other values"
    return None


def compare_copies(module: Any, inputs: tuple[Any, Any], verdict: Verdict, text: str) -> None:
    """Check that copies of an engine's module share no memory with it and compute the same results."""
    file = io.BytesIO()
    engine.save(module, file)
    file.seek(0)
    copies = {
        "deepcopy": copy.deepcopy(module),
        "pickle": pickle.loads(pickle.dumps(module)),
        "file": engine.load(file, weights_only=False),
    }
    expected = call_copy(module, inputs)
    for method, other in copies.items():
        actual = call_copy(other, inputs)
        same = zip(tensors_in(expected.result), tensors_in(actual.result), strict=True)
        mismatch = None
        if expected.text != actual.text or not all(
            np.array_equal(array_of(x), array_of(y), equal_nan=True) for x, y in same
        ):
            mismatch = f"the copy by {method} computes another result"
        elif any(np.shares_memory(x, y) for x in state_of(module) for y in state_of(other) if x.size):
            mismatch = f"the copy by {method} shares memory"
        verdict.count("copies", mismatch, text)


# -- numbers


def compare_numbers(
    pair: tuple[Any, Any], inputs: tuple[Any, Any], dtype: Any, info: Any, verdict: Verdict, text: str
) -> None:
    """Compare results and gradients. In float64, compare also second gradients, and inputs that are not contiguous."""
    run_both(pair, inputs, ("forward", "gradient", "second" if dtype is torch.float64 else ""), info, verdict, text)
    if dtype is torch.float64 and info.name in TORCH_ERRORS:
        verdict.left_out[TORCH_ERRORS[info.name]] += 1
    elif dtype is torch.float64:
        run_both(pair, with_gaps(inputs), ("strided", "strided", ""), info, verdict, text)


def with_gaps(value: Any) -> Any:
    """Return `value` with its tensors copied to memory with gaps between elements, except tensors of one element."""
    if isinstance(value, torch.Tensor):
        return noncontiguous_like(value) if value.numel() > 1 else value
    if isinstance(value, (list, tuple)):
        return type(value)([with_gaps(v) for v in value])
    return {key: with_gaps(v) for key, v in value.items()} if isinstance(value, dict) else value


def run_both(
    pair: tuple[Any, Any], inputs: tuple[Any, Any], kinds: tuple[str, str, str], info: Any, verdict: Verdict, text: str
) -> None:
    """Compare results, gradients and second gradients on both engines.

    Args:
        kinds: the kinds under which `verdict` counts the three comparisons. An empty string omits second gradients.
    """
    outcomes = call_copy(pair[0], copy_of(inputs)), call_copy(pair[1], to_engine(inputs))
    single = any(t.dtype is torch.float32 for t in tensors_in(inputs))
    exact = (lambda: call_copy(copy.deepcopy(pair[0]).double(), in_float64(inputs))) if single else None
    if not compare_outcomes(*outcomes, kinds[0], verdict, text, exact) or outcomes[0].error is not None:
        return
    expected, actual = (Backward(library, o) for library, o in zip((torch, engine), outcomes, strict=True))
    if not expected.outputs or not expected.inputs:
        return
    exact_gradients = (lambda: Backward(torch, exact()).gradients()) if exact else None
    if not compare_outcomes(expected.gradients(), actual.gradients(), kinds[1], verdict, text, exact_gradients):
        return
    if not kinds[2] or not info.supports_gradgrad:
        return
    expected_second = expected.second_gradients()
    actual_second = actual.second_gradients()
    if expected_second.error is None:
        compare_outcomes(expected_second, actual_second, kinds[2], verdict, text)
    else:
        verdict.left_out["no second derivative in torch"] += 1


def call_copy(module: Any, values: tuple[Any, Any]) -> Outcome:
    """Call a deep copy of `module` with `values`: (args, kwargs). The result includes the buffers of the copy after the call."""
    seed()
    module = copy.deepcopy(module)
    outcome = run(lambda _: module(*values[0], **values[1]), (None, (), {}))
    outcome.inputs = [*tensors_in(values), *module.parameters()]
    buffers = list(module.buffers())
    if outcome.error is None and buffers:
        outcome.result = [outcome.result, *buffers]
    return outcome


def compare_outcomes(
    expected: Outcome,
    actual: Outcome,
    kind: str,
    verdict: Verdict,
    text: str,
    exact: Callable[[], Outcome] | None = None,
) -> bool:
    """Compare results or errors, count the comparison, and return whether they agree.

    Args:
        exact: computes torch's result in float64. If float32 results differ, the engine's error may be up to twice torch's.
    """
    if expected.error is not None or actual.error is not None:
        mismatch = None if expected.text == actual.text else f"{actual.text} INSTEAD OF {expected.text}"
    else:
        mismatch = difference(expected.result, actual.result, TENSOR_SCALE[kind])
        if mismatch and exact is not None:
            results = zip(*(tensors_in(o.result) for o in (exact(), expected, actual)), strict=True)
            if all(is_nearly_as_exact(*map(array_of, tensors)) for tensors in results):
                mismatch = None
                verdict.passed_by_float64[kind] += 1
    verdict.count(kind, mismatch, text)
    return mismatch is None


# -- errors


def judge_errors(info: Any, classes: tuple[Any, Any], verdict: Verdict) -> None:
    """Compare type and message of the errors for arguments and inputs that torch refuses."""
    options = {"device": "cpu", "dtype": torch.float32, "requires_grad": False, "training": True}
    for case in info.module_error_inputs_func(info, **options):
        module_input = case.module_error_input
        arguments = (module_input.constructor_input.args, module_input.constructor_input.kwargs)
        text = f"{info.name}{describe_call(arguments)}"
        try:
            expected, actual = construct_both(classes, arguments)
        except OutOfScope as reason:
            verdict.left_out[str(reason)] += 1
            continue
        if case.error_on is ModuleErrorEnum.FORWARD_ERROR and actual.error is None:
            inputs = (module_input.forward_input.args, module_input.forward_input.kwargs)
            text += describe_call(inputs)
            expected, actual = call_copy(expected.result, copy_of(inputs)), call_copy(actual.result, to_engine(inputs))
        assert isinstance(expected.error, case.error_type), text
        verdict.count(
            "errors", None if expected.text == actual.text else f"{actual.text} INSTEAD OF {expected.text}", text
        )
