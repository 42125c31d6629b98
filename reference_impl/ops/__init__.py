"""The operations, by family. Importing a family registers its operations: see `registry`."""

from reference_impl.ops import (  # noqa: F401
    arithmetic,
    creation,
    elementwise,
    linalg,
    reduction,
    views,
)
