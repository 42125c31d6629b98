"""`one_hot`: convert class numbers to vectors with a single 1."""

from __future__ import annotations

import numpy as np

from reference_impl import _backend
from reference_impl.core.tensor import Tensor
from reference_impl.ops.registry import builtin


@builtin
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return a vector of zeros with a 1 at the index of the class, for each class number in `tensor`: (*) -> (*, num_classes), int64.

    Args:
        num_classes: the length of the vectors; by default (-1) the largest class number plus 1.

    Raises:
        RuntimeError: `tensor` is not int64, a class number is negative or not less than `num_classes`, or `tensor` is empty and
            `num_classes` is not positive.
    """
    x = tensor._array
    if x.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not x.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return Tensor._wrap(np.zeros_like(x, shape=(*x.shape, num_classes)))
    if int(np.min(x)) < 0:
        raise RuntimeError("Class values must be non-negative.")
    largest = int(np.max(x))
    if num_classes == -1:
        num_classes = largest + 1
    elif num_classes < 1 or largest >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    classes = _backend.to_device_of(np.arange(num_classes), x)
    return Tensor._wrap((x[..., None] == classes).astype(np.int64))
