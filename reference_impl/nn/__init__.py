"""Neural networks: modules, functions, initialisation."""

from __future__ import annotations

from reference_impl.nn import functional
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Buffer, Parameter

__all__ = ["Buffer", "Module", "Parameter", "functional"]
