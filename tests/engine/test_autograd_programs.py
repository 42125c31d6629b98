"""Small programs that must print the same on torch and on the engine.

Each program is a function of a module `t` with the API of torch. The programs print the order of hooks, in-place errors, views and
results of custom functions. The output on torch is the expected output.
"""

from __future__ import annotations

import contextlib
import gc
import io
import re
import threading
import warnings
import weakref
from types import MappingProxyType

import pytest
import torch

import reference_impl
from tests.engine.last_bits import same_text

PROGRAMS = []


def program(function):
    """Add a function to PROGRAMS and return it."""
    PROGRAMS.append(function)
    return function


def attempt(call):
    """Print "ok" and the result of `call`, or the class and message of its error."""
    try:
        print("ok", call())
    except Exception as error:
        print(type(error).__name__, error)


def output_of(function, engine):
    """Return what a program prints on an engine, without addresses of objects."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function(engine)
    return re.sub(r" at 0x[0-9a-f]+", "", printed.getvalue())


@program
def leaves_fire_in_torchs_order(t):
    """Print the order in which the hooks of two to eight leaves run."""
    for n in range(2, 9):
        leaves = [t.tensor(float(i), requires_grad=True) for i in range(n)]
        for i, leaf in enumerate(leaves):
            leaf.register_hook(lambda g, i=i: print(i, end=" "))
        t.stack(leaves).sum().backward()
        print()


@program
def many_leaves_beside_other_nodes(t):
    """Print the order of hooks of six leaves, three of which have a node between them and the sum."""
    leaves = [t.tensor(float(i), requires_grad=True) for i in range(6)]
    inner = [leaf * 2 for leaf in leaves[:3]]
    for i, leaf in enumerate(leaves):
        leaf.register_hook(lambda g, i=i: print("leaf", i))
    for i, h in enumerate(inner):
        h.register_hook(lambda g, i=i: print("inner", i))
    t.cat([h.reshape(1) for h in inner] + [leaf.reshape(1) for leaf in leaves]).sum().backward()
    print([leaf.grad for leaf in leaves])


@program
def order_of_all_kinds_of_hooks(t):
    """Print from each kind of hook: on tensors, before and after a node, and after accumulation."""
    w = t.tensor([1.0, 2.0], requires_grad=True)
    h = w * 3
    w.register_hook(lambda g: print("tensor hook on w", g))
    h.register_hook(lambda g: print("tensor hook on h", g))
    h.register_hook(lambda g: g * 10)
    h.retain_grad()
    h.grad_fn.register_prehook(lambda g: print("prehook", g))
    h.grad_fn.register_hook(lambda gi, go: print("hook", gi, go))
    w.register_post_accumulate_grad_hook(lambda p: print("accumulated", p.grad))
    (h * h).sum().backward()
    print(h.grad, w.grad)


@program
def hook_results_are_checked(t):
    """Return a number, and tensors of another shape or dtype, from hooks."""
    for result in (1, t.ones(3), t.ones(2, dtype=t.float64)):
        w = t.tensor([1.0, 2.0], requires_grad=True)

        def hook(g, result=result):
            return result

        (w * 2).register_hook(hook)
        w.register_hook(hook)
        attempt(lambda w=w: (w * 2).sum().backward())


@program
def removed_hooks_are_silent(t):
    w = t.tensor(1.0, requires_grad=True)
    handle = w.register_hook(lambda g: print("never"))
    handle.remove()
    handle.remove()
    with w.register_hook(lambda g: print("inside", g)):
        (w * 2).backward()
    (w * 2).backward()
    print(w.grad)


@program
def in_place_errors(t):
    """Make in-place changes that are refused, immediately or in backward."""
    w = t.tensor([1.0, 2.0], requires_grad=True)
    attempt(lambda: w.add_(1))
    attempt(lambda: w.view(2).add_(1))
    attempt(lambda: w[0].mul_(2))
    y = w.exp()
    y.add_(1)
    attempt(lambda: y.sum().backward())
    y = w * 1
    z = y * y
    y.mul_(2)
    attempt(lambda: z.sum().backward())
    z = (w * w).sum()
    z.backward()
    attempt(z.backward)
    a, b = (w * 1).unbind()
    attempt(lambda: a.mul_(2))
    with t.no_grad():
        v = (w * 1).view(2)
        u = w.view(2)
    attempt(lambda: u.mul_(w))
    attempt(lambda: v.mul_(w))
    x = t.ones(3)
    attempt(lambda: x.add_(t.ones(2, 3)))
    attempt(lambda: t.ones(3, dtype=t.int64).add_(1.5))
    attempt(lambda: t.ones(1).expand(3).add_(1))


@program
def views_and_their_base(t):
    """Change views in place, and print their base and the other views."""
    w = t.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    base = w * 1
    first, whole = base[:2], base.view(2, 2)
    first.mul_(10)
    print(base, first, whole, base._version, first._version)
    print(whole.grad_fn.next_functions, base.grad_fn.next_functions[0][0].name())
    whole[1].add_(first)
    print(base, whole)
    (base * base).sum().backward()
    print(w.grad)


@program
def in_place_on_a_view_of_a_plain_base(t):
    """Write tensors that require grad into views of a tensor that does not."""
    base = t.zeros(2, 2)
    w = t.tensor([1.0, 2.0], requires_grad=True)
    base[0].add_(w)
    base[1] = w * 3
    print(base, base.requires_grad, base._version)
    (base**2).sum().backward()
    print(w.grad)


@program
def chain_of_in_place_operations(t):
    w = t.tensor([0.5, -1.5], requires_grad=True)
    h = w.clone()
    h.mul_(2).add_(1).sin_().mul_(3)
    h.retain_grad()
    print(h, h._version, h.grad_fn.next_functions)
    h.sum().backward()
    print(w.grad, h.grad)


@program
def overwritten_values_get_no_gradient(t):
    w = t.tensor([1.0, 2.0], requires_grad=True)
    h = w * 2
    h.zero_()
    print(h)
    h.add_(w)
    k = w * 3
    k.fill_(7)
    print(k)
    h2 = w * 5
    h2.copy_(w * 4)
    print(h2)
    (h.sum() + k.sum() + h2.sum()).backward()
    print(w.grad)


@program
def detach_and_data(t):
    """Change tensors through `detach()`, which backward notices, and through `data`, which it does not."""
    w = t.tensor([1.0, 2.0], requires_grad=True)
    h = w * w
    d = h.detach()
    d.mul_(2)
    print(h, h._version, d._version, d.requires_grad, d.grad_fn)
    h.data.mul_(2)
    print(h, h._version)
    e = w.exp()
    e.detach().zero_()
    attempt(lambda: e.sum().backward())
    e = w.exp()
    e.data.zero_()
    e.sum().backward()
    print(w.grad)
    attempt(h.detach_)
    print(h.requires_grad, h.grad_fn)


@program
def flags_of_leaves(t):
    """Set `requires_grad` and `grad`, and register hooks, in ways that torch refuses."""
    attempt(lambda: t.tensor([1, 2], requires_grad=True))
    attempt(lambda: t.tensor([1, 2]).requires_grad_())
    w = t.ones(2, requires_grad=True)
    h = w * 2
    attempt(lambda: h.requires_grad_(False))
    attempt(lambda: t.ones(2).retain_grad())
    attempt(lambda: t.ones(2).register_hook(print))
    attempt(lambda: h.register_post_accumulate_grad_hook(print))
    for returned in w, w.detach():
        handle = w.register_post_accumulate_grad_hook(lambda leaf, returned=returned: returned)
        attempt(lambda: (w * 1).sum().backward())
        handle.remove()
    attempt(w.numpy)
    attempt(lambda: setattr(w, "grad", t.ones(3)))
    attempt(lambda: setattr(w, "grad", t.ones(2, dtype=t.float64)))
    attempt(lambda: setattr(w, "grad", 1))
    attempt(lambda: setattr(w, "grad", w))
    print(w.is_leaf, h.is_leaf, h.detach().is_leaf, w.output_nr)


@program
def arguments_of_backward(t):
    """Call `backward` with right and wrong gradients and `inputs`."""
    w = t.ones(2, requires_grad=True)
    attempt(lambda: (w * 2).backward())
    attempt(lambda: (w * 2).backward(t.ones(3)))
    attempt(lambda: (w * 2).backward(1))
    attempt(lambda: t.ones(2).sum().backward())
    attempt(lambda: t.autograd.backward([w.sum(), w.sum()], [None]))
    attempt(lambda: w.sum().backward(inputs=[]))
    attempt(lambda: w.sum().backward(inputs=[t.ones(1)]))
    v = t.ones(2, requires_grad=True)
    (w * v).sum().backward(inputs=[v])
    print(w.grad, v.grad)
    h = w * v
    (h * h).sum().backward(inputs=[h, w])
    print(h.grad, w.grad, v.grad)
    t.autograd.backward([w.sum(), (v * 2).sum()])
    print(w.grad, v.grad)
    (w * v).sum().backward(inputs={"v": v})
    print(w.grad, v.grad)
    attempt(lambda: w.sum().backward(inputs={}))
    attempt(lambda: w.sum().backward(inputs=MappingProxyType({"w": w})))


@program
def arguments_of_grad(t):
    """Call `grad` with unused and wrong inputs, with nodes inside the graph, and with `create_graph`."""
    w = t.ones(2, requires_grad=True)
    v = t.ones(2, requires_grad=True)
    attempt(lambda: t.autograd.grad((w * 2).sum(), v))
    attempt(lambda: t.autograd.grad((w * 2).sum(), v, allow_unused=True))
    attempt(lambda: t.autograd.grad((w * 2).sum(), [v, w], materialize_grads=True))
    attempt(lambda: t.autograd.grad((w * 2).sum(), t.ones(1)))
    attempt(lambda: t.autograd.grad(w * 2, w, t.ones(2) * 3))
    h = w * v
    print(t.autograd.grad((h * h).sum(), [h, w]), w.grad)
    (g,) = t.autograd.grad((w**3).sum(), w, create_graph=True)
    print(g)
    (gg,) = t.autograd.grad(g.sum(), w, create_graph=True)
    print(gg, t.autograd.grad(gg.sum(), w))


@program
def only_nodes_that_lead_to_the_inputs_run(t):
    w = t.ones(2, requires_grad=True)
    v = t.ones(2, requires_grad=True)
    a, b = w * 2, v * 3
    a.register_hook(lambda g: print("a"))
    b.register_hook(lambda g: print("b"))
    w.register_hook(lambda g: print("w"))
    v.register_hook(lambda g: print("v"))
    t.autograd.grad((a * b).sum(), w)
    (w * v).sum().backward(inputs=[v])


@program
def only_requested_gradients_are_computed(t):
    """Print from a hook of a node which input gradients of the node are None if only some are requested."""

    def show(inputs, outputs):
        print(inputs, outputs)

    x, w = (t.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    y = x * w
    y.grad_fn.register_hook(show)
    t.autograd.grad(y.sum(), x, retain_graph=True)
    t.autograd.grad(y.sum(), w, retain_graph=True)
    y.sum().backward(inputs=[x], retain_graph=True)
    y.sum().backward()
    a, b = (t.ones(2, 2, requires_grad=True) for _ in range(2))
    z = a @ b
    z.grad_fn.register_hook(show)
    print(t.autograd.grad(z.sum(), b, create_graph=True))
    with t.autograd.set_detect_anomaly(True):
        y = x * w
        y.grad_fn.register_hook(show)
        t.autograd.grad(y.sum(), x)
    attempt(lambda: t.autograd.grad(y.sum(), x))


@program
def only_requested_gradients_of_layers_are_computed(t):
    """Print, for each operand of a layer, which gradients its node computes if only that of this operand is requested."""
    f = t.nn.functional
    images = t.arange(72.0).sin().reshape(2, 4, 3, 3).requires_grad_()
    kernel = t.arange(64.0).cos().reshape(4, 4, 2, 2).requires_grad_()
    weight, bias = (t.ones(4, requires_grad=True) for _ in range(2))
    masks = []

    def note(inputs, outputs):
        masks.append([gradient is None for gradient in inputs])

    layers = [
        (f.conv2d, (images, kernel, bias)),
        (f.conv_transpose2d, (images, kernel, bias)),
        (lambda x, w, b: f.batch_norm(x, None, None, w, b, training=True), (images, weight, bias)),
        (lambda x, w, b: f.batch_norm(x, t.zeros(4), t.ones(4), w, b), (images, weight, bias)),
        (lambda x, w, b: f.group_norm(x, 2, w, b), (images, weight, bias)),
        (lambda x, w, b: f.layer_norm(x, (3,), w[:3], b[:3]), (images, weight, bias)),
    ]
    for layer, operands in layers:
        for operand in operands:
            for create_graph in (False, True):
                y = layer(*operands)
                y.grad_fn.register_hook(note)
                (gradient,) = t.autograd.grad(y.sin().sum(), operand, create_graph=create_graph)
                print(masks.pop(), [round(value, 3) for value in gradient.detach().flatten().tolist()[:3]])
    y = f.conv2d(images, kernel, bias)
    y.grad_fn.register_hook(note)
    (gradient,) = t.autograd.grad(y.sin().sum(), images, create_graph=True)
    gradient.grad_fn.register_hook(note)
    t.autograd.grad(gradient.sum(), kernel)
    print(masks)


@program
def saved_tensors_by_name(t):
    """Read the saved tensors of nodes, before and after backward has freed them."""
    w = t.tensor([1.0, 2.0], requires_grad=True)
    y = w * w.exp()
    print(y.grad_fn._saved_self, y.grad_fn._saved_other)
    print((w * t.ones(2)).grad_fn._saved_self, (w * 2).grad_fn.next_functions)
    print(w.sum(0, keepdim=True).grad_fn._saved_keepdim)
    y.sum().backward()
    attempt(lambda: y.grad_fn._saved_self)


@program
def hooks_on_saved_tensors(t):
    w = t.tensor([1.0, 2.0], requires_grad=True)
    with t.autograd.graph.saved_tensors_hooks(lambda x: print("pack", x) or (x,), lambda p: print("unpack") or p[0]):
        y = (w * w).exp()
    y.sum().backward()
    print(w.grad)


@program
def unpack_hooks_of_a_function(t):
    """Print when the unpack hooks of a custom Function run: at each access of `saved_tensors`, not before `backward`."""

    class Square(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, x * 2)
            return x * x

        @staticmethod
        def backward(ctx, g):
            print("backward")
            print(len(ctx.saved_tensors))
            return g * ctx.saved_tensors[1]

    x = t.tensor([1.0, 2.0], requires_grad=True)
    with t.autograd.graph.saved_tensors_hooks(lambda s: (print("pack", s), s)[1], lambda s: (print("unpack", s), s)[1]):
        y = Square.apply(x)
    y.sum().backward()
    print(x.grad)


@program
def multi_grad_hook(t):
    """Register hooks for several gradients, in both modes: after all of them, or after the first."""
    a, b = t.ones(2, requires_grad=True), t.ones(2, requires_grad=True)
    c, d = a * b, a * b
    handle = t.autograd.graph.register_multi_grad_hook((a, b, c, d), lambda gs: print([g is not None for g in gs]))
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    handle.remove()
    t.autograd.graph.register_multi_grad_hook((a, b), lambda g: print("first", g), mode="any")
    c.sum().backward()


@program
def anomaly_mode(t):
    """Produce NaN in backward, with and without the check for NaN."""
    w = t.tensor([0.0, 1.0], requires_grad=True)
    with t.autograd.set_detect_anomaly(True):
        attempt(lambda: (w.sqrt() * 0).sum().backward())
    with t.autograd.set_detect_anomaly(True, check_nan=False):
        attempt(lambda: (w.sqrt() * 0).sum().backward())
    print(w.grad)


@program
def broadcast_gradients(t):
    a = t.ones(2, 1, requires_grad=True)
    b = t.tensor([1.0, 2.0, 3.0], requires_grad=True)
    c = t.tensor(2.0, requires_grad=True, dtype=t.float64)
    ((a + b) * c).sum().backward()
    print(a.grad, b.grad, c.grad)


@program
def accumulation(t):
    """Accumulate gradients, and print whether leaves or the caller share memory with them."""
    w = t.ones(2, requires_grad=True)
    (w * 2).sum().backward()
    first_grad = w.grad
    (w * 3).sum().backward()
    print(w.grad, first_grad is w.grad, first_grad)
    a, b = t.ones(2, requires_grad=True), t.ones(2, requires_grad=True)
    (a + b).sum().backward()
    a.grad.mul_(5)
    print(a.grad, b.grad, a.grad.data_ptr() == b.grad.data_ptr())
    g = t.ones(2)
    (w * 1).backward(g)
    (a * 1).backward(g)
    g.zero_()
    print(w.grad, a.grad)


@program
def backward_inside_backward(t):
    class Inner(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            with t.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                (x * x).sum().backward()
            return g * x.grad

    w = t.tensor([1.0, 2.0], requires_grad=True)
    Inner.apply(w).sum().backward()
    print(w.grad)


@program
def features_of_custom_functions(t):
    """Use outputs that are not differentiable, inputs that are changed in place, and gradients that are None."""

    class Both(t.autograd.Function):
        @staticmethod
        def forward(ctx, x, y, scale):
            ctx.set_materialize_grads(False)
            ctx.scale = scale
            mask = x > 1
            ctx.mark_non_differentiable(mask)
            ctx.save_for_backward(x, y)
            return x * y, x + y, mask

        @staticmethod
        def backward(ctx, gp, gs, gm):
            print(ctx.needs_input_grad, gp, gs, gm)
            x, y = ctx.saved_tensors
            gp = 0 if gp is None else gp
            return gp * y * ctx.scale, None, None

    w = t.tensor([1.0, 2.0], requires_grad=True)
    p, s, m = Both.apply(w, t.ones(2), 3)
    print(p, s, m, p.grad_fn, s.output_nr, p.grad_fn.next_functions)
    p.sum().backward()
    print(w.grad)

    class Double(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    h = w * 1
    r = Double.apply(h)
    print(r is h, h, h._version)
    attempt(lambda: Double.apply(w))
    r.sum().backward()
    print(w.grad)


@program
def changes_of_a_saved_result_through_other_tensors(t):
    """Change the saved result of an operation through tensors that share its memory."""

    def result(f):
        x = t.tensor([1.0, 2.0], requires_grad=True)
        return x, f(x)

    for f in (t.exp, lambda x: x.softmax(0), lambda x: x.sigmoid_() if not x.requires_grad else x.sigmoid()):
        for change in (
            lambda y: y.detach().add_(1),
            lambda y: y.detach_().add_(1),
            lambda y: y[:1].detach().zero_(),
            lambda y: y.grad_fn._saved_result.detach().mul_(2),
            lambda y: y.data.add_(1),
            lambda y: None,
        ):
            x, y = result(f)
            loss = y.sum()
            change(y)
            print(y._version)
            attempt(loss.backward)
            print(x.grad)
    x, y = result(t.exp)
    z = y * y  # y is saved twice: as the result of exp and as a factor
    saved = y.grad_fn._saved_result
    saved.detach().add_(1)
    print(saved._version, y._version, z.grad_fn._saved_self._version if saved._version == 0 else "changed")
    attempt(z.sum().backward)
    y = t.tensor([1.0, 2.0], requires_grad=True).exp()
    y.add_(1)
    print(y._version, y.grad_fn.next_functions[0][0].name())
    attempt(y.sum().backward)


@program
def attributes_on_ctx_under_names_that_a_node_might_use(t):
    class Both(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.result = x.exp()
            ctx.alpha, ctx.hooks = 3, "mine"
            return ctx.result, x * 2

        @staticmethod
        def backward(ctx, a, b):
            return ctx.alpha * ctx.result * a + 2 * b

    x = t.tensor([1.0, 2.0], requires_grad=True)
    a, b = Both.apply(x)
    (a.sum() + b.sum()).backward(retain_graph=True)
    (a.sum() + b.sum()).backward()
    with t.no_grad():
        a.add_(1)
    print(x.grad, a._version, b._version)


@program
def in_place_under_hooks_on_saved_tensors(t):
    """Save tensors of in-place operations while hooks pack them."""

    def pack(tensor):
        print("pack", tensor.tolist())
        return tensor

    for f in (lambda h: h.sigmoid_(), lambda h: h.mul_(t.tensor([2.0, 3.0])), lambda h: h.pow_(3)):
        x = t.tensor([0.5, 1.0], requires_grad=True)
        with t.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            h = x * 1
            attempt(lambda: f(h))  # noqa: B023
        attempt(h.sum().backward)
        print(x.grad)


@program
def gradcheck_reports_a_wrong_gradient(t):
    class Wrong(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = t.tensor([1.0, 2.0], dtype=t.float64, requires_grad=True)
    print(t.autograd.gradcheck(lambda v: v * v, (x,)), t.autograd.gradgradcheck(lambda v: v**3, (x,)))
    attempt(lambda: t.autograd.gradcheck(Wrong.apply, (x,)))
    print(t.autograd.gradcheck(Wrong.apply, (x,), raise_exception=False))
    attempt(lambda: t.autograd.gradcheck(lambda v: v, (t.ones(1),)))


@program
def jacobians(t):
    f = t.autograd.functional
    x, y = t.tensor([1.0, 2.0]), t.tensor([3.0, 4.0])
    print(f.jacobian(lambda v: v * v.sum(), x))
    print(f.jacobian(lambda a, b: (a * b, a.sum()), (x, y)))


@program
def a_gradient_of_a_gradient_that_is_none(t):
    """Compute a second derivative in which a Function returns None."""

    class Stop(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return None

    x = t.tensor([-1.0, 2.0], requires_grad=True)
    (g,) = t.autograd.grad(t.nn.functional.elu(x), x, t.ones(2), create_graph=True)
    print(g.grad_fn.name())
    (Stop.apply(g) + 3 * x).sum().backward()
    print(x.grad)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_a_program_prints_what_torch_prints(function):
    expected = output_of(function, torch)
    assert expected.strip(), "a program must print something to compare"
    printed = output_of(function, reference_impl)
    assert same_text(printed, expected), f"{printed}\ninstead of\n{expected}"


# -- memory, recursion and threads, which the output of a program does not show


def test_a_chain_of_100_000_nodes_needs_no_recursion():
    x = reference_impl.tensor(0.5, dtype=reference_impl.float64, requires_grad=True)
    h = x
    for _ in range(50_000):
        h = h * 1.0
        h = h + 0.0
    h.backward()
    assert x.grad.item() == 1.0
    del h  # deleting the graph must not recurse either
    gc.collect()


def test_saved_tensors_are_freed_as_torch_frees_them():
    for engine in (torch, reference_impl):
        w = engine.ones(3, requires_grad=True)
        h = w.exp() * 2
        k = h * h
        reference = weakref.ref(h)
        del h
        assert reference() is not None, engine.__name__  # the product saves h
        k.sum().backward()
        assert reference() is None, engine.__name__  # backward frees h although k is still alive


def test_a_graph_is_freed_with_its_last_tensor_without_garbage_collection():
    gc.collect()
    gc.disable()
    try:
        w = reference_impl.ones(3, requires_grad=True)
        h = w.exp().tanh() * w
        h.retain_grad()
        h.register_hook(lambda g: g)
        node = weakref.ref(h.grad_fn)
        del h
        assert node() is None
    finally:
        gc.enable()


def test_ten_thousand_discarded_graphs_leave_no_objects():
    w = reference_impl.ones(3, requires_grad=True)

    def run_backward():
        ((w * 2).exp().sum() + (w @ w)).backward()
        w.grad = None

    for _ in range(100):
        run_backward()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(10_000):
        run_backward()
    gc.collect()
    assert len(gc.get_objects()) - before < 50


def test_each_thread_has_its_own_grad_mode():
    entered, leave = threading.Event(), threading.Event()
    is_enabled = {}

    def run_without_grad():
        with reference_impl.no_grad():
            entered.set()
            leave.wait(5)
            is_enabled["inside"] = reference_impl.is_grad_enabled()

    thread = threading.Thread(target=run_without_grad)
    thread.start()
    entered.wait(5)
    is_enabled["outside"] = reference_impl.is_grad_enabled()
    leave.set()
    thread.join()
    assert is_enabled == {"outside": True, "inside": False}


def _modes_in_threads(library, context):
    """Record the modes of three threads, the second of which enters and leaves `context`.

    The modes are (requires_grad, is_inference, is_grad_enabled, number of packed tensors). Return them in this order: of the first
    thread before the second starts, of the first while the second is in the context, of the second in the context, of the first after
    the second has ended, and of the third.
    """
    w, packed, modes = library.ones(2, requires_grad=True), [], []
    entered, leave = threading.Event(), threading.Event()

    def record_modes():
        y = (w * 2).exp()
        modes.append((y.requires_grad, y.is_inference(), library.is_grad_enabled(), len(packed)))

    def run_in_context():
        with context(library, packed):
            entered.set()
            leave.wait(5)
            record_modes()
            library.set_grad_enabled(False)  # the thread ends in this mode, which must not affect others

    record_modes()
    thread = threading.Thread(target=run_in_context)
    thread.start()
    entered.wait(5)
    record_modes()
    leave.set()
    thread.join()
    record_modes()
    third_thread = threading.Thread(target=record_modes)
    third_thread.start()
    third_thread.join()
    return modes


@pytest.mark.parametrize(
    "context",
    [
        lambda library, packed: library.no_grad(),
        lambda library, packed: library.inference_mode(),
        lambda library, packed: library.autograd.graph.saved_tensors_hooks(
            lambda t: (packed.append(t), t)[1], lambda t: t
        ),
    ],
    ids=["no_grad", "inference_mode", "saved_tensors_hooks"],
)
def test_modes_of_a_thread_do_not_affect_others(context):
    modes = _modes_in_threads(reference_impl, context)
    assert modes == _modes_in_threads(torch, context)
    assert modes[0] == modes[1] != modes[2]
