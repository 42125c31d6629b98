"""Judges one module of `nn` by PyTorch's own description of it.

`torch.testing._internal.common_modules.module_db` holds a ModuleInfo per module: arguments for its constructor, inputs for its
`forward`, and both that must fail. `more_modules` adds, in the same form, the modules that module_db leaves out. `judge(info)`
runs all of them on both engines and compares

    signature   names and defaults of the arguments of the constructor and of `forward`
    initial     parameters and buffers after construction, bit for bit, and where the generator stands then
    attributes  the public attributes that are plain values
    text        `repr`
    state       names, shapes and order of `state_dict`, parameters and buffers; loading torch's values; the error for no keys
    copies      a deep copy, a pickled copy and one through a file compute the same
    to          dtypes and values after `.to(float64)` and `.half()`
    forward     values, dtype and shape, and the buffers after it; training and evaluation mode
    gradient    of inputs and parameters, for a fixed random gradient of the results
    second      the gradient of that gradient, where torch has one (float64)
    strided     forward and gradient with inputs that are not contiguous
    errors      the error inputs: type and message

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
from tests.engine.op_judge import (
    Backward,
    Outcome,
    Verdict,
    _no_further,
    described,
    in_float64,
    quick_seeding,
    run,
    seed,
)
from tests.engine.op_samples import Choose, every
from tests.engine.torch_bridge import OutOfScope, array_of, copy_of, difference, tensors_in, to_engine

DTYPES = (torch.float64, torch.float32)
KINDS = ("signature", "initial", "attributes", "text", "state", "copies", "to", "forward", "gradient", "second",
         "strided", "errors")  # fmt: skip

# What torch itself computes wrongly for inputs that are not contiguous.
WRONG_IN_TORCH = {
    "nn.CTCLoss": "torch reads targets with strides at the wrong places: its loss differs from that of their copy"
}

TENSOR_SCALE = {"forward": 1.0, "gradient": 10.0, "second": 100.0, "strided": 10.0}


def lookup(name: str) -> Any:
    """The engine's module class `name` (`nn.Linear`), or None."""
    found: Any = engine
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


# -- carrying arguments of constructors over


def for_engine(value: Any) -> Any:
    """`to_engine`, for functions too."""
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return type(value)([for_engine(v) for v in value])
    if isinstance(value, dict):
        return {key: for_engine(v) for key, v in value.items()}
    if callable(value) and not isinstance(value, (torch.Tensor, type)):
        return getattr(engine.nn.functional, value.__name__)
    return to_engine(value)


def made(classes: tuple[Any, Any], arguments: tuple[Any, Any]) -> tuple[Outcome, Outcome]:
    """The module on both engines, constructed under one seed; `inputs` is where the generator stands then."""
    outcomes = []
    for library, cls, (args, kwargs) in zip((torch, engine), classes, (arguments, for_engine(arguments)), strict=True):
        seed()
        outcome = run(lambda _, cls=cls, args=args, kwargs=kwargs: cls(*args, **kwargs), (None, (), {}))
        outcome.inputs = [library.get_rng_state().numpy()]
        outcomes.append(outcome)
    return outcomes[0], outcomes[1]


def state_of(module: Any) -> list[np.ndarray]:
    return [array_of(t) for t in module.state_dict().values()]


def take_over(ours: Any, theirs: Any) -> None:
    """Give our module torch's values, so that what is computed can be compared whatever they began with."""
    ours.load_state_dict({name: to_engine(t.detach()) for name, t in theirs.state_dict().items()})


# -- judging


def judge(info: Any, dtypes: tuple[Any, ...] = DTYPES, choose: Choose = every) -> Verdict:
    """Run the samples of `info` that `choose` takes; see the head of this file."""
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
    for method in ("__init__", "forward"):
        want, have = [shown_signature(getattr(cls, method)) for cls in classes]
        verdict.count("signature", None if want == have else f"{have} instead of {want}", method)


