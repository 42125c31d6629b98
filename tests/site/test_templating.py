"""Test the templates: escaping, undefined names and messages. Code for the browser must not import them."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from gradnotes import templating
from gradnotes.fences.registry import FENCE_RENDERERS
from gradnotes.fences.snippet import render_snippet
from gradnotes.site.runtime import engine_files
from gradnotes.translation.messages import messages
from gradnotes.words import speaking
from tests.files import write_files

NAMES = sorted(path.stem for path in templating.FOLDER.glob("*.html"))


def render_source(source: str, **values: object) -> str:
    """Render the source of a template with these values, in the environment of the templates of this site."""
    return templating._ENVIRONMENT.from_string(source).render(values)


def test_a_value_is_escaped_unless_it_is_markup() -> None:
    text = """<b title="it's">&</b>"""
    assert render_source("{{ text }}", text=text) == "&lt;b title=&quot;it&#x27;s&quot;&gt;&amp;&lt;/b&gt;"
    assert render_source("{{ text }}", text=Markup(text)) == text
    assert render_source("<i{{ {'id': text, 'lang': none}|attributes }}>", text='"\n') == '<i id="&quot;&#10;">'


def test_code_in_a_text_becomes_a_code_element() -> None:
    source = '{% from "macros.html" import inline %}{{ inline(text) }}'
    assert render_source(source, text="`a < b` & c") == "<code>a &lt; b</code> &amp; c"
    assert render_source(source, text=Markup("<i>`</i>")) == "<i>`</i>"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("only *one <b>* is", "only *one &lt;b&gt;* is"),
        ("(*one*), and *two words*.", "(<em>one</em>), and <em>two words</em>."),
        ("the **same** `*p*`", "the <strong>same</strong> <code>*p*</code>"),
        ("随 `w` 变化的是**另一个**因子", "随 <code>w</code> 变化的是<strong>另一个</strong>因子"),
        ("2*x*y, 2 * x * y, a**b**c, (*, k) and (*, k), *p and **p", None),
    ],
)
def test_words_between_asterisks_are_emphasized_but_operators_are_not(text: str, html: str | None) -> None:
    source = '{% from "macros.html" import inline %}{{ inline(text) }}'
    assert render_source(source, text=text) == (text if html is None else html)


def test_line_breaks_of_a_template_are_removed_but_not_those_of_values() -> None:
    assert (
        render_source("<p>\n  {% if text %}\n    {{ text }}\n  {% endif %}\n</p>\n", text="a\n  b") == "<p>a\n  b</p>"
    )


def test_a_name_that_was_not_passed_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'missing' is undefined"):
        render_source("{{ missing }}")
    with pytest.raises(UndefinedError, match="no attribute 'missing'"):
        render_source("{{ page.missing }}", page="a page")


def test_values_in_a_message_are_escaped_but_not_its_tags() -> None:
    source = '{{ say_html("<em>1</em> {what}", "<em>{count}</em> {what}", count=count, what=what) }}'
    assert render_source(source, count=1, what="<i>") == "<em>1</em> &lt;i&gt;"
    assert render_source(source, count=2, what=Markup("<i>")) == "<em>2</em> <i>"
    with speaking({"<em>{count}</em> {what}": "{what}：{count}"}):
        assert render_source(source, count=1, what="<i>") == "&lt;i&gt;：1"


def test_messages_of_templates_are_collected(tmp_path: Path) -> None:
    fence_template = (
        '{% do rows.append(say("one {count}", "more {count}",\n  count=2)) %}{{ say_html("<b>b</b>") }}{{ say(name) }}'
    )
    theme = """{{ words.say("of the \\"theme\\"") | replace("a", words.say('b')) }}"""
    write_files(tmp_path, {"gradnotes/templates/a.html": fence_template, "overrides/partials/b.html": theme})
    a, b = "gradnotes/templates/a.html", "overrides/partials/b.html"
    assert messages(tmp_path) == {"more {count}": a, "<b>b</b>": a, 'of the "theme"': b, "b": b}


def test_each_template_is_rendered_by_a_module(root: Path) -> None:
    sources = [path.read_text() for path in (root / "gradnotes").rglob("*.py")]
    used_names = {name for source in sources for name in re.findall(r'\brender\(\s*"(\w+)"', source)}
    assert used_names == set(NAMES) - {"macros"}
    assert render_snippet and len(used_names & FENCE_RENDERERS.keys()) >= 14  # a template has the name of its fence


def test_the_distribution_contains_the_templates(root: Path) -> None:
    settings = tomllib.loads((root / "pyproject.toml").read_text())
    patterns = settings["tool"]["setuptools"]["package-data"]["gradnotes"]
    files = {path for pattern in patterns for path in (root / "gradnotes").glob(pattern)}
    assert {templating.FOLDER / f"{name}.html" for name in NAMES} <= files


def test_code_for_the_browser_needs_no_templates(root: Path) -> None:
    """Check that no module for the browser imports jinja2, markupsafe or gradnotes.templating: the browser has no jinja2."""
    texts = {name: text for name, text in engine_files(root).items() if name.endswith(".py")}
    assert "gradnotes/viewer/output_markup.py" in texts
    for name, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            module_names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                module_names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            assert not {"jinja2", "markupsafe", "gradnotes.templating"} & set(module_names), name
