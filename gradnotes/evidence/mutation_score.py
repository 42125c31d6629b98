"""Sum up the mutation scores of snippets for docs/evidence/mutation.json."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gradnotes.evidence.provenance import timestamp


def summary(
    scores: Iterable[Mapping[str, Any]], versions: Mapping[str, str], provenance: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the content of docs/evidence/mutation.json.

    Args:
        scores: results of `snippetcheck.mutate.Score.to_json`, one per snippet and engine
        versions: versions of Python and the engines
        provenance: a result of `provenance.describe_sources`

    In the result, `by_part` counts the mutants by the first folder of the snippets' names.
    """
    scores = sorted(scores, key=lambda score: (score["snippet"], score["engine"]))
    total = sum(score["mutants"] for score in scores)
    survivors = sum(len(score["survivors"]) for score in scores)
    red = [f"{score['snippet']} on {score['engine']}" for score in scores if score["survivors"]]
    return {
        "provenance": {**provenance, "red": red},
        "date": timestamp(),
        "versions": dict(versions),
        "snippets": len({score["snippet"] for score in scores}),
        "runs": len(scores),
        "mutants": total,
        "killed": total - survivors,
        "by_engine": _counts(scores, "engine", lambda score: str(score["engine"])),
        "by_part": _counts(scores, "part", lambda score: score["snippet"].rpartition("/")[0].partition("/")[0] or "."),
        "survivors": [
            {"snippet": score["snippet"], "engine": score["engine"], **survivor}
            for score in scores
            for survivor in score["survivors"]
        ],
        "scores": {f"{score['snippet']} {score['engine']}": score["mutants"] for score in scores},
    }


def _counts(
    scores: Iterable[Mapping[str, Any]], name: str, group_of: Callable[[Mapping[str, Any]], str]
) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for score in scores:
        group = group_of(score)
        row = rows.setdefault(group, {name: group, "runs": 0, "mutants": 0, "survivors": 0})
        row["runs"] += 1
        row["mutants"] += score["mutants"]
        row["survivors"] += len(score["survivors"])
    return [rows[key] for key in sorted(rows)]
