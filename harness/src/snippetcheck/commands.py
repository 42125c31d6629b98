"""The command line: run, bless and watch snippets."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from snippetcheck import report
from snippetcheck.bless import FURTHER_RUNS, BlessError, bless
from snippetcheck.cache import Cache
from snippetcheck.compare import compare
from snippetcheck.convert import Conversion
from snippetcheck.engines import EngineError
from snippetcheck.outcome import Run
from snippetcheck.pages import fences
from snippetcheck.runner.runner import Runner, missing_requirement
from snippetcheck.settings import Settings, SettingsError, find_root, load_settings
from snippetcheck.snippet import Snippet, SnippetError, files
from snippetcheck.source import display_path
from snippetcheck.watch import Watch


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. The exit code is 1 if a snippet is red, 2 if the arguments are invalid."""
    options = _parser().parse_args(arguments)
    try:
        settings = load_settings(find_root(Path.cwd()))
        engines = options.engine or list(settings.engine_names)
        for name in engines:
            if name not in settings.engines:
                raise SettingsError(f"unknown engine {name!r}", f"use one of {', '.join(settings.engine_names)}")
        if options.command == "watch":
            Watch(settings, engines, lambda text: print(report.printable(text), flush=True)).forever()
        paths = [] if options.command == "import" else list(_files(options.paths, settings))
        cache = Cache(settings.cache_dir / "runs") if options.snippet_cache else None
        if cache and options.hash_seed:
            raise SettingsError("--hash-seed: cached runs have another seed", "leave out --snippet-cache")
        with Runner(settings, cache, options.hash_seed) as runner, contextlib.ExitStack() as ends:
            runner.start_engines(engines)
            further_runs = FURTHER_RUNS if options.command in ("bless", "import") else ()
            further_runners = [ends.enter_context(Runner(settings, None, *differing)) for differing in further_runs]
            if options.command == "import":
                return Conversion(settings, runner, further_runners, _say).convert(options.folder, options.fences)
            return _Command(options, settings, engines, runner, further_runners).process(paths)
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
        ("run", "run snippets and compare their output with their expected lines"),
        ("bless", "write the output of snippets into their #>, #! and #~ lines"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument(
            "paths",
            nargs="*",
            metavar="PATH",
            help="a snippet, a folder, or a page, which stands for its snippets; default: all",
        )
        command.add_argument("--engine", action="append", metavar="NAME", help="only this engine; repeatable")
        if name == "bless":
            command.add_argument("--dry-run", action="store_true", help="show the change, write nothing")
            command.set_defaults(snippet_cache=False, hash_seed=0, quiet=False)
        else:
            command.add_argument("-q", "--quiet", action="store_true", help="print only red snippets")
            text = "PYTHONHASHSEED of the snippets, which decides the order of sets"
            command.add_argument("--hash-seed", type=int, default=0, metavar="SEED", help=text)
            text = "use the cached run of a snippet if nothing has changed"
            command.add_argument("--snippet-cache", action="store_true", help=text)
    command = commands.add_parser("import", help="convert the >>> examples in docstrings and pages to snippets")
    command.add_argument("folder", type=_existing_path, metavar="FOLDER", help="a folder or a file with >>> examples")
    command.add_argument("--fences", action="store_true", help="write fences of Markdown pages, not snippet files")
    command.set_defaults(snippet_cache=False, hash_seed=0, engine=None)
    command = commands.add_parser("watch", help="rerun the snippets that a saved file affects")
    command.add_argument("--engine", action="append", metavar="NAME", help="only this engine; repeatable")
    return parser


def _existing_path(text: str) -> Path:
    if not Path(text).exists():
        raise argparse.ArgumentTypeError(f"no such file or folder: {text}")
    return Path(text)


def _files(paths: list[str], settings: Settings) -> Iterator[Path]:
    """Yield the snippets and the files with examples below these paths; without paths, all in the project."""
    example_files = settings.example_files()
    if not paths:
        yield from files(settings.snippets_dir)
        yield from example_files
        return
    for argument in paths:
        path = Path(argument)
        if not path.exists():
            raise SettingsError(f"{argument}: no such file", "name a snippet or a folder of snippets")
        folder = path.resolve()
        in_place = [file for file in example_files if file == folder or file.is_relative_to(folder)]
        if path.is_dir():
            snippet_files = files(path) if folder.is_relative_to(settings.snippets_dir) or not in_place else []
        elif path.suffix == ".md":
            snippet_files = _embedded_snippets(path, settings, has_examples=bool(in_place))
        else:
            snippet_files = [] if in_place else [path]
        if not snippet_files and not in_place:
            remedy = f"name {display_path(settings.snippets_dir)} or a folder below it"
            raise SettingsError(f"{argument}: no snippet is in this folder", remedy)
        yield from [*snippet_files, *in_place]


def _embedded_snippets(page: Path, settings: Settings, has_examples: bool) -> list[Path]:
    """Return the snippets that a page embeds, without duplicates."""
    names = dict.fromkeys(fence.keys["file"] for fence in fences(page) if fence.keys.get("file", "").endswith(".py"))
    embedded = [path for name in names if (path := settings.snippets_dir / name).is_file()]
    if not embedded and not has_examples:
        raise SettingsError(f"{page}: shows no snippet", "name a page that shows snippets, a snippet or a folder")
    return embedded


def _say(text: str, end: str = "\n") -> None:
    print(report.printable(text), end=end)


@dataclass
class _Command:
    """The commands `run` and `bless`. `further_runners` have other seeds and time zones."""

    options: argparse.Namespace
    settings: Settings
    engines: list[str]
    runner: Runner
    further_runners: list[Runner]

    def process(self, paths: list[Path]) -> int:
        """Run or bless every file. Return 1 if one of them is red, else 0."""
        code, is_terminal = 0, sys.stderr.isatty()
        for number, path in enumerate(paths, 1):
            if is_terminal:  # the line of the next verdict overwrites it
                print(f"{number}/{len(paths)}", end="\r", file=sys.stderr, flush=True)
            examples = self.settings.load_all(path)
            if self.options.command == "run":
                code = max(code, *map(self.process_example, examples), 0)
                continue
            for index in reversed(range(len(examples))):  # the last one first: then the others keep their lines
                code = max(code, self.process_example(self.settings.load_all(path)[index]))
        if is_terminal:
            print(end="\x1b[K", file=sys.stderr)
        return code

    def process_example(self, snippet: Snippet | SnippetError) -> int:
        """Run or bless one example, if it can run, and return the exit code."""
        is_run = self.options.command == "run"
        if isinstance(snippet, SnippetError):
            _say(str(snippet))
            return 1
        names = [name for name in snippet.manifest.engines if name in self.engines]
        reason = missing_requirement(snippet)
        if not names:
            reason = reason or f"it runs on {', '.join(snippet.manifest.engines)} only"
        if reason:
            if not self.options.quiet:
                _say(f"not {'run' if is_run else 'blessed'} {snippet.name}: {reason}")
            return 0
        return self.run(snippet, names) if is_run else self.bless(snippet, names)

    def runs(self, snippet: Snippet, names: list[str]) -> dict[str, Run]:
        """Run a snippet on these engines at the same time. Map each engine to its run."""
        for name in names:
            self.runner.submit(snippet, name)
        return {name: self.runner.result(snippet, name)[0] for name in names}

    def run(self, snippet: Snippet, names: list[str]) -> int:
        """Run one snippet, print the verdicts and return the exit code."""
        runs = self.runs(snippet, names)
        findings = {name: compare(snippet, run) for name, run in runs.items()}
        moved = report.which_side_moved(self.settings.judge, findings, report.runs_agree(list(runs.values())))
        for name, engine_findings in findings.items():
            if engine_findings:
                _say(f"RED   {snippet.name} {name}")
                _say(report.render(snippet, name, engine_findings, moved=moved), end="\n\n")
            elif not self.options.quiet:
                _say(f"green {snippet.name} {name} {runs[name].seconds:.3f} s")
        return int(any(findings.values()))

    def bless(self, snippet: Snippet, names: list[str]) -> int:
        """Bless one snippet and return the exit code."""
        judge = names[0]
        for runner in self.further_runners:
            runner.submit(snippet, judge)
        runs = self.runs(snippet, names)
        other_runs = [runner.result(snippet, judge)[0] for runner in self.further_runners]
        other_runs += [run for name, run in runs.items() if name != judge]
        try:
            blessing = bless(snippet, runs[judge], other_runs)
            if not blessing.changed:
                _say(f"unchanged {snippet.name}")
                return 0
            _say(blessing.diff())
            if self.options.dry_run:
                _say(f"not written {snippet.name}")
            else:
                blessing.write()
                _say(f"blessed {snippet.name} from {judge}")
        except BlessError as error:
            _say(str(error))
            return 1
        return 0
