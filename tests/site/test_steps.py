"""Test the step viewer: recording, layout, texts, and use by mouse, by keyboard and without JavaScript."""

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

from gradnotes.recorder.program import run
from gradnotes.viewer.graph_svg import title
from gradnotes.viewer.layout import place
from gradnotes.viewer.pass_viewer import figure, figures, table
from gradnotes.viewer.rules import explain_step
from tests.site.node_rules import rules_of_all_nodes

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
    """Generate a graph without cycles: numbered nodes, edges to nodes of larger numbers, and the widths of the nodes."""
    nodes = list(range(draw(st.integers(1, 14))))
    pairs = [(a, b) for a in nodes for b in nodes if a < b]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=24)) if pairs else []
    widths = {node: draw(st.floats(10, 200)) for node in nodes}
    return nodes, edges, widths


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_nodes_never_overlap_and_edges_always_lead_down(graph: tuple) -> None:
    nodes, edges, widths = graph
    layout = place(nodes, edges, widths, 10)
    for a, b in itertools.combinations(nodes, 2):
        if layout.layer[a] == layout.layer[b]:
            assert abs(layout.x[a] - layout.x[b]) >= (widths[a] + widths[b]) / 2 + 10 - 1e-6
    for (source, target), route in zip(edges, layout.routes, strict=True):
        assert layout.layer[source] < layout.layer[target]
        assert [layer for _, layer in route] == list(range(layout.layer[source], layout.layer[target] + 1))
        assert route[0][0] == layout.x[source] and route[-1][0] == layout.x[target]
    assert all(widths[n] / 2 - 1e-6 <= layout.x[n] <= layout.width - widths[n] / 2 + 1e-6 for n in nodes)


@settings(max_examples=30, deadline=None)
@given(graphs())
def test_the_layout_of_a_graph_is_deterministic(graph: tuple) -> None:
    assert place(*graph, 10) == place(*graph, 10)


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        place(["a", "b"], [("a", "b"), ("b", "a")], {"a": 1, "b": 1}, 1)


def test_a_pass_is_recorded_in_its_order_with_gradients() -> None:
    outcome = run(PROGRAM)
    (trace,) = outcome.passes
    assert trace["line"] == 9
    names = {node["id"]: (node["leaf"] or {}).get("name") or node["result"] for node in trace["nodes"]}
    assert [names[step["node"]] for step in trace["steps"]] == ["total", "product", "a", "b"]
    assert trace["steps"][1]["received"] == ["tensor(1.)"]
    gradients = {names[step["node"]]: step["accumulated"] for step in trace["steps"] if step["accumulated"]}
    assert gradients == {"a": "tensor(4.)", "b": "tensor(2.)"}


def test_leaves_in_a_module_are_named_by_their_attributes() -> None:
    program = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)
        self.unfiled = torch.ones(2, requires_grad=True)

net = Net()
bias = net.layer.bias
net.layer(net.unfiled).sum().backward()
"""
    (trace,) = run(program).passes
    assert {node["leaf"]["name"] for node in trace["nodes"] if node["leaf"]} == {
        "net.layer.weight",
        "net.unfiled",
        "bias",
    }


def test_nodes_have_the_names_that_a_loop_assigns() -> None:
    program = """
import torch

for number in 2.0, 3.0:
    w = torch.tensor(number, requires_grad=True)
    loss = w * w
    loss.backward()
"""
    for trace in run(program).passes:
        assert [node["result"] or node["leaf"]["name"] for node in trace["nodes"]] == ["loss", "w"]


def test_the_table_has_a_row_for_each_step() -> None:
    (trace,) = run(PROGRAM).passes
    text = re.sub(r"<[^>]+>", " ", table(trace))
    assert "a.grad becomes tensor(4.)" in " ".join(text.split())
    assert table(trace).count("<tr>") == len(trace["steps"]) + 1


def test_text_of_a_program_is_escaped_in_the_figure() -> None:
    trace = json.loads(json.dumps(run(PROGRAM).passes[0]))
    trace["nodes"][0]["result"] = "</script><script>alert(1)</script>"
    html = figure(trace, "steps-x", "</figcaption><b>")
    assert "<script>alert" not in html and "</figcaption><b>" not in html


RULES = """
import torch

