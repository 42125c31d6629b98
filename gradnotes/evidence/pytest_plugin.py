"""Write the evidence of a pytest run: the verdicts of its snippets, and its mutation score.

A run of all snippets writes .cache/evidence.json. With `--snippet-evidence`, any run writes the file that the option
names instead. A run with `--snippet-mutate` writes .cache/mutation.json, or the file of `--snippet-mutation-evidence`.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable, Generator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from snippetcheck.items import STATE_KEY
from snippetcheck.pytest_session import PluginState
from snippetcheck.snippet import SnippetError, files

from gradnotes.evidence import mutation_score, provenance
from gradnotes.evidence.evidence_file import SKIPPED, Evidence, EvidenceError, write_json

# keys of an entry: the arguments of Evidence.note
_KEYS = ("name", "engine", "verdict", "sha256", "seconds", "ran", "made_with")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options --snippet-evidence and --snippet-mutation-evidence."""
    group = parser.getgroup("evidence", "evidence files")
    group.addoption(
        "--snippet-evidence",
        metavar="PATH",
        help="write the evidence file here, even if only some snippets are selected",
    )
    group.addoption("--snippet-mutation-evidence", metavar="PATH", help="write the mutation score here")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the EvidenceWriter, if snippetcheck is active in this project."""
    state = config.stash.get(STATE_KEY, None)
    if state is not None:
        config.pluginmanager.register(EvidenceWriter(config, state), "snippets-evidence")


class EvidenceWriter:
    """The pytest plugin that adds fingerprints to verdicts, and writes the evidence files at the end of the session."""

    def __init__(self, config: pytest.Config, state: PluginState):
        self.config = config
        self.state = state
        self.settings = state.settings
        self.write_error = ""  # message if a file could not be written
        needs_provenance = config.getoption("snippet_mutate") and not state.is_worker
        self.mutation_provenance = self._describe_mutation_sources() if needs_provenance else {}

    @cached_property
    def made_with(self) -> dict[str, dict[str, str]]:
        """Map the name of each engine to the fingerprint on which its verdicts depend."""
        return {name: provenance.fingerprint_engine(engine) for name, engine in self.settings.engines.items()}

    def pytest_collect_file(self, file_path: Path) -> None:
        """Compute the fingerprints before the engines are imported: an edit during the run must count as a change."""
        if self.state.contains(file_path) and not self.config.option.collectonly:
            _ = self.made_with

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the fingerprint to the snippet's entry in the report. pytest-xdist sends the report to the main process."""
        report = yield
        entry = getattr(report, "snippet", None)
        if entry is not None:
            entry["made_with"] = self.made_with[entry["engine"]]
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the evidence if `is_whole` or if an option names the file; with --snippet-mutate, write the score."""
        if self.state.is_worker or self.config.option.collectonly:
            return
        path = self.config.getoption("snippet_evidence")
        if path or self.is_whole():
            default = self.settings.cache_dir / "evidence.json"
            self._write(Path(path) if path else default, self.evidence().write, session, is_requested=bool(path))
        if self.config.getoption("snippet_mutate"):
            path = self.config.getoption("snippet_mutation_evidence")
            target = Path(path) if path else self.settings.cache_dir / "mutation.json"
            self._write(target, self._write_mutation_score, session, is_requested=bool(path))

    def _write(self, path: Path, writer: Callable[[Path], None], session: pytest.Session, is_requested: bool) -> None:
        """Write a file with `writer`. If this fails and an option names the file (`is_requested`), fail the run."""
        try:
            writer(path)
        except EvidenceError as error:
            self.write_error = str(error)
            if is_requested:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def evidence(self) -> Evidence:
        """Return the verdicts and fingerprints of this session."""
        entries = self.state.entries.values()
        is_complete = self.is_whole() and all(entry["verdict"] != SKIPPED for entry in entries)
        evidence = Evidence(provenance.timestamp(), is_complete, versions=self._versions())
        for entry in entries:
            evidence.note(**{key: entry[key] for key in _KEYS})
        return evidence

    def is_whole(self) -> bool:
        """Return whether there are snippets, all are well-formed, and each has a verdict on each of its engines."""
        keys: set[tuple[str, str]] = set()
        for path in files(self.settings.snippets_dir) if self.state.entries else ():
            (snippet,) = self.settings.load_all(path)
            if isinstance(snippet, SnippetError):
                return False
            keys.update((snippet.name, engine) for engine in snippet.manifest.engines)
        return bool(keys) and self.state.entries.keys() >= keys

    def _versions(self) -> dict[str, str]:
        """Map "python" and the packages of the engines to their versions."""
        versions = {"python": platform.python_version()}
        for name in self._distributions():
            try:
                versions[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                versions[name] = "not installed"  # starting this engine raises EngineError
        return versions

    def _distributions(self) -> set[str]:
        return {name for engine in self.settings.engines.values() for name in engine.distributions}

    def _describe_mutation_sources(self) -> dict[str, Any]:
        root, engines = self.settings.root, self.settings.engines.values()
        snippets = os.path.relpath(self.settings.snippets_dir, root)
        path = self.config.getoption("snippet_mutation_evidence")
        option = f" --snippet-mutation-evidence {path}" if path else ""
        sources = {
            "engine": sorted({path for engine in engines for path in provenance.engine_source_paths(engine, root)}),
            "harness": [provenance.HARNESS],
            "examples": [snippets],
        }
        command = f"python -m pytest {snippets} --snippet-mutate{option}"
        return provenance.describe_sources(root, command, sources, self._distributions())

    def _write_mutation_score(self, path: Path) -> None:
        """Write the mutation score of this session; raise EvidenceError if the file cannot be written."""
        scores = [entry["mutation"] for entry in self.state.entries.values() if entry.get("mutation")]
        write_json(path, mutation_score.summary(scores, self._versions(), self.mutation_provenance))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Print the error if a file could not be written."""
        if self.write_error:
            is_error = exitstatus == pytest.ExitCode.INTERNAL_ERROR
            terminalreporter.write_line(self.write_error, red=is_error, yellow=not is_error)
