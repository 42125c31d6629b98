"""The statements of random programs, as text; see `random_programs`.

In a template, {x} and {y} are names of tensors, {d} a dimension, {k} a number from 0 to 2, {c} a Function of one argument, and {n} a
new number. The templates in VALUES are expressions; a program assigns their values to new names.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

DEFINITIONS = """
class Sq(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * x * g

class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, g):
        result, = ctx.saved_tensors
        return g * result

class Two(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y, x + y
    @staticmethod
    def backward(ctx, a, b):
        print('Two', a, b, ctx.needs_input_grad)
        x, y = ctx.saved_tensors
        return a * y + b, a * x + b

class NoZeros(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3
    @staticmethod
    def backward(ctx, a, b):
        print('NoZeros', a, b)
        return (None if a is None else a * 2) if b is None else b * 3

class Mask(Function):
    @staticmethod
    def forward(ctx, x):
        mask = x > 0
        ctx.mark_non_differentiable(mask)
        return x * mask, mask
    @staticmethod
    def backward(ctx, g, mask):
        print('Mask', mask)
        return g * 7

class Dirty(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 2

class Same(Function):
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, g):
        print('Same', g)
        return g * 5

class View(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.view(-1)
    @staticmethod
    def backward(ctx, g):
        return g.view(ctx.shape) * 3

class Number(Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        return x * k
    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None

class TwoForOne(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return g, g

class WrongShape(Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum()
    @staticmethod
    def backward(ctx, g):
        return g.expand(7)

class WrongType(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return 3.0

class Context(Function):
    @staticmethod
    def forward(x, y):
        return x * y
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, g * x

class Once(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * x.cos()

class SaveNumber(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, None, 3)
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return g

class Inner(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, g):
        print(torch.is_grad_enabled(), g.requires_grad)
        with torch.enable_grad():
            z = torch.ones(2, requires_grad=True)
            (z * z).sum().backward()
            print(z.grad)
        return g

def state(t):
    node = t.grad_fn
    edges = None if node is None else [n and n.name() for n, _ in node.next_functions]
    return t.requires_grad, t.is_leaf, t._version, t._is_view(), node and node.name(), edges
"""


def prelude(program: Sequence[str]) -> str:
    """Return the definitions of the classes and functions that a program uses."""
    text = "\n".join(program)
    return "\n\n".join(block for block in DEFINITIONS.strip().split("\n\n") if f"{_defined_name(block)}" in text)


def _defined_name(block: str) -> str:
    """Return the text by which to recognize uses of a definition: `Sq.` for a class Sq, `state(` for a function state."""
    keyword, rest = block.split(" ", 1)
    return rest.split("(")[0] + ("." if keyword == "class" else "(")


FUNCTIONS = "Sq Exp Dirty Same View TwoForOne WrongShape WrongType Once SaveNumber Inner".split()

UNARY = (
    "sin cos tanh exp sigmoid neg abs square relu reciprocal sqrt log1p sign floor erf atan clone detach contiguous expm1 round trunc "
    "frac rsqrt sgn positive double long bool logical_not isnan t flatten squeeze diagonal tril"
).split()
WITH_DIM = (
    "sum mean prod amax cumsum cumprod softmax log_softmax logsumexp argmax flip unsqueeze squeeze std var argsort norm "
    "all any"
).split()
BINARY = "add sub mul div maximum minimum matmul pow fmod remainder eq lt outer".split()

VALUES = [
    "{x}.select({d}, {k})", "{x}[{k}:]", "{x}[..., {k}]", "{x}[None]", "{x}[[0, {k}, 0]]", "{x}[{x} > 0]", "{x}.view(-1)",
    "{x}.reshape(-1, 1)", "{x}.expand(2, *{x}.shape)", "{x}.transpose({d}, -1)", "{x}.T", "{x}.unbind({d})[{k}]",
    "{x}.chunk(2, {d})[0]", "{x}.split(1, {d})[{k}]", "{x}.narrow({d}, {k}, 1)", "{x}.unfold({d}, 2, 1)", "{x}.movedim(0, {d})",
    "{x}.as_strided((2,), (1,), {k})", "{x}.detach()", "{x}.data", "{x} * {y}", "{x} + {y}", "{x} / {y}", "{x} - {k}", "{x} ** {k}",
    "{x} ** {y}", "{x} @ {y}", "2 ** {x}", "{x} // 1", "{x} % 2", "torch.cat([{x}, {y}])", "torch.stack([{x}, {y}], {d})",
    "torch.where({x} > 0, {x}, {y})", "torch.std_mean({x})[{k}]", "torch.var_mean({x})[1]",
    "{x}.max({d}).values", "{x}.min({d})[0]", "{x}.sort({d})[0]", "{x}.topk(1)[0]", "{x}.median()",
    "{x}.gather({d}, torch.zeros_like({x}, dtype=torch.int64))", "{x}.index_select({d}, torch.tensor([0, {k}]))",
    "{x}.masked_fill({x} > 0, {k})", "{x}.repeat(2, 1)", "{x}.clamp(-1, 1)", "{x}.clamp({x}, {y})", "{x}.roll({k}, {d})",
    "torch.nn.functional.layer_norm({x}, {x}.shape[-1:])", "torch.nn.functional.mse_loss({x}, {y})",
    "torch.nn.functional.softplus({x})", "torch.nn.functional.gelu({x})", "torch.nn.functional.linear({x}, {y})",
    "torch.nn.functional.normalize({x}, dim={d})", "{x}.new_zeros(2)", "torch.zeros_like({x}, requires_grad=True)", "{x}.to(torch.float64)",
    "{c}.apply({x})", "{c}.apply({x})", "{c}.apply({x})", "Two.apply({x}, {y})[{k}]", "NoZeros.apply({x})[{k}]", "Mask.apply({x})[0]",
    "Number.apply({x}, {k})", "Context.apply({x}, {y})", "{x}.sum()", "{x}.mean()", "({x} * {x}).sum()", "{x}.exp().sum()",
    "torch.autograd.grad({x}.sum(), {y}, create_graph=True)[0]", "torch.autograd.grad({x}.sum(), {y}, retain_graph=True)[0]",
    "torch.autograd.grad(({x} ** 3).sum(), {y}, create_graph=True, allow_unused=True)[0]",
    "torch.autograd.grad({x}, {y}, torch.ones_like({x}), materialize_grads=True)[0]", "{x}.grad", "copy.deepcopy({x})",
]  # fmt: skip

IN_PLACE = [
    "{x}.add_(1)", "{x}.mul_({y})", "{x}.add_({y})", "{x}.sub_({y}, alpha=2)", "{x}.div_({k})", "{x}.copy_({y})", "{x}.zero_()",
    "{x}.fill_({k}.5)", "{x}.fill_({y}.sum())", "{x}.exp_()", "{x}.sqrt_()", "{x}.tanh_()", "{x}.relu_()", "{x}.pow_(2)", "{x}.neg_()",
    "{x}.clamp_(-1, 1)", "{x}[{k}] = {y}[0]", "{x}[{k}] = 3", "{x}[{x} > 0] = 0", "{x}[..., 0] = {y}", "{x}[[0, 0]] = {y}",
    "{x}.masked_fill_({x} > 0, 3)", "{x}.t_()", "{x}.unsqueeze_({d})", "{x}.squeeze_()", "{x}.transpose_(0, {d})", "{x}.cumsum_({d})",
    "{x}.index_add_({d}, torch.tensor([{k}]), {y})", "{x}.scatter_({d}, torch.zeros_like({x}, dtype=torch.int64), 2)",
    "{x}.lerp_({y}, .5)", "{x}.addcmul_({y}, {y})", "{x}.data.mul_(2)", "{x}.data = {y}", "{x}.detach().mul_(3)", "{x}.detach_()",
    "{x}.requires_grad_()", "{x}.requires_grad_(False)", "{x}.requires_grad = True", "{x}.grad = None", "{x}.grad = {y}",
    "{x}.grad.zero_()", "{x}.sigmoid_()", "{x}.mul_({x})", "{x} += {y}", "{x} *= 2", "{x} -= {y}.sum()", "{x}.sum().add_(1)", "{x}.resize_(0)",
    "{x}.eq_({y})", "torch.add({x}, {y}, out={x})", "torch.mul({x}, 2, out={y})",
    "torch.nn.functional.relu({x}, inplace=True)", "torch.nn.functional.leaky_relu({x}, .1, inplace=True)", "{x}.round_()", "{x}.floor_()",
    "{x}.normal_()", "{x}.uniform_()", "torch.nn.init.ones_({x})", "Dirty.apply({x})",
]  # fmt: skip

HOOKS = [
    "h{n} = {x}.register_hook(lambda g: g * 2)", "h{n} = {x}.register_hook(lambda g: print('h{n}', g))",
    "{x}.register_hook(lambda g: g.mul_(2))", "{x}.register_hook(lambda g: g.sum())", "{x}.register_hook(lambda g: 1.0)",
    "{x}.register_hook(lambda g: g.zero_() and None)", "{x}.register_hook(lambda g: print('sum', g.sum()))", "h.remove()",
    "{x}.register_hook(lambda g: {y}.add_(1) and None)", "{x}.register_hook(lambda g: ({y} * {y}).sum().backward())",
    "{x}.register_hook(lambda g: print('h{n}', g.requires_grad, torch.is_grad_enabled()))",
    "{x}.register_hook(lambda g: g.double())", "{x}.register_hook(lambda g: g[None])", "{x}.register_hook(lambda g: 1 / 0)",
    "{x}.retain_grad()", "{x}.register_post_accumulate_grad_hook(lambda p: print('post{n}', p.grad))",
    "{x}.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(2))" , "{x}.register_post_accumulate_grad_hook(lambda p: setattr(p, 'grad', None))",
    "{x}.register_post_accumulate_grad_hook(lambda p: 3)", "{x}.grad_fn.register_hook(lambda gi, go: print('node{n}', gi, go))",
    "{x}.grad_fn.register_hook(lambda gi, go: tuple(None if g is None else g * 2 for g in gi))",
    "{x}.grad_fn.register_prehook(lambda go: print('pre{n}', go))", "{x}.grad_fn.register_prehook(lambda go: tuple(g * 3 for g in go if g is not None))",
    "{x}.grad_fn.register_prehook(lambda go: go[0])", "{x}.grad_fn.register_hook(lambda gi, go: gi + gi)",
    "graph.register_multi_grad_hook([{x}, {y}], lambda gs: print('multi{n}', [g is None for g in gs]))",
    "graph.register_multi_grad_hook([{x}, {y}], lambda g: print('any{n}', g), mode='any')",
]  # fmt: skip

PASSES = [
    "{x}.sum().backward()", "{x}.sum().backward()", "{x}.sum().backward(retain_graph=True)", "{x}.backward()",
    "{x}.backward(torch.ones_like({x}))", "({x} * {x}).sum().backward(create_graph=True)", "{x}.sum().backward(inputs=[{y}])",
    "{x}.sum().backward(inputs={y}, retain_graph=True)", "({x} * {y}).sum().backward(inputs=[{x}, {y}])", "{x}.mean().backward()",
    "{x}.backward({y})", "torch.autograd.backward([{x}.sum(), {y}.sum()])", "torch.autograd.backward([{x}, {y}], [torch.ones_like({x}), None])",
    "torch.autograd.grad({x}, {y}, torch.ones((2, *{x}.shape)), is_grads_batched=True)",
    "torch.autograd.grad({x}, {y}, torch.ones((2, *{x}.shape), dtype={x}.dtype), is_grads_batched=True, allow_unused=True)",
    "torch.autograd.grad({x}.sum(), [{x}, {y}], allow_unused=True)", "torch.autograd.grad({x}.sum(), {y})",
    "torch.autograd.grad([{x}.sum(), {y}.sum()], {x}, allow_unused=True)", "torch.autograd.grad({x}, {y})",
    "torch.autograd.grad({x}.sum(), graph.get_gradient_edge({y}))",
    "torch.autograd.functional.jacobian(lambda q: q * {y}, {x})",
    "torch.autograd.functional.vjp(lambda q: q.sin() * 2, {x}, {y})", "torch.autograd.gradcheck(lambda q: q * q, {x})",
]  # fmt: skip

PRINTS = [
    "{x}", "{x}.grad", "state({x})", "{x}.grad_fn", "{x}.grad_fn.next_functions", "{x}.is_leaf, {x}.requires_grad, {x}._version",
    "{x}.grad_fn._saved_self", "{x}.grad_fn._saved_other", "{x}.grad_fn._saved_result", "{x}._base", "{x}.stride(), {x}.storage_offset()",
    "[name for name in dir({x}.grad_fn) if name.startswith('_saved')]", "{x}.grad_fn._raw_saved_self", "{x}.numpy()", "{x}.item()",
    "{x}.tolist()", "bool({x})", "float({x})", "{x}.grad_fn(torch.ones_like({x}))", "{x}.retains_grad, {x}.output_nr", "len({x})",
    "graph.increment_version({x})", "{x}.is_inference()", "torch.is_grad_enabled()", "{x}.__dict__", "{x}.grad_fn.metadata",
]  # fmt: skip

MODES = [
    "torch.no_grad()", "torch.no_grad()", "torch.enable_grad()", "torch.set_grad_enabled(False)", "torch.inference_mode()",
    "torch.autograd.detect_anomaly(check_nan=False)", "torch.autograd.set_detect_anomaly(True)", "graph.save_on_cpu()",
    "graph.saved_tensors_hooks(lambda t: (print('pack', t.shape), t)[1], lambda t: (print('unpack'), t)[1])",
    "graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t * 2)", "graph.saved_tensors_hooks(lambda t: t.numpy(), torch.from_numpy)",
    "graph.saved_tensors_hooks(lambda t: t.mul_(1), lambda t: t)", "graph.saved_tensors_hooks(lambda t: 3, lambda n: n)",
    "graph.allow_mutation_on_saved_tensors()",
    "torch.inference_mode(False)",
]  # fmt: skip

SHAPES = [(), (1,), (2,), (3,), (2, 2), (1, 3), (2, 1), (2, 3), (3, 3)]
NUMBERS = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0]


class Names:
    """The names that a program has defined so far.

    Attributes:
        rng: source of all random choices.
        tensors: the names of tensors, in order of definition.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.tensors: list[str] = []
        self._count = 0

    def tensor(self) -> str:
        """Return the name of a random tensor: with probability 0.6 one of the last three, else any."""
        return self.rng.choice(self.tensors if self.rng.random() < 0.4 else self.tensors[-3:])

    def new(self) -> int:
        """Return a number for a new name. No earlier call has returned it."""
        self._count += 1
        return self._count


def leaf_statements(names: Names) -> list[str]:
    """Return the statements that define one to three leaves, named x, y and w, and add their names to `names`."""
    statements = []
    shape = names.rng.choice(SHAPES)
    for name in ["x", "y", "w"][: names.rng.randint(1, 3)]:
        if names.rng.random() < 0.5:
            shape = names.rng.choice(SHAPES)
        options = names.rng.choice([", requires_grad=True"] * 4 + [""])
        options += names.rng.choice(["", "", ", dtype=torch.float64"])
        statements.append(f"{name} = torch.tensor({_numbers(names.rng, shape)}{options})")
        names.tensors.append(name)
    return statements


def _numbers(rng: random.Random, shape: tuple[int, ...]) -> str:
    if not shape:
        return str(rng.choice(NUMBERS))
    return f"[{', '.join(_numbers(rng, shape[1:]) for _ in range(shape[0]))}]"


def statement(names: Names) -> str:
    """Return a random statement about tensors of the program, in 15 % of the cases in a `with` block.

    If it defines a tensor, add the name to `names`.
    """
    rng = names.rng
    family = rng.choices(["value", "in place", "hook", "pass", "print"], [10, 4, 4, 3, 2])[0]
    if family == "value":
        name = f"a{names.new()}"
        text = f"{name} = {_fill_in(_value_template(rng), names)}"
        names.tensors.append(name)
    else:
        templates = {"in place": IN_PLACE, "hook": HOOKS, "pass": PASSES, "print": PRINTS}[family]
        text = _fill_in(rng.choice(templates), names)
    return f"with {rng.choice(MODES)}:\n    {text}" if rng.random() < 0.15 else text


def _value_template(rng: random.Random) -> str:
    family = rng.choices(["unary", "with dim", "binary", "value"], [3, 2, 2, 8])[0]
    if family == "unary":
        return f"{{x}}.{rng.choice(UNARY)}()"
    if family == "with dim":
        return f"{{x}}.{rng.choice(WITH_DIM)}({{d}})"
    if family == "binary":
        return f"torch.{rng.choice(BINARY)}({{x}}, {{y}})"
    return rng.choice(VALUES)


def _fill_in(template: str, names: Names) -> str:
    rng = names.rng
    return template.format(
        x=names.tensor(), y=names.tensor(), d=rng.choice([0, 0, 0, -1, 1]), k=rng.choice([0, 1, 2]),
        c=rng.choice(FUNCTIONS), n=names.new(),
    )  # fmt: skip


def last_statements(names: Names) -> list[str]:
    """Return the statements that print every tensor with its state, and the gradients of the first three."""
    lines = [line for name in names.tensors for line in (name, f"state({name})")]
    return lines + [f"{name}.grad" for name in names.tensors[:3]]
