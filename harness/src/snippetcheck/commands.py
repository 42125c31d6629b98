"""Run the commands `bless`, `watch` and `import`. No command checks snippets: pytest does."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from snippetcheck import report
from snippetcheck.bless import FURTHER_RUNS, BlessError, bless_repeatedly
from snippetcheck.convert import Conversion
from snippetcheck.engines import EngineError
from snippetcheck.outcome import Run
from snippetcheck.pages import PAGE_SUFFIXES, snippet_locations
from snippetcheck.runner.runner import Runner, missing_requirement
from snippetcheck.settings import Settings, SettingsError, find_root, load_settings
from snippetcheck.snippet import Snippet, SnippetError, files
from snippetcheck.source import display_path
from snippetcheck.watch import Watch


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code.

    0: success. 1: an example cannot be blessed or imported. 2: the arguments or the settings are invalid, or an engine fails. 130: Ctrl-C.
    141: stdout was closed. For unknown options and for `--help`, argparse raises SystemExit.
    """
    options = _parser().parse_args(arguments)
    try:
        settings = load_settings(find_root(Path.cwd()))
        if not settings.is_configured:
            remedy = "add this section to pyproject.toml, or change the folder"
            raise SettingsError(f"{Path.cwd()}: no [tool.snippetcheck] here or above", remedy)
        engines = options.engine or list(settings.engine_names)
        for name in engines:
            if name not in settings.engines:
                raise SettingsError(f"unknown engine {name!r}", f"use one of {', '.join(settings.engine_names)}")
        for path in options.paths:
            if not os.path.exists(path):
                raise SettingsError(f"{path}: no such file or folder", "correct the path")
        if options.command == "watch":
            Watch(settings, engines, _say).run_forever()
        paths = [] if options.command == "import" else list(_files(options.paths, settings))
        with Runner(settings) as runner, contextlib.ExitStack() as stack:
            runner.start_engines(engines)
            further_runners = [stack.enter_context(Runner(settings, None, *variant)) for variant in FURTHER_RUNS]
            if options.command == "import":
                return Conversion(settings, runner, further_runners, _say).convert(Path(*options.paths), options.fences)
            return _bless_files(paths, settings, [runner, *further_runners], engines, options.dry_run)
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
        prog=report.python_command("-m", "snippetcheck"), description="Blesses and watches snippets; pytest runs them."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("bless", help="write the output of snippets into their #>, #! and #~ lines")
    text = "a snippet, a folder, or a page, which stands for its snippets; default: all"
    command.add_argument("paths", nargs="*", metavar="PATH", help=text)
    command.add_argument("--engine", action="append", metavar="NAME", help="only this engine; repeatable")
    command.add_argument("--dry-run", action="store_true", help="show the change, write nothing")
    command = commands.add_parser("import", help="convert the >>> examples in docstrings and pages to snippets")
    command.add_argument("paths", nargs=1, metavar="FOLDER", help="a folder or a file with >>> examples")
    command.add_argument("--fences", action="store_true", help="write fences of Markdown pages, not snippet files")
    command.set_defaults(engine=None)
    command = commands.add_parser("watch", help="rerun the snippets that a saved file affects")
    command.add_argument("--engine", action="append", metavar="NAME", help="only this engine; repeatable")
    command.set_defaults(paths=())
    return parser


def _files(paths: list[str], settings: Settings) -> Iterator[Path]:
    """Yield the files of snippets and the files with examples at and below these paths, by default all in the project.

    For a page, yield the snippets that it embeds, and the page if it has examples. Raises SettingsError for a path
    without snippets and examples.
    """
    example_files, folder = settings.example_files(), settings.snippets_dir
    if not paths:
        yield from [*files(folder), *example_files]
    for argument in paths:
        path = Path(argument).resolve()
        matching_files = [file for file in example_files if file.is_relative_to(path)]
        if path.is_dir():
            snippet_files = [file for file in files(folder) if file.is_relative_to(path)]
        elif path.suffix in PAGE_SUFFIXES:
            settings.register_fences()
            shown_files = [folder / name for name in snippet_locations([path], folder)]
            snippet_files = [file for file in shown_files if file.suffix == ".py" and os.path.isfile(file)]
        else:
            snippet_files = [Path(argument)] if Path(argument).parent.resolve().is_relative_to(folder) else []
        if not snippet_files and not matching_files:
            remedy = f"name a file in {display_path(folder)}, a page that shows one, or a file that `examples` names"
            raise SettingsError(f"{argument}: has neither snippets nor examples", remedy)
        yield from [*snippet_files, *matching_files]


def _say(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"  # with LC_ALL=C, it can be ASCII
    print(report.printable(text).encode(encoding, "backslashreplace").decode(encoding), flush=True)


def _bless_files(
    paths: list[Path], settings: Settings, runners: list[Runner], engines: list[str], is_dry_run: bool
) -> int:
    """Bless the snippets and examples in these files. Return 1 if one of them cannot be blessed, else 0.

    Raises SettingsError if the files have no snippet and no example, and EngineError.

    Args:
        runners: the first one runs snippets on all `engines`, the others, with other hash seeds and time zones, on the first engine.
    """
    code = total = 0
    for path in paths:
        count = len(settings.load_all(path))
        total += count
        # From the top, since new lines move the examples below them, which may print their line numbers.
        for index in range(count):
            try:
                _say(_bless(settings.load_all(path)[index], runners, engines, is_dry_run))
            except (SnippetError, BlessError) as error:
                _say(str(error))
                code = 1
    if not total:
        remedy = "write a `#>` line under a statement that prints, or name other files in `examples`"
        raise SettingsError(f"{settings.root}: found no snippet and no example to bless", remedy)
    return code


def _bless(snippet: Snippet | SnippetError, runners: list[Runner], engines: list[str], is_dry_run: bool) -> str:
    """Run a snippet, print the change, and write its output on the first engine into the file. A dry run writes nothing.

    Return a line of the report: what was done, or why the snippet is not run. Raises SnippetError if the snippet is
    malformed, BlessError if its output cannot be written, and EngineError.
    """
    if isinstance(snippet, SnippetError):
        raise snippet
    names = [name for name in snippet.manifest.engines if name in engines]
    reason = missing_requirement(snippet)
    if reason or not names:
        engines_reason = f"it runs on {', '.join(snippet.manifest.engines)} only"
        return f"not blessed {snippet.name}: {reason or engines_reason}"
    judge, *other_engines = names
    runs = [(runner, judge) for runner in runners]
    runs += [(runners[0], name) for name in other_engines]

    def run(snippet: Snippet) -> list[Run]:
        for runner, name in runs:
            runner.submit(snippet, name)  # all run at the same time
        return [runner.result(snippet, name) for runner, name in runs]

    blessing = bless_repeatedly(snippet, run)
    if not blessing.is_changed:
        return f"unchanged {snippet.name}"
    _say(blessing.diff())
    if is_dry_run:
        return f"not written {snippet.name}"
    blessing.write()
    return f"blessed {snippet.name} from {judge}"
