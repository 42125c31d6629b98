"""The operations, by family. Importing a family registers its operations: see `registry`."""

from reference_impl.ops import (  # noqa: F401
    activation,
    arithmetic,
    comparison,
    creation,
    cumulative,
    division,
    elementwise,
    extremes,
    fused,
    linalg,
    logical,
    norm,
    reduction,
    statistics,
    views,
)
