"""What is added to the site after its pages are built."""

from __future__ import annotations

import shutil
from pathlib import Path

from gradnotes.fences.project import Project
from gradnotes.site import notebooks, publication, runtime, search_index
from gradnotes.site.policy import MARK, policy


def complete(site: Path, project: Project, address: str = "", with_policy: bool = True) -> None:
    """Complete the built `site` of a project, which will be at `address`; empty if that is nobody's business."""
    copy_snippets(project.snippets, site / "snippets")
    notebooks.write(project, site)
    search_index.write(site, project.cache, project.root / "docs")
    runtime.install(project.root / ".cache" / "runtime", site, project.root)
    publication.complete(site, project.root, address)
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if MARK in text:
            path.write_text(text.replace(MARK, policy(text) if with_policy else "", 1), encoding="utf-8")


def copy_snippets(snippets: Path, target: Path) -> None:
    """Put every snippet where its download link points."""
    for path in sorted(snippets.rglob("*.py")):
        copy = target / path.relative_to(snippets)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
