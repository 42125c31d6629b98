"""Suggest a substitute for a name of torch that reference_impl lacks.

python -m gradnotes.browser.absent_names    prints the names of torch that the engine has and lacks, as JSON
"""

from __future__ import annotations

import difflib
import functools
import importlib
import json
import operator
import re
from typing import Any

from gradnotes.words import say, translatable

# Names that learners' programs use, without `torch.` and separated by spaces -> what to write instead. The engine must
# lack each of these names.
_ALTERNATIVES = {
    "vmap": translatable("A loop over the first axis and `torch.stack` do the same, slower."),
    "func": translatable("`torch.autograd.grad` computes gradients; a loop over the first axis stands in for `vmap`."),
    "compile jit fx export": translatable("Leave the call out: the program does the same without it, slower."),
    "asarray": translatable("`torch.as_tensor` does the same."),
    "inner": translatable("`(a * b).sum(-1)` does the same."),
    "linalg.cholesky linalg.eig linalg.lstsq linalg.matrix_rank linalg.pinv": translatable("`numpy.linalg` computes it on `x.detach().numpy()`, without gradients."),
    "fft": translatable("`numpy.fft` computes it on `x.detach().numpy()`, without gradients."),
    "searchsorted bucketize": translatable("`numpy.searchsorted` finds the same positions."),
    "quantile": translatable("`torch.sort`, and the element at that fraction of the length, gives nearly the same."),
    "histc": translatable("`torch.histogram` counts the same."),
    "complex complex64 complex128": translatable("Keep the real and the imaginary part in two tensors."),
    "distributions": translatable("`torch.normal`, `torch.bernoulli` and `torch.multinomial` draw samples; write the log-probability as a formula."),
    "amp autocast cuda.amp": translatable("Leave it out: in float32 the program computes the same, more precisely."),
    "distributed multiprocessing nn.SyncBatchNorm": translatable("A page has a single process: leave it out."),
    "profiler autograd.profiler": translatable("To time a step, call `time.perf_counter` before and after it."),
    "sparse sparse_coo_tensor": translatable("A dense tensor with zeros gives the same result."),
    "hub onnx": translatable("There is no network and no other runtime here. Build the network from layers."),
    "nn.Transformer nn.TransformerEncoder nn.TransformerEncoderLayer nn.TransformerDecoder nn.TransformerDecoderLayer "
    "nn.MultiheadAttention": translatable(
        "Build attention from three `torch.nn.Linear` layers and `torch.nn.functional.scaled_dot_product_attention(q, k, v)`."
    ),
    "nn.AdaptiveMaxPool2d nn.functional.adaptive_max_pool2d": translatable("`x.amax((-2, -1), keepdim=True)` does the same for the output size 1."),
    "nn.PixelShuffle": translatable("`torch.nn.ConvTranspose2d` enlarges pictures too."),
    "nn.EmbeddingBag": translatable("`torch.nn.Embedding`, and the mean over the axis of the words, does the same."),
    "nn.utils.weight_norm nn.utils.spectral_norm nn.utils.prune": translatable("Divide or mask the weight in `forward`."),
    "optim.LBFGS": translatable("`torch.optim.Adam` or `torch.optim.SGD` also minimizes the loss, in more steps."),
    "optim.RAdam": translatable("`torch.optim.Adam` is the most similar."),
    "utils.checkpoint": translatable("Leave it out: the program computes the same, and uses more memory for saved tensors."),
}  # fmt: skip
ALTERNATIVES = {f"torch.{name}": sentence for names, sentence in _ALTERNATIVES.items() for name in names.split()}

NAMESPACES = {  # the namespaces that the page of names lists, each with its heading
    "torch": translatable("functions"),
    "torch.Tensor": translatable("methods and attributes of a tensor"),
    "torch.nn": translatable("layers and losses"),
    "torch.nn.Module": translatable("methods of a module"),
    "torch.nn.functional": translatable("functions for networks"),
    "torch.nn.init": translatable("initialization"),
    "torch.nn.utils": translatable("utilities of networks"),
    "torch.optim": translatable("optimizers"),
    "torch.optim.lr_scheduler": translatable("schedules of the learning rate"),
    "torch.autograd": translatable("gradients"),
    "torch.autograd.functional": translatable("Jacobians and Hessians"),
    "torch.autograd.graph": translatable("the graph and its hooks"),
    "torch.utils.data": translatable("data sets and loaders"),
    "torch.special": translatable("special functions"),
    "torch.linalg": translatable("linear algebra"),
}
# where to look for a name of torch that the engine lacks in its namespace: `torch.relu` may be a method, for example
_NEIGHBORS = ("torch.nn.functional", "torch", "torch.Tensor", "torch.nn", "torch.special")
_TYPES = ("Tensor", "Generator", "Size", "FloatTensor", "LongTensor", "GradScaler")
_SIMILAR = 0.8  # minimum ratio of difflib: `Conv2D` and `Conv2d` have 0.83, `foo` and `floor` 0.75
# Names that torch's modules only import, and parts of torch that programs do not call.
_INTERNAL = re.compile(
    r"Any|Callable|Counter|Generator|Iterable|Iterator|Literal|Mapping|MutableMapping|NamedTuple|Optional|ParamSpec|Self|Sequence|"
    r"SupportsFloat|TYPE_CHECKING|Type(Alias|Var|dDict)|Union|Weak\w+|[A-Z]+(_[A-Z0-9]+)+|BroadcastingList\d|"
    r"\w*(_copy|_notes|_cudnn|autocast|cudnn|fbgemm|miopen|mkldnn|quant|sym_|parse_|_nesting|handle_torch|has_torch)\w*|"
    r"(bits|float4|float8|int|uint|qu?int)\d\w*|cast|defaultdict|deque|overload|partial|ref|wraps"
)


