"""Load 1797 handwritten digits of 8 by 8 pixels, from the same file as scikit-learn's `load_digits`."""

from __future__ import annotations

import gzip
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("digits.csv.gz")


def load_digits(*, n_class: int = 10, return_X_y: bool = False) -> Any:  # noqa: N803 - scikit-learn's name
    """Return images and their digits, in the order of scikit-learn.

    Args:
        n_class: Return only images of the digits below this number.
        return_X_y: Return the pair (data, target) instead of an object.

    Returns:
        An object with `images` (n, 8, 8), `data` (n, 64), both float64 from 0 (paper) to 16 (ink), and int64 `target`.
    """
    with gzip.open(FILE, "rt", encoding="latin-1") as lines:
        values = np.array([line.split(",") for line in lines], dtype=np.float64)
    values = values[values[:, -1] < n_class]
    data, target = values[:, :-1], values[:, -1].astype(np.int64)
    if return_X_y:
        return data, target
    return SimpleNamespace(data=data, target=target, images=data.reshape(-1, 8, 8), target_names=np.arange(10))
