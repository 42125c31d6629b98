"""A Chinese reader sees no English sentence, neither on the pages of the path nor in figures nor in messages of Run.

Code, quotes of PyTorch's messages, English terms in parentheses after Chinese ones, and names remain English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest

from gradnotes.browser.check_exercise import judge
from gradnotes.browser.run import run_program
from gradnotes.fences.figure import as_html
from gradnotes.fences.glossary import read as read_glossary
from gradnotes.figures.types import KINDS
from gradnotes.translation import sources
from gradnotes.translation.messages import messages
from gradnotes.viewer.rules import _as_sentence, _formulas
from gradnotes.viewer.wording import format_rule
from gradnotes.words import speaking
from tests.site.node_rules import rules_of_all_nodes
from tests.site.test_figures import draw_figure

_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
# Elements with code or, in a blockquote, with a message of PyTorch
_CODE = frozenset("code pre samp kbd style template textarea blockquote".split())
_ATTRIBUTES = ("aria-label", "title", "alt", "placeholder", "data-word", "data-head", "data-label", "data-moves")
# Keys whose values in the JSON of a page are not displayed
_HIDDEN_KEYS = frozenset("source error right call file value symbol href check key name names saved".split())
_HAN = re.compile(r"[\u3400-\u9fff]")
_TWO_WORDS = re.compile(r"\b[A-Za-z][A-Za-z'’-]+,? [A-Za-z][A-Za-z'’-]+")
# An English word before a number in a figure, as in "unit 3", "answer: 5", "no. 7"
_MARKED_WORD = re.compile(r"\b(?!epoch|batch)[a-z]{2,}[.:]? -?\d")
_MAY_BE_ENGLISH = (
    re.compile(r"“[^”]*(?:”|$)"),  # a quotation
    re.compile(r"（[A-Za-z –-]+）"),  # the English term after the Chinese one
    re.compile(r"`[^`]*`|<code>.*?</code>|<[^>]*>"),
    re.compile(r"\([a-z, ]+\)"),  # a shape
    re.compile(r"(?:negative log-likelihood|stochastic gradient descent)(?=（| 的缩写)"),  # an abbreviation in full
    re.compile(r"can't optimize a non-leaf Tensor(?=（)"),  # a message in a question, whose code is plain text
    re.compile(r"element 0 of tensors does not require grad and does not have a grad_fn"),
)


class _VisibleTexts(HTMLParser):
    """Collects the texts of a page that a reader sees, or hears from a screen reader."""

    def __init__(self) -> None:
        super().__init__()
        self.open_tags: list[tuple[str, str | None]] = []
        self.texts: list[tuple[str, str]] = []  # (location, text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        for name in _ATTRIBUTES:
            if attributes.get(name):
                self.texts.append((f"{tag} {name}", attributes[name] or ""))
        if tag == "meta" and attributes.get("name") == "description":
            self.texts.append(("description", attributes["content"] or ""))
        if tag not in _VOID:
            kind = attributes.get("type") if tag == "script" else attributes.get("lang")
            is_output = re.match(r"x x-(?!note)", attributes.get("class") or "")
            self.open_tags.append(("samp" if is_output else tag, kind))

    def handle_endtag(self, tag: str) -> None:
        while self.open_tags and self.open_tags.pop()[0] not in (tag, "samp" if tag == "span" else tag):
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.open_tags]
        if "script" in tags:
            if self.open_tags[-1][1] == "application/json":
                self.texts += [("script", text) for text in _strings(json.loads(data))]
        elif data.strip() and not _CODE & set(tags) and ("dt", "en") not in self.open_tags:
            self.texts.append(("svg" if "svg" in tags else tags[-1] if tags else "", data.strip()))


def _strings(value: object) -> Iterator[str]:
    """Yield the strings in the JSON of a script, except the values of _HIDDEN_KEYS."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in _HIDDEN_KEYS:
                yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, str):
        yield value


