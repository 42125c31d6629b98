"""Install all replacements. Importing the modules that define them is enough."""

from reference_impl.fast import calls, nodes, recording  # noqa: F401 (by being imported)
