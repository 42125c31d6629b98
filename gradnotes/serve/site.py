"""Build the site for `make serve`: MkDocs builds each page on its first request.

A page is built again only if one of its inputs has changed (`gradnotes.inputs`). Once all pages are built, the folder
has the bytes that `make build` would write, except that served pages have no content-security policy and that styles
keep their comments.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.commands import build
from mkdocs.config import load_config
from mkdocs.structure.files import File, Files, get_files, set_exclusions
from mkdocs.structure.nav import get_navigation
from mkdocs.structure.pages import Page

from gradnotes import front_matter, inputs
from gradnotes.cache import BuildCache
from gradnotes.fences import exercise, recorded
from gradnotes.fences.extension import project
from gradnotes.mkdocs_plugin import GradnotesPlugin
from gradnotes.serve.faults import Faults, collect_warnings, describe
from gradnotes.serve.templates import CompiledTemplates, ThemeLoader
from gradnotes.site import copies, finish, generate, llms, publication, redirects, runtime, search_index
from gradnotes.site.content_security import MARK
from gradnotes.translation import comparison, freshness


@dataclass(frozen=True)
class Content:
    """The content that MkDocs converts a page to, before the template of the page is rendered."""

    html: str
    faults: tuple[str, ...]
    title: str | None = None  # its first heading
    anchors: frozenset[str] = frozenset()
    links: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()  # (linked page, pairs of (anchor, link as written))
    toc: Any = field(default=(), compare=False)  # not compared: it follows from the HTML
    is_whole: bool = True  # False if the conversion failed


@dataclass
class Frame:
    """The state that all pages share: configuration, files, navigation and template environment of MkDocs."""

    key: object  # the inputs of the state, see `LiveSite._frame_key`
    config: Any
    files: Files
    nav: Any
    env: Any
    pages: dict[str, Page]  # by address


class _TrackedFiles(Files):
    """MkDocs' collection of files. Each lookup of a file is recorded as a dependency of the page."""

    def get_file_from_path(self, path: str) -> File | None:
        file = super().get_file_from_path(path)
        inputs.is_file(self.docs / path)
        return file

    docs: Path


_SOURCES = (  # the sources of faults that are not pages
    "project",
    "mkdocs.yml",
    "site",
    "anchors",
    "search",
    "requests",
    "recordings",
    "translation",
)


def _head(docs: Path, name: str) -> object:
    """Return the part of a file on which the navigation depends: of a page its front matter, of a lab its text, else None."""
    if name.endswith(".ipynb") and not name.startswith("notebooks/"):
        return inputs.read_text(docs / name)
    return front_matter.read(docs, name).values if name.endswith(".md") else None