def english_texts(markup: str) -> list[str]:
    """Return the visible texts of a page with two English words in a row, as `location: text`.

    Also return the texts of drawings without Chinese in which a word stands before a number, such as `unit 3`.
    """
    parser = _VisibleTexts()
    parser.feed(markup)
    findings = []
    for location, text in parser.texts:
        plain = text
        for pattern in _MAY_BE_ENGLISH:
            plain = pattern.sub("…", plain)
        is_marked = location == "svg" and not _HAN.search(text) and _MARKED_WORD.search(plain)
        if _TWO_WORDS.search(plain) or is_marked:
            findings.append(f"{location}: {text[:100]}")
    return findings


def test_english_texts_finds_sentences_but_not_code_and_quotes() -> None:
    for markup, count in {
        "<p>运行 this program 一次。</p>": 1,
        "<svg><text>after 25 losses</text><text>答案：3</text></svg>": 1,
        "<svg><text>unit 3</text><title>MulBackward0</title></svg>": 1,
        '<span data-word="on the page">1</span>': 1,
        '<script type="application/json">{"hint": "Look again", "source": "for x in y"}</script>': 1,
        "<p><strong>版本计数器</strong>（version counter）。<code>is not</code>，“does not require grad”。</p>": 0,
        '<span class="x x-prints">two words</span>': 0,
        '<dt>版本计数器</dt><dt lang="en">version counter</dt>': 0,
        "<blockquote><p>grad can be implicitly created</p></blockquote><textarea>import torch</textarea>": 0,
    }.items():
        assert len(english_texts(markup)) == count, markup


def test_no_page_of_the_path_has_an_english_sentence(site: Path, root: Path) -> None:
    names = sources.page_names(root)
    assert len(names) >= 20
    findings = {}
    for name in names:
        file = Path("zh", name).with_suffix(".html")
        if english := english_texts((site / file).read_text(encoding="utf-8")):
            findings[str(file)] = english
    assert findings == {}


def test_every_term_is_in_the_glossary_in_both_languages(site: Path, root: Path) -> None:
    html = (site / "zh/glossary.html").read_text(encoding="utf-8")
    entries = re.findall(r"<dt>([^<]*)</dt>(?:<dt lang=en>([^<]*)</dt>)?<dd>(.*?)</dd>", html.replace('"', ""))
    terms = sources.read_terms(root)
    assert {english or term: term for term, english, _ in entries} == {name: term.term for name, term in terms.items()}
    assert terms.keys() == read_glossary(root / "docs/glossary.yml").terms.keys()
    assert [term for term, _, definition in entries if not _HAN.search(definition)] == []
    order = [term for term, *_ in entries]
    assert order.index("worker") < order.index("版本计数器") < order.index("梯度") < order.index("准确率")  # pinyin


def test_each_error_card_is_in_chinese(site: Path) -> None:
    pattern = (
        r'<div class="error-card" id="([^"]+)".*?<code>(.*?)</code>.*?<dl>(.*?)</dl>\s*<p class="error-card-page">'
    )
    english, chinese = (
        re.findall(pattern, (site / name).read_text(encoding="utf-8"), re.DOTALL)
        for name in ("error-cards.html", "zh/error-cards.html")
    )
    assert len(chinese) >= 20 and [card[:2] for card in chinese] == [card[:2] for card in english]
    for name, _, content in chinese:
        texts = re.findall(r"<dd>(.*?)</dd>", content, re.DOTALL)
        assert len(texts) == 2 and all(map(_HAN.search, texts)), name


def test_the_summary_has_the_lists_of_all_pages_in_chinese(site: Path) -> None:
    english, chinese = (
        re.findall(r"<h3>|<li>", (site / name).read_text(encoding="utf-8").partition('class="brief"')[2])
        for name in ("path-summary.html", "zh/path-summary.html")
    )
    assert chinese.count("<h3>") == english.count("<h3>") >= 18
    assert chinese.count("<li>") >= 3 * chinese.count("<h3>")


