"""Write into a checkout what a package index needs and a repository does not: addresses.

    python .github/prepare_release.py https://github.com/OWNER/gradnotes v0.1.0

Adds `[project.urls]` to both pyproject.toml files and makes the links of both READMEs absolute at that tag. The repository
itself names no address, because a fork has another one. Ends with an error if the tag is not the version in pyproject.toml.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import urljoin

DISTRIBUTIONS = {"gradnotes": "", "snippetcheck": "harness/"}  # name: its folder
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


def main(repository: str, tag: str) -> None:
    version = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if tag != f"v{version}":
        raise SystemExit(f"pyproject.toml: version is {version}, got tag {tag}\n    set the version, or tag v{version}")
    for folder in DISTRIBUTIONS.values():
        project = Path(folder, "pyproject.toml")
        project.write_text(add_urls(project.read_text(encoding="utf-8"), repository.rstrip("/")), encoding="utf-8")
        readme = Path(folder, "README.md")
        text = make_links_absolute(readme.read_text(encoding="utf-8"), repository.rstrip("/"), tag, folder)
        readme.write_text(text, encoding="utf-8")


def add_urls(project: str, repository: str) -> str:
    """Return the text of a pyproject.toml with the addresses of the repository."""
    urls = f'[project.urls]\nSource = "{repository}"\nIssues = "{repository}/issues"\n'
    urls += f'Changelog = "{repository}/blob/main/CHANGELOG.md"\n\n'
    return project.replace("[project.optional-dependencies]", f"{urls}[project.optional-dependencies]", 1)


def make_links_absolute(text: str, repository: str, tag: str, folder: str = "") -> str:
    """Return Markdown in which links to files of the repository lead to them at `tag`; pictures lead to their bytes."""

    def absolute(match: re.Match[str]) -> str:
        is_picture, words, target = match.groups()
        base = f"{repository}/{'raw' if is_picture else 'blob'}/{tag}/{folder}"
        return f"{is_picture}[{words}]({urljoin(base, target)})"

    return LINK.sub(absolute, text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python .github/prepare_release.py REPOSITORY TAG")
    main(*sys.argv[1:])
