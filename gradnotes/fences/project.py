"""Where things stand in the project: snippets, pages, errata, evidence, and which page shows what."""

from __future__ import annotations

import hashlib
import html
import json
import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from snippetcheck import pages
from snippetcheck.pages import Fence, find_fences
from snippetcheck.places import shows_a_snippet
from snippetcheck.settings import Settings, load_settings
from snippetcheck.snippet import Snippet, SnippetError, files

from gradnotes import reading_order
from gradnotes.exercises.format import Exercise
from gradnotes.exercises.format import load as load_exercise
from gradnotes.fences import errata, symbols
from gradnotes.fences.build_cache import BuildCache
from gradnotes.fences.errata import Erratum
from gradnotes.fences.markup import inline
from gradnotes.fences.problems import FenceError, close_match

Value = TypeVar("Value")


@dataclass
class Project:
    """The folders of one project. Files are read again when they have changed."""

    root: Path
    command: str = "build"  # that reads it: what it keeps has a file of its own
    _snippets: dict[str, tuple[int, Snippet]] = field(default_factory=dict)
    _once: dict[str, Any] = field(default_factory=dict)
    _titles: dict[str, str] = field(default_factory=dict)
    _sources: dict[str, tuple[str, str] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cache = BuildCache(self.root, self.command)
        self.recordings = BuildCache(self.root, "recorded")

    @cached_property
    def docs(self) -> Path:
        return self.root / "docs"

    @cached_property
    def snippets(self) -> Path:
        return self.root / "snippets"

    @cached_property
    def exercises(self) -> Path:
        return self.root / "exercises"

    @cached_property
    def settings(self) -> Settings:
        """The project's engines and folders; raises SettingsError."""
        return load_settings(self.root)

    @property
    def errata(self) -> Path:
        return self.docs / "errata"

    @property
    def evidence(self) -> tuple[Path, Path]:
        """Where runs write: what is kept in the repository, and what only this checkout has."""
        return self.docs / "evidence", self.root / ".cache"

    def snippet(self, name: str) -> Snippet:
        """The snippet `name` below snippets/; raises FenceError where it is missing or malformed."""
        path = self.snippets / name
        if ".." in name.split("/") or not path.is_file():
            names = [p.relative_to(self.snippets).as_posix() for p in files(self.snippets)]
            remedy = close_match(name, names, "write the file, or name it relative to snippets/")
            raise FenceError(f"no snippet {name!r}", remedy)
        changed = path.stat().st_mtime_ns
        if name not in self._snippets or self._snippets[name][0] != changed:
            try:
                decided_by = ("snippet", str(path), *self.settings.engine_names, str(self.settings.timeout))
                text = path.read_bytes().decode("utf-8", "replace")
                made = self.cache.get((*decided_by, text), lambda: self.settings.load(path))
                self._snippets[name] = (changed, made)
            except SnippetError as error:
                where = f"snippets/{name}:{error.line}"
                raise FenceError(f"{where}: {error.message}", error.remedy) from None
        return self._snippets[name][1]

    def exercise(self, name: str) -> Exercise:
        """The exercise `name` below exercises/; raises FenceError where it is missing or malformed."""
        path = self.exercises / name
        if ".." in name.split("/") or not path.is_file():
            names = [p.relative_to(self.exercises).as_posix() for p in self.exercises.rglob("*.py")]
            raise FenceError(
                f"no exercise {name!r}", close_match(name, names, "write it, or name it relative to exercises/")
            )
        try:
            return load_exercise(path, self.exercises)
        except SnippetError as error:
            raise FenceError(f"exercises/{name}:{error.line}: {error.message}", error.remedy) from None

    def fences(self, page: str, text: str | None = None) -> tuple[Fence, ...]:
        """Every block of code on a page, its path below docs/; its text may be given where there is no such file."""
        text = (self.docs / page).read_text(encoding="utf-8") if text is None else text
        return self.cache.get(("fences", page, text), lambda: tuple(find_fences(text, page)))

    def pages(self) -> list[str]:
        """The pages written in Markdown, as paths below docs/."""
        return [page.relative_to(self.docs).as_posix() for page in pages.pages(self.docs)]

    def once(self, name: str, make: Callable[[], Value]) -> Value:
        """What is derived from many files: made once for each build."""
        if name not in self._once:
            self._once[name] = make()
        return self._once[name]

    def errata_list(self) -> list[Erratum]:
        """All corrections of the notes, in the order of their files; raises FenceError."""
        return self.once("errata", lambda: list(errata.load(self.errata).values()))

    def shown(self) -> dict[str, str]:
        """For each snippet that a page shows: the page it was written for, or else the first that does, its path below docs/."""

        def made() -> dict[str, str]:
            found: dict[str, str] = {}
            for where in self.pages():
                for fence in self.fences(where):
                    if shows_a_snippet(fence):
                        name = fence.keys["file"]
                        own = f"{name.rpartition('/')[0]}.md"  # others may show a part of it before
                        found[name] = where if where == own else found.get(name, where)
            return found

        return self.once("shown", made)

    def page_of(self, name: str) -> str | None:
        """The page that shows snippet `name`: its path below docs/, or None."""
        return self.shown().get(name)

    def example(self, name: str, page: str) -> str:
        """A link on `page` to where a page shows snippet `name`, in HTML. Raises FenceError, and KeyError if no page does."""
        shown_on = self.shown()[name]
        target = "" if shown_on == page else link(address(shown_on), page)
        return f'<a href="{html.escape(target)}#{anchor(name)}">{inline(self.snippet(name).title)}</a>'

    def title(self, page: str) -> str:
        """The `title` of a page's front matter, or its file name."""
        if page not in self._titles:
            text = (self.docs / page).read_text(encoding="utf-8")
            match = re.match(r"---\n(?:.*\n)*?title: *(.*)\n", text)
            self._titles[page] = match[1].strip("\"' ") if match else page
        return self._titles[page]

    def part_title(self, part: str) -> str:
        """The title of a part, from the index.md of its folder if it has one."""
        index = f"{part}/index.md"
        return self.title(index) if (self.docs / index).is_file() else part.replace("-", " ").capitalize()

    def in_reading_order(self, parts: Iterable[str]) -> list[str]:
        """The given parts in the order of docs/index.md; what it does not list follows, by name."""
        order = reading_order.parts(self.docs)
        return sorted(parts, key=lambda part: (order.index(part) if part in order else len(order), part))

    def taught(self) -> dict[str, str]:
        """For each operation that snippets call: the page that is about it, or the first to use it.

        A snippet is about an operation if it is called like it; a page too.
        """
        return self.once("taught", self._taught)

    def _taught(self) -> dict[str, str]:
        found: dict[str, tuple[int, str]] = {}
        for where in self.pages():
            page = PurePosixPath(where)
            for name in dict.fromkeys(f.keys.get("file", "") for f in self.fences(where)):
                path = self.snippets / name
                if not name.endswith(".py") or not path.is_file():
                    continue
                stem, text = path.stem, path.read_text(encoding="utf-8")
                for called in set(re.findall(r"\.(\w+)\(", text)):
                    rank = 3 * (called == stem) + 2 * (called.replace("_", "-") in page.stem) - (page.stem == "index")
                    if called not in found or rank > found[called][0]:
                        found[called] = (rank, where)
        return {name: where for name, (_, where) in found.items()}

    def source_link(self, symbol: str, page: str) -> str | None:
        """Where the page of its module shows a symbol of the engine; None if no module defines it."""
        if symbol not in self._sources:
            try:
                found = symbols.find(symbol, self.root)
            except FenceError:
                self._sources[symbol] = None
            else:
                module = found.path.relative_to(self.root).as_posix()
                module = module.removesuffix("/__init__.py").removesuffix(".py")
                top = found.symbol.removeprefix(module.replace("/", ".")).lstrip(".").split(".")[0]
                self._sources[symbol] = f"engine/{module}.html", top if found.defines else ""
        target = self._sources[symbol]
        if target is None or not target[0].startswith("engine/reference_impl"):
            return None
        path = link(target[0], page) if target[0] != page.removesuffix(".md") + ".html" else ""
        return f"{path}#{target[1]}" if target[1] else path or None

    def engine_names(self) -> str:
        """The checksum of what the modules of the engine define and import: it decides where links lead."""

        def made() -> str:
            outlines = {}
            for path in sorted((self.root / "reference_impl").rglob("*.py")):
                source = path.read_text("utf-8")
                outlines[path.as_posix()] = self.cache.get(("outline", source), lambda: symbols.outline(source))  # noqa: B023
            return hashlib.sha256(json.dumps(outlines).encode()).hexdigest()

        return self.once("engine names", made)

    def forget(self) -> None:
        """Before a build: what was derived from many files is derived again."""
        self._once.clear()
        self._titles.clear()
        self._sources.clear()
        self.__post_init__()


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