def test_each_error_has_a_chinese_title_of_its_example(site: Path) -> None:
    english, chinese = (
        re.findall(r"<td[^>]*><code>(.*?)</code></td><td[^>]*><a [^>]*>(.*?)</a>", (site / name).read_text("utf-8"))
        for name in ("errors.html", "zh/errors.html")
    )
    assert [message for message, _ in chinese] == [message for message, _ in english] and len(chinese) > 200
    assert [title for _, title in chinese if not _HAN.search(title)] == []


def test_links_lead_to_chinese_pages_and_others_are_marked(site: Path, root: Path) -> None:
    findings = []
    for name in sources.page_names(root):
        address = f"zh/{name.removesuffix('.md')}.html"
        article = (site / address).read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
        for attributes in re.findall(r"<a ([^>]*)>", article):
            href = re.search(r'href="([^"#]+\.html)', attributes)
            if not href or ":" in href[1]:
                continue
            target = normpath(join(dirname(address), href[1]))
            if not target.startswith("zh/") and ('hreflang="en"' not in attributes or (site / "zh" / target).exists()):
                findings.append(f"{address}: {href[1]}")
    assert findings == []


def test_an_answer_in_chinese_words_is_not_formatted_as_code(site: Path, root: Path) -> None:
    pages = [(site / "zh" / name).with_suffix(".html").read_text(encoding="utf-8") for name in sources.page_names(root)]
    labels = re.findall(r'<label><input type="radio".*?</label>', "".join(pages), re.DOTALL)
    assert any(_HAN.search(label) for label in labels)
    assert [label for label in labels if re.search(r"<code>[^<]*[\u3400-\u9fff]", label)] == []


# -- figures of all kinds

PICTURE = "x = torch.arange(9.).reshape(1, 1, 3, 3)\nk = torch.tensor([[[[1., 2.], [3., 4.]]]])\nb = torch.ones(1)\n"
GRID = "t = torch.tensor([[1, 2, 3], [4, 5, 6]])\n"
PLACES = "i, s = torch.tensor([0, 0]), torch.tensor([1., 2.])\n"
LINE = "def f(a):\n    return a * a\n"
PLANE = "def g(a, b):\n    return a * a + 10 * b * b\np = [(2.0, 1.0), (1.0, 0.5)]\n"
SIGNED = "u = torch.tensor([[-4., 0.], [2., 1.]])\nv = {0: torch.zeros(2, 2, 2), 5: torch.stack([u, -u])}\n"
LEAVES = "a = torch.ones(2, 1, requires_grad=True)\nc = torch.ones(3)\n"
SAVED = "a = torch.ones(2, requires_grad=True)\nh = a + 2\ny = (h * h).sum()\n"
FIGURES: dict[str, list[tuple[str, dict[str, str]]]] = {
    "strides": [
        ("t = torch.arange(6.).reshape(2, 3)\nc = t[:, 1]\n", {"watch": "t, c"}),
        ("t = torch.arange(6.)\nc = t[1:3]\n", {"watch": "c"}),
        (GRID, {"watch": "t, t.t().contiguous()"}),
        ("t = torch.tensor(3.)\n", {"watch": "t"}),
    ],
    "broadcast": [
        (LEAVES, {"watch": "a * c"}),
        ("a = torch.ones(2, requires_grad=True)\nc = torch.ones(2)\n", {"watch": "a + c"}),
    ],
    "index": [
        (PLACES, {"watch": "torch.zeros(3).scatter_add(0, i, s)"}),
        (PLACES, {"watch": "s.gather(0, i[:1])"}),
        (GRID, {"watch": "torch.gather(t, 0, torch.tensor([[1, 0, 1]]))"}),
        (GRID, {"watch": "t.gather(1, torch.tensor([[2], [0]]))"}),
    ],
    "window": [
        (PICTURE, {"watch": "F.conv2d(x, k, stride=2, padding=1)"}),
        (PICTURE, {"watch": "F.conv2d(x, k, b)"}),
        (PICTURE, {"watch": "F.max_pool2d(x, 2, 1)"}),
        (PICTURE, {"watch": "F.avg_pool2d(x, 2, 1)"}),
        (PICTURE, {"watch": "F.conv2d(x, k)", "arrives": "torch.ones(1, 1, 2, 2)"}),
        (PICTURE, {"watch": "F.max_pool2d(x, 2, 1)", "arrives": "torch.tensor([[[[0., 1.], [2., 3.]]]])"}),
        (PICTURE, {"watch": "F.avg_pool2d(x, 2, 1)", "arrives": "torch.ones(1, 1, 2, 2)"}),
    ],
    "timeline": [
        (SAVED + "h[0] = 5.0\ny.backward()\n", {"watch": "h"}),
        (SAVED + "y.backward()\n", {"watch": "h"}),
    ],
    "curve": [
        (LINE + "n = 2.0\n", {"watch": "f", "at": "n"}),
        (LINE + "n = [2.0, 1.0]\n", {"watch": "f", "at": "n"}),
        (PLANE, {"watch": "g", "at": "p"}),
        ("n, m = [3.0, 2.0], [1.0, 4.0]\n", {"watch": "n, m"}),
    ],
    "graph": [
        (SAVED + "y.backward()\n", {}),
        ("x = torch.ones(2)\nw = torch.tensor(3., requires_grad=True)\nh = x * w\ny = h.sum()\ny.backward()\n", {}),
        ("loss = (torch.ones(2, requires_grad=True) * torch.ones(2)).sum()\nloss.backward()\n", {}),
    ],
    "image": [
        (SIGNED, {"watch": "u, u / 2", "signed": "all"}),
        (SIGNED, {"watch": "v", "signed": "all", "along": "步"}),
        ("u = torch.eye(2)\n", {"watch": "u", "numbers": "u", "rows": "标签", "columns": "回答"}),
    ],
    "amount": [
        ("n = {'a': {'b': 100, 'c': 1}}\n", {"watch": "n", "unit": "字节"}),
        ("n = {'a': 100}\n", {"watch": "n"}),
    ],
}