def shown_signature(function: Any) -> list[str]:
    """Names, kinds and defaults; functions by their name, so that `F.relu` of both engines is one."""
    shown = []
    for p in inspect.signature(function).parameters.values():
        default = getattr(p.default, "__name__", repr(p.default)) if p.default is not p.empty else "-"
        shown.append(f"{p.kind.name.lower()} {p.name} {default}")
    return shown


def judge_sample(
    info: Any, classes: tuple[Any, Any], sample: Any, dtype: Any, training: bool, verdict: Verdict, seen: set[str]
) -> None:
    """Compare the numbers of a sample; what does not depend on inputs only if its arguments are not among `seen`."""
    arguments = (sample.constructor_input.args, sample.constructor_input.kwargs)
    inputs = (sample.forward_input.args, sample.forward_input.kwargs) if sample.forward_input else None
    mode = "" if training else ".eval()"
    text = f"{info.name}{described_call(arguments)}{mode}{described_call(inputs) if inputs else ''}"
    try:
        for_engine(arguments), to_engine(inputs)
    except OutOfScope as reason:
        verdict.left_out[str(reason)] += 1
        return
    verdict.samples += 1
    theirs, ours = made(classes, arguments)
    if theirs.error is not None or ours.error is not None:
        verdict.count("initial", None if theirs.text == ours.text else f"{ours.text} INSTEAD OF {theirs.text}", text)
        return
    pair = (theirs.result.train(training), ours.result.train(training))
    if hasattr(pair[0], "initialize_parameters"):
        learn_sizes(pair, inputs)
    new = repr(arguments) not in seen
    seen.add(repr(arguments))
    if new:
        verdict.count("initial", initial_difference(theirs, ours), text)
        compare_structure(pair, verdict, text)
    pair[0].to(dtype)
    pair[1].to(to_engine(dtype))
    take_over(pair[1], pair[0])
    if inputs is None:
        return
    if new:
        compare_copies(pair[1], to_engine(inputs), verdict, text)
    compare_numbers(pair, inputs, dtype, info, verdict, text)


def learn_sizes(pair: tuple[Any, Any], inputs: Any) -> None:
    """Call two lazy modules once, under one seed: before that their parameters have neither sizes nor values."""
    for module, arguments in zip(pair, (copy_of(inputs), to_engine(inputs)), strict=True):
        seed()
        run(lambda _, m=module, a=arguments: m(*a[0], **a[1]), (None, (), {}))  # may fail for its dtype, after that


def described_call(arguments: tuple[Any, Any]) -> str:
    args, kwargs = arguments
    return described((args[0], args[1:], kwargs)) if args else described(("", (), kwargs)).replace("('', ", "(")


# -- what is not a number


def compare_structure(pair: tuple[Any, Any], verdict: Verdict, text: str) -> None:
    theirs, ours = pair
    verdict.count("attributes", attribute_difference(theirs, ours), text)
    verdict.count("text", None if repr(ours) == repr(theirs) else f"{ours!r} instead of {theirs!r}", text)
    verdict.count("state", state_difference(theirs, ours), text)
    verdict.count("to", cast_difference(theirs, ours), text)


def initial_difference(theirs: Outcome, ours: Outcome) -> str | None:
    """Which parameter or buffer begins otherwise, or whether the generator has gone another way."""
    for (name, want), have in zip(theirs.result.state_dict().items(), state_of(ours.result), strict=False):
        if not same_draws(have, array_of(want)):
            return f"{name} begins with other values"
    same = np.array_equal(theirs.inputs[0], ours.inputs[0])
    return None if same else "the generator stands elsewhere afterwards"


PLAIN = (bool, int, float, str, tuple, list, type(None))


def attribute_difference(theirs: Any, ours: Any) -> str | None:
    """The first public attribute of torch's module that ours has not, or with another value."""
    for name, want in vars(theirs).items():
        if name.startswith("_") or not isinstance(want, PLAIN):
            continue
        if not hasattr(ours, name):
            return f"no attribute {name}"
        have = getattr(ours, name)
        if have != want or repr(have) != repr(want):
            return f"{name} is {have!r} instead of {want!r}"
    return None


