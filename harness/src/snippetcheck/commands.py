"""The command line: run, bless and watch snippets."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from snippetcheck import report
from snippetcheck.bless import FURTHER_RUNS, BlessError, Blessing, bless
from snippetcheck.cache import Cache
from snippetcheck.compare import Finding, compare
from snippetcheck.convert import Conversion
from snippetcheck.engines import EngineError
from snippetcheck.outcome import Run
from snippetcheck.pages import fences
from snippetcheck.runner.runner import Runner, missing_requirement
from snippetcheck.settings import Settings, SettingsError, find_root, load_settings
from snippetcheck.snippet import Snippet, SnippetError, files
from snippetcheck.source import display_path
from snippetcheck.watch import Watch

_BAR_WIDTH = 30  # characters
_FEWEST = 10  # snippets; a shorter run needs no bar


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. The exit code is 1 if a snippet is red, 2 if the arguments are invalid."""
    options = _parser().parse_args(arguments)
    try:
        settings = load_settings(find_root(Path.cwd()))
        chosen = options.engine or list(settings.engine_names)
        for name in chosen:
            if name not in settings.engines:
                raise SettingsError(f"unknown engine {name!r}\n    use one of {', '.join(settings.engine_names)}")
        if options.command == "watch":
            Watch(settings, chosen, lambda text: print(report.printable(text), flush=True)).forever()
        is_import = options.command == "import"
        paths = list(_files([] if is_import else options.paths, settings))
        progress = Progress(0 if is_import else len(paths))
        cache = Cache(settings.cache_dir / "runs") if options.snippet_cache else None
        if cache and options.hash_seed:
            raise SettingsError("--hash-seed: cached runs have another seed\n    leave out --snippet-cache")
        with Runner(settings, cache, options.hash_seed) as runs, contextlib.ExitStack() as ends:
            runs.start_engines(chosen)
            if options.command in ("bless", "import"):
                further_runners = [ends.enter_context(Runner(settings, None, *differing)) for differing in FURTHER_RUNS]
            if is_import:
                return Conversion(settings, runs, further_runners, progress.say).convert(options.folder, options.fences)
            if options.command == "bless":
                command: Callable[[Path], int] = _Bless(
                    settings, runs, further_runners, chosen, progress, options.dry_run
                )
            else:
                command = partial(
                    _run, settings=settings, runner=runs, chosen=chosen, progress=progress, options=options
                )
            return _each(paths, progress, command)
    except (SettingsError, EngineError) as error:
        print(report.printable(str(error)), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # stdout is closed, for example by `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=report.python_command("-m", "snippetcheck"), description="Runs and blesses snippets."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("run", "run snippets and compare what they do with what they say"),
        ("bless", "write what snippets print into their #>, #! and #~ lines"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument(
            "paths", nargs="*", metavar="PATH", help="a snippet, a folder, or a page for those it shows; default: all"
        )
        command.add_argument("--engine", action="append", metavar="NAME", help="only this engine; repeatable")
        if name == "bless":
            command.add_argument("--dry-run", action="store_true", help="show the change, write nothing")
            command.set_defaults(snippet_cache=False, hash_seed=0)
        else:
            command.add_argument("-q", "--quiet", action="store_true", help="show only what is red")
            command.add_argument(
                "--hash-seed",
                type=int,
                default=0,
                metavar="SEED",
                help="as PYTHONHASHSEED: in which order sets are printed",
            )
            command.add_argument(
                "--snippet-cache", action="store_true", help="compare kept runs where nothing has changed"
            )
    command = commands.add_parser("import", help="make snippets of the >>> examples in docstrings and pages")
    command.add_argument("folder", type=_existing_path, metavar="FOLDER", help="a folder or a file with >>> examples")
    command.add_argument("--fences", action="store_true", help="write fences of Markdown pages, not snippet files")
    command.set_defaults(snippet_cache=False, hash_seed=0, engine=None)
    command = commands.add_parser("watch", help="run again what a saved file touches")
    command.add_argument("--engine", action="append", metavar="NAME", help="only this engine; repeatable")
    return parser


def _existing_path(text: str) -> Path:
    if not Path(text).exists():
        raise argparse.ArgumentTypeError(f"no such file or folder: {text}")
    return Path(text)


def _files(paths: list[str], settings: Settings) -> Iterator[Path]:
    """Yield the snippets and the files with examples in place that these paths mean; without paths, all of the project."""
    example_files = settings.example_files()
    if not paths:
        yield from files(settings.snippets_dir)
        yield from example_files
        return
    for argument in paths:
        path = Path(argument)
        if not path.exists():
            raise SettingsError(f"{argument}: no such file\n    give a snippet or a folder of snippets")
        folder = path.resolve()
        in_place = [file for file in example_files if file == folder or file.is_relative_to(folder)]
        if path.is_dir():
            snippet_files = files(path) if folder.is_relative_to(settings.snippets_dir) or not in_place else []
        elif path.suffix == ".md":
            snippet_files = _embedded_snippets(path, settings, has_examples=bool(in_place))
        else:
            snippet_files = [] if in_place else [path]
        if not snippet_files and not in_place:
            raise SettingsError(
                f"{argument}: no snippet is in this folder\n    the project's are in {display_path(settings.snippets_dir)}"
            )
        yield from [*snippet_files, *in_place]


def _embedded_snippets(page: Path, settings: Settings, has_examples: bool) -> list[Path]:
    """Return the snippets that a page embeds, without duplicates."""
    names = dict.fromkeys(fence.keys["file"] for fence in fences(page) if fence.keys.get("file", "").endswith(".py"))
    embedded = [path for name in names if (path := settings.snippets_dir / name).is_file()]
    if not embedded and not has_examples:
        raise SettingsError(f"{page}: shows no snippet\n    give a page that does, a snippet or a folder")
    return embedded


def _each(paths: list[Path], progress: Progress, command: Callable[[Path], int]) -> int:
    """Run or bless every file. Return 1 if one of them is red, else 0."""
    worst = 0
    try:
        for path in paths:
            code = command(path)
            progress.advance(is_red=code != 0)
            worst = max(worst, code)
    finally:
        progress.clear()
    return worst


def _run_on(snippet: Snippet, runner: Runner, chosen: list[str]) -> dict[str, Run]:
    names = [name for name in snippet.manifest.engines if name in chosen]
    for name in names:
        runner.submit(snippet, name)
    return {name: runner.result(snippet, name)[0] for name in names}


def _run(
    path: Path, settings: Settings, runner: Runner, chosen: list[str], progress: Progress, options: argparse.Namespace
) -> int:
    codes = [_run_example(example, settings, runner, chosen, progress, options) for example in settings.load_all(path)]
    return max(codes, default=0)


def _run_example(
    snippet: Snippet | SnippetError,
    settings: Settings,
    runner: Runner,
    chosen: list[str],
    progress: Progress,
    options: argparse.Namespace,
) -> int:
    if isinstance(snippet, SnippetError):
        progress.say(str(snippet))
        return 1
    if reason := missing_requirement(snippet):
        progress.say(f"not run {snippet.name}: {reason}")
        return 0
    runs = _run_on(snippet, runner, chosen)
    findings: dict[str, list[Finding]] = {name: compare(snippet, run) for name, run in runs.items()}
    moved = report.which_side_moved(settings.judge, findings, report.runs_agree(list(runs.values())))
    for name, engine_findings in findings.items():
        if engine_findings:
            progress.say(f"RED   {snippet.name} {name}")
            progress.say(report.render(snippet, name, engine_findings, moved=moved), end="\n\n")
        elif not options.quiet:
            progress.say(f"green {snippet.name} {name} {runs[name].seconds:.3f} s")
    if not runs and not options.quiet:
        progress.say(f"not run {snippet.name}: it runs on {', '.join(snippet.manifest.engines)} only")
    return int(any(findings.values()))


@dataclass
class _Bless:
    """The `bless` command for one file at a time. `further_runners` have other seeds and time zones."""

    settings: Settings
    runner: Runner
    further_runners: list[Runner]
    chosen: list[str]
    progress: Progress
    dry_run: bool

    def __call__(self, path: Path) -> int:
        """Bless the examples in a file, the last one first: then the others keep their lines."""
        code = 0
        for index in reversed(range(len(self.settings.load_all(path)))):
            code = max(code, self.bless_example(self.settings.load_all(path)[index]))
        return code

    def bless_example(self, snippet: Snippet | SnippetError) -> int:
        """Bless one example and return the exit code."""
        if isinstance(snippet, SnippetError):
            self.progress.say(str(snippet))
            return 1
        if reason := missing_requirement(snippet):
            self.progress.say(f"not blessed {snippet.name}: {reason}")
            return 0
        names = [name for name in snippet.manifest.engines if name in self.chosen]
        if not names:
            engines = ", ".join(snippet.manifest.engines)
            self.progress.say(f"not blessed {snippet.name}: it runs on {engines} only")
            return 0
        try:
            return self.bless(snippet, names[0])
        except BlessError as error:
            self.progress.say(str(error))
            return 1

    def bless(self, snippet: Snippet, judge: str) -> int:
        """Bless one snippet and return the exit code. Raises BlessError."""
        for runner in self.further_runners:
            runner.submit(snippet, judge)
        runs = _run_on(snippet, self.runner, self.chosen)
        other_runs = [runner.result(snippet, judge)[0] for runner in self.further_runners]
        other_runs += [run for name, run in runs.items() if name != judge]
        blessing: Blessing = bless(snippet, runs[judge], other_runs)
        if not blessing.changed:
            self.progress.say(f"unchanged {snippet.name}")
            return 0
        self.progress.say(blessing.diff())
        if self.dry_run:
            self.progress.say(f"not written {snippet.name}")
        else:
            blessing.write()
            self.progress.say(f"blessed {snippet.name} from {judge}")
        return 0


class Progress:
    """The progress bar of `total` snippets on `stream`. Messages are printed above it."""

    def __init__(self, total: int, stream: TextIO | None = None):
        self.total = total
        self.stream = stream or sys.stderr
        self.done = self.red = 0
        self.began = time.monotonic()
        self.is_shown = total >= _FEWEST and self.stream.isatty()
        self.draw()

    def say(self, text: str, end: str = "\n") -> None:
        """Print to stdout, above the bar."""
        self.clear()
        print(report.printable(text), end=end, flush=self.is_shown)
        self.draw()

    def advance(self, is_red: bool) -> None:
        """Count one more snippet as done."""
        self.done += 1
        self.red += is_red
        self.draw()

    def draw(self) -> None:
        """Draw the bar."""
        if self.is_shown:
            self.stream.write(f"\r{self.line()}\x1b[K")
            self.stream.flush()

    def clear(self) -> None:
        """Remove the bar."""
        if self.is_shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def line(self) -> str:
        """Return the bar as text: `[#####.....] 12/24, 1 red, about 3 s left`."""
        filled = _BAR_WIDTH * self.done // max(self.total, 1)
        parts = [f"[{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {self.done}/{self.total}"]
        if self.red:
            parts.append(f"{self.red} red")
        if 0 < self.done < self.total:
            left = (time.monotonic() - self.began) / self.done * (self.total - self.done)
            parts.append(f"about {left:.0f} s left")
        return ", ".join(parts)
