"""Check the built files without a browser: no dead links, reproducible bytes, nothing from other hosts."""

from __future__ import annotations

import filecmp
import functools
import html
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import unquote, urldefrag

import pytest
import yaml


def pages(site: Path) -> list[Path]:
    """Return the HTML files of the site, without those of the runtime for Python."""
    paths = sorted(site.rglob("*.html"))
    return [page for page in paths if page.relative_to(site).parts[0] != "runtime"]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") not in ("canonical", "prev", "next", "alternate"):
            self.loads.append(values.get("href", ""))
        elif tag in ("script", "img", "iframe", "source", "object") and values.get("src", values.get("data")):
            self.loads.append(values.get("src") or values.get("data") or "")


@pytest.fixture(scope="module")
def page_links(site: Path) -> dict[Path, _Links]:
    """Map each page to its ids, its links, and the files that it loads."""
    links_by_page = {}
    for page in pages(site):
        links = _Links()
        links.feed(page.read_text(encoding="utf-8"))
        links_by_page[page] = links
    return links_by_page


@pytest.fixture(scope="module")
def targets(page_links: dict[Path, _Links]) -> list[tuple[Path, str, Path, str]]:
    """Return (page, href, file, fragment) of each link within the site, and of each file that a page loads."""
    return list(_targets(page_links))


def _targets(page_links: dict[Path, _Links]) -> Iterator[tuple[Path, str, Path, str]]:
    resolve = functools.cache(lambda folder, path: (folder / unquote(path)).resolve())  # pages of a folder link alike
    for page, links in page_links.items():
        if page.name == "404.html":
            continue  # its links are absolute, since it is served at any address
        for href in links.links + links.loads:
            if re.match(r"[a-z]+:", href):
                continue
            path, fragment = urldefrag(href)
            target = resolve(page.parent, path) if path else page
            yield page, href, target, unquote(fragment)


def test_the_strict_build_succeeds(site_build: tuple[Path, CompletedProcess[str]]) -> None:
    completed = site_build[1]
    assert completed.returncode == 0, completed.stderr


def test_two_builds_have_the_same_bytes(root: Path, mkdocs: Callable, site: Path, tmp_path: Path, tier: str) -> None:
    if tier != "full":
        pytest.skip(
            "takes 15 CPU seconds, so nightly only: test_exact_output.py compares the build of a small project byte by byte"
        )
    rebuilt = tmp_path / "rebuilt"
    assert mkdocs(root, rebuilt).returncode == 0
    names = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(rebuilt) for path in rebuilt.rglob("*") if path.is_file())
    _, different, unread = filecmp.cmpfiles(site, rebuilt, list(map(str, names)), shallow=False)
    assert (different, unread) == ([], [])


def test_every_link_has_a_target(site: Path, targets: list[tuple[Path, str, Path, str]]) -> None:
    missing = {target for target in {target for _, _, target, _ in targets} if not target.is_file()}
    assert [f"{page.relative_to(site)}: {href}" for page, href, target, _ in targets if target in missing] == []


def test_every_anchor_exists(
    site: Path, page_links: dict[Path, _Links], targets: list[tuple[Path, str, Path, str]]
) -> None:
    ids = {page: {"__toc", *links.ids} for page, links in page_links.items()}
    dead = []
    for page, href, target, fragment in targets:
        if fragment and target in ids and fragment not in ids[target]:
            dead.append(f"{page.relative_to(site)}: {href}")
    assert dead == []


def test_ids_on_a_page_are_unique(site: Path, page_links: dict[Path, _Links]) -> None:
    repeated_ids = {
        str(page.relative_to(site)): sorted({i for i in links.ids if links.ids.count(i) > 1})
        for page, links in page_links.items()
    }
    assert {page: ids for page, ids in repeated_ids.items() if ids} == {}


def test_the_fields_of_every_message_are_filled_in(root: Path, site: Path) -> None:
    """Check that no page has the text of a message with a field such as `{number}` in it. Code may quote messages."""
    messages = yaml.safe_load((root / "i18n/zh/interface.yml").read_text(encoding="utf-8"))
    templates = [text for pair in messages.items() for text in pair if re.search(r"\{\w+\}.*\w\w|\w\w.*\{\w+\}", text)]
    assert len(templates) > 300
    fields = re.compile("|".join({field for text in templates for field in re.findall(r"\{\w+\}", text)}))
    for page in pages(site):
        text = html.unescape(re.sub(r"<code\b.*?</code>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL))
        text = re.sub(r'\bsay\(\s*"[^"]*"', "", text)  # in a name of a fault
        if fields.search(text):
            assert [message for message in templates if message in text] == [], page


def test_no_page_loads_from_another_host(site: Path, page_links: dict[Path, _Links]) -> None:
    loads = {load for links in page_links.values() for load in links.loads}
    assert [load for load in loads if re.match(r"([a-z]+:)?//", load)] == []
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style


def test_scripts_and_styles_have_no_comments(site: Path) -> None:
    for path in (*site.glob("assets/*.js"), *site.glob("assets/*.css")):
        assert not re.search(r"^\s*(//|/\*(?!!))", path.read_text(encoding="utf-8"), re.MULTILINE), path


def test_every_page_has_a_content_security_policy_without_eval(site: Path) -> None:
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        assert policy, page
        # This excludes 'wasm-unsafe-eval', too: programs run in a separate frame with another policy.
        assert "unsafe-eval" not in policy[1]
        assert "worker-src 'none'" in policy[1]
        assert "unsafe-inline" not in policy[1].split("style-src")[0]


def test_every_snippet_can_be_downloaded(root: Path, site: Path) -> None:
    for snippet in (root / "snippets").rglob("*.py"):
        copy = site / "snippets" / snippet.relative_to(root / "snippets")
        assert copy.read_bytes() == snippet.read_bytes()
