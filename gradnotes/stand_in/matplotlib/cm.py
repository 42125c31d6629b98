"""Define colormaps by linear interpolation between a few colors of matplotlib's colormaps."""

from __future__ import annotations

from typing import Any

import numpy as np

_ANCHORS = {
    "viridis": "440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725",
    "plasma": "0d0887 7e03a8 cc4778 f89540 f0f921",
    "inferno": "000004 57106e bc3754 f98e09 fcffa4",
    "magma": "000004 51127c b73779 fc8961 fcfdbf",
    "gray": "000000 ffffff",
    "Greys": "ffffff 000000",
    "Blues": "f7fbff c6dbef 6baed6 2171b5 08306b",
    "Reds": "fff5f0 fcbba1 fb6a4a cb181d 67000d",
    "Greens": "f7fcf5 c7e9c0 74c476 238b45 00441b",
    "hot": "0b0000 ff0000 ffff00 ffffff",
    "jet": "000080 0000ff 00ffff ffff00 ff0000 800000",
    "RdBu": "67001f d6604d f7f7f7 4393c3 053061",
    "coolwarm": "3b4cc0 dddddd b40426",
    "bwr": "0000ff ffffff ff0000",
    "seismic": "00004c 0000ff ffffff ff0000 7f0000",
    "Spectral": "9e0142 f46d43 ffffbf 66c2a5 5e4fa2",
    "tab10": "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf",
}
_ALIASES = {"grey": "gray", "binary": "Greys"}


class Colormap(str):
    """A colormap; the string is its name. A call maps numbers from 0 to 1 to RGBA colors (..., 4) from 0 to 1."""

    def __call__(self, values: Any) -> np.ndarray:
        pixels = colors(np.atleast_1d(np.asarray(values, float)), self, 0.0, 1.0) / 255
        rgba = np.concatenate([pixels, np.ones((*pixels.shape[:-1], 1))], axis=-1)
        return rgba if np.ndim(values) else rgba[0]


def colors(values: np.ndarray, name: str | None, low: float, high: float) -> np.ndarray:
    """Return RGB colors of numbers, as uint8 (..., 3). `low` has the first color of the colormap, `high` the last.

    Numbers outside this range are clipped. Infinite numbers and NaN are gray. Without `name`, or with an unknown name, the
    colormap is viridis; a name that ends in `_r` reverses it.
    """
    base = (name or "viridis").removesuffix("_r")
    anchors = _ANCHORS.get(_ALIASES.get(base, base), _ANCHORS["viridis"]).split()
    table = np.array([[int(anchor[n : n + 2], 16) for n in (0, 2, 4)] for anchor in anchors], float)
    if name and name.endswith("_r"):
        table = table[::-1]
    with np.errstate(all="ignore"):
        parts = np.clip((values - low) / ((high - low) or 1.0), 0, 1) * (len(table) - 1)
    channels = [np.interp(parts, range(len(table)), table[:, n]) for n in range(3)]
    rgb = np.stack(channels, axis=-1)
    return np.where(np.isfinite(values)[..., None], rgb, 128.0).round().astype(np.uint8)


def get_cmap(name: str | None = None, lut: int | None = None) -> Colormap:
    """Return the colormap `name`, by default viridis. `lut` is ignored."""
    return Colormap(name or "viridis")


def __getattr__(name: str) -> Colormap:
    if name.startswith("__"):
        raise AttributeError(name)
    return Colormap(name)
