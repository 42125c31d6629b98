"""Let other packages extend the core: they fill slots and add members to the core's classes.

A slot is a function or class that the core uses and another package may replace; `core/__init__.py` lists the slots. Packages fill them
only while the engine is imported; only methods that few programs need are added to Tensor later, at their first use. When a program
switches a mode on, such as anomaly detection, one of the `states` is set, and only then the core calls the slots of this mode.
"""

import sys
from typing import Any

NO_SLOT = "the core has no slot {!r}"
ALREADY_FILLED = "slot {!r} is already filled by {}"
MEMBER_EXISTS = "{}.{} is already defined by the core"


class Extensions:
    """The slots, each an attribute. A slot holds a function of the core, or None, until another package fills it.

    Attributes:
        filled_by: maps the name of each filled slot to the name of the module that filled it.
    """

    filled_by: dict[str, str]

    def __init__(self, *empty_slots: str) -> None:
        vars(self).update(dict.fromkeys(empty_slots), filled_by={})

    def __setattr__(self, slot: str, value: Any) -> None:
        raise AttributeError(f"slot {slot!r} must be filled with `extensions.fill`, not assigned")

    def define(self, **functions: Any) -> None:
        """Define slots that hold functions of the core: `define(cast=cast)` defines the slot `cast`."""
        vars(self).update(functions)

    def fill(self, **functions: Any) -> None:
        """Replace the contents of slots by functions or classes of another package: `fill(operands=operands)`.

        Raises:
            TypeError: there is no such slot, or it is filled already.
        """
        for slot, function in functions.items():
            if slot not in vars(self):
                raise TypeError(NO_SLOT.format(slot))
            if slot in self.filled_by:
                raise TypeError(ALREADY_FILLED.format(slot, self.filled_by[slot]))
            vars(self)[slot] = function
            self.filled_by[slot] = sys._getframe(1).f_globals["__name__"]


extensions: Any = Extensions(
    "without_pack_hooks", "apply_pack_hooks", "node_recorded", "observed_pass", "before_write", "no_version"
)


class States:
    """Whether a program has switched on these features in some thread. If a feature is off, the core does not call its slots."""

    inference = False  # inference mode
    pack_hooks = False  # hooks on saved tensors
    watching = False  # `allow_mutation_on_saved_tensors`, which observes writes
    observed = False  # anomaly detection or a trace, which observe nodes and passes
    anomaly = False  # anomaly detection


states = States()


def add_members(cls: type, **members: Any) -> None:
    """Add members to a class of the core.

    Only members of Tensor may be replaced, because other packages implement more of torch's API (`out=`, devices, messages). In other
    classes, only `__module__` and `__doc__` may be replaced.

    Raises:
        TypeError: the class, other than Tensor, has another member of this name already.
    """
    for name, member in members.items():
        if name in vars(cls) and name not in ("__module__", "__doc__") and cls.__name__ != "Tensor":
            raise TypeError(MEMBER_EXISTS.format(cls.__name__, name))
        setattr(cls, name, member)
