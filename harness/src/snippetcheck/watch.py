"""Run the snippets that a saved file affects, on engines that are already imported.

After a snippet is saved, it runs on its engines. After a page is saved, its fences are checked and its snippets run.
After a source file of an engine is saved, the engine restarts and all its snippets run, those that failed first. The runs
for the file that was saved last come first.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from snippetcheck import pages, report
from snippetcheck.cache import forget_sources, source_files
from snippetcheck.compare import compare
from snippetcheck.engines import EngineError
from snippetcheck.pages import Fence, embeds_snippet, snippet_locations
from snippetcheck.runner.runner import Runner, missing_requirement
from snippetcheck.settings import Settings
from snippetcheck.snippet import Snippet, SnippetError, files
from snippetcheck.source import display_path, plural

_PAUSE = 0.1  # seconds between two scans of the files

Task = tuple[Path, str]  # a file with snippets, and the name of an engine


class Watch:
    """Watches the files of a project and queues the runs that a saved file needs."""

    def __init__(self, settings: Settings, engines: list[str], print_line: Callable[[str], None]):
        self.settings = settings
        self.engines = engines
        self.print_line = print_line
        self.runner = Runner(settings)
        self.queue: list[Task] = []
        self.red: set[Task] = set()  # whose last run failed
        self.green = 0  # number of runs that passed since the queue was last empty
        self.sources: dict[str, set[Path]] = {name: set() for name in engines}  # by engine, deleted files too
        settings.register_fences()
        self._mtimes = self.scan()

    def run_forever(self) -> None:
        """Import the engines, then run what saved files affect, until Ctrl-C raises KeyboardInterrupt.

        An engine that cannot be imported is reported, and starts again when a source file of it is saved.
        """
        with self.runner:
            self.runner.start_engines(self.engines)
            for name in self.engines:
                try:
                    self.runner.clients[name].start()
                except EngineError as error:
                    self.print_line(str(error))  # the engine starts again when a source file of it is saved
            self.print_line(f"watching {plural(len(self._mtimes), 'file')} of {self.settings.root}")
            while True:
                self.step()

    def step(self) -> None:
        """Look for saved files, then run the first task of the queue, or wait for _PAUSE if there is none."""
        saved_files = self.find_saved_files()
        if saved_files:
            self.enqueue_affected(saved_files)
        if not saved_files and not self.queue:
            time.sleep(_PAUSE)
        if self.queue:
            self.run(*self.queue.pop(0))
            if not self.queue:
                self.print_line(f"{self.green} green now, {len(self.red)} red in all")
                self.green = 0

    def scan(self) -> dict[Path, tuple[int, int]]:
        """Map each watched file to its modification time in nanoseconds and its size in bytes.

        Also add the present source files of each engine to `sources`.
        """
        settings = self.settings
        paths = [*_files_below(settings.snippets_dir, (".py",)), *_files_below(settings.pages_dir, pages.PAGE_SUFFIXES)]
        paths += settings.example_files()
        for engine in self.engines:
            sources = source_files(settings.engines[engine])
            if not sources:
                forget_sources()  # the module may be created later
            self.sources[engine].update(sources)
            paths += sources
        mtimes: dict[Path, tuple[int, int]] = {}
        for path in paths:
            with contextlib.suppress(OSError):
                status = path.stat()
                mtimes[path] = (status.st_mtime_ns, status.st_size)
        return mtimes

    def find_saved_files(self) -> list[Path]:
        """Scan again, and return the files that were changed, added or deleted since the scan before."""
        mtimes = self.scan()
        changed_files = [path for path, stamp in mtimes.items() if self._mtimes.get(path) != stamp]
        deleted_files = [path for path in self._mtimes if path not in mtimes]
        self._mtimes = mtimes
        return changed_files + deleted_files

    def enqueue_affected(self, saved_files: list[Path]) -> None:
        """Put the tasks for the saved files at the front of the queue. Close the engines of which a source file was saved."""
        tasks: list[Task] = []
        example_files = self.settings.example_files()
        for path in saved_files:
            if path.is_relative_to(self.settings.snippets_dir):
                tasks += self.tasks_of_snippet(path)
            elif path.is_relative_to(self.settings.pages_dir) and path.suffix in pages.PAGE_SUFFIXES:
                tasks += self.tasks_of_page(path)
            if path in example_files:
                tasks += [(path, engine) for engine in self.engines]
        for engine in self.engines:
            if any(path in self.sources[engine] for path in saved_files):
                self.runner.clients[engine].close()
                paths = [*files(self.settings.snippets_dir), *example_files]
                tasks += sorted(((path, engine) for path in paths), key=lambda task: task not in self.red)
        self.queue = list(dict.fromkeys([*tasks, *self.queue]))

    def tasks_of_snippet(self, path: Path) -> list[Task]:
        """Return the tasks for a saved snippet. For a deleted file, remove its tasks and return an empty list."""
        if path.exists():
            return [(path, engine) for engine in self.engines]
        self.red = {task for task in self.red if task[0] != path}
        self.queue = [task for task in self.queue if task[0] != path]
        self.print_line(f"gone  {display_path(path)}, {len(self.red)} red in all")
        return []

    def tasks_of_page(self, path: Path) -> list[Task]:
        """Print the problems of a saved page's fences, and return the tasks for the snippets that the page embeds.

        The list is empty for a page that is deleted or cannot be read. In the second case, the error is printed.
        """
        try:
            fences = pages.all_fences(path, self.settings.snippets_dir)
        except OSError as error:
            self.print_line(f"{display_path(path)}: cannot be read: {error}")
            return []
        has_examples = path in self.settings.example_files()  # fences with examples would seem to be unchecked
        for fence in fences:
            if fence.problem and not has_examples:
                self.print_line(fence.complaint())
        tasks = []
        for name in (fence.keys["file"] for fence in fences if embeds_snippet(fence)):
            file = self.settings.snippets_dir / name
            if os.path.exists(file):
                tasks += [(file, engine) for engine in self.engines]
            else:
                self.print_line(f"{display_path(path)}: no snippet {name!r}")
        return tasks

    def run(self, path: Path, engine: str) -> None:
        """Run a snippet, or the examples of a file, on one engine, and print the verdicts.

        Snippets that are not for this engine, or lack a requirement, are left out. The errors of malformed ones are printed once,
        for the first engine. If the engine cannot be started, print why and drop its tasks from the queue.
        """
        task = (path, engine)
        snippets = self.settings.load_all(path)
        errors = [error for error in snippets if isinstance(error, SnippetError)]
        if not errors:
            self.red.discard((path, ""))
        elif path.exists() and engine == self.engines[0]:
            self.red.add((path, ""))
            self.print_line("\n".join(f"RED   {error}" for error in errors))
        if errors and errors == snippets:
            return
        self.red.discard(task)
        try:
            for snippet in snippets:
                if isinstance(snippet, SnippetError) or engine not in snippet.manifest.engines:
                    continue
                if not missing_requirement(snippet):
                    self.judge(snippet, engine)
        except EngineError as error:
            self.red.add(task)
            self.print_line(str(error))
            self.queue = [task for task in self.queue if task[1] != engine]

    def judge(self, snippet: Snippet, engine: str) -> None:
        """Run a snippet, print its verdict, and count it in `red` or `green`. Raises EngineError if the engine cannot be started."""
        run = self.runner.clients[engine].run(snippet)
        findings = compare(snippet, run)
        if findings:
            self.red.add((snippet.path, engine))
            fences: list[Fence] = []
            with contextlib.suppress(OSError):  # a page cannot be read while an editor saves it
                fences = snippet_locations(self.settings.pages_dir, self.settings.snippets_dir).get(snippet.name, [])
            self.print_line(f"RED   {snippet.name} {report.render(snippet, engine, findings, fences)}")
        else:
            self.green += 1
            self.print_line(f"green {snippet.name} {engine} {run.seconds:.3f} s")


def _files_below(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    for base, _, names in os.walk(folder):
        yield from (Path(base, name) for name in names if name.endswith(suffixes))
