"""Test a site that is published below a path, as on GitHub Pages, and the checks before a publication."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, expect
from test_fences import SNIPPET, add_theme, snippet_fence

from gradnotes.site import offline, publication, runtime
from tests.files import write_files
from tests.site.conftest import SiteHandler
from tests.site.running import serve

ADDRESS = "https://name.github.io/gradnotes/"
REPOSITORY = "https://github.com/name/gradnotes"


@pytest.fixture(scope="module")
def published_site(root: Path, mkdocs: Callable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a small project with our theme for the address ADDRESS."""
    project = tmp_path_factory.mktemp("project")
    files = {
        "docs/index.md": "---\ntitle: Home\nparts: [part]\n---\n\nText.\n",
        "docs/part/index.md": "---\ntitle: Part\npages: [sum]\n---\n\nText.\n",
        "docs/part/sum.md": '---\ntitle: Two & "two"\ndescription: What <two> and two give.\n---\n\n'
        + snippet_fence("part/sum.py"),
        "snippets/part/sum.py": SNIPPET,
        "docs/LICENSE": "ours\n",
        "THIRD_PARTY.md": "others'\n",
    }
    write_files(project, files)
    add_theme(project, root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADNOTES_SITE_URL", ADDRESS.rstrip("/"))
        patch.setenv("GRADNOTES_REPO_URL", REPOSITORY)
        completed = mkdocs(project, project / "site")
    assert completed.returncode == 0, completed.stderr
    return project / "site"


def meta_tags(page: Path) -> dict[str, str]:
    """Map the name or property of each `<meta>` tag of a page to its content. HTML escapes stay as in the file."""
    return dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)"', page.read_text(encoding="utf-8")))


def test_pages_have_metadata_for_link_previews(root: Path, published_site: Path) -> None:
    about = meta_tags(published_site / "part" / "sum.html")
    assert about["og:title"] == "Two &amp; &#34;two&#34;"
    assert about["og:description"] == "What &lt;two&gt; and two give."
    assert about["og:url"] == ADDRESS + "part/sum.html"
    assert about["twitter:card"] == "summary_large_image"
    picture = published_site / about["og:image"].removeprefix(ADDRESS)
    # The header of a PNG file contains width and height.
    width, height = (int.from_bytes(picture.read_bytes()[at : at + 4], "big") for at in (16, 20))
    assert (str(width), str(height)) == (about["og:image:width"], about["og:image:height"])
    # A page without a description uses the description of the site.
    assert meta_tags(published_site / "index.html")["og:description"]


def test_a_published_site_has_files_for_the_host_and_for_crawlers(published_site: Path) -> None:
    assert (published_site / ".nojekyll").is_file()
    assert f"Sitemap: {ADDRESS}sitemap.xml\n" in (published_site / "robots.txt").read_text()
    assert f"<loc>{ADDRESS}part/sum.html</loc>" in (published_site / "sitemap.xml").read_text()
    assert f"({ADDRESS}part/sum.html)" in (published_site / "llms.txt").read_text()


def test_notebooks_link_to_colab_if_the_repository_is_known(published_site: Path) -> None:
    link = "https://colab.research.google.com/github/name/gradnotes/blob/notebooks/notebooks/part/sum.ipynb"
    assert f'href="{link}"' in (published_site / "part" / "sum.html").read_text()
    assert (published_site / "notebooks" / "part" / "sum.ipynb").is_file()


class _BelowPath(SiteHandler):
    """Serves a folder below the path of ADDRESS, and its 404.html for missing files, as GitHub Pages does."""

    def translate_path(self, path: str) -> str:
        below = urlsplit(ADDRESS).path
        return super().translate_path(path.removeprefix(below)) if path.startswith(below) else os.devnull + "/missing"


@pytest.fixture
def host(published_site: Path) -> Iterator[str]:
    """Serve the published site as GitHub Pages does, and yield the address of the host without the path."""
    with serve(_BelowPath, published_site) as address:
        yield address.rstrip("/")


def test_the_page_for_missing_pages_has_its_styles_and_links_below_a_path(host: str, context: BrowserContext) -> None:
    page = context.new_page()
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status == 404 else None)
    page.goto(f"{host}/gradnotes/deep/er/missing.html")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    requested_url = f"{host}/gradnotes/deep/er/missing.html"
    page.keyboard.press("/")  # the search loads its script and index relative to the same path
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgba(0, 0, 0, 0)"
    page.get_by_role("link", name="all pages by subject").click()
    expect(page).to_have_url(f"{host}/gradnotes/index.html#parts")
    assert missing == [requested_url]


