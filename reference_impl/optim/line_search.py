"""Search for a step length that satisfies the strong Wolfe conditions.

Let f(t) be the loss at p + t · d and f'(t) its slope there. The conditions on t are

    f(t) <= f(0) + c1 · t · f'(0)      the loss falls enough for a step of this length, and
    |f'(t)| <= c2 · |f'(0)|            the slope is small, so a longer step would gain little.

First, two points are found that have such a t between them. Then the interval is narrowed. See Nocedal and Wright, Numerical
Optimization, algorithms 3.5 and 3.6; torch takes the details from minFunc by Mark Schmidt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from reference_impl._tensor import Tensor

SUFFICIENT_DECREASE = 1e-4  # c1
CURVATURE = 0.9  # c2


class Point(NamedTuple):
    """A step length, with the loss and the gradient there."""

    t: Any  # a number or a 0-d tensor
    f: float  # the loss
    gradient: Tensor
    slope: Tensor  # of the loss along the direction


def strong_wolfe(
    evaluate: Callable[[Any], Point], t: Any, start: Point, longest: Tensor, tolerance_change: float, most: int
) -> tuple[Point, int]:
    """Search for a step length, starting with `t`.

    Args:
        evaluate: function that returns the point of a step length.
        start: the point of the step length 0.
        longest: the largest absolute value in the direction.
        tolerance_change: stop if no parameter would change by more.
        most: largest number of evaluations after the first.

    Returns:
        The best point, and the number of evaluations.
    """
    bracket, tried = _bracket(evaluate, evaluate(t), start, most)
    too_near = False
    low, high = _by_loss(bracket)
    while len(bracket) == 2 and tried < most and abs(bracket[1].t - bracket[0].t) * longest >= tolerance_change:
        t = _cubic_minimum(bracket[0], bracket[1])
        t, too_near = _away_from_ends(t, bracket, too_near)
        point = evaluate(t)
        tried += 1
        if not _falls_enough(point, start) or point.f >= bracket[low].f:
            bracket[high] = point
            low, high = _by_loss(bracket)
            continue
        done = _is_flat(point, start)
        if not done and point.slope * (bracket[high].t - bracket[low].t) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = point
        if done:
            break
    return bracket[low], tried + 1


def _bracket(evaluate: Callable[[Any], Point], point: Point, start: Point, most: int) -> tuple[list[Point], int]:
    """Return two points with a good point between them, or a good point alone, and the number of evaluations. The steps become longer."""
    before = start
    for tried in range(most):
        if not _falls_enough(point, start) or (tried > 1 and point.f >= before.f):
            return [before, point], tried
        if _is_flat(point, start):
            return [point], tried
        if point.slope >= 0:
            return [before, point], tried
        bounds = point.t + 0.01 * (point.t - before.t), point.t * 10
        before, point = point, evaluate(_cubic_minimum(before, point, bounds))
    return [start, point], most


def _falls_enough(point: Point, start: Point) -> bool:
    return not point.f > start.f + SUFFICIENT_DECREASE * point.t * start.slope


def _is_flat(point: Point, start: Point) -> bool:
    return bool(abs(point.slope) <= -CURVATURE * start.slope)


def _by_loss(bracket: list[Point]) -> tuple[int, int]:
    """Return the index of the point with the lower loss, and that of the point with the higher loss."""
    return (0, 1) if bracket[0].f <= bracket[-1].f else (1, 0)


def _away_from_ends(t: Any, bracket: list[Point], too_near: bool) -> tuple[Any, bool]:
    """Return `t`, moved inwards by a tenth of the interval if it is the second in a row near an end, and whether `t` is the first."""
    ends = [point.t for point in bracket]
    least, most = min(ends), max(ends)
    tenth = 0.1 * (most - least)
    if not min(most - t, t - least) < tenth:
        return t, False
    if too_near or t >= most or t <= least:
        return (most - tenth if abs(t - most) < abs(t - least) else least + tenth), False
    return t, True


def _cubic_minimum(a: Point, b: Point, bounds: tuple[Any, Any] | None = None) -> Any:
    """Return the minimum, within `bounds`, of the cubic with the values and slopes of both points. By default, these are the bounds."""
    least, most = bounds or ((a.t, b.t) if a.t <= b.t else (b.t, a.t))
    d1 = a.slope + b.slope - 3 * (a.f - b.f) / (a.t - b.t)
    square = d1**2 - a.slope * b.slope
    if not square >= 0:
        return (least + most) / 2.0
    d2 = square.sqrt()
    near, far = (a, b) if a.t <= b.t else (b, a)
    lowest = far.t - (far.t - near.t) * ((far.slope + d2 - d1) / (far.slope - near.slope + 2 * d2))
    return min(max(lowest, least), most)
