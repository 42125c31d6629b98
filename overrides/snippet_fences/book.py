"""Where things stand in the project: snippets, pages, errata, evidence, and which page shows what."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from pathlib import Path

from harness import pages
from harness.snippet import Snippet, SnippetError, load

from snippet_fences.problems import FenceError, close_match


@dataclass
class Book:
    """The folders of one project. Files are read again when they have changed."""

    root: Path
    _snippets: dict[str, tuple[int, Snippet]] = field(default_factory=dict)
    _shown: dict[Path, tuple[int, list[str]]] = field(default_factory=dict)

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    @property
    def snippets(self) -> Path:
        return self.root / "snippets"

    @property
    def errata(self) -> Path:
        return self.docs / "errata"

    @property
    def evidence(self) -> Path:
        return self.docs / "evidence"

    def snippet(self, name: str) -> Snippet:
        """The snippet `name` below snippets/; raises FenceError where it is missing or malformed."""
        path = self.snippets / name
        if not path.is_file() or self.snippets.resolve() not in path.resolve().parents:
            names = [p.relative_to(self.snippets).as_posix() for p in self.snippets.rglob("*.py")]
            remedy = close_match(name, names, "write the file, or name it relative to snippets/")
            raise FenceError(f"no snippet {name!r}", remedy)
        changed = path.stat().st_mtime_ns
        if name not in self._snippets or self._snippets[name][0] != changed:
            try:
                self._snippets[name] = (changed, load(path, self.snippets))
            except SnippetError as error:
                where = f"snippets/{name}:{error.line}"
                raise FenceError(f"{where}: {error.message}", error.remedy) from None
        return self._snippets[name][1]

    def page_of(self, name: str) -> str | None:
        """The page that shows snippet `name`: its path below docs/, or None."""
        for page in pages.pages(self.docs):
            changed = page.stat().st_mtime_ns
            if page not in self._shown or self._shown[page][0] != changed:
                found = [f.keys.get("file", "") for f in pages.fences(page) if f.kind == "snippet"]
                self._shown[page] = (changed, found)
            if name in self._shown[page][1]:
                return page.relative_to(self.docs).as_posix()
        return None


def anchor(name: str) -> str:
    """The id under which a page shows snippet `name`."""
    return "snippet-" + name.removesuffix(".py").replace("/", "-").replace("_", "-")


def link(target: str, page: str) -> str:
    """The relative address of `target`, a path below the site's root, on `page`."""
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def address(page: str) -> str:
    """The path of a page in the built site."""
    stem, _, suffix = page.rpartition(".")
    if suffix not in ("md", "markdown", "ipynb"):
        return page
    return f"{stem}.html"