class LiveSite:
    """The pages of the project at `root`, built into the folder `target`.

    All methods are thread-safe. Problems of the project are in `faults`; they are not raised.
    """

    def __init__(self, root: Path, target: Path):
        self.root, self.target = root, target
        self.project = project(root)
        self.project.records_singly = True
        self.memo = self.project.memo
        self.faults = Faults()
        self.frame: Frame | None = None
        self.page_states: dict[
            str, tuple[int, int]
        ] = {}  # per page: the number of the frame, the version of its content
        self.frame_count = 0  # number of frames so far
        self.pages_written = 0
        self.pages_written_at_indexing = -1  # `pages_written` when the search index was made
        self.cache = BuildCache(root, "finish")
        self.templates = CompiledTemplates()
        self.stubs: list[Path] = []  # pages that redirect former addresses
        self.requests = 0  # requests that wait for the lock or hold it
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def _with_priority(self) -> Iterator[None]:
        """Hold the lock with priority over `complete`."""
        self.requests += 1
        try:
            with self._lock:
                yield
        finally:
            self.requests -= 1

    def update(self) -> None:
        """Read changed files, and update everything except the pages."""
        with self._with_priority():
            self.memo.begin()
            with self._faults_of("project") as lines:
                lines += generate.generate_for(self.project)
            with self._faults_of("mkdocs.yml"):
                self._update_frame()
            with self._faults_of("site"):
                self._update_other_files()

    def make(self, address: str) -> bool:
        """Build the file at this address if it is outdated. Return whether it is a page; without a frame, return True."""
        with self._with_priority(), self._faults_of("requests"):
            if re.match(r"assets/search(_index)?(_zh)?(\.js|/)(?<!search\.js)", address):
                self._write_search_index()
            elif address.startswith("runtime/"):
                self.memo.get("runtime", self._install_runtime)
            elif self.frame and address in self.frame.pages:
                self._make_page(self.frame, self.frame.pages[address])
                return True
        return self.frame is None

    def complete(self, should_continue: Callable[[], bool] = lambda: True) -> None:
        """Make missing recordings, then build all outdated pages, and check anchors and the Chinese edition.

        Before each page, stop if `should_continue` returns False or another thread has replaced `self.frame`.
        """
        try:
            self._record_missing()
            lines = []
        except Exception as error:
            lines = [describe(error, "recordings", self.root)]
        self.faults.replace("recordings", lines)
        frame = self.frame
        for page in frame.pages.values() if frame else ():
            with self._behind_requests():
                if not should_continue() or self.frame is not frame or frame is None:
                    return
                self._make_page(frame, page)
        with self._behind_requests():
            if should_continue() and frame is not None and self.frame is frame:
                self._check_anchors(frame)
                self._check_translation()

    def _behind_requests(self) -> Any:
        """Wait until no request waits for the lock or holds it. Return the lock, which the caller must acquire."""
        while self.requests:
            threading.Event().wait(0.005)
        return self._lock

    @contextlib.contextmanager
    def _faults_of(self, source: str) -> Iterator[list[str]]:
        """Collect the warnings and exceptions of the `with` block, and make them the faults of `source`."""
        with collect_warnings() as lines:
            try:
                yield lines
            except (Exception, SystemExit) as error:  # mkdocs.exceptions.Abort is a SystemExit
                if isinstance(error, SystemExit) and lines:  # MkDocs has logged the reason
                    lines[:] = [f"{source}:{self._line_of_setting(line)}: {line}\n    correct it" for line in lines]
                else:  # MkDocs has also logged the error, in other words
                    lines[:] = [line for line in lines if not line.startswith("Error ")]
                    lines.append(describe(error, f"{source}:1", self.root))
        self.faults.replace(source, lines)

    def _line_of_setting(self, message: str) -> int:
        """Return the line of mkdocs.yml with the setting that a message of MkDocs names, or 1.

        For a setting within another, such as an option of a plugin, the message quotes both, the outer one first.
        """
        if not message.startswith("Config value "):
            return 1
        text = (self.root / "mkdocs.yml").read_text("utf-8")
        setting, *inner_names = re.findall(r"""['"]([\w./-]+)['"]""", message)
        block = re.search(rf"^{re.escape(setting)}:.*\n(?:[ #-].*\n|\n)*", text, re.MULTILINE)
        if not block:
            return 1
        position = block.start()
        for name in inner_names:
            if found := re.compile(rf"(?<![\w./-]){re.escape(name)}(?![\w./-])").search(text, position, block.end()):
                position = found.start()
        return text.count("\n", 0, position) + 1

    def save(self) -> None:
        """Save the caches."""
        with self._with_priority():
            self.project.cache.save()
            self.cache.save()

    # -- shared by all pages

    def _update_frame(self) -> None:
        key = self.memo.get("frame", self._frame_key)
        if self.frame is not None and key == self.frame.key:
            return
        previous, frame = self.frame, self._make_frame(key)
        self.frame = frame
        self.frame_count += 1
        if previous is not None:
            self._remove(previous, frame)
        self.faults.keep_only({*_SOURCES, *(page.file.src_uri for page in frame.pages.values())})
        for page in frame.pages.values():
            if "title" not in page.meta:  # the navigation needs the title, which only the conversion of the page yields
                self._set_content(frame, page, self._cached_content(page))
        for name in frame.config.theme.static_templates:
            build._build_theme_template(name, frame.env, frame.files, frame.config, frame.nav)
        copies.update(self.target / "llms.txt", llms.text(self.root, ""))
        stubs = redirects.write(self.root / "docs", self.target)
        for stub in set(self.stubs) - set(stubs):
            stub.unlink(missing_ok=True)
        self.stubs = stubs
        for path in [*stubs, *(self.target / name for name in frame.config.theme.static_templates)]:
            self._remove_mark(path)

    def _frame_key(self) -> tuple[object, ...]:
        """Return everything on which `self.frame` depends: file names, front matter, settings and templates."""
        docs, nav, config = self.root / generate.DOCS, self.root / generate.NAV, self.root / "mkdocs.yml"
        overrides = self.root / "overrides"
        inputs.note_names(docs)
        inputs.note(nav, config, overrides)
        names = sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*") if path.is_file())
        heads = [self.memo.get(("head", name), partial(_head, docs, name)) for name in names]
        return names, heads, [self.memo.signature(("content", path)) for path in (nav, config, overrides)]

    def _make_frame(self, key: object) -> Frame:
        config = load_config(str(self.root / "mkdocs.yml"), site_dir=str(self.target))
        plugins = config.plugins
        plugin = plugins["gradnotes"]
        assert isinstance(plugin, GradnotesPlugin)
        plugin.continues_build = True
        config = plugins.on_config(config)
        plugins.on_pre_build(config=config)
        files, env = get_files(config), config.theme.get_env()
        env.loader, env.bytecode_cache = ThemeLoader(config.theme.dirs), self.templates
        files.add_files_from_theme(env, config)
        files = plugins.on_files(files, config=config)
        set_exclusions(files, config)
        tracked_files = _TrackedFiles(
            file for file in files if not file.dest_uri.startswith(publication.UNUSED_THEME_FILES)
        )
        tracked_files.docs = Path(config.docs_dir)
        nav = plugins.on_nav(get_navigation(tracked_files, config), config=config, files=tracked_files)
        pages = {file.url: file.page or Page(None, file, config) for file in tracked_files.documentation_pages()}
        for page in pages.values():
            with self._faults_of(page.file.src_uri):
                plugins.on_pre_page(
                    page, config=config, files=tracked_files
                )  # records the dependencies of the template
                page.read_source(config)
                page.markdown = plugins.on_page_markdown(
                    page.markdown or "", page=page, config=config, files=tracked_files
                )
        return Frame(key, config, tracked_files, nav, plugins.on_env(env, config=config, files=tracked_files), pages)

    def _remove(self, before: Frame, after: Frame) -> None:
        for name in {file.dest_uri for file in before.files} - {file.dest_uri for file in after.files}:
            (self.target / name).unlink(missing_ok=True)
        remaining = {page.file.src_uri for page in after.pages.values()}
        self.page_states = {name: state for name, state in self.page_states.items() if name in remaining}

    def _update_other_files(self) -> None:
        """Update the files that are not pages."""
        for file in self.frame.files if self.frame else ():
            if not file.is_documentation_page() and file.abs_src_path:
                copies.copy(Path(file.abs_src_path), self.target / file.dest_uri)
        finish.copy_snippets(self.project.settings.snippets_dir, self.target / "snippets")
        publication.complete(self.target, self.root, "")

    # -- pages

    def _cached_content(self, page: Page) -> Content:
        name = page.file.src_uri
        return self.memo.get(("content", name), partial(self._convert, name))

    def _convert(self, name: str) -> Content:
        frame = self.frame
        file = frame.files.get_file_from_path(name) if frame else None
        if frame is None or file is None or file.page is None:
            return Content("", (), is_whole=False)
        page = file.page
        inputs.note(Path(file.abs_src_path or ""), self.root / "mkdocs.yml")
        with collect_warnings() as lines:
            try:
                build._populate_page(page, frame.config, frame.files)
            except Exception as error:
                return Content("", (describe(error, f"{name}:1", self.root),), is_whole=False)
        targets = (page.links_to_anchors or {}).items()
        links = tuple((target.src_uri, tuple(anchors.items())) for target, anchors in targets)
        anchors = frozenset(page.present_anchor_ids or ())
        return Content(page.content or "", tuple(lines), page._title_from_render, anchors, links, page.toc)

    def _set_content(self, frame: Frame, page: Page, content: Content) -> None:
        """Set the content of an MkDocs page."""
        page.content, page.toc, page._title_from_render = content.html, content.toc, content.title
        page.present_anchor_ids = set(content.anchors)
        targets = ((frame.files.get_file_from_path(name), dict(anchors)) for name, anchors in content.links)
        page.links_to_anchors = {file: anchors for file, anchors in targets if file is not None}

    def _make_page(self, frame: Frame, page: Page) -> None:
        name, target = page.file.src_uri, Path(page.file.abs_dest_path)
        content = self._cached_content(page)
        state = (self.frame_count, self.memo.version(("content", name)))
        if self.page_states.get(name) == state:
            return
        self._set_content(frame, page, content)
        with self._faults_of(name) as lines:
            lines += content.faults
            target.unlink(missing_ok=True)
            if content.is_whole:
                build._build_page(page, frame.config, frame.files.documentation_pages(), frame.nav, frame.env)
                self._remove_mark(target)
        self.page_states[name] = state
        self.pages_written += 1

    def _remove_mark(self, path: Path) -> None:
        """Remove the placeholder of the content-security policy: served pages have no policy."""
        if path.is_file():
            copies.update(path, path.read_text("utf-8").replace(MARK, "", 1))

    def _check_anchors(self, frame: Frame) -> None:
        with self._faults_of("anchors"):
            level = frame.config.validation.links.anchors
            for page in frame.pages.values():
                page.validate_anchor_links(files=frame.files, log_level=level)

    def _check_translation(self) -> None:
        with self._faults_of("translation") as lines:
            for name in comparison.names_with_chinese(self.root):
                problems = self.memo.get(("translation", name), partial(freshness.own_problems, self.root, name))
                lines += map(str, problems)

    # -- built from all pages, or slow

    def _record_missing(self) -> None:
        """Make all missing recordings of the pages: in one batch for figures and passes, in another for exercises."""
        with self._behind_requests():
            runs = recorded.required_recordings(self.project)
            exercises = exercise.required_recordings(self.project)
        recorded.record_missing(self.project, runs)
        exercise.record_missing(self.project, exercises)

    def _install_runtime(self) -> None:
        inputs.note(self.root / ".cache" / "runtime", self.root / "reference_impl")
        runtime.install(self.root / ".cache" / "runtime", self.target, self.root)

    def _write_search_index(self) -> None:
        frame = self.frame
        if frame is None:
            return
        for page in frame.pages.values():
            self._make_page(frame, page)
        if self.pages_written_at_indexing != self.pages_written:
            with self._faults_of("search"):
                search_index.write(self.target, self.cache, self.root / "docs")
            self.pages_written_at_indexing = self.pages_written