x = torch.tensor(2.0, requires_grad=True)
l3 = torch.tensor(8.0)
l4 = x * l3
(l4 * 0.25).backward()
y = (x.sigmoid() + 1).exp()
y.backward()
big = torch.ones(3, 4, requires_grad=True)
total = (big * torch.ones(3, 4) + x).sum()
total.backward()
"""


def rules_of(text: str, number: int = 0) -> dict[str, dict]:
    """Run a program. Map the title of each node in one of its passes to the explanation of its step."""
    trace = run(text).passes[number]
    names = {node["id"]: title(node) for node in trace["nodes"]}
    return {names[step["node"]]: explain_step(trace, step) for step in trace["steps"]}


def test_a_rule_uses_the_names_and_numbers_of_the_program() -> None:
    assert rules_of(RULES)["l4"]["sent"] == [["x", "l4.grad · l3", "0.25 × 8", "2"]]


def test_symbols_without_a_name_in_the_program_are_defined() -> None:
    rules = rules_of(RULES, 1)
    assert rules["y"]["sent"] == [["AddBackward0", "y.grad · y", "1 × 6.559", "6.559"]]
    (sent,) = rules["SigmoidBackward0"]["sent"]
    assert sent[:2] == ["x", "g · result · (1 - result)"]
    assert [symbol for symbol, _ in rules["SigmoidBackward0"]["where"]] == ["result", "g"]


def test_a_large_tensor_is_shown_by_its_shape() -> None:
    rules = rules_of(RULES, 2)
    assert rules["MulBackward0"]["sent"] == [["big", "g · other", "(3, 4) × (3, 4)", "(3, 4)"]]
    assert rules["AddBackward0"]["sent"][1] == ["x", "g", "(3, 4)", "12, summed to the shape of x"]


def test_formulas_and_numbers_agree() -> None:
    """Check that the products that the viewer shows in numbers equal the results beside them."""
    products = [sent for rule in rules_of(PROGRAM).values() for sent in rule["sent"] if " × " in sent[2]]
    assert len(products) == 2
    for _, _, numbers, result in products:
        a, b = map(float, numbers.split(" × "))
        assert a * b == float(result)


MEANS = """
import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
loss = x.mean()
loss.backward()
rows = x.mean(dim=1)
total = rows.sum()
total.backward()
wide = x.sum(0)
wide.prod().backward()
image = torch.ones(1, 1, 2, 2, requires_grad=True)
F.avg_pool2d(image, 2).sum().backward()
F.avg_pool2d(image, 2, padding=1).sum().backward()
"""


def test_sums_and_means_have_the_names_and_numbers_of_the_program() -> None:
    def sent_gradients(number: int, name: str) -> list[list[str]]:
        return rules_of(MEANS, number)[name]["sent"]

    same = "the same for every element"
    assert sent_gradients(0, "loss") == [["x", "loss.grad / 4", "1 / 4", f"[[0.25, 0.25], [0.25, 0.25]], {same}"]]
    assert sent_gradients(1, "total") == [["rows", "total.grad", "1", f"[1, 1], {same}"]]
    assert sent_gradients(1, "rows") == [
        ["x", "rows.grad / 2", "[1, 1] / 2", "[[0.5, 0.5], [0.5, 0.5]], the same along dim 1"]
    ]
    assert sent_gradients(2, "wide") == [["x", "wide.grad", "[6, 4]", "[[6, 4], [6, 4]], the same along dim 0"]]
    (pooled,) = sent_gradients(3, "AvgPool2DBackward0")
    assert pooled[:2] == ["image", "g / 4"] and pooled[3].endswith("for each element of a window")
    assert sent_gradients(4, "AvgPool2DBackward0") == []  # with padding, the rule is explained in words only


# Operations whose gradient rules use names that the engine's source defines outside the rule.
OPERATIONS = (
    "F.mse_loss(m(x), y) + F.mse_loss(m(x), y, reduction='sum')",
    "F.cross_entropy(s, torch.tensor([0, 2])) + F.cross_entropy(s, torch.tensor([0, 2]), torch.ones(3), reduction='sum')",
    "F.binary_cross_entropy_with_logits(x, y) + F.binary_cross_entropy_with_logits(x, y, pos_weight=torch.tensor(2.0))",
    "F.binary_cross_entropy(x.sigmoid(), y) + F.huber_loss(x, y) + F.smooth_l1_loss(x, y)",
    "(x**3 + x**2 + x**1 + x**0 + x**-0.5 + 2.0**x + x**x).sum()",
    "F.relu(x)[0, 0] + x.clamp(0, 1).sum() + x.clamp(min=0).sum() + s.mT.sum() + (s @ s[0]).sum() + (s @ s.T).sum()",
    "s.gather(1, torch.tensor([[0], [1]])).squeeze(1).sum() + s.norm() + s.norm(1) + s.var() + s.std() + s.logsumexp(0).sum()",
    "s.max(1)[0].sum() + s.sort()[0].sum() + s.topk(2)[0].sum() + s.cumsum(0).sum() + s[:, 1:].sum() + s.roll(1).sum()",
    "F.leaky_relu(s.tanh()).sum() + F.elu(s).sum() + F.selu(s).sum() + F.silu(s).sum() + F.softplus(s).sum() + s.erf().sum()",
    "F.layer_norm(s, (3,)).sum() + F.pad(s, (1, 1)).sum() + torch.lerp(s, s, 0.5).sum() + s.diagonal().sum()",
    "F.unfold(s[None, None], 2).sum() + s[None].bmm(s.T[None]).sum() + s.softmax(1).prod()",
)
# Names that these rules use. In an explanation, each of them needs a definition.
SYMBOLS = """self other g grad result out output mat1 mat2 weight bias p pos_weight target total_weight indices index number
    n mean min max alpha beta delta exponent vec dim ord s scale input_scale self_sym_sizes""".split()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_symbol_of_a_rule_is_defined(operation: str) -> None:
    """Check that each symbol is in the program or defined below the rule, and that each function exists in torch."""
    import torch

    text = (
        "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\nm = nn.Linear(2, 1)\nx = torch.ones(1, 2, requires_grad=True)\n"
        f"y = torch.ones(1, 2)\ns = torch.randn(2, 3, requires_grad=True)\nk = {operation}\nk.backward()\n"
    )
    (trace,) = run(text).passes
    for step in trace["steps"]:
        explanation = explain_step(trace, step)
        defined_symbols = {symbol for symbol, _ in explanation["where"]} | {"s"}
        for formula in [sent[1] for sent in explanation["sent"]] or [explanation["text"]]:
            for word in re.findall(r"(?<![\w.])[^\W\d_]\w*(?=[ᵀ²]|\W|$)", formula):
                assert word in defined_symbols or word not in SYMBOLS or f"{word} and invstd over" in formula, (
                    formula,
                    word,
                )
            for function_name in re.findall(r"(?<![\w.])(\w+)\(", formula):
                assert (
                    function_name in ("conv", "conv_transpose")
                    or hasattr(torch, function_name)
                    or hasattr(torch.Tensor, function_name)
                ), formula
            assert not re.search(r"_backward|_\w*\(.*=|(?<!\w)1(\.0)? (g|·)", formula), formula


def test_rules_of_a_layer_and_a_loss_are_shown_in_numbers() -> None:
    rules = rules_of(
        "import torch\n\nm = torch.nn.Linear(2, 1)\nx, y = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0]])\n"
        "with torch.no_grad():\n    m.weight.fill_(1)\n    m.bias.fill_(2)\n"
        "loss = torch.nn.functional.mse_loss(m(x), y)\nloss.backward()\n"
    )
    (loss,) = rules["loss"]["sent"]
    assert loss[1:] == ["loss.grad · 2 · (self - y) / n", "1 × 2 × ([[5]] - [[3]]) / 1", "[[4]]"]
    assert rules["AddmmBackward0"]["sent"][1][1:] == ["xᵀ · g", "[[1, 2]]ᵀ × [[4]]", "[[4], [8]]"]
    power = rules_of("import torch\n\nz = torch.tensor(-3.0, requires_grad=True)\nc = z**3\nc.backward()\n")
    assert power["c"]["sent"] == [["z", "c.grad · 3 · z^2", "1 × 3 × (-3)^2", "27"]]


def test_every_class_of_nodes_has_an_explanation() -> None:
    """Check the rule of each class of nodes that a program can record."""
    rules = rules_of_all_nodes()
    unclear = [
        name
        for name, rule in rules.items()
        if re.search("One recorded|the source", rule) or not re.search(r"∂|\bg\b|gradient|receive", rule)
    ]
    assert len(rules) > 280 and unclear == []


def test_a_node_has_the_line_that_recorded_it() -> None:
    text = "import torch\n\nw = torch.ones(2, requires_grad=True)\ny = w\nfor i in range(2):\n    y = y * 2\ny.sum().backward()\n"
    (trace,) = run(text).passes
    lines = {title(node): (node["line"], node["source"]) for node in trace["nodes"]}
    assert lines["w"] == (3, "w = torch.ones(2, requires_grad=True)")
    assert lines["y"] == lines["MulBackward0"] == (6, "y = y * 2")
    assert lines["SumBackward0"] == (7, "y.sum().backward()")


def test_a_leaf_has_its_line_even_at_the_address_of_a_deleted_leaf() -> None:
    program = "import torch\n" + "w = torch.ones(2, requires_grad=True)\nw = None\n" * 40
    program += "w = torch.ones(2, requires_grad=True)\nw.sum().backward()\n"
    (trace,) = run(program).passes
    assert [node["line"] for node in trace["nodes"] if node["leaf"]] == [82]


def test_a_root_waits_only_for_the_gradients_that_other_nodes_send() -> None:
    program = """import torch

