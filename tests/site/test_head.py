"""Titles and descriptions in the front matter are escaped in the `<head>` and the sidebar of a page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

TITLE = 'A "tensor" & its <grad>'
DESCRIPTION = """Why "x.grad" isn't None & what `a < b > c` does, &lt; literally."""


class _Head(HTMLParser):
    """Collects the elements of `<head>`: the attributes of each `<meta>`, and the title."""

    def __init__(self) -> None:
        super().__init__()
        self.metas: list[dict[str, str | None]] = []
        self.title = ""
        self.is_in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta":
            self.metas.append(dict(attrs))
        self.is_in_title = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        self.is_in_title = False

    def handle_data(self, data: str) -> None:
        self.title += data if self.is_in_title else ""

    def content(self, name: str) -> list[str | None]:
        return [meta["content"] for meta in self.metas if name in (meta.get("name"), meta.get("property"))]


def _read(page: Path) -> _Head:
    head = _Head()
    head.feed(page.read_text(encoding="utf-8").partition("</head>")[0])
    return head


def test_title_and_description_are_escaped(root: Path, tmp_path: Path, mkdocs_here: Callable) -> None:
    shutil.copytree(root / "overrides", tmp_path / "overrides")
    for folder in ("docs", "snippets"):
        (tmp_path / folder).mkdir()
    quoted = DESCRIPTION.replace("'", "''")
    keys = {"index": "stretches: [['One & <two>', 2]]", "page": "path: 1", "other": ""}
    for name, title in (("index", "Home"), ("page", TITLE), ("other", TITLE.replace("A", "Another"))):
        text = f"---\ntitle: '{title}'\ndescription: '{quoted}'\n{keys[name]}\n---\n\n# Heading\n"
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.snippetcheck.engines.torch]\n")
    (tmp_path / "mkdocs.yml").write_text(
        'site_name: gradnotes\nsite_description: The "site" & more\nsite_url: https://example.org/\nuse_directory_urls: false\n'
        "theme:\n  name: material\n  custom_dir: overrides\n  favicon: favicon.svg\n  font: false\n  palette: {scheme: default}\n"
        "plugins: []\n"
    )
    completed = mkdocs_here(tmp_path, tmp_path / "site")
    assert completed.returncode == 0, completed.stderr

    head, missing_page = (_read(tmp_path / "site" / name) for name in ("page.html", "404.html"))
    assert missing_page.content("description") == ['The "site" & more']
    assert head.content("description") == head.content("og:description") == [DESCRIPTION]
    assert head.content("og:title") == [TITLE]
    assert head.title == f"{TITLE} - gradnotes"
    assert all(set(meta) <= {"name", "property", "content", "charset", "http-equiv", "media"} for meta in head.metas)
    for name in ("index.html", "page.html", "other.html"):
        text = (tmp_path / "site" / name).read_text(encoding="utf-8")
        sidebar = text.partition("md-sidebar--primary")[2].partition("md-sidebar--secondary")[0]
        assert "<grad>" not in text and "<two>" not in text
        assert sidebar.count("Another &#34;tensor&#34; &amp; its &lt;grad&gt;") == 1
    assert "One &amp; &lt;two&gt;" in (tmp_path / "site" / "page.html").read_text(encoding="utf-8")
