"""Provide stand-ins for names of matplotlib that are not drawn.

Names in _SILENT, and names that begin with `get_`, do nothing. The first call of another name adds a remark to the page.
"""

from __future__ import annotations

from typing import Any

from gradnotes.recorder import plots

_SILENT = set(
    "colorbar clim draw grid ioff ion isinteractive margins minorticks_on pause rc rc_context set_aspect set_cmap "
    "set_facecolor set_prop_cycle set_xticklabels set_xticks set_yticklabels set_yticks spines subplots_adjust "
    "suptitle switch_backend tick_params tight_layout transAxes xaxis xticks yaxis yticks "
    "set_size_inches set_figwidth set_figheight set_dpi".split()
)


class Ignored:
    """An object whose calls, attributes and items are the object itself."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: object, **options: object) -> Any:
        return self

    def __getitem__(self, key: object) -> Any:
        return self

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __iter__(self) -> Any:
        return iter(())

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __repr__(self) -> str:
        return "<matplotlib>"


IGNORED = Ignored()


def stand_in_for(name: str) -> Any:
    """Return the stand-in for a name of matplotlib that is not drawn. Raise AttributeError for a private name."""
    if name.startswith("_"):
        raise AttributeError(name)
    if name in _SILENT or name.startswith("get_"):
        return IGNORED

    def leave_out(*_: Any, **options: Any) -> Any:
        plots.recorders[-1].leave_out(name)
        return IGNORED

    return leave_out
