"""The step viewer: its layout, what it says at each step, by mouse, by keys and without JavaScript."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, BrowserContext, Page, expect

from gradnotes.steps.layout import place
from gradnotes.steps.program import run
from gradnotes.steps.view import figure, table

PROGRAM = '''"""A product and a sum."""

import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
product = a * b
total = product + a
total.backward()
'''


@st.composite
def graphs(draw: Callable) -> tuple[list[int], list[tuple[int, int]], dict[int, float]]:
    nodes = list(range(draw(st.integers(1, 14))))
    pairs = [(a, b) for a in nodes for b in nodes if a < b]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=24)) if pairs else []
    widths = {node: draw(st.floats(10, 200)) for node in nodes}
    return nodes, edges, widths


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_nodes_never_overlap_and_edges_always_lead_down(graph: tuple) -> None:
    nodes, edges, widths = graph
    placed = place(nodes, edges, widths, 10)
    for a, b in itertools.combinations(nodes, 2):
        if placed.layer[a] == placed.layer[b]:
            assert abs(placed.x[a] - placed.x[b]) >= (widths[a] + widths[b]) / 2 + 10 - 1e-6
    for (source, target), route in zip(edges, placed.routes, strict=True):
        assert placed.layer[source] < placed.layer[target]
        assert [layer for _, layer in route] == list(range(placed.layer[source], placed.layer[target] + 1))
        assert route[0][0] == placed.x[source] and route[-1][0] == placed.x[target]
    assert all(widths[n] / 2 - 1e-6 <= placed.x[n] <= placed.width - widths[n] / 2 + 1e-6 for n in nodes)


@settings(max_examples=30, deadline=None)
@given(graphs())
def test_the_same_graph_is_always_drawn_the_same(graph: tuple) -> None:
    assert place(*graph, 10) == place(*graph, 10)


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        place(["a", "b"], [("a", "b"), ("b", "a")], {"a": 1, "b": 1}, 1)


def test_the_record_is_what_the_program_did() -> None:
    outcome = run(PROGRAM)
    (trace,) = outcome.passes
    assert trace["line"] == 9
    names = {node["id"]: (node["leaf"] or {}).get("name") or node["result"] for node in trace["nodes"]}
    assert [names[step["node"]] for step in trace["steps"]] == ["total", "product", "a", "b"]
    assert trace["steps"][1]["received"] == ["tensor(1.)"]
    gradients = {names[step["node"]]: step["accumulated"] for step in trace["steps"] if step["accumulated"]}
    assert gradients == {"a": "tensor(4.)", "b": "tensor(2.)"}


def test_table_holds_every_step() -> None:
    (trace,) = run(PROGRAM).passes
    text = re.sub(r"<[^>]+>", " ", table(trace))
    assert "a.grad becomes tensor(4.)" in " ".join(text.split())
    assert table(trace).count("<tr>") == len(trace["steps"]) + 1


def test_text_of_a_program_cannot_break_out_of_the_figure() -> None:
    trace = json.loads(json.dumps(run(PROGRAM).passes[0]))
    trace["nodes"][0]["result"] = "</script><script>alert(1)</script>"
    html = figure(trace, "steps-x", "</figcaption><b>")
    assert "<script>alert" not in html and "</figcaption><b>" not in html


@pytest.fixture
def viewer(context: BrowserContext, server: str) -> Page:
    page = context.new_page()
    page.goto(server + "index.html")
    expect(page.get_by_role("button", name="Step forward")).to_be_visible()
    return page


def test_by_mouse_to_the_end_and_back(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    count = figure.locator(".steps-count")
    expect(count).to_have_text("0 of 6")
    for _ in range(6):
        figure.get_by_role("button", name="Step forward").click()
    expect(count).to_have_text("6 of 6")
    expect(figure.locator(".steps-panel")).to_contain_text("w.grad becomes tensor(24.)")
    expect(figure.locator(".steps-panel")).to_contain_text("empty: the pass is over")
    figure.get_by_role("button", name="First step").click()
    expect(count).to_have_text("0 of 6")
    expect(figure.locator("[data-state=ready]")).to_have_count(1)


def test_by_keys_only_while_it_has_the_focus(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    viewer.keyboard.press("ArrowRight")
    expect(figure.locator(".steps-count")).to_have_text("0 of 6")
    figure.get_by_role("button", name="Step forward").focus()
    viewer.keyboard.press("ArrowRight")
    viewer.keyboard.press("ArrowRight")
    expect(figure.locator(".steps-count")).to_have_text("2 of 6")
    viewer.keyboard.press("End")
    expect(figure.locator(".steps-count")).to_have_text("6 of 6")
    viewer.keyboard.press("Home")
    expect(figure.locator(".steps-count")).to_have_text("0 of 6")


def test_each_step_is_spoken(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    figure.get_by_role("button", name="Step forward").click()
    spoken = figure.get_by_role("status")
    expect(spoken).to_have_text(
        "Step 1 of 6. loss receives tensor(1.) and sends tensor(3.) to error, tensor(3.) to error. Next: error."
    )


def test_state_is_told_in_words_too(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    figure.get_by_role("button", name="Step forward").click()
    badges = figure.locator(".g-badge").all_text_contents()
    assert {"runs", "ready", "waits 1"} <= set(badges)


def test_a_node_tells_what_it_holds(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    figure.locator("[data-node=n0]").click()
    about = figure.locator(".steps-about")
    expect(about).to_contain_text("other = tensor(3.)")
    expect(about).to_contain_text("out = self · other")
    viewer.keyboard.press("Enter")
    expect(about).to_be_hidden()


def test_step_stands_in_the_address(viewer: Page) -> None:
    viewer.get_by_role("button", name="Last step").first.click()
    assert viewer.url.endswith("#steps-home-first.6")
    viewer.reload()
    expect(viewer.locator(".steps-count").first).to_have_text("6 of 6")


def test_play_runs_to_the_end_and_stops(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(server + "index.html")
    page.get_by_role("button", name="Play").first.click()
    page.clock.run_for(15_000)
    expect(page.locator(".steps-count").first).to_have_text("6 of 6")
    expect(page.get_by_role("button", name="Play").first).to_be_visible()


def test_without_javascript_there_is_the_graph_and_the_table(chromium: Browser, server: str, site: Path) -> None:
    with_steps = [p for p in sorted(site.rglob("*.html")) if '<figure class="steps"' in p.read_text()]
    address = next(p.relative_to(site).as_posix() for p in with_steps if p.name != "index.html")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server + address)
    figure = page.locator("figure.steps").first
    expect(figure.locator("svg.graph")).to_be_visible()
    expect(figure.locator("table tbody tr").first).to_be_visible()
    expect(figure.get_by_role("button", name="Step forward")).to_have_count(0)
    context.close()


def test_on_paper_the_table_is_open(context: BrowserContext, server: str, site: Path) -> None:
    with_steps = [p for p in sorted(site.rglob("*.html")) if '<figure class="steps"' in p.read_text()]
    address = next(p.relative_to(site).as_posix() for p in with_steps if p.name != "index.html")
    page = context.new_page()
    page.goto(server + address)
    page.emulate_media(media="print")
    expect(page.locator("figure.steps table tbody tr").first).to_be_visible()
    expect(page.locator(".steps-side").first).to_be_hidden()


def test_on_a_phone_nothing_is_cut_off(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(server + "index.html")
    frame = page.locator(".steps-graph").first.bounding_box()
    drawn = page.locator("svg.graph").first.bounding_box()
    assert frame and drawn
    assert drawn["width"] <= frame["width"] + 1
    assert page.get_by_role("button", name="Last step").first.bounding_box()["x"] < 390