x = torch.ones(2, requires_grad=True)
y = x.sum()
z = y * 2
torch.autograd.backward([z, y])
"""
    (trace,) = run(program).passes
    waiting = {node["name"]: trace["dependencies"][node["id"]] for node in trace["nodes"]}
    assert waiting == {"MulBackward0": 0, "SumBackward0": 1, "AccumulateGrad": 1}


def test_a_node_has_the_number_of_its_line_among_equal_lines() -> None:
    """Check `nth`. The page finds a line by its text and `nth`, because its line numbers may differ from the program's."""
    (trace,) = run(
        "import torch\n\ny = torch.ones(2, requires_grad=True)\ny = y * 2\ny = y * 2\ny.sum().backward()\n"
    ).passes
    assert sorted(node["nth"] for node in trace["nodes"] if node["name"] == "MulBackward0") == [1, 2]


def test_a_viewer_shows_the_first_twelve_passes_of_a_loop() -> None:
    text = "import torch\n\nw = torch.ones(1, requires_grad=True)\nfor i in range(14):\n    (w * i).sum().backward()\nw.sum().backward()\n"
    passes = run(text).passes
    # Later passes are not recorded, so that a long loop does not fill the memory.
    assert [number for number, trace in enumerate(passes) if "left_out" in trace] == [12, 13]
    loop, single = figures(passes, "run-x")
    assert loop.count("<figure") == 12 and loop.count('<div class="steps-pass"') == 12
    assert len(re.findall(r"<div class=.steps-pass.[^>]* hidden>", loop)) == 11
    assert "14 backward passes ran in <code>for i in range(14):</code>; the first 12" in loop
    # The label has the line that ran the pass, not the first line of the loop.
    assert loop.count('aria-label="Step through (w * i).sum().backward()"') == 12
    assert "steps-loop" not in single
    one_pass = figures(passes, "run-x", only=3)[0]
    ids = re.findall(r'\bid="([^"]+)"', one_pass)
    assert "run-x" in ids and len(ids) == len(set(ids))


