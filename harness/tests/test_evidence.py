"""Evidence files and shards."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snippetcheck import evidence
from snippetcheck.evidence import Evidence, EvidenceError
from snippetcheck.shards import parse_shard, split


def made(
    shard: str | None = None, name: str = "a.py", sha256: str = "x", torch: str = "2.13.0", engine: str = "1"
) -> Evidence:
    one = Evidence(date="2026-01-31", complete=True, shard=shard, versions={"torch": torch})
    one.note(name, "torch", evidence.PASSED, sha256, 0.5, "2026-01-30", {"engine": engine})
    return one


def test_is_read_as_it_was_written(tmp_path: Path) -> None:
    one = made()
    one.write(tmp_path / "deep" / "evidence.json")
    assert evidence.read(tmp_path / "deep" / "evidence.json") == one
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["evidence.json"]


def test_a_changed_text_forgets_the_other_engines() -> None:
    one = made()
    one.note("a.py", "reference_impl", evidence.FAILED, "y", 0.1, "2026-01-31", {})
    assert one.snippets["a.py"]["engines"] == {"reference_impl": "failed"}


NOT_WHOLE = '{"date": "", "complete": true, "shard": null, "versions": {}, "snippets": %s}'


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", NOT_WHOLE % "3", NOT_WHOLE % '{"a.py": {}}', NOT_WHOLE % '["a"]']
)
def test_what_is_no_evidence(text: str, tmp_path: Path) -> None:
    (tmp_path / "e.json").write_text(text)
    with pytest.raises(EvidenceError, match=r"e\.json: not an evidence file"):
        evidence.read(tmp_path / "e.json")


def test_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EvidenceError, match="cannot be written"):
        made().write(tmp_path / "file" / "evidence.json")


def test_merge_of_all_shards() -> None:
    whole = evidence.merge({"1": made("1/2"), "2": made("2/2", "b.py")})
    assert whole.complete
    assert sorted(whole.snippets) == ["a.py", "b.py"]


@pytest.mark.parametrize(
    "parts",
    [["1/2"], ["1/2", "1/2"], ["1/2", "2/3"], ["1/3", "3/3"]],
    ids=lambda parts: " ".join(parts),
)
def test_merge_of_too_few_shards_is_not_complete(parts: list[str]) -> None:
    shards = {str(n): made(part, f"{n}.py") for n, part in enumerate(parts)}
    assert not evidence.merge(shards).complete


def test_shards_that_saw_other_things() -> None:
    with pytest.raises(EvidenceError, match="2: the text of a.py differs"):
        evidence.merge({"1": made("1/2"), "2": made("2/2", sha256="y")})
    with pytest.raises(EvidenceError, match="2: versions differ from the first file"):
        evidence.merge({"1": made("1/2"), "2": made("2/2", torch="2.14.0")})
    red = made("2/2")
    red.note("a.py", "torch", evidence.FAILED, "x", 0.5, "2026-01-30", {"engine": "1"})
    for first, second in ((made("1/2"), red), (red, made("1/2"))):
        with pytest.raises(
            EvidenceError, match="2: a.py on torch has two verdicts: (failed and passed|passed and failed)"
        ):
            evidence.merge({"1": first, "2": second})


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1.5/2"])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(ValueError, match="shard must be I/N"):
        parse_shard(text)


KEYS = st.lists(st.tuples(st.text("abc", min_size=1), st.sampled_from(["torch", "e"])), unique=True, max_size=60)


@given(KEYS, st.integers(1, 8), st.data())
def test_shards_are_the_whole_and_even(keys: list[tuple[str, str]], count: int, data: st.DataObject) -> None:
    known = data.draw(st.lists(st.sampled_from(keys), unique=True)) if keys else []
    seconds = {key: data.draw(st.floats(0.001, 5)) for key in known}
    parts = split(keys, seconds, count)
    assert len(parts) == count
    assert sorted(key for part in parts for key in part) == sorted(keys)
    assert parts == split(list(reversed(keys)), seconds, count)
    values = sorted(seconds.values())
    unknown = values[len(values) // 2] if values else 1.0
    totals = [sum(seconds.get(key, unknown) for key in part) for part in parts]
    longest = max([seconds.get(key, unknown) for key in keys], default=0)
    assert max(totals) - min(totals) <= longest + 1e-9
