"""Each operation of torch's op_db that the engine has agrees with torch (`op_compare`). `--tier full` compares every sample."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.make_tables.op import failures_of, operations
from tests.engine.op_compare import full_name, judge
from tests.engine.op_samples import choose_in_tier

PRESENT, _ = operations()


@pytest.mark.parametrize("op", PRESENT, ids=full_name)
def test_an_operation_agrees_with_torch(op: Any, tier: str) -> None:
    verdict = judge(op, choose=choose_in_tier(tier))
    assert verdict.right, failures_of(
        {
            "op": verdict.name,
            "failures": verdict.failures,
            **{k: f"{verdict.passed[k]}/{n}" for k, n in verdict.total.items()},
        }
    )