@pytest.fixture
def viewer(context: BrowserContext, server: str) -> Page:
    """Open the home page, and wait until its step viewer has buttons."""
    page = context.new_page()
    page.goto(server + "index.html")
    expect(page.get_by_role("button", name="Step forward")).to_be_visible()
    return page


def test_buttons_step_to_the_end_and_back(viewer: Page) -> None:
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


def test_keys_step_only_while_the_viewer_has_the_focus(viewer: Page) -> None:
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


def test_each_step_is_announced_to_screen_readers(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    figure.get_by_role("button", name="Step forward").click()
    announcement = figure.get_by_role("status")
    expect(announcement).to_have_text(
        "Step 1 of 6. loss receives tensor(1.) and sends tensor(3.) to error, tensor(3.) to error. Next: error."
    )


def test_the_state_of_nodes_is_shown_in_words(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    figure.get_by_role("button", name="Step forward").click()
    badges = figure.locator(".g-badge").all_text_contents()
    assert {"runs", "ready", "waits 1"} <= set(badges)


def test_a_click_on_a_node_shows_its_saved_values(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    figure.locator("[data-node=n0]").click()
    about = figure.locator(".steps-about")
    expect(about).to_contain_text("error = tensor(3.) saved as _saved_other")
    expect(about).to_contain_text("error gets loss.grad · error = 1 × 3 = 3")
    expect(about).to_contain_text("Recorded by loss = error * error")
    viewer.keyboard.press("Enter")
    expect(about).to_be_hidden()


def test_the_space_bar_opens_a_focused_node(viewer: Page) -> None:
    figure = viewer.locator("figure.steps").first
    figure.locator("[data-node=n0]").focus()
    viewer.keyboard.press(" ")
    expect(figure.locator(".steps-about")).to_be_visible()
    expect(figure.get_by_role("button", name="Pause")).to_have_count(0)


def test_a_button_scrolls_to_the_line_that_recorded_the_node(context: BrowserContext, server: str) -> None:
    """Use a line inside a closed fold, which the button must open."""
    page = context.new_page()
    page.goto(server + "why-autograd/worked-example.html")
    figure = page.locator("figure.steps:visible").first
    figure.get_by_role("button", name="Step forward").click()
    line_range = "[...CSS.highlights.get('step-line')][0]"
    assert page.evaluate(f"Boolean({line_range}.startContainer.parentElement.closest('details:not([open])'))")
    figure.get_by_role("button", name="loss = both.mean()").click()
    top, bottom, height = page.evaluate(
        f"(() => {{ const box = {line_range}.getBoundingClientRect(); return [box.top, box.bottom, innerHeight]; }})()"
    )
    assert 60 < top and bottom < height
    assert page.evaluate(f"{line_range}.startContainer.parentElement.checkVisibility()")
    page.keyboard.press("ArrowRight")  # removes the focused button; the focus must stay in the viewer
    page.keyboard.press("ArrowRight")
    expect(figure.locator(".steps-count")).to_have_text("3 of 8")


def test_the_line_that_recorded_the_node_is_marked(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "why-autograd/worked-example.html")
    figure = page.locator("figure.steps:visible").first
    marked = "[...(CSS.highlights.get('step-line') ?? [])].map(range => range.toString())"
    for line in ("loss = both.mean()", "both = left * right"):
        figure.get_by_role("button", name="Step forward").click()
        assert page.evaluate(marked) == [line]
    figure.get_by_role("button", name="First step").click()
    assert page.evaluate(marked) == []


def test_a_link_to_a_step_on_the_same_page_scrolls_below_the_header(viewer: Page) -> None:
    viewer.evaluate("location.hash = '#steps-home-first.4'")
    figure = viewer.locator("figure.steps").first
    expect(figure.locator(".steps-count")).to_have_text("4 of 6")
    header = viewer.locator(".md-header").bounding_box()
    viewer.wait_for_timeout(300)
    assert figure.bounding_box()["y"] >= header["y"] + header["height"] - 1


def test_on_a_phone_the_saved_values_of_a_node_are_in_view(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(server + "index.html")
    expect(page.get_by_role("button", name="Step forward").first).to_be_visible()
    page.locator("figure.steps [data-node=n1]").first.click()
    box = page.locator(".steps-about").first.bounding_box()
    assert 0 <= box["y"] and box["y"] + box["height"] <= 801


def test_the_address_contains_the_step(viewer: Page) -> None:
    viewer.get_by_role("button", name="Last step").first.click()
    expect(viewer).to_have_url(re.compile(r"#steps-home-first\.6$"))
    viewer.reload()
    expect(viewer.locator(".steps-count").first).to_have_text("6 of 6")


def test_play_steps_to_the_end_and_stops(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(server + "index.html")
    page.get_by_role("button", name="Play").first.click()
    page.clock.run_for(15_000)
    expect(page.locator(".steps-count").first).to_have_text("6 of 6")
    expect(page.get_by_role("button", name="Play").first).to_be_visible()


def test_without_javascript_graph_and_table_are_shown(chromium: Browser, server: str, site: Path) -> None:
    pages_with_steps = [p for p in sorted(site.rglob("*.html")) if '<figure class="steps"' in p.read_text()]
    address = next(p.relative_to(site).as_posix() for p in pages_with_steps if p.name != "index.html")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server + address)
    figure = page.locator("figure.steps").first
    expect(figure.locator("svg.graph")).to_be_visible()
    expect(figure.locator("table tbody tr").first).to_be_visible()
    expect(figure.get_by_role("button", name="Step forward")).to_have_count(0)
    context.close()


def test_the_table_is_printed_open(context: BrowserContext, server: str, site: Path) -> None:
    pages_with_steps = [p for p in sorted(site.rglob("*.html")) if '<figure class="steps"' in p.read_text()]
    address = next(p.relative_to(site).as_posix() for p in pages_with_steps if p.name != "index.html")
    page = context.new_page()
    page.goto(server + address)
    page.emulate_media(media="print")
    expect(page.locator("figure.steps table tbody tr").first).to_be_visible()
    expect(page.locator(".steps-side").first).to_be_hidden()


def test_on_a_phone_graph_and_buttons_fit(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(server + "index.html")
    frame = page.locator(".steps-graph").first.bounding_box()
    drawing = page.locator("svg.graph").first.bounding_box()
    assert frame and drawing
    assert drawing["width"] <= frame["width"] + 1
    assert page.get_by_role("button", name="Last step").first.bounding_box()["x"] < 390