def described_state(module: Any) -> dict[str, Any]:
    """All that the walks over a module name."""
    state = module.state_dict()
    return {
        "state_dict": [(name, tuple(t.shape), str(t.dtype)) for name, t in state.items()],
        "versions": dict(state._metadata),
        "parameters": [(name, p.requires_grad, type(p).__name__) for name, p in module.named_parameters()],
        "buffers": [name for name, _ in module.named_buffers()],
        "modules": [(name, type(m).__module__, type(m).__name__, m.training) for name, m in module.named_modules()],
    }


def state_difference(theirs: Any, ours: Any) -> str | None:
    want, have = described_state(theirs), described_state(ours)
    for part in want:
        if want[part] != have[part]:
            return f"{part}: {have[part]} instead of {want[part]}"
    numbers = {name: t + 1 for name, t in theirs.state_dict().items()}
    answer = ours.load_state_dict({name: to_engine(t) for name, t in numbers.items()})
    if repr(answer) != repr(theirs.load_state_dict(numbers)):
        return f"load_state_dict returns {answer!r}"
    for name, t in ours.state_dict().items():
        if not np.array_equal(array_of(t), array_of(numbers[name])):
            return f"{name} was not loaded"
    refusals = [run(lambda m: m.load_state_dict({"no": 1}), (m, (), {})).text for m in (theirs, ours)]
    return None if refusals[0] == refusals[1] else f"{refusals[1]} INSTEAD OF {refusals[0]}"


def cast_difference(theirs: Any, ours: Any) -> str | None:
    """How copies cast to float64 and to float16 differ."""
    for want, have in (
        (copy.deepcopy(theirs).to(torch.float64), copy.deepcopy(ours).to(engine.float64)),
        (copy.deepcopy(theirs).half(), copy.deepcopy(ours).half()),
    ):
        for x, y in zip(state_of(want), state_of(have), strict=True):
            if x.dtype != y.dtype or not np.array_equal(x, y):
                return f"{y.dtype} instead of {x.dtype}, or other values"
    return None


def compare_copies(ours: Any, inputs: tuple[Any, Any], verdict: Verdict, text: str) -> None:
    """A copy shares nothing with the module and computes what it computes."""
    file = io.BytesIO()
    engine.save(ours, file)
    file.seek(0)
    copies = {
        "deepcopy": copy.deepcopy(ours),
        "pickle": pickle.loads(pickle.dumps(ours)),
        "file": engine.load(file, weights_only=False),
    }
    want = called(ours, inputs)
    for way, other in copies.items():
        have = called(other, inputs)
        same = zip(tensors_in(want.result), tensors_in(have.result), strict=True)
        found = None
        if want.text != have.text or not all(np.array_equal(array_of(x), array_of(y), equal_nan=True) for x, y in same):
            found = f"the copy by {way} computes something else"
        elif any(np.shares_memory(x, y) for x in state_of(ours) for y in state_of(other) if x.size):
            found = f"the copy by {way} shares memory"
        verdict.count("copies", found, text)


# -- numbers


def compare_numbers(
    pair: tuple[Any, Any], inputs: tuple[Any, Any], dtype: Any, info: Any, verdict: Verdict, text: str
) -> None:
    """Forward, gradients and second gradients, for the inputs as they are and, in float64, with other strides."""
    run_both(pair, inputs, ("forward", "gradient", "second" if dtype is torch.float64 else ""), info, verdict, text)
    if dtype is torch.float64 and info.name in WRONG_IN_TORCH:
        verdict.left_out[WRONG_IN_TORCH[info.name]] += 1
    elif dtype is torch.float64:
        run_both(pair, with_holes(inputs), ("strided", "strided", ""), info, verdict, text)


