"""Write the content-security policy of a page. Programs run under a stricter policy, see docs/runtime/frame.html."""

from __future__ import annotations

import base64
import hashlib
import re

MARK = '<meta name="policy">'  # placeholder in the theme's templates, replaced by the policy
_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)


def policy(page: str) -> str:
    """Return the policy of a page, given as HTML, as a `<meta>` element.

    The policy allows files of this site, and the page's inline scripts by their hashes.
    """
    hashes = []
    for match in _SCRIPT.finditer(page):
        is_data = "application/json" in match["attributes"] or " src=" in match["attributes"]
        if match["text"].strip() and not is_data:
            digest = base64.b64encode(hashlib.sha256(match["text"].encode()).digest()).decode()
            hashes.append(f"'sha256-{digest}'")
    rules = [
        "default-src 'self'",
        " ".join(["script-src 'self'", *dict.fromkeys(hashes)]),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "worker-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'
