"""Draw docs/assets/social.png, the preview picture of links to the site, 1200 x 630 px.

    python -m gradnotes.site.social_picture docs/assets/social.png

The picture has the first example of the home page with its output; draw it again when the example changes. This needs
Chromium and playwright, like the tests of the site.
"""

from __future__ import annotations

import html
import re
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "snippets" / "home" / "first.py"
SIZE: Any = {"width": 1200, "height": 630}
STYLE = """
body { margin: 0; width: 1200px; height: 630px; background: #fcfbf8; color: #1c2128; display: flex; font: 32px/1.35 "Noto Sans", "DejaVu Sans", sans-serif; }
.said { width: 486px; padding: 76px 0 0 64px; box-sizing: border-box; }
.said svg { width: 92px; } h1 { margin: 26px 0 14px; font-size: 66px; letter-spacing: -2px; line-height: 1; }
p { margin: 0; color: #545c68; } .engines { margin-top: 44px; font-size: 23px; line-height: 1.7; }
.engines b { padding: 4px 14px; border-radius: 8px; background: #eaf4ee; color: #1d6042; font-weight: 600; white-space: nowrap; }
pre { margin: 60px 56px 60px 30px; flex: 1; padding: 38px 36px; box-sizing: border-box; border: 2px solid #dedad1; border-radius: 18px; background: #fff; font: 24px/1.6 "DejaVu Sans Mono", monospace; }
.prints { display: block; margin: 2px -14px; padding: 0 14px; border-radius: 8px; background: #eaf4ee; color: #1d6042; }
.key { color: #7a2f8f; } .number { color: #8a3d0c; }
"""


def page() -> str:
    """Return the picture as the HTML of a page."""
    logo = (ROOT / "docs" / "assets" / "favicon.svg").read_text(encoding="utf-8")
    program = EXAMPLE.read_text(encoding="utf-8").split("import torch\n", 1)[1].strip()
    return f"""<!doctype html><meta charset="utf-8"><style>{STYLE}</style>
<div class="said">{logo}<h1>gradnotes</h1><p>PyTorch autograd, step by step, from examples that ran</p>
<p class="engines"><b>ran on PyTorch</b><br><b>ran on a NumPy engine</b></p></div>
<pre>{"".join(_line(line) for line in program.splitlines())}</pre>"""


def _line(line: str) -> str:
    if line.startswith("#>"):
        return f'<span class="prints">{html.escape(line.partition(" ")[2])}</span>'
    html_text = re.sub(r"\b(\d+(?:\.\d*)?)", r'<span class="number">\1</span>', html.escape(line, quote=False))
    return re.sub(r"\b(import|True|for|in|print)\b", r'<span class="key">\1</span>', html_text) + "\n"


def main(target: str) -> None:
    """Draw the picture and write it to `target`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        browser_page = browser.new_page(viewport=SIZE)
        browser_page.set_content(page())
        browser_page.screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
