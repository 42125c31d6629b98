"""Sessions at the Python prompt have the same output on torch and on the engine, statement by statement.

The sessions are in sessions/*.txt, by subject, each below a line `## title`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import reference_impl
from tests.engine.last_bits import same_text
from tests.engine.transcript import sessions_of, transcript

SESSIONS = [
    pytest.param(session, id=f"{file.stem}: {title}")
    for file in sorted((Path(__file__).parent / "sessions").glob("*.txt"))
    for title, session in sessions_of(file)
]


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_prints_the_same_on_both_engines(session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # torch.testing, which other tests import, makes the flags of torch.backends read-only.
    monkeypatch.setitem(torch.backends.flags_frozen.__globals__, "__allow_nonbracketed_mutation_flag", True)
    expected, actual = transcript(torch, session), transcript(reference_impl, session)
    different = [
        f">>> {text}\n{engine_output}\n  instead of\n{torch_output}"
        for (text, torch_output), (_, engine_output) in zip(expected, actual, strict=True)
        if not same_text(engine_output, torch_output)
    ]
    assert not different, "\n".join(different)
