"""L-BFGS: Newton's method, with an estimate of the inverse Hessian from the last steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import enable_grad, no_grad
from reference_impl.core.operations.shapes import cat
from reference_impl.optim.line_search import Point, strong_wolfe
from reference_impl.optim.optimizer import NotNegative, Optimizer

REMEMBERED = ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss")
"""What a step stores for the next one in the state of the first parameter, by torch's names.

These are the last direction d and step length t; for each pair of the history the change y of the gradient, the step s, and
1 / (y · s); the factor of the first estimate of H; the last gradient and loss.
"""


class LBFGS(Optimizer):
    """Move all parameters by t · d in each iteration, with d = -H g: g is the gradient and H the estimate of the inverse Hessian.

    H maps each change of the gradient in the history to the step that caused it. It is never stored: two loops over the history
    compute H g (Nocedal 1980, "Updating quasi-Newton matrices with limited storage", Math. Comp. 35).

    Args:
        lr: the step length t, or its first value in a line search.
        max_iter: largest number of iterations in a step.
        max_eval: largest number of evaluations of the loss in a step; 1.25 · max_iter if None.
        tolerance_grad: a step ends if no element of the gradient is larger.
        tolerance_change: a step ends if neither the loss nor a parameter changes by more.
        history_size: number of pairs in the history.
        line_search_fn: "strong_wolfe" to search for t; None to use `lr`.

    Raises:
        ValueError: lr is negative, or there is more than one group.
        RuntimeError: `line_search_fn` is unknown; raised by `step`.
    """

    lr: NotNegative = 1
    max_iter: int = 20
    max_eval: int | None = None
    tolerance_grad: float = 1e-7
    tolerance_change: float = 1e-9
    history_size: int = 100
    line_search_fn: str | None = None

    def _begin(self, params: Iterable[Any], options: dict[str, Any]) -> None:
        if options["max_eval"] is None:
            options["max_eval"] = options["max_iter"] * 5 // 4
        super()._begin(params, options)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Iterate at most `max_iter` times.

        Args:
            closure: function that computes the gradients again and returns the loss; called several times, with gradients enabled.

        Returns:
            The loss before the step.
        """
        group, state = self.param_groups[0], self.state[self._params[0]]
        with no_grad():
            state.setdefault("func_evals", 0)
            state.setdefault("n_iter", 0)
            before = _recorded(closure)
            state["func_evals"] += 1
            grad = self._flat_gradient()
            if _largest(grad) <= group["tolerance_grad"]:
                return before
            memory = {name: state.get(name) for name in REMEMBERED}
            self._iterate(closure, float(before), grad, memory, state)
            state.update(memory)
        return before

    @property
    def _params(self) -> list[Tensor]:
        return self.param_groups[0]["params"]

    def _iterate(
        self, closure: Callable[[], Any], loss: float, grad: Tensor, memory: dict[str, Any], state: dict[str, Any]
    ) -> None:
        group = self.param_groups[0]
        lr, evaluations = group["lr"], 1
        lr = lr.squeeze() if isinstance(lr, Tensor) else lr
        for number in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            first = state["n_iter"] == 1
            if first:
                memory.update(d=grad.neg(), old_dirs=[], old_stps=[], ro=[], H_diag=1)
            else:
                _remember_pair(memory, grad, group["history_size"])
                al = state.setdefault("al", [None] * group["history_size"])
                memory["d"] = _direction(memory, grad, al)
            memory["prev_flat_grad"], memory["prev_loss"] = grad.clone(), loss
            memory["t"] = min(1.0, 1.0 / grad.abs().sum()) * lr if first else lr
            slope = grad.dot(memory["d"])
            if slope > -group["tolerance_change"]:
                return
            last = number == group["max_iter"]
            if group["line_search_fn"] is not None:
                point, used = self._searched(closure, memory, Point(0, loss, grad, slope), group, evaluations)
                loss, grad, memory["t"] = point.f, point.gradient, point.t
                self._move(memory["t"], memory["d"])
            else:
                self._move(memory["t"], memory["d"])
                used = 0 if last else 1
                if not last:
                    loss = float(_recorded(closure))
                    grad = self._flat_gradient()
            evaluations += used
            state["func_evals"] += used
            if last or evaluations >= group["max_eval"] or _largest(grad) <= group["tolerance_grad"]:
                return
            change = group["tolerance_change"]
            if _largest(memory["d"].mul(memory["t"])) <= change or abs(loss - memory["prev_loss"]) < change:
                return

    def _searched(
        self, closure: Callable[[], Any], memory: dict[str, Any], start: Point, group: dict[str, Any], evaluations: int
    ) -> tuple[Point, int]:
        if group["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        d = memory["d"]
        places = [p.clone() for p in self._params]

        def evaluate(t: Any) -> Point:
            self._move(t, d)
            loss = float(_recorded(closure))
            gradient = self._flat_gradient()
            for p, place in zip(self._params, places, strict=True):
                p.copy_(place)
            return Point(t, loss, gradient, gradient.dot(d))

        most = group["max_eval"] - evaluations
        return strong_wolfe(evaluate, memory["t"], start, _largest(d), group["tolerance_change"], most)

    def _flat_gradient(self) -> Tensor:
        """Return the gradients of all parameters as one vector, with zeros for a gradient that is None."""
        views = [p.new_zeros(p.numel()) if p.grad is None else p.grad.view(-1) for p in self._params]
        return cat(views, 0)

    def _move(self, t: Any, d: Tensor) -> None:
        """Add t · d to the parameters, in place."""
        offset = 0
        for p in self._params:
            end = offset + p.numel()
            p.add_(d[offset:end].view_as(p), alpha=float(t))
            offset = end


def _recorded(closure: Callable[[], Any]) -> Any:
    with enable_grad():
        return closure()


def _largest(x: Tensor) -> Tensor:
    return x.abs().max()


def _remember_pair(memory: dict[str, Any], grad: Tensor, history_size: int) -> None:
    """Add the last step and the change of the gradient to the history, unless the loss has no positive curvature along the step."""
    y, s = grad.sub(memory["prev_flat_grad"]), memory["d"].mul(memory["t"])
    ys = y.dot(s)
    if not ys > 1e-10:
        return
    for name, value in (("old_dirs", y), ("old_stps", s), ("ro", 1.0 / ys)):
        if len(memory[name]) == history_size:
            memory[name].pop(0)
        memory[name].append(value)
    memory["H_diag"] = ys / y.dot(y)


def _direction(memory: dict[str, Any], grad: Tensor, al: list[Any]) -> Tensor:
    """Return -H g.

    Args:
        al: a list that receives a factor for each pair of the history.
    """
    pairs = list(enumerate(zip(memory["old_dirs"], memory["old_stps"], memory["ro"], strict=True)))
    q = grad.neg()
    for i, (y, s, ro) in reversed(pairs):
        al[i] = s.dot(q) * ro
        q.add_(y, alpha=-float(al[i]))
    r = q * memory["H_diag"]
    for i, (y, s, ro) in pairs:
        r.add_(s, alpha=float(al[i] - y.dot(r) * ro))
    return r


LBFGS.__module__ = "torch.optim.lbfgs"