class _RecordingTable(dict[str, str]):
    """A table of translations that records the texts that were looked up."""

    def __init__(self, table: dict[str, str]) -> None:
        super().__init__(table)
        self.requested: set[str] = set()

    def get(self, text: str, default: Any = None) -> Any:
        self.requested.add(text)
        return super().get(text, default)


def _latin_words(markup: str, program: str) -> set[str]:
    """Return the words in Latin letters in figure markup that are neither code nor names in the program, nor names of nodes."""
    parser = _VisibleTexts()
    parser.feed(markup)
    plain = " ".join(re.sub(r"`[^`]*`", "", text) for _, text in parser.texts)
    words = re.findall(r"[A-Za-z]{2,}\w*", plain)
    return {word for word in words if not re.fullmatch(r"\w+Backward0|grad", word)} - set(re.findall(r"\w+", program))


def test_figures_of_all_kinds_are_in_chinese(root: Path) -> None:
    """Draw figures that use all texts of gradnotes/figures except those of plots. Only code and names may be in Latin letters."""
    assert set(FIGURES) == set(KINDS)
    words = _RecordingTable(sources.read_table(root, sources.INTERFACE))
    findings = {}
    with speaking(words):
        for kind, figures in FIGURES.items():
            for program, keys in figures:
                markup = as_html(draw_figure(program, kind=kind, **keys), "x", kind, "")
                if english := _latin_words(markup, program + " ".join(keys.values())):
                    findings[f"{kind}: {keys}"] = sorted(english)
    assert findings == {}
    texts = {text for text, file in messages(root).items() if re.match(r"gradnotes/figures/(?!plot_drawing)", file)}
    assert sorted(texts - words.requested) == []  # test_run_shows_no_english_sentence covers the texts of plots


