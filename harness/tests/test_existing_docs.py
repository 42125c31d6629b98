"""The guide for documentation that exists already: its files and commands run as printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_environments import HARNESS
from snippetcheck.pages import find_fences
from test_foreign_docs import Shell, commands, is_printed, write_files

PAGE = HARNESS.parent / "docs" / "existing-docs.md"
FENCES = find_fences(PAGE.read_text(encoding="utf-8"), PAGE)
RED = "python -m pytest src"  # the command before which the page changes a digit


def test_the_page_from_top_to_bottom(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    write_files(FENCES, tmp_path / "foreign")
    shell = Shell(tmp_path / "foreign", tmp_path_factory.getbasetemp())
    module = shell.folder / "src" / "areas.py"
    for command, lines in commands(FENCES):
        if command == RED:
            text = module.read_text()
            assert text.count("9") == 1
            module.write_text(text.replace("9", "7"))
        done = shell.run(command)
        assert done.returncode == (command == RED), done.stdout + done.stderr
        assert is_printed(lines, done.stdout), f"{command}\n{done.stdout}"
        assert not done.stderr or command.startswith("git "), done.stderr
    done = shell.run("python -m pytest")
    assert "3 passed" in done.stdout, done.stdout


def test_every_fence_of_the_page_is_classified() -> None:
    assert [fence.complaint() for fence in FENCES if fence.problem] == []
