"""Runs again what a saved file touches, on engines that are imported already.

A saved snippet runs on its engines. A saved page runs the snippets that it shows, and its fences
are checked. A saved source of an engine starts that engine anew and runs all its snippets, those
first that were red. A later save goes before what is still waiting.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from snippetcheck import pages, report
from snippetcheck.cache import forget_sources, source_files
from snippetcheck.compare import compare
from snippetcheck.engines import EngineError
from snippetcheck.places import Place, places, shows_a_snippet
from snippetcheck.runner.runner import Runner, missing_requirement
from snippetcheck.settings import Settings
from snippetcheck.snippet import Snippet, SnippetError, files
from snippetcheck.source import short

_PAUSE = 0.1  # seconds between two looks at the files

Task = tuple[Path, str]  # a snippet's file, and an engine


class Watch:
    """The files of a project, and what is to be run of them."""

    def __init__(self, settings: Settings, engines: list[str], say: Callable[[str], None]):
        self.settings = settings
        self.engines = engines
        self.say = say
        self.runs = Runner(settings)
        self.waiting: list[Task] = []
        self.red: set[Task] = set()
        self.green = 0
        self.sources: dict[str, set[Path]] = {name: set() for name in engines}  # also those that are gone
        settings.register_fences()
        self.seen = self.look()

    def forever(self) -> None:
        """Import the engines, then run what is saved until interrupted."""
        with self.runs:
            self.runs.start_engines(self.engines)
            for name in self.engines:
                try:
                    self.runs.servers[name].start()
                except EngineError as error:
                    self.say(str(error))  # it is started again once its source is saved
            self.say(f"watching {self.settings.snippets_dir} and {self.settings.pages_dir}")
            while True:
                self.step()

    def step(self) -> None:
        """Look for saved files; run one snippet, or wait a moment."""
        saved = self.saved()
        if saved:
            self.touched(saved)
        if not saved and not self.waiting:
            time.sleep(_PAUSE)
        if self.waiting:
            self.run(*self.waiting.pop(0))
            if not self.waiting:
                self.say(f"{self.green} green now, {len(self.red)} red in all")
                self.green = 0

    def look(self) -> dict[Path, tuple[int, int]]:
        """The time of change and the size of each file that matters."""
        found: dict[Path, tuple[int, int]] = {}
        for folder, suffixes in (
            (self.settings.snippets_dir, (".py",)),
            (self.settings.pages_dir, pages.SUFFIXES),
        ):
            for base, _, names in os.walk(folder):
                for name in names:
                    if name.endswith(suffixes):
                        _note(found, Path(base, name))
        for engine in self.engines:
            files = source_files(self.settings.engines[engine])
            if not files:
                forget_sources()  # it may be written yet
            self.sources[engine].update(files)
            for file in files:
                _note(found, file)
        return found

    def saved(self) -> list[Path]:
        """The files that have changed since the last look, are new, or are gone."""
        now = self.look()
        changed = [path for path, stamp in now.items() if self.seen.get(path) != stamp]
        gone = [path for path in self.seen if path not in now]
        self.seen = now
        return changed + gone

    def touched(self, saved: list[Path]) -> None:
        """Put what these files touch before everything that waits."""
        first: list[Task] = []
        for path in saved:
            if path.is_relative_to(self.settings.snippets_dir):
                first += self.snippet(path)
            elif path.is_relative_to(self.settings.pages_dir):
                first += self.page(path)
        for engine in self.engines:
            if any(path in self.sources[engine] for path in saved):
                self.runs.servers[engine].close()
                everything = files(self.settings.snippets_dir)
                first += sorted(((path, engine) for path in everything), key=lambda task: task not in self.red)
        self.waiting = list(dict.fromkeys([*first, *self.waiting]))

    def snippet(self, path: Path) -> list[Task]:
        """The runs of a snippet; none of one that is gone, and that is not red any more."""
        if path.exists():
            return [(path, engine) for engine in self.engines]
        self.red = {task for task in self.red if task[0] != path}
        self.waiting = [task for task in self.waiting if task[0] != path]
        self.say(f"gone  {short(path)}, {len(self.red)} red in all")
        return []

    def page(self, path: Path) -> list[Task]:
        """Say what is wrong with the fences of a page; the snippets that it shows."""
        try:
            found = pages.fences(path)
        except FileNotFoundError:
            return []
        except (OSError, UnicodeError) as error:
            self.say(f"{short(path)}: cannot be read: {error}")
            return []
        for fence in found:
            if fence.problem:
                self.say(fence.complaint())
        names = [fence.keys["file"] for fence in found if shows_a_snippet(fence)]
        tasks = []
        for name in names:
            file = self.settings.snippets_dir / str(name)
            if file.exists():
                tasks += [(file, engine) for engine in self.engines]
            else:
                self.say(f"{short(path)}: no snippet {name!r}")
        return tasks

    def run(self, path: Path, engine: str) -> None:
        """Run one snippet on one engine and say what became of it."""
        task = (path, engine)
        try:
            snippet = self.settings.load(path)
        except SnippetError as error:
            if path.exists() and engine == self.engines[0]:
                self.red.add((path, ""))
                self.say(f"RED   {error}")
            return
        self.red.discard((path, ""))
        if engine not in snippet.manifest.engines or missing_requirement(snippet):
            return
        try:
            self.judge(snippet, engine)
        except EngineError as error:
            self.red.add(task)
            self.say(str(error))
            self.waiting = [one for one in self.waiting if one[1] != engine]

    def judge(self, snippet: Snippet, engine: str) -> None:
        run = self.runs.servers[engine].run(snippet)
        findings = compare(snippet, run)
        if findings:
            self.red.add((snippet.path, engine))
            where = [(place.page, place.line) for place in self.shown(snippet)]
            self.say(f"RED   {snippet.name} {report.render(snippet, engine, findings, where)}")
        else:
            self.red.discard((snippet.path, engine))
            self.green += 1
            self.say(f"green {snippet.name} {engine} {run.seconds:.3f} s")

    def shown(self, snippet: Snippet) -> list[Place]:
        """Where a snippet is shown; nowhere while a page is just being replaced."""
        try:
            return places(self.settings.pages_dir).get(snippet.name, [])
        except (OSError, UnicodeError):
            return []


def _note(found: dict[Path, tuple[int, int]], path: Path) -> None:
    try:
        status = path.stat()
    except OSError:
        return
    found[path] = (status.st_mtime_ns, status.st_size)
