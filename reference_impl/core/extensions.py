"""Let other packages extend the core: by slots that it calls, and by members of its classes.

All of this is done while the engine is imported. Nothing of it changes while a program runs: a mode that a program switches on sets
one of the `states`, and the core calls a slot only then. `core/__init__.py` lists the slots.
"""

import sys
from typing import Any

NO_SLOT = "{}: no slot of the core"
FILLED = "{}: filled already, by {}"
HAS_ONE = "{}.{}: the core has a member of this name"


class Extensions:
    """The slots. Each holds the core's function, or None if the core alone does nothing, until another package fills it.

    Attributes:
        filled_by: by slot, the module that has filled it.
    """

    filled_by: dict[str, str]

    def __init__(self, *empty: str) -> None:
        vars(self).update(dict.fromkeys(empty), filled_by={})

    def __setattr__(self, slot: str, value: Any) -> None:
        raise AttributeError(f"{slot}: slots are filled with `fill`")

    def define(self, **functions: Any) -> None:
        """Make slots that hold the core's own functions."""
        vars(self).update(functions)

    def fill(self, **functions: Any) -> None:
        """Put functions, or classes, into slots.

        Raises:
            TypeError: there is no such slot, or it is filled already.
        """
        for slot, function in functions.items():
            if slot not in vars(self):
                raise TypeError(NO_SLOT.format(slot))
            if slot in self.filled_by:
                raise TypeError(FILLED.format(slot, self.filled_by[slot]))
            vars(self)[slot] = function
            self.filled_by[slot] = sys._getframe(1).f_globals["__name__"]


extensions: Any = Extensions(
    "without_pack_hooks", "apply_pack_hooks", "node_recorded", "observed_pass", "before_write", "no_version"
)


class States:
    """Features that are on in some thread. While none is on, which is usual, the core calls none of their slots."""

    inference = False  # inference mode
    pack_hooks = False  # hooks on saved tensors
    watching = False  # writes are observed: `allow_mutation_on_saved_tensors`
    observed = False  # nodes and passes are observed: anomaly detection, traces
    anomaly = False  # anomaly detection


states = States()


def add_members(cls: type, **members: Any) -> None:
    """Add members to a class of the core.

    Only members of Tensor may be replaced: its methods are torch's API, and other packages implement more of it (`out=`, devices,
    messages). The members of other classes stay.

    Raises:
        TypeError: the class has such a member.
    """
    for name, member in members.items():
        if name in vars(cls) and name not in ("__module__", "__doc__") and cls.__name__ != "Tensor":
            raise TypeError(HAS_ONE.format(cls.__name__, name))
        setattr(cls, name, member)
