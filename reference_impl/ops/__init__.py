"""The operations, by family. Importing a family registers its operations: see `registry`.

Here are the families that most programs use. `reference_impl` lists the others, and imports each when a program first uses it.
"""

from reference_impl.ops import (  # noqa: F401
    arithmetic,
    conversion,
    creation,
    joining,
    properties,
    reduction,
    views,
)