def with_holes(value: Any) -> Any:
    """The tensors in `value`, of more than one element, with other strides."""
    if isinstance(value, torch.Tensor):
        return noncontiguous_like(value) if value.numel() > 1 else value
    if isinstance(value, (list, tuple)):
        return type(value)([with_holes(v) for v in value])
    return {key: with_holes(v) for key, v in value.items()} if isinstance(value, dict) else value


def run_both(
    pair: tuple[Any, Any], inputs: tuple[Any, Any], kinds: tuple[str, str, str], info: Any, verdict: Verdict, text: str
) -> None:
    outcomes = called(pair[0], copy_of(inputs)), called(pair[1], to_engine(inputs))
    single = any(t.dtype is torch.float32 for t in tensors_in(inputs))
    exact = (lambda: called(copy.deepcopy(pair[0]).double(), in_float64(inputs))) if single else None
    if not same_outcome(*outcomes, kinds[0], verdict, text, exact) or outcomes[0].error is not None:
        return
    theirs, ours = (Backward(library, o) for library, o in zip((torch, engine), outcomes, strict=True))
    if not theirs.outputs or not theirs.inputs:
        return
    exact_gradients = (lambda: Backward(torch, exact()).gradients()) if exact else None
    if not same_outcome(theirs.gradients(), ours.gradients(), kinds[1], verdict, text, exact_gradients):
        return
    if not kinds[2] or not info.supports_gradgrad:
        return
    want, have = theirs.second_gradients(), ours.second_gradients()
    if want.error is None:
        same_outcome(want, have, kinds[2], verdict, text)
    else:
        verdict.left_out["no second derivative in torch"] += 1


def called(module: Any, values: tuple[Any, Any]) -> Outcome:
    """What a copy of `module` answers, with its buffers after it."""
    seed()
    module = copy.deepcopy(module)
    outcome = run(lambda _: module(*values[0], **values[1]), (None, (), {}))
    outcome.inputs = [*tensors_in(values), *module.parameters()]
    buffers = list(module.buffers())
    if outcome.error is None and buffers:
        outcome.result = [outcome.result, *buffers]
    return outcome


def same_outcome(
    want: Outcome,
    have: Outcome,
    kind: str,
    verdict: Verdict,
    text: str,
    exact: Callable[[], Outcome] | None = None,
) -> bool:
    """Whether both gave the same result, or the same error.

    Args:
        exact: torch's answer in float64. Where float32 is rough, the engine may be as far from it as twice torch's own distance.
    """
    if want.error is not None or have.error is not None:
        found = None if want.text == have.text else f"{have.text} INSTEAD OF {want.text}"
    else:
        found = difference(want.result, have.result, TENSOR_SCALE[kind])
        if found and exact is not None:
            three = zip(*(tensors_in(o.result) for o in (exact(), want, have)), strict=True)
            if all(_no_further(*map(array_of, tensors)) for tensors in three):
                found = None
                verdict.settled[kind] += 1
    verdict.count(kind, found, text)
    return found is None


# -- errors


def judge_errors(info: Any, classes: tuple[Any, Any], verdict: Verdict) -> None:
    """The arguments and inputs that must be refused, in torch's words."""
    options = {"device": "cpu", "dtype": torch.float32, "requires_grad": False, "training": True}
    for case in info.module_error_inputs_func(info, **options):
        given = case.module_error_input
        arguments = (given.constructor_input.args, given.constructor_input.kwargs)
        text = f"{info.name}{described_call(arguments)}"
        try:
            theirs, ours = made(classes, arguments)
        except OutOfScope as reason:
            verdict.left_out[str(reason)] += 1
            continue
        if case.error_on is ModuleErrorEnum.FORWARD_ERROR and ours.error is None:
            inputs = (given.forward_input.args, given.forward_input.kwargs)
            text += described_call(inputs)
            theirs, ours = called(theirs.result, copy_of(inputs)), called(ours.result, to_engine(inputs))
        assert isinstance(theirs.error, case.error_type), text
        verdict.count("errors", None if theirs.text == ours.text else f"{ours.text} INSTEAD OF {theirs.text}", text)