_CALL = re.compile(r"\w+\([^()]*\)")
_FACTOR = re.compile(r"\b(?:alpha|scale) (?=\S+ · )")  # a factor of a product


def _viewer_texts(name: str, rule: str) -> set[str]:
    """Return the texts that the step viewer shows for the gradient rule of a node, with and without optional arguments."""
    symbols = set(re.findall(r"[A-Za-z_]\w*", rule))
    texts: set[str] = set()
    optional: list[set[str]] = [set(), {"weight", "bias", "pos_weight"}]
    optional += [{"min"}, {"max"}] if {"min", "max"} <= symbols else []
    for left_out in optional:
        for reduction in ("0", "1"):
            terms: dict[str, dict[str, Any]] = {s: {"name": None, "value": "1"} for s in symbols - left_out}
            terms["reduction"] = {"name": None, "value": reduction, "plain": True}
            explanation = format_rule(name, rule, terms, [2])
            texts.update(_formulas(explanation).values() or [_as_sentence(explanation)])
    return texts


def test_every_rule_of_the_engine_has_chinese(root: Path) -> None:
    """Check the rules of all node classes, also of classes that no page and no other test records."""
    rules = rules_of_all_nodes()
    assert len(rules) > 280
    table = sources.read_table(root, sources.INTERFACE)
    english = {}
    for name, rule in rules.items():
        for text in _viewer_texts(name, rule) - set(table):
            plain = _FACTOR.sub("", text)
            while _CALL.search(plain):
                plain = _CALL.sub("0", plain)
            if _TWO_WORDS.search(plain):
                english[name] = text
    assert english == {}, "add the Chinese of each rule to i18n/zh/interface.yml"


# -- messages of Run and Check

