"""A step length along a direction that satisfies the strong Wolfe conditions.

With f(t) the loss at p + t d and f'(t) its slope there, a step t is good if

    f(t) <= f(0) + c1 t f'(0)      the loss falls enough for so long a step, and
    |f'(t)| <= c2 |f'(0)|          the slope has become flat enough, so that a longer step would not help much more.

Two points are found that have such a t between them, then the bracket is narrowed (Nocedal and Wright, Numerical Optimization,
algorithms 3.5 and 3.6; the choices within are those of minFunc, which torch has them from).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from reference_impl._tensor import Tensor

SUFFICIENT_DECREASE = 1e-4  # c1
CURVATURE = 0.9  # c2


class Point(NamedTuple):
    """A step length that was tried."""

    t: Any  # a number or a tensor without dimensions
    f: float  # the loss there
    gradient: Tensor
    slope: Tensor  # of the loss along the direction


def strong_wolfe(
    evaluate: Callable[[Any], Point], t: Any, start: Point, longest: Tensor, tolerance_change: float, most: int
) -> tuple[Point, int]:
    """Search from the step length `t` on.

    Args:
        evaluate: tries a step length.
        start: where the search begins, with t = 0.
        longest: the largest element of the direction, without its sign.
        tolerance_change: stop where no parameter would change by more.
        most: how many step lengths are tried besides the first.

    Returns:
        The best point found, and how many were evaluated.
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
    """Two points with a good one between them, or the good one alone; ever longer steps until then."""
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
    """Which of the two has the lower loss, and which the higher."""
    return (0, 1) if bracket[0].f <= bracket[-1].f else (1, 0)


def _away_from_ends(t: Any, bracket: list[Point], too_near: bool) -> tuple[Any, bool]:
    """A step length near an end of the bracket would hardly narrow it: the second one in a row is moved inwards by a tenth."""
    ends = [point.t for point in bracket]
    least, most = min(ends), max(ends)
    tenth = 0.1 * (most - least)
    if not min(most - t, t - least) < tenth:
        return t, False
    if too_near or t >= most or t <= least:
        return (most - tenth if abs(t - most) < abs(t - least) else least + tenth), False
    return t, True


def _cubic_minimum(a: Point, b: Point, bounds: tuple[Any, Any] | None = None) -> Any:
    """Where the cubic that has the values and the slopes of both points is lowest, within `bounds` (the points, if None)."""
    least, most = bounds or ((a.t, b.t) if a.t <= b.t else (b.t, a.t))
    d1 = a.slope + b.slope - 3 * (a.f - b.f) / (a.t - b.t)
    square = d1**2 - a.slope * b.slope
    if not square >= 0:
        return (least + most) / 2.0
    d2 = square.sqrt()
    near, far = (a, b) if a.t <= b.t else (b, a)
    lowest = far.t - (far.t - near.t) * ((far.slope + d2 - d1) / (far.slope - near.slope + 2 * d2))
    return min(max(lowest, least), most)
