"""Every operation of torch's op_db that the engine has, on every sample: see `op_judge`."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tests.engine.op_judge import full_name, judge
from tests.engine.op_table import failures_of, operations

PRESENT, _ = operations()


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Any:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.parametrize("op", PRESENT, ids=full_name)
def test_op(op: Any) -> None:
    verdict = judge(op)
    assert verdict.right, failures_of(
        {
            "op": verdict.name,
            "failures": verdict.failures,
            **{k: f"{verdict.passed[k]}/{n}" for k, n in verdict.total.items()},
        }
    )
