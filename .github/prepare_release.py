"""Add the address of the repository to the metadata and READMEs of a checkout, before it is uploaded to PyPI.

    python .github/prepare_release.py https://github.com/OWNER/gradnotes v0.1.0

This adds `[project.urls]` to both pyproject.toml files, and makes the links of both READMEs lead to files at the tag. The
repository does not contain its address, because a fork has another one. If the tag is not the version in pyproject.toml,
the script ends with an error and changes nothing.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import urljoin

DISTRIBUTIONS = {"gradnotes": "", "snippetcheck": "harness/"}  # name -> folder
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


def main(repository: str, tag: str) -> None:
    """Add the addresses to the checkout in the working directory.

    Raises:
        SystemExit: the tag does not match the version in pyproject.toml.
    """
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
    """Return Markdown whose relative links lead to the files of `folder` in the repository at `tag`.

    A link to a picture leads to the raw file.
    """

    def absolute(match: re.Match[str]) -> str:
        is_picture, words, target = match.groups()
        base = f"{repository}/{'raw' if is_picture else 'blob'}/{tag}/{folder}"
        return f"{is_picture}[{words}]({urljoin(base, target)})"

    return LINK.sub(absolute, text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python .github/prepare_release.py REPOSITORY TAG")
    main(*sys.argv[1:])
