"""The rows of the list of operations on the site (`gradnotes.operations`) have a text and a family, and agree with torch."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from gradnotes import operations


@pytest.fixture(scope="module")
def descriptions() -> list[dict[str, Any]]:
    """Return the descriptions of all operations, by `gradnotes.operations.describe`."""
    return operations.describe()


def test_torch_returns_the_same_views_and_records_the_same_nodes(descriptions: list[dict[str, Any]]) -> None:
    """Run the call of each row on torch."""
    differences: dict[str, Any] = {}
    for row in descriptions:
        observed = operations.observe(torch, [row["call"]])
        if observed is None:
            differences[row["call"]] = (None, row["view"], row["nodes"])
            continue
        if (observed["view"], observed["nodes"]) != (row["view"], row["nodes"]):
            differences[row["call"]] = (observed, row["view"], row["nodes"])
    assert differences == {}


def test_each_operation_has_a_sentence_and_a_family(descriptions: list[dict[str, Any]]) -> None:
    assert len(descriptions) > 300
    for row in descriptions:
        assert len(row["text"]) > 8 and not row["text"].startswith(("In-place", f"`{row['name']}`")), row["name"]
        assert row["family"] in operations.FAMILIES, row["name"]
    assert {row["family"] for row in descriptions} == set(operations.FAMILIES)


def test_names_and_in_place_forms_exist_in_torch(descriptions: list[dict[str, Any]]) -> None:
    for row in descriptions:
        for name in (row["name"], *row["aliases"], *filter(None, [row["in_place"]])):
            prefix, _, function = name.rpartition(".")
            namespaces = {"F": [torch.nn.functional], "special": [torch.special], "linalg": [torch.linalg]}.get(
                prefix, [torch, torch.Tensor]
            )
            assert any(hasattr(namespace, function) for namespace in namespaces), name


def test_a_name_is_listed_once(descriptions: list[dict[str, Any]]) -> None:
    names = [name for row in descriptions for name in (row["name"], *row["aliases"])]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("x.reshape(16)", "reshape"),
        ("torch.where(mask, x, y)", "where"),
        ("F.pad(x, (1, 1))", "F.pad"),
        ("x.detach().resize_(2, 2)", "resize_"),
    ],
)
def test_called_name_returns_the_name_of_the_function(call: str, name: str) -> None:
    assert operations.called_name(call) == name
