"""What learners type is answered in the first three results: a list of queries each that were written for it, and before the answers were seen."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from playwright.sync_api import BrowserContext

# Per list, how many queries it has at least, and the share of them that is answered in the first three.
LISTS = {
    "queries": (150, 0.95),
    "queries_held_out": (100, 0.92),
    "queries_fresh": (80, 0.94),
    "queries_typed": (57, 0.82),
    "queries_blind": (30, 0.8),
}


def answers(address: str, accepted: str) -> bool:
    page, _, section = accepted.partition("#")
    if section:
        return address == f"{page}.html#{section}"
    return address.split("#")[0] == f"{page}.html" or address.startswith(f"{page}/")


class _EachKeyOnce(yaml.SafeLoader):
    """A loader that refuses a mapping with the same key twice; YAML takes the last, and the first is lost without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        repeated = sorted({str(key) for key in keys if keys.count(key) > 1})
        assert not repeated, f"{node.start_mark}: twice: {', '.join(repeated)}"
        return super().construct_mapping(node, deep)


def test_no_table_has_a_key_twice(root: Path) -> None:
    tables = [root / "docs/synonyms.yml", root / "docs/glossary.yml", *Path(__file__).parent.glob("queries*.yml")]
    assert len(tables) == 2 + len(LISTS)
    for table in tables:
        with table.open(encoding="utf-8") as file:
            assert yaml.load(file, _EachKeyOnce)


@pytest.mark.parametrize("name", LISTS)
def test_queries_of_learners(context: BrowserContext, server: str, name: str) -> None:
    kinds: dict[str, dict[str, list[str]]] = yaml.safe_load(Path(__file__).with_name(f"{name}.yml").read_text("utf-8"))
    least, answered = LISTS[name]
    page = context.new_page()
    page.goto(server + "index.html")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill("leaf")
    page.wait_for_load_state("networkidle")
    queries = [query for kind in kinds.values() for query in kind]
    first_three = "async q => (await gradnotes.search.find(q)).slice(0, 3).map(s => s[0])"
    found = dict(zip(queries, page.evaluate(f"all => Promise.all(all.map({first_three}))", queries), strict=True))
    missed = [
        f"{query[:70]!r}: {found[query]}, expected one of {accepted}"
        for kind in kinds.values()
        for query, accepted in kind.items()
        if not any(answers(address, one) for address in found[query] for one in accepted)
    ]
    assert len(queries) >= least
    assert len(missed) <= (1 - answered) * len(queries), "\n".join(missed)


def test_a_chinese_heading_of_a_note_leads_to_its_mirror(context: BrowserContext, server: str) -> None:
    """Each, typed as it stands there: all sections of that name, three at most, come before any other."""
    page = context.new_page()
    wanted: dict[str, set[str]] = {}
    for mirror in ("pytorch-notes", "earlier-version", "autograd", "core-modules", "learning-pytorch"):
        page.goto(f"{server}notes/{mirror}.html")
        headings = page.evaluate(
            """() => [...document.querySelectorAll(".md-content :is(h1, h2, h3, h4, h5)[id]")].flatMap(
                h => h.querySelector("[lang^=zh]") ? [[h.querySelector("[lang^=zh]").textContent.trim(), h.tagName === "H1" ? "" : `#${h.id}`]] : [])"""
        )
        for name, anchor in headings:
            wanted.setdefault(name.rstrip("："), set()).add(f"notes/{mirror}.html{anchor}")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill("leaf")
    page.wait_for_load_state("networkidle")
    first_three = "async q => (await gradnotes.search.find(q)).slice(0, 3).map(s => s[0])"
    found = dict(zip(wanted, page.evaluate(f"all => Promise.all(all.map({first_three}))", list(wanted)), strict=True))
    assert len(wanted) >= 75
    assert max(map(len, wanted.values())) <= 3
    assert {name: found[name] for name, places in wanted.items() if set(found[name][: len(places)]) != places} == {}
