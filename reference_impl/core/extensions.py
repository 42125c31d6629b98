"""Let other packages extend the core: they fill slots, functions that the core calls, and add members to its classes.

This happens during the import of the engine; methods that few programs need are added to Tensor at their first use. While a program
runs, slots do not change. A mode that it switches on sets one of the `states`, and only then does the core call the slots of this
mode. `core/__init__.py` lists the slots.
"""

import sys
from typing import Any

NO_SLOT = "{}: no slot of the core"
ALREADY_FILLED = "{}: filled already, by {}"
MEMBER_EXISTS = "{}.{}: the core has a member of this name"


class Extensions:
    """The slots. Until another package fills it, a slot holds a function of the core, or None if it is empty.

    Attributes:
        filled_by: the module that has filled a slot, by the name of the slot.
    """

    filled_by: dict[str, str]

    def __init__(self, *empty_slots: str) -> None:
        vars(self).update(dict.fromkeys(empty_slots), filled_by={})

    def __setattr__(self, slot: str, value: Any) -> None:
        raise AttributeError(f"{slot}: slots are filled with `fill`")

    def define(self, **functions: Any) -> None:
        """Define slots that hold functions of the core."""
        vars(self).update(functions)

    def fill(self, **functions: Any) -> None:
        """Replace the contents of slots by functions or classes of another package.

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
    """Features that a program has switched on in some thread. If a feature is off, the core does not call its slots."""

    inference = False  # inference mode
    pack_hooks = False  # hooks on saved tensors
    watching = False  # writes are observed: `allow_mutation_on_saved_tensors`
    observed = False  # nodes and passes are observed: anomaly detection, traces
    anomaly = False  # anomaly detection


states = States()


def add_members(cls: type, **members: Any) -> None:
    """Add members to a class of the core.

    Only members of Tensor may be replaced, because other packages implement more of torch's API (`out=`, devices, messages).

    Raises:
        TypeError: the class, other than Tensor, has a member of this name already.
    """
    for name, member in members.items():
        if name in vars(cls) and name not in ("__module__", "__doc__") and cls.__name__ != "Tensor":
            raise TypeError(MEMBER_EXISTS.format(cls.__name__, name))
        setattr(cls, name, member)