OPERATIONS = """import torch
import torch.nn.functional as F

x = torch.randn(4, 6, requires_grad=True)
w = torch.randn(6, requires_grad=True)
picture = torch.randn(1, 1, 6, 6, requires_grad=True)
kernel = torch.ones(1, 1, 2, 2, requires_grad=True)
labels = torch.tensor([0, 1, 2, 3])
torch.relu(x).sum().backward()
x.clamp(-1, 1).sum().backward()
x.max().backward()
x.max(dim=1).values.sum().backward()
torch.cat([x, x]).sum().backward()
torch.stack([w, w]).sum().backward()
x[0, 1:3].sum().backward()
x[labels].sum().backward()
(x @ w).sum().backward()
torch.where(x > 0, x, 2 * x).sum().backward()
x.mean(dim=1).sum().backward()
x.std().backward()
x.norm().backward()
x.gather(1, labels[:, None]).sum().backward()
F.cross_entropy(x, labels).backward()
F.mse_loss(x, torch.zeros(4, 6)).backward()
F.conv2d(picture, kernel).sum().backward()
F.max_pool2d(picture, 2).sum().backward()
F.pad(x, (1, 1)).sum().backward()
x.sort(1).values.sum().backward()
x.round().sum().backward()
F.gelu(x).sum().backward()
F.dropout(x, 0.5).sum().backward()
x.double().sum().backward()
y = x * 2
y[0] = 5.0
y.sum().backward()
for _ in range(14):
    (x * x).sum().backward()
"""
PLOTS = """import matplotlib.pyplot as plt
import torch

plt.plot([3, 1, 2])
plt.xlabel("x")
plt.show()
plt.scatter([1, 2], [3, 9])
plt.show()
plt.hist([1.0, 2.0, 2.0], bins=2)
plt.show()
plt.imshow(torch.rand(3, 2))
plt.show()
plt.plot([float("nan")])
plt.show()
plt.plot([-1e308, 1e308])
plt.show()
plt.pie([1, 2])
plt.show()
for _ in range(70):
    plt.plot([1, 2])
    plt.show()
"""
PAGE = '"""Page."""\n\nx = 1\nprint(x)\n#> 1\n'
PROGRAMS = {
    "operations": (OPERATIONS, ""),
    "the program of the page": ("x = 1\nprint(x)", PAGE),
    "an edit with another result": ("x = 2\nprint(x)", PAGE),
    "another expected output": ("x = 1\nprint(x)", PAGE.replace("#> 1", "#> 2")),
    "nothing in common": ("y = 3", PAGE),
    "a value": ("1 + 1", ""),
    "too much output": ("print('x' * 1_000_000)", ""),
    "not Python": ("x = = 1", ""),
    "an error": ("1 / 0", ""),
    "input": ("input()", ""),
    "a prompt of the interpreter": (">>> 1", ""),
    "a command of a notebook": ("%matplotlib inline", ""),
    "a module": ("import pandas", ""),
    "another module": ("import seaborn", ""),
    "a name that is absent": ("import torch\ntorch.inner(1, 1)", ""),
    "a method that is absent": ("import torch\ntorch.nn.Transformer", ""),
    "a misspelt name": ("import torch\ntorch.nn.Conv2D", ""),
    "a name without its module": ("import torch\ntorch.cross_entropy", ""),
    "plots": (PLOTS, ""),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_run_shows_no_english_sentence(root: Path, name: str) -> None:
    """Run a program with the Chinese table of words.

    Without the table, the texts must contain no Chinese, and the state and the number of outputs must be the same.
    """
    text, page = PROGRAMS[name]
    words = json.dumps(sources.read_table(root, sources.INTERFACE))
    result = json.loads(run_program(text, "run-x", page, words=words))
    error = result["error"] or {}
    sentences = [result["verdict"], *result["differences"], error.get("advice") or ""]
    markup = [*(output["html"] for output in result["shown"]), *result["figures"]]
    assert _HAN.search(result["verdict"])
    assert [finding for text in [*sentences, *markup] for finding in english_texts(text)] == []
    english = json.loads(run_program(text, "run-x", page))
    assert not _HAN.search(json.dumps(english, ensure_ascii=False))
    assert result["state"] == english["state"] and len(result["shown"]) == len(english["shown"])


@pytest.mark.parametrize(
    ("text", "check", "message"),
    [
        ("x = 1", "assert y == 2", "检查要用到 `y`，你的程序里没有定义它。"),
        ("x = = 1", "assert x == 2", "这不是有效的 Python：“invalid syntax”。"),
        ("x = 1", "x.y", "程序运行完了，但检查用不了它定义的内容：AttributeError: 'int' object has no attribute 'y'"),
    ],
)
def test_messages_of_check_are_in_chinese(root: Path, text: str, check: str, message: str) -> None:
    words = json.dumps(sources.read_table(root, sources.INTERFACE))
    exercise = json.dumps({"check": check, "errors": []})
    assert json.loads(judge(text, exercise, words))["message"] == message


_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.)*)`')
_COMMENT = re.compile(r'/\*.*?\*/|(?<![:"\\])//[^\n]*', re.DOTALL)
# Names of keyboard keys, and a text about the start of Python that is translated when it is displayed
_NOT_IN_SAY = {"Home End", "Ctrl Enter", "Esc Tab", "Loading Python"}


def test_sentences_in_scripts_are_arguments_of_say(root: Path) -> None:
    """Check that literals in docs/assets/*.js that begin like a sentence are arguments of `say`, which translates them."""
    findings = []
    for path in sorted((root / "docs/assets").glob("*.js")):
        source = _COMMENT.sub("", path.read_text(encoding="utf-8")) if path.name != "codemirror.js" else ""
        for match in _LITERAL.finditer(source):
            text = match[1] or match[2] or ""
            is_said = re.search(r"\bsay\((?:[^()\"]*[?:] )?$", source[: match.start()])
            if re.match(r"[# ]*[A-Z][a-z]+ [^<]*$", text) and not is_said and text not in _NOT_IN_SAY:
                findings.append(f"{path.name}: {text}")
    assert findings == []
