"""Where things stand in the project: snippets, pages, errata, evidence, and which page shows what."""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import posixpath
import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TypeVar

from snippetcheck import provenance
from snippetcheck.pages import Fence, find_fences
from snippetcheck.places import shows_a_snippet
from snippetcheck.settings import Settings, SettingsError, load_settings
from snippetcheck.snippet import Snippet, SnippetError, files

from gradnotes import front_matter, inputs, reading_order
from gradnotes.exercises.format import Exercise
from gradnotes.exercises.format import load as load_exercise
from gradnotes.fences import errata, symbols, verdicts
from gradnotes.fences.build_cache import BuildCache
from gradnotes.fences.errata import Erratum
from gradnotes.fences.markup import inline
from gradnotes.fences.problems import FenceError, close_match
from gradnotes.front_matter import FrontMatter
from gradnotes.inputs import Memo
from gradnotes.problems import InputError
from gradnotes.steps import recordings

Value = TypeVar("Value")


@dataclass
class Project:
    """The folders of one project. Files are read again when they have changed, what is derived from many in each build."""

    root: Path
    command: str = "build"  # that reads it: what it keeps has a file of its own
    records_singly: bool = False  # a run that is missing is recorded by itself, not with all that are
    memo: Memo = field(default_factory=Memo)

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

    @property
    def settings(self) -> Settings:
        """The project's engines and folders; raises FenceError."""
        return self.once("settings", self._settings)

    def _settings(self) -> Settings:
        inputs.note(self.root / "pyproject.toml")
        try:
            return load_settings(self.root)
        except SettingsError as error:
            raise _of_settings(error, self.root / "pyproject.toml") from None

    @property
    def errata(self) -> Path:
        return self.docs / "errata"

    @property
    def evidence(self) -> tuple[Path, Path]:
        """Where runs write: what is kept in the repository, and what only this checkout has."""
        return self.docs / "evidence", self.root / ".cache"

    def snippet(self, name: str) -> Snippet:
        """The snippet `name` below snippets/; raises FenceError where it is missing or malformed."""
        path = self.below(self.snippets, name)
        if path is None:
            names = [p.relative_to(self.snippets).as_posix() for p in files(self.snippets)]
            remedy = close_match(name, names, "write the file, or name it relative to snippets/")
            raise FenceError(f"no snippet {name!r}", remedy)
        return self.once(("snippet", name), lambda: self._snippet(path, name))

    def _snippet(self, path: Path, name: str) -> Snippet:
        settings = self.settings
        inputs.note(path)
        try:
            decided_by = ("snippet", str(path), *settings.engine_names, str(settings.timeout))
            text = path.read_bytes().decode("utf-8", "replace")
            return self.cache.get((*decided_by, text), lambda: settings.load(path))
        except SnippetError as error:
            raise FenceError(f"snippets/{name}:{error.line}: {error.message}", error.remedy) from None

    def below(self, folder: Path, name: str) -> Path | None:
        """The file `name` below a folder; None if there is no such file, or if the name leads elsewhere."""
        leads_elsewhere = ".." in name.split("/") or name.startswith("/")
        return None if leads_elsewhere or not inputs.is_file(folder / name) else folder / name

    def made_with(self) -> verdicts.Here:
        """For each engine, what decides its verdicts now. Raises FenceError."""
        return self.once("made with", self._made_with)

    def _made_with(self) -> verdicts.Here:
        for engine in self.settings.engines.values():
            inputs.note(*[self.root / path for path in provenance.paths_of(engine, self.root)])
        return verdicts.here(self.root)

    def recorder(self) -> str:
        """The checksum of what decides a recorded run, beside its program."""
        return self.once("recorder", self._recorder)

    def _recorder(self) -> str:
        inputs.note(self.root / "reference_impl")
        return recordings.decided_by(self.root)

    def exercise(self, name: str) -> Exercise:
        """The exercise `name` below exercises/; raises FenceError where it is missing or malformed."""
        path = self.below(self.exercises, name)
        if path is None:
            names = [p.relative_to(self.exercises).as_posix() for p in self.exercises.rglob("*.py")]
            raise FenceError(
                f"no exercise {name!r}", close_match(name, names, "write it, or name it relative to exercises/")
            )
        return self.once(("exercise", name), lambda: self._exercise(path, name))

    def _exercise(self, path: Path, name: str) -> Exercise:
        inputs.note(path)
        try:
            return load_exercise(path, self.exercises)
        except SnippetError as error:
            raise FenceError(f"exercises/{name}:{error.line}: {error.message}", error.remedy) from None

    def fences(self, page: str, text: str | None = None) -> tuple[Fence, ...]:
        """Every block of code on a page, its path below docs/; its text may be given where there is no such file."""
        if text is None:
            return self.once(("fences", page), lambda: self.fences(page, self.text(page)))
        return self.cache.get(("fences", page, text), lambda: tuple(find_fences(text, page)))

    def text(self, page: str) -> str:
        """The text of a page, its path below docs/; of one that is not UTF-8, which is told elsewhere, nothing."""
        try:
            return inputs.read_text(self.docs / page, page)
        except InputError:
            return ""

    def pages(self) -> list[str]:
        """The pages written in Markdown, as paths below docs/."""
        return reading_order.markdown_pages(self.docs)

    def once(self, name: Hashable, make: Callable[[], Value]) -> Value:
        """What is derived from files: computed once for each build, or again where they have changed."""
        return self.memo.get(name, make)

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
        return self.once(("title", page), lambda: self.front_matter(page).values.get("title", page))

    def front_matter(self, page: str) -> FrontMatter:
        """The front matter of a page, its path below docs/."""
        return self.once(("front matter", page), lambda: front_matter.read(self.docs, page))

    def part_title(self, part: str) -> str:
        """The title of a part, from the index.md of its folder if it has one."""
        index = f"{part}/index.md"
        return self.title(index) if inputs.is_file(self.docs / index) else part.replace("-", " ").capitalize()

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
                path = self.below(self.snippets, name) if name.endswith(".py") else None
                if path is None:
                    continue
                for called in self.calls(name):
                    rank = (
                        3 * (called == path.stem) + 2 * (called.replace("_", "-") in page.stem) - (page.stem == "index")
                    )
                    if called not in found or rank > found[called][0]:
                        found[called] = (rank, where)
        return {name: where for name, (_, where) in found.items()}

    def calls(self, name: str) -> frozenset[str]:
        """The names of the methods that the snippet `name` calls."""
        return self.once(("calls", name), lambda: _calls(self.snippets / name, name))

    def source_link(self, symbol: str, page: str) -> str | None:
        """Where the page of its module shows a symbol of the engine; None if no module defines it."""
        target = self.once(("source", symbol), lambda: self._source(symbol))
        if target is None or not target[0].startswith("engine/reference_impl"):
            return None
        path = link(target[0], page) if target[0] != page.removesuffix(".md") + ".html" else ""
        return f"{path}#{target[1]}" if target[1] else path or None

    def _source(self, symbol: str) -> tuple[str, str] | None:
        """The address of the page of its module, and its anchor there."""
        try:
            found = symbols.find(symbol, self.root)
        except InputError:
            return None
        module = found.path.relative_to(self.root).as_posix()
        module = module.removesuffix("/__init__.py").removesuffix(".py")
        top = found.symbol.removeprefix(module.replace("/", ".")).lstrip(".").split(".")[0]
        return f"engine/{module}.html", top if found.defines else ""

    def engine_names(self) -> str:
        """The checksum of what the modules of the engine define and import: it decides where links lead."""

        def made() -> str:
            outlines = {}
            inputs.note(self.root / "reference_impl")
            for path in sorted((self.root / "reference_impl").rglob("*.py")):
                name = path.relative_to(self.root).as_posix()
                with contextlib.suppress(InputError):  # the page of the module says what is wrong
                    source = inputs.read_text(path, name)
                    outlines[path.as_posix()] = self.cache.get(
                        ("outline", source),
                        lambda: symbols.outline(source, name),  # noqa: B023
                    )
            return hashlib.sha256(json.dumps(outlines).encode()).hexdigest()

        return self.once("engine names", made)

    def forget(self) -> None:
        """Before a build: look at the files again."""
        self.memo.begin()
        self.__post_init__()


def _of_settings(error: SettingsError, file: Path) -> FenceError:
    """The error with the line in which the file names what it is about."""
    message, _, remedy = str(error).partition("\n")
    message = message.removeprefix(f"{file}: ")
    line = re.search(r"\(at line (\d+)", message)
    name = re.search(r"'([^']+)'", message)
    text = file.read_bytes().decode("utf-8", "replace") if name and not line else ""
    number = int(line[1]) if line else text.count("\n", 0, max(text.find(name[1]), 0)) + 1 if name else 1
    return FenceError(f"{file.name}:{number}: {message}", remedy.strip())


def _calls(path: Path, name: str) -> frozenset[str]:
    """The names of the methods that a snippet calls."""
    try:
        return frozenset(re.findall(r"\.(\w+)\(", inputs.read_text(path, f"snippets/{name}")))
    except InputError:
        return frozenset()  # the page that shows it says what is wrong


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
