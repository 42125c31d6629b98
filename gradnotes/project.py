"""Load snippets and pages, and look up which page embeds what."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from snippetcheck.pages import Fence, embeds_snippet, find_fences
from snippetcheck.settings import Settings, SettingsError, load_settings
from snippetcheck.snippet import Snippet, SnippetError, files, read_text

from gradnotes import front_matter, inputs, reading_order
from gradnotes.cache import BuildCache
from gradnotes.front_matter import FrontMatter
from gradnotes.inputs import Memo
from gradnotes.problems import FenceError, InputError, close_match
from gradnotes.translation import sources

Value = TypeVar("Value")


@dataclass
class Project:
    """The snippets and pages of one project, and a cache for what functions read from its files, until a file changes.

    Changes are noticed after `invalidate`, which a build calls first.
    """

    root: Path
    command: str = "build"  # each command has its own cache file
    records_singly: bool = False  # record only the recording that a page needs, not all missing ones together
    memo: Memo = field(default_factory=Memo)

    def __post_init__(self) -> None:
        self.cache = BuildCache(self.root, self.command)
        # their keys contain the result of `recorder.shipped.fingerprint`
        self.recordings = BuildCache(self.root, "recorded", code="")

    @cached_property
    def docs(self) -> Path:
        """Return the folder of the pages."""
        return self.root / "docs"

    @cached_property
    def snippets(self) -> Path:
        """Return the folder of the snippets."""
        return self.root / "snippets"

    @cached_property
    def exercises(self) -> Path:
        """Return the folder of the exercises."""
        return self.root / "exercises"

    @property
    def settings(self) -> Settings:
        """Return the project's engines and folders.

        Raises:
            FenceError: pyproject.toml is malformed.
        """
        return self.memoize("settings", self._load_settings)

    def _load_settings(self) -> Settings:
        inputs.note(self.root / "pyproject.toml")
        try:
            return load_settings(self.root)
        except SettingsError as error:
            raise FenceError(error.message.removeprefix(f"{self.root}{os.sep}"), error.remedy) from None

    @property
    def evidence(self) -> tuple[Path, Path]:
        """Return the two folders with evidence files: docs/evidence, which is committed, and .cache, which is not."""
        return self.docs / "evidence", self.root / ".cache"

    def snippet(self, name: str) -> Snippet:
        """Return the snippet `name` below snippets/.

        Raises:
            FenceError: the snippet is missing or malformed.
        """
        path = self.find_below(self.snippets, name)
        if path is None:
            names = [p.relative_to(self.snippets).as_posix() for p in files(self.snippets)]
            remedy = close_match(name, names, "create it, or name it relative to snippets/")
            raise FenceError(f"no snippet {name!r}", remedy)
        return self.memoize(("snippet", name), lambda: self._load_snippet(path, name))

    def _load_snippet(self, path: Path, name: str) -> Snippet:
        settings = self.settings
        inputs.note(path)
        try:
            decided_by = ("snippet", str(path), *settings.engine_names, str(settings.timeout))
            text = read_text(path)  # read once: the file may change, and the key must contain the text that is parsed
            return self.cache.get((*decided_by, text), lambda: settings.load(path, text))
        except SnippetError as error:
            raise FenceError(f"snippets/{name}:{error.line}: {error.message}", error.remedy) from None

    def find_below(self, folder: Path, name: str) -> Path | None:
        """Return the path of the file `name` below a folder, or None if it does not exist or is outside the folder."""
        leads_elsewhere = ".." in name.split("/") or name.startswith("/")
        return None if leads_elsewhere or not inputs.is_file(folder / name) else folder / name

    def fences(self, page: str, text: str | None = None) -> tuple[Fence, ...]:
        """Return the fences of a page, a path below docs/. Pass its `text` if the page has no file."""
        if text is None:
            return self.memoize(("fences", page), lambda: self.fences(page, self.text(page)))
        return self.cache.get(("fences", page, text), lambda: tuple(find_fences(text, page)))

    def text(self, page: str) -> str:
        """Return the text of a page, a path below docs/; "" if it cannot be read, which `front_matter.read` reports."""
        try:
            return inputs.read_text(self.page_file(page), page)
        except InputError:
            return ""

    def page_file(self, page: str) -> Path:
        """Return the Markdown file of a page: below docs/, or for a Chinese page (zh/...) below i18n/zh."""
        is_chinese = sources.is_chinese(page)
        return self.root / sources.FOLDER / sources.english_name(page) if is_chinese else self.docs / page

    def pages(self) -> list[str]:
        """Return the Markdown pages, as paths below docs/."""
        return reading_order.markdown_pages(self.docs)

    def memoize(self, name: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the result of `compute`, cached under `name` until a file that it reads changes, see `inputs.Memo`."""
        return self.memo.get(name, compute)

    def pages_by_snippet(self) -> dict[str, str]:
        """Map each embedded snippet to its page: the page named after its folder, else the first that embeds it."""
        return self.memoize("pages by snippet", self._pages_by_snippet)

    def _pages_by_snippet(self) -> dict[str, str]:
        pages: dict[str, str] = {}
        for page in self.pages():
            for fence in self.fences(page):
                if embeds_snippet(fence):
                    name = fence.keys["file"]
                    is_namesake = page == f"{name.rpartition('/')[0]}.md"  # preferred to an earlier page with a region
                    pages[name] = page if is_namesake else pages.get(name, page)
        return pages

    def page_of(self, name: str) -> str | None:
        """Return the path below docs/ of the page that embeds snippet `name`, or None."""
        return self.pages_by_snippet().get(name)

    def title(self, page: str) -> str:
        """Return the `title` in the front matter of a page, or its path if it has no title."""
        return self.memoize(("title", page), lambda: self.front_matter(page).values.get("title", page))

    def front_matter(self, page: str) -> FrontMatter:
        """Return the front matter of a page, a path below docs/."""
        return self.memoize(("front matter", page), lambda: self._read_front_matter(page))

    def _read_front_matter(self, page: str) -> FrontMatter:
        if not sources.is_chinese(page):
            return front_matter.read(self.docs, page)
        name = sources.english_name(page)
        front = front_matter.read(self.root / sources.FOLDER, name)
        return replace(front, values=sources.merge_front_matter(self.front_matter(name).values, front.values))

    def invalidate(self) -> None:
        """Make the next build read changed files again. Discard the cached values that are not saved, and read the others again."""
        self.memo.begin()
        self.__post_init__()
