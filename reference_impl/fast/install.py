"""Install all replacements, by an import of their modules."""

from reference_impl.fast import calls, nodes, passes, recording  # noqa: F401 (by being imported)
