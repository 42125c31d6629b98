"""The first three results of a query contain a page that answers it, for most queries of each list.

Lists named `held_out`, `fresh` or `blind` were complete before their results were seen. The comment at the top of each file says
what was changed in the search afterwards.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from playwright.sync_api import BrowserContext

from gradnotes import inputs

# For each list: the smallest number of queries, and the smallest share of them that the first three results must answer.
LISTS = {
    "queries": (150, 0.95),
    "queries_held_out": (100, 0.92),
    "queries_fresh": (80, 0.94),
    "queries_typed": (57, 0.82),
    "queries_blind": (30, 0.8),
    "queries_plain": (17, 0.88),
    "queries_zh": (60, 0.96),
    "queries_zh_blind": (20, 0.95),
    "queries_zh_fresh": (20, 0.95),
    "queries_zh_plain": (19, 0.85),
}
CHINESE = ("queries_zh", "queries_zh_blind", "queries_zh_fresh", "queries_zh_plain")  # searched in the Chinese edition


def is_accepted(address: str, accepted: str) -> bool:
    """Return whether a result, of either edition, leads to the accepted section (`page#section`), page (`page`) or folder of pages."""
    address = address.removeprefix("zh/")
    page, _, section = accepted.partition("#")
    if section:
        return address == f"{page}.html#{section}"
    return address.split("#")[0] == f"{page}.html" or address.startswith(f"{page}/")


def test_no_table_repeats_a_key(root: Path) -> None:
    tables = [root / "docs/synonyms.yml", root / "docs/glossary.yml", *Path(__file__).parent.glob("queries*.yml")]
    assert len(tables) == 2 + len(LISTS)
    for table in tables:
        assert inputs.parse_yaml(table.read_text(encoding="utf-8"), table.name)  # it refuses a repeated key


@pytest.mark.parametrize("name", LISTS)
def test_the_pages_that_queries_must_find_exist(root: Path, name: str) -> None:
    """Check the target of each query: a page, a section of a page, or a folder of pages. Of a section, only the page is checked."""
    kinds = yaml.safe_load(Path(__file__).with_name(f"{name}.yml").read_text("utf-8"))
    targets = {target for kind in kinds.values() for accepted in kind.values() for target in accepted}
    paths = {target: root / "docs" / target.partition("#")[0] for target in targets}
    missing_targets = {
        target
        for target, path in paths.items()
        if not (path.is_dir() or path.with_name(f"{path.name}.md").is_file() or path.with_suffix(".ipynb").is_file())
    }
    assert missing_targets == set()


@pytest.mark.parametrize("name", LISTS)
def test_most_queries_are_answered_by_the_first_three_results(context: BrowserContext, server: str, name: str) -> None:
    kinds: dict[str, dict[str, list[str]]] = yaml.safe_load(Path(__file__).with_name(f"{name}.yml").read_text("utf-8"))
    min_count, min_share = LISTS[name]
    page = context.new_page()
    page.goto(server + ("zh/index.html" if name in CHINESE else "index.html"))
    page.keyboard.press("/")
    page.get_by_role("textbox", name="搜索" if name in CHINESE else "Search").fill("leaf")
    page.wait_for_load_state("networkidle")
    queries = [query for kind in kinds.values() for query in kind]
    first_three = "async query => (await gradnotes.search.find(query)).slice(0, 3).map(([address]) => address)"
    results_by_query = dict(
        zip(queries, page.evaluate(f"queries => Promise.all(queries.map({first_three}))", queries), strict=True)
    )
    unanswered = [
        f"{query[:70]!r}: {results_by_query[query]}, expected one of {accepted}"
        for kind in kinds.values()
        for query, accepted in kind.items()
        if not any(is_accepted(address, target) for address in results_by_query[query] for target in accepted)
    ]
    assert len(queries) >= min_count
    assert len(unanswered) <= (1 - min_share) * len(queries), "\n".join(unanswered)


def test_a_chinese_heading_finds_its_sections_on_the_pages_of_notes(context: BrowserContext, server: str) -> None:
    """Search each Chinese heading.

    The first results must be all sections with this heading, of which there are at most three.
    """
    page = context.new_page()
    addresses_by_heading: dict[str, set[str]] = {}
    for note in ("pytorch-notes", "earlier-version", "autograd", "core-modules", "learning-pytorch"):
        page.goto(f"{server}notes/{note}.html")
        headings = page.evaluate(
            """() => [...document.querySelectorAll(".md-content :is(h1, h2, h3, h4, h5)[id]")].flatMap(
                (heading) => [...heading.querySelectorAll("[lang^=zh]")].slice(0, 1).map(
                    (name) => [name.textContent.trim(), heading.tagName === "H1" ? "" : `#${heading.id}`]))"""
        )
        for name, anchor in headings:
            addresses_by_heading.setdefault(name.rstrip("："), set()).add(f"notes/{note}.html{anchor}")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill("leaf")
    page.wait_for_load_state("networkidle")
    first_three = "async query => (await gradnotes.search.find(query)).slice(0, 3).map(([address]) => address)"
    results_by_query = dict(
        zip(
            addresses_by_heading,
            page.evaluate(f"queries => Promise.all(queries.map({first_three}))", list(addresses_by_heading)),
            strict=True,
        )
    )
    assert len(addresses_by_heading) >= 75
    assert max(map(len, addresses_by_heading.values())) <= 3
    assert {
        name: results_by_query[name]
        for name, addresses in addresses_by_heading.items()
        if set(results_by_query[name][: len(addresses)]) != addresses
    } == {}
