"""The content-security policy of a page. Where programs run has a narrower one of its own: docs/runtime/frame.html."""

from __future__ import annotations

import base64
import hashlib
import re

MARK = '<meta name="policy">'  # the theme writes it; the policy takes its place
_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)


def policy(page: str) -> str:
    """The `<meta>` element for a page with this text: our own files, and the inline scripts it has, by hash."""
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