def test_a_local_build_contains_no_address(site: Path) -> None:
    """Search llms.txt and the heads of all pages of the site, which is built without GRADNOTES_SITE_URL, as by `make build`."""
    address_pattern = re.compile(r"https?://(127\.0\.0\.1|localhost)(:\d+)?/|og:image|rel=\"canonical\"")
    files = [*site.rglob("*.html"), site / "llms.txt"]
    assert [str(path.relative_to(site)) for path in files if _names_address(path, address_pattern)] == []
    assert not (site / "sitemap.xml").exists()
    assert not (site / "robots.txt").exists()
    assert (site / ".nojekyll").is_file()


def _names_address(path: Path, pattern: re.Pattern[str]) -> bool:
    """Return whether the head of a page, or a text before `</head>`, matches the pattern. Programs in the body may contain addresses."""
    text = path.read_text(encoding="utf-8").split("</head>")[0]
    return bool(pattern.search(text))


def test_every_page_of_the_site_describes_itself(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if path.name != "404.html" and path.parent != site / "runtime"]
    descriptions = [meta_tags(path).get("description", "") for path in pages]
    assert all(descriptions)
    assert len(set(descriptions)) == len(descriptions)


REFUSED = {
    "": "is not set",
    "http://127.0.0.1:8000/": "only this machine or this network",
    "http://192.168.1.20/gradnotes/": "only this machine or this network",
    "http://localhost:8000/": "only this machine or this network",
    "http://build-box/gradnotes/": "only this machine or this network",
    "name.github.io/gradnotes/": "not the address of a web site",
    "https://name.github.io/gradnotes/?x=1": "does not end with a path",
}


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_is_not_public_is_refused(address: str, project_to_publish: Path) -> None:
    (line,) = publication.host_blockers(project_to_publish, address)
    assert REFUSED[address] in line
    assert "set it to the address of the site" in line


@pytest.fixture
def project_to_publish(tmp_path: Path) -> Path:
    """Create a project that can be published once it has an address: it has the runtime, and no examples."""
    (tmp_path / "pyproject.toml").write_text("[tool.snippetcheck.engines.numpy]\n")
    (tmp_path / "snippets").mkdir()
    folder = tmp_path / ".cache" / "runtime"
    folder.mkdir(parents=True)
    for name in (*runtime.FILES, "numpy-2.whl"):
        (folder / name).touch()
    return tmp_path


def test_a_site_without_the_runtime_for_python_is_refused(project_to_publish: Path) -> None:
    assert publication.host_blockers(project_to_publish, ADDRESS) == []
    shutil.rmtree(project_to_publish / ".cache")
    (line,) = publication.host_blockers(project_to_publish, ADDRESS)
    assert line.endswith("run `make runtime`")


def run_publication(root: Path, *arguments: str, address: str = "") -> subprocess.CompletedProcess[str]:
    """Run `python -m gradnotes.site.publication` in `root`, with `address` as GRADNOTES_SITE_URL."""
    command = [sys.executable, "-m", "gradnotes.site.publication", *arguments]
    environment = {**os.environ, "GRADNOTES_SITE_URL": address}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)


def test_a_site_whose_examples_never_ran_is_refused(project_to_publish: Path) -> None:
    """Check only that the evidence is read; test_stale_evidence.py tests its states."""
    (project_to_publish / "snippets" / "sum.py").write_text(SNIPPET)
    completed = run_publication(project_to_publish, "examples")
    assert (completed.returncode, completed.stderr) == (
        1,
        "not published: snippets/sum.py: never ran on numpy: `make publish` runs it\n",
    )


def test_old_measurements_do_not_block_publication(project_to_publish: Path) -> None:
    table = project_to_publish / "docs" / "evidence" / "speed.json"
    table.parent.mkdir(parents=True)
    table.write_text("{}")
    assert run_publication(project_to_publish, "examples").returncode == 0


def test_the_command_refuses_a_local_address(root: Path) -> None:
    completed = run_publication(root, "host", address="http://localhost:8000/")
    assert completed.returncode == 1
    assert "GRADNOTES_SITE_URL is 'http://localhost:8000/'" in completed.stderr


def test_make_publish_runs_every_example_before_the_build(root: Path) -> None:
    dry = subprocess.run(["make", "-n", "publish"], cwd=root, capture_output=True, text=True, check=True).stdout
    steps = [
        "publication host",
        "pytest snippets",
        "publication examples",
        "rm -f .cache/site/recorded.pickle",
        "gradnotes.site.build",
    ]
    assert sorted(steps, key=dry.index) == steps
    assert "--snippet-cache" not in dry


def test_the_zip_has_no_files_that_only_a_host_needs(published_site: Path, tmp_path: Path) -> None:
    offline.write(published_site, tmp_path / "site.zip")
    names = {name.removeprefix("gradnotes/") for name in zipfile.ZipFile(tmp_path / "site.zip").namelist()}
    assert names & {".nojekyll", "robots.txt", "sitemap.xml", "sitemap.xml.gz", "404.html"} == set()
    assert {"index.html", "LICENSE.txt", "THIRD_PARTY.txt"} <= names