def namespace(namespace_name: str) -> Any:
    """Return the engine's module or class for `namespace_name`, such as "torch.nn", or None if there is none."""
    engine = importlib.import_module("reference_impl")  # imported here: each run in the browser imports a new engine
    try:
        return operator.attrgetter(namespace_name.partition(".")[2])(engine) if "." in namespace_name else engine
    except AttributeError:
        return None


@functools.cache
def names(namespace_name: str) -> tuple[list[str], list[str]]:
    """Return two sorted lists: the names in a namespace of torch that the engine has, and those that it lacks."""
    torch_names = importlib.import_module("reference_impl.arguments.missing_names").torch_names(namespace_name)
    space = namespace(namespace_name)
    present = {name for name in torch_names if space is not None and hasattr(space, name)}
    return sorted(present), sorted(torch_names - present)


def alternative(full_name: str) -> str:
    """Return a sentence that names the substitute for a name that the engine lacks, or "" if there is none."""
    return say_alternative(*_find_alternative(full_name))


def say_alternative(sentence: str, name: str) -> str:
    """Return the sentence `sentence` in the current language or, if it is empty, one that says to use `name`, if any."""
    return say(sentence) if sentence else say("Use `{name}`.", name=name) if name else ""


def _find_alternative(full_name: str) -> tuple[str, str]:
    """Return (sentence, "") or ("", name) with the substitute for a name that the engine lacks, or two empty texts."""
    namespace_name, _, name = full_name.rpartition(".")
    parents = [full_name[: match.start()] for match in reversed(list(re.finditer(r"\.", full_name)))]
    for candidate in (full_name, *parents, f"torch.{name}"):
        if candidate in ALTERNATIVES:
            return ALTERNATIVES[candidate], ""
    neighbors = (space for space in _NEIGHBORS if space != namespace_name and name in names(space)[0])
    return "", next((f"{space}.{name}" for space in neighbors), "")


def explain(full_name: str) -> str:
    """Return a message for readers: the engine lacks this name of torch. If possible, say what to use instead."""
    namespace_name, _, name = full_name.rpartition(".")
    sentence = alternative(full_name)
    if not sentence and (similar := difflib.get_close_matches(name, names(namespace_name)[0], 1, _SIMILAR)):
        sentence = say("The most similar name in it is `{name}`.", name=f"{namespace_name}.{similar[0]}")
    return (say("`{name}` is not part of this engine. ", name=full_name) + sentence).rstrip()


def correct(namespace_name: str, name: str) -> str:
    """Return "Did you mean ...?" with a similar name of the engine for a name that torch lacks, or "" without one."""
    similar = difflib.get_close_matches(name, names(namespace_name)[0], 1, _SIMILAR)
    if not similar:
        return ""
    return say(
        "PyTorch has no `{name}`. Did you mean `{similar}`?",
        name=f"{namespace_name}.{name}",
        similar=f"{namespace_name}.{similar[0]}",
    )


def main() -> None:
    """Print as JSON, for each namespace, the names that programs use: those of the engine, and the missing ones.

    A missing name is mapped to the arguments of `say_alternative` about its substitute.
    """
    lists = {}
    for namespace_name in NAMESPACES:
        present, absent = (
            [name for name in group if _is_called(namespace_name, name)] for group in names(namespace_name)
        )
        lists[namespace_name] = [present, {name: _find_alternative(f"{namespace_name}.{name}") for name in absent}]
    print(json.dumps(lists))


def _is_called(namespace_name: str, name: str) -> bool:
    """Return whether programs use a name, so that the page lists it.

    Names in _INTERNAL do not count. In `torch` itself, most capitalized names belong to its compiler: only those in
    _TYPES count.
    """
    return not _INTERNAL.fullmatch(name) and (namespace_name != "torch" or name[0].islower() or name in _TYPES)


if __name__ == "__main__":
    main()
