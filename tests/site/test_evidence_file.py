"""Evidence files are written completely or not at all, and other files are refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gradnotes.evidence import evidence_file
from gradnotes.evidence.evidence_file import Evidence, EvidenceError


def sample() -> Evidence:
    """Return evidence in which one snippet has passed on torch."""
    evidence = Evidence(date="2026-01-31", complete=True, versions={"torch": "2.13.0"})
    evidence.note("a.py", "torch", evidence_file.PASSED, "x", 0.5, "2026-01-30", {"engine": "1"})
    return evidence


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    evidence = sample()
    evidence.write(tmp_path / "deep" / "evidence.json")
    assert evidence_file.read(tmp_path / "deep" / "evidence.json") == evidence
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["evidence.json"]


def test_a_changed_snippet_discards_the_verdicts_of_other_engines() -> None:
    evidence = sample()
    evidence.note("a.py", "reference_impl", evidence_file.FAILED, "y", 0.1, "2026-01-31", {})
    assert evidence.snippets["a.py"]["engines"] == {"reference_impl": "failed"}


INVALID = '{"date": "", "complete": true, "versions": {}, "snippets": %s}'


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", INVALID % "3", INVALID % '{"a.py": {}}', INVALID % '["a"]'])
def test_files_without_evidence_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "e.json").write_text(text)
    with pytest.raises(EvidenceError, match=r"e\.json: not an evidence file.*\n    create it: .* --snippet-evidence "):
        evidence_file.read(tmp_path / "e.json")
    with pytest.raises(EvidenceError, match="none.json: cannot be read: No such file"):
        evidence_file.read(tmp_path / "none.json")


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EvidenceError, match="cannot be written"):
        sample().write(tmp_path / "file" / "evidence.json")


def test_a_full_disk_leaves_no_partial_file(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    completed = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, text=True
    )
    if completed.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted: {completed.stderr.strip()}")
    try:
        with pytest.raises(EvidenceError, match="cannot be written: No space left"):
            big = Evidence(snippets={str(i): {"sha256": "x" * 64} for i in range(20_000)})
            big.write(disk / "evidence.json")
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
