"""The Markdown extension renders snippets in the pages of another project."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from sample_projects import Project

markdown = pytest.importorskip("markdown", reason="the extra `markdown` is not installed")

from html.parser import HTMLParser  # noqa: E402

from snippetcheck.markdown import RenderError  # noqa: E402
from snippetcheck.snippet import SnippetError  # noqa: E402

BODY = """
# region: sum
total = 1 + 2
print(f"<b>{total}</b>")
#> <b>3</b>
# endregion

import warnings

warnings.warn("soon")
#~ UserWarning: soon
1 / 0
#! ZeroDivisionError: division by zero
"""
FENCE = "``` snippet\nfile: sums.py\n```"


@pytest.fixture
def sums(project: Project) -> Project:
    """Return a project with the snippet sums.py."""
    project.snippet("sums.py", BODY, "# timeout: 7\n")
    return project


def render(project: Project, text: str, *extensions: str) -> str:
    extension_settings = {"snippetcheck.markdown": {"root": str(project.root)}}
    return markdown.markdown(
        text, extensions=["snippetcheck.markdown", *extensions], extension_configs=extension_settings
    )


def text_of(html: str) -> str:
    """Return the text content of HTML."""
    parser, parts = HTMLParser(), []
    parser.handle_data = parts.append  # type: ignore[method-assign]
    parser.feed(html)
    return "".join(parts)


def test_a_fence_is_rendered_with_title_program_and_outputs(sums: Project) -> None:
    html = render(sums, f"Before.\n{FENCE}\nAfter.")
    assert re.sub(r"\s*\n\s*", "\n", text_of(html)).split("\n") == [
        "Before.",
        "An example.total = 1 + 2",
        'print(f"<b>{total}</b>")',
        "#> <b>3</b>",
        "import warnings",
        'warnings.warn("soon")',
        "#~ UserWarning: soon",
        "1 / 0",
        "#! ZeroDivisionError: division by zero",
        "After.",
    ]
    assert '<span class="snippet-prints">#&gt; &lt;b&gt;3&lt;/b&gt;</span>' in html
    assert re.findall(r'class="snippet-(\w+)"', html) == ["title", "prints", "warns", "raises"]
    assert "<p>Before.</p>" in html and "<p>After.</p>" in html and "button" not in html


def test_a_fence_with_a_region_shows_only_that_region(sums: Project) -> None:
    html = text_of(render(sums, "``` snippet\nfile: sums.py\nregion: sum\n```"))
    assert "#> <b>3</b>" in html and "warnings" not in html and "region" not in html


@pytest.mark.parametrize(
    ("text", "expected_html"),
    [
        ("- {}\n- two", r"<li>\s*<div class=\"snippet\">.*</div>\s*</li>\s*<li>\s*(<p>)?two"),
        (
            "- one\n\n    {}\n\n- two",
            r"<li>\s*<p>one</p>\s*<div class=\"snippet\">.*</div>\s*</li>\s*<li>\s*<p>two</p>",
        ),
        ("> {}\n>\n> said", r"<blockquote>\s*<div class=\"snippet\">.*</div>\s*<p>said</p>\s*</blockquote>"),
        (
            "!!! note\n    {}\n\nend",
            r"<div class=\"admonition note\">.*<div class=\"snippet\">.*</div>\s*</div>\s*<p>end</p>",
        ),
        (
            '=== "tab"\n\n    {}\n\nend',
            r"<div class=\"tabbed-content\">.*<div class=\"snippet\">.*</div>\s*</div>\s*</div>\s*<p>end</p>",
        ),
    ],
)
def test_a_snippet_stays_in_its_container(text: str, expected_html: str, sums: Project) -> None:
    pytest.importorskip("pymdownx")
    before = text[: text.index("{}")].rpartition("\n")[2]
    page = text.format(FENCE.replace("\n", "\n" + before.replace("-", " ")))
    html = render(sums, page, "admonition", "pymdownx.superfences", "pymdownx.tabbed")
    assert re.search(expected_html, html, re.DOTALL), html


@pytest.mark.parametrize("extension", ["fenced_code", "pymdownx.superfences"])
def test_other_fences_are_left_to_other_extensions(extension: str, sums: Project) -> None:
    pytest.importorskip("pymdownx")
    page = f'{FENCE}\n\n``` {{.text illustrative="why"}}\na < b\n```\n\n````text\n{FENCE}\n````\n'
    html = render(sums, page, extension, "attr_list")
    assert html.count('class="snippet"') == 1 and "a &lt; b" in html and "file: sums.py" in text_of(html)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "\n``` snippet\nfile: sum.py\n```",
            "line 2 of the text: no snippet 'sum.py'\n    write it, or correct the name",
        ),
        (f"``` snippet\nfile: {'x' * 300}\n```", "xxx'\n    write it, or correct the name"),
        ("``` snippet\nfile: sums.py\nregion: x\n```", "line 1 of the text: no region 'x' in sums.py"),
        ("``` snippet\nfiel: sums.py\n```", "line 2 of the text: unknown key 'fiel' in a snippet fence"),
    ],
)
def test_a_fence_that_cannot_be_rendered_is_an_error(text: str, message: str, sums: Project) -> None:
    with pytest.raises(RenderError, match=re.escape(message)):
        render(sums, text)
    sums.snippet("bad.py", "print(1) #> 1")
    with pytest.raises(SnippetError, match=r"bad\.py:3: #> stands after code"):
        render(sums, "``` snippet\nfile: bad.py\n```")


def test_a_fence_type_that_shows_a_file_is_rendered(sums: Project) -> None:
    (sums.root / "own_kinds.py").write_text(
        "from snippetcheck.fence_types import FenceType, register\nregister(FenceType('program', ('file',), shows_file=True))\n"
    )
    settings = sums.root / "pyproject.toml"
    settings.write_text(
        settings.read_text().replace("[tool.snippetcheck]\n", '[tool.snippetcheck]\nfences = ["own_kinds"]\n')
    )
    page = "``` program\nfile: sums.py\n```"
    command = f"import markdown; print(markdown.markdown({page!r}, extensions=['snippetcheck.markdown']))"
    assert "An example." in sums.run([sys.executable, "-c", command]).stdout


def test_mkdocs_renders_snippets(sums: Project) -> None:
    pytest.importorskip("mkdocs")
    sums.page("index.md", f"---\ntitle: Sums\n---\n\n{FENCE}\n")
    (sums.root / "theme").mkdir()
    (sums.root / "theme" / "main.html").write_text("{{ page.content }}")
    (sums.root / "mkdocs.yml").write_text(
        "site_name: x\ntheme: {name: null, custom_dir: theme}\nmarkdown_extensions: [snippetcheck.markdown]\n"
    )
    completed: subprocess.CompletedProcess[str] = sums.run([sys.executable, "-m", "mkdocs", "build", "--strict"])
    assert completed.returncode == 0, completed.stderr
    assert "#> <b>3</b>" in text_of((sums.root / "site" / "index.html").read_text())
