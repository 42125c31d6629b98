"""A program that runs in the page reaches nothing: no network, no storage, no cookie, and of the page only what it may show.

The attempts are made twice: from Run, where each fails, and from a worker of a page without any guard, where each succeeds.
"""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from gradnotes.steps.page import run_program
from tests.site.running import START, await_end, need_runtime
from tests.site.typed import paste

# Requests, by the name under which a server sees them; `at` is its address with that name.
REQUESTS = {
    "fetch": 'fetch(at, { mode: "no-cors" })',
    "fetch-with-cookies": 'fetch(at, { mode: "no-cors", credentials: "include", keepalive: true })',
    "xml-http-request": 'call(new XMLHttpRequest(), (one) => { one.open("GET", at); one.send(); })',
    "event-source": "call(new EventSource(at))",
    "web-socket": 'call(new WebSocket(at.replace("http", "ws")))',
    "font": 'new FontFace("a", `url(${at})`).load()',
    "import-scripts": "importScripts(at)",
    "import": "import(at)",
}
STORAGE = {
    "indexed-db": 'call(indexedDB.open("a"))',
    "cache": 'caches.open("a")',
    "files": "navigator.storage.getDirectory()",
    "lock": 'navigator.locks.request("a", () => 1)',
    "own-worker": "call(new Worker(`${own}own-worker`))",
    "channel": 'new Promise((done) => { const all = new BroadcastChannel("a"); all.onmessage = done; all.postMessage("worker"); })',
}
ATTEMPTS = """
const call = (one, act = () => {}) => new Promise((done, fail) => {
  one.onload = one.onopen = one.onsuccess = one.onmessage = done;
  one.onerror = () => fail(one.error ?? new Error("refused"));
  act(one);
});
const late = () => new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), 1500));
const attempt = async ([name, act]) => {
  try {
    await Promise.race([act(), late()]);
    return [name, "reached"];
  } catch (error) {
    return [name, `${error.name}: ${error.message}`];
  }
};
Promise.all(Object.entries(attempts).map(attempt)).then((said) => postMessage(JSON.stringify(Object.fromEntries(said))));
"""


def attempts(own: str, other: str) -> str:
    """A program in JavaScript that tries all at once and then posts what came of each, as JSON."""
    acts = [f"{json.dumps(name)}: async () => {act}" for name, act in STORAGE.items()]
    for server in (own, other):
        for name, act in REQUESTS.items():
            at = json.dumps(server + name)
            acts.append(f"{at}: async () => {{ const at = {at}; return {act}; }}")
    return f"const own = {json.dumps(own)};\nconst attempts = {{{', '.join(acts)}}};\n{ATTEMPTS}"


class Listening(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and keeps the names that were asked for."""

    asked: set[str]

    def do_GET(self) -> None:
        self.asked.add(self.path.strip("/"))
        if self.path == "/own-worker":
            self.answer(b"postMessage(1)", "text/javascript")
        elif self.path == "/blank":
            self.answer(b"<!doctype html><title>No guard</title>", "text/html")
        else:
            super().do_GET()

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def listening(folder: Path) -> Iterator[tuple[str, set[str]]]:
    """The address of a server, and what was asked of it."""
    handler = type("Handler", (Listening,), {"asked": set()})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/", handler.asked
        server.shutdown()


@pytest.fixture(scope="module")
def own(site: Path) -> Iterator[tuple[str, set[str]]]:
    need_runtime(site)
    with listening(site) as server:
        yield server


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, set[str]]]:
    with listening(tmp_path_factory.mktemp("other")) as server:
        yield server


@pytest.fixture(scope="module")
def page(chromium: Browser, own: tuple[str, set[str]]) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(START)
    opened = context.new_page()
    opened.goto(own[0] + "index.html")
    opened.evaluate("""() => {
        document.cookie = "secret=of-the-page";
        window.heard = [];
        new BroadcastChannel("a").onmessage = ({ data }) => window.heard.push(data);
    }""")
    yield opened
    context.close()


@pytest.fixture(scope="module")
def panel(page: Page) -> Locator:
    page.get_by_role("button", name="Run: How much").click()
    panel = page.locator(".run-panel")
    expect(panel.locator(".run-status")).to_contain_text("Same as on the page", timeout=START)
    return panel


def run(panel: Locator, program: str) -> list[str]:
    """The lines that the program prints."""
    paste(panel.get_by_role("textbox"), program)
    panel.get_by_role("button", name="Run", exact=True).click()
    await_end(panel)
    shown = panel.locator(".run-output .x-prints")
    return [line.removeprefix("#> ") for text in shown.all_inner_texts() for line in text.splitlines()]


def test_without_a_guard_each_attempt_succeeds(chromium: Browser, other: tuple[str, set[str]], tmp_path: Path) -> None:
    with listening(tmp_path) as (own, asked):
        context = chromium.new_context()
        open_page = context.new_page()
        open_page.goto(own + "blank")
        open_page.evaluate(
            '() => { new BroadcastChannel("a").onmessage = ({ target }) => target.postMessage("page"); }'
        )
        start = """(code) => new Promise((done) => {
            new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => done(JSON.parse(data));
        })"""
        said = open_page.evaluate(start, attempts(own, other[0]))
        context.close()
        assert {name: said[name] for name in STORAGE} == dict.fromkeys(STORAGE, "reached")
        assert set(REQUESTS) <= asked
        assert set(REQUESTS) <= other[1]
    other[1].clear()


def test_from_run_each_attempt_fails(
    page: Page, panel: Locator, own: tuple[str, set[str]], other: tuple[str, set[str]]
) -> None:
    """From a worker that the program starts: whatever ours would take away from its globals, this one has anew."""
    program = f"""
import js
from pyodide.ffi import create_proxy, to_js

worker = js.Worker.new(js.URL.createObjectURL(js.Blob.new(to_js([{attempts(own[0], other[0])!r}]))))
worker.onmessage = create_proxy(lambda event: setattr(js, "said", event.data))
"""
    run(panel, program)
    for _ in range(5):
        page.wait_for_timeout(2000)
        lines = run(panel, "import js\nprint(js.said)\n")
        if lines:
            break
    said = json.loads(lines[0])
    assert len(said) == len(STORAGE) + 2 * len(REQUESTS)
    assert {name: what for name, what in said.items() if what == "reached"} == {}
    assert not own[1] & {*REQUESTS, "own-worker"}
    assert other[1] == set()
    assert page.evaluate("heard") == []


def test_python_reaches_no_more(
    page: Page, panel: Locator, own: tuple[str, set[str]], other: tuple[str, set[str]]
) -> None:
    program = f"""
import js
import pyodide_js
from pyodide.code import run_js

def request(address):
    one = js.XMLHttpRequest.new()
    one.open("GET", address, False)
    one.send()
    return one.status

attempts = [
    lambda: request("{other[0]}python"),
    lambda: request("{own[0]}python"),
    lambda: js.indexedDB.open("a"),
    lambda: js.document.cookie,
    lambda: js.cookieStore.getAll(),
    lambda: js.localStorage,
    lambda: js.parent,
    lambda: run_js("import('{other[0]}python')"),
    lambda: js.Function("return 1"),
]
for attempt in attempts:
    try:
        print("reached", attempt())
    except Exception as error:
        print(type(error).__name__, str(error).split("\\n")[0])
print(js.origin)
js.setTimeout("import('{other[0]}python')", 0)
pyodide_js.loadPackage("{other[0]}python-1-py3-none-any.whl")
pyodide_js._api.loadScript("{other[0]}python")
"""
    said = run(panel, program)
    page.wait_for_timeout(300)
    refused = [line.split()[0] for line in said[: said.index("null")]]
    assert refused == ["JsException"] * 3 + ["AttributeError"] * 4 + ["JsException"] * 2
    assert "python" not in own[1]
    assert other[1] == set()


def test_what_a_program_sends_in_our_name_is_only_shown(page: Page, panel: Locator) -> None:
    markup = """<p id="__drawer" class="md-overlay x-prints" style="position: fixed" onclick="alert(1)">words</p>
        <a href="https://example.org">link</a><img src="/runtime/asked"><form action="/"><input></form><style>* { color: red }</style>
        <iframe srcdoc="words"></iframe><meta http-equiv="refresh" content="0; url=/glossary.html"><link rel="preload" href="/a">
        <svg><a href="/"><text>link</text></a><use href="#a"/><image href="/a"/><script>alert(1)</script></svg><button data-run>Run</button>
        <script type="application/json">{"nodes": [{"href": "https://example.org"}]}</script>"""
    error = {"text": "<b>Error</b>", "line": 1, "calls": [["<b>1</b>", "<b>f</b>"]]}
    shown = {"line": 1, "html": markup}
    forged = {"shown": [shown], "figures": [], "verdict": "<b>Fine</b>", "differences": ["<b>none</b>"], "error": error}
    expected = '<p class="x-prints">words</p> <svg></svg> <script type="application/json">{"nodes":[{}]}</script>'
    for message in ({"progress": shown}, {"result": forged}):
        send = f"import js\njs.postMessage(js.JSON.parse({json.dumps(json.dumps(message))}))\n1 / 0\n"
        run(panel, send)
        page.wait_for_timeout(300)
        found = panel.locator(".run-output").first.evaluate("(element) => element.innerHTML")
        assert " ".join(found.split()) == (expected if "result" in message else " ".join(found.split()))
        assert (
            panel.locator(".run-output").first.locator("a, b, form, iframe, meta, link, style, [onclick]").count() == 0
        )
    assert panel.locator(".run-error").inner_text() == "Raised in line NaN, in <b>f</b>"
    assert panel.locator(".run-error b").count() == 0
    assert panel.locator(".run-status").text_content() == "<b>Fine</b>"
    assert panel.locator(".run-result li").text_content() == "<b>none</b>"


def test_of_our_own_markup_nothing_is_lost(page: Page, panel: Locator) -> None:
    program = """
import torch
import warnings

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * x).sum().backward()
print("<b>", x.grad)
warnings.warn("so")
torch.ones(2) @ torch.ones(3)
"""
    said = json.loads(
        run_program(
            program, "run-x", f'"""One."""\n{program}'.replace('warn("so")', 'warn("so")\n#~ UserWarning: and so')
        )
    )
    ours = "".join([one["html"] for one in said["shown"]] + said["figures"])
    assert all(f"x-{kind}" in ours for kind in ("prints", "warns", "raises", "page"))
    assert "<svg" in ours
    same = """(markup) => {
        const kept = document.createElement("body");
        kept.append(...gradnotes.harmless(markup, "run-x-"));
        const sorted = (root) => [...root.querySelectorAll("*")].map((e) => [e.localName, e.namespaceURI,
            [...e.attributes].map((a) => `${a.name}=${a.value}`).sort(), e.localName === "script" ? JSON.parse(e.textContent) : e.textContent]);
        return [sorted(kept), sorted(new DOMParser().parseFromString(markup, "text/html").body)];
    }"""
    kept, given = page.evaluate(same, ours)
    assert kept == given


def test_the_frame_runs_nothing_outside_of_a_sandbox(
    page: Page, own: tuple[str, set[str]], other: tuple[str, set[str]]
) -> None:
    """Another site could show it otherwise, and have a program of its own run with our origin."""
    stranger = page.context.new_page()
    stranger.goto(other[0] + "blank")
    ask = """([address, sandboxed]) => new Promise((done) => {
        const frame = document.createElement("iframe");
        if (sandboxed) frame.setAttribute("sandbox", "allow-scripts");
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => done(data);
        setTimeout(() => done("nothing"), 1500);
        frame.onload = () => frame.contentWindow.postMessage({ "worker.js": new Blob(["postMessage(origin)"]) }, "*", [port2]);
        frame.src = address;
        document.body.append(frame);
    })"""
    assert stranger.evaluate(ask, [own[0] + "runtime/frame.html", True]) == "null"
    assert stranger.evaluate(ask, [own[0] + "runtime/frame.html", False]) == "nothing"
    stranger.close()
    other[1].clear()


def test_nothing_that_came_by_a_link_runs(chromium: Browser, own: tuple[str, set[str]]) -> None:
    """Neither a program in the address, nor the name of an example."""
    context = chromium.new_context()
    fresh = context.new_page()
    fresh.goto(own[0] + "index.html")
    name = fresh.locator("figure:has([data-run])").first.get_attribute("id")
    own[1].clear()
    for link in (
        f"#{name}",
        f"#run-{name}",
        f"#run-{name}-1.3",
        f"?run={name}#run",
        "?source=print(1)&code=print(1)#program=print(1)",
    ):
        fresh.goto("about:blank")
        fresh.goto(own[0] + "index.html" + link, wait_until="networkidle")
        assert len(fresh.frames) == 1
        assert fresh.locator(".run-panel").count() == 0
    assert [asked for asked in own[1] if "/run" in asked] == []
    for code in (
        "S87ILMpMzs4vSszPVQjOz00FAA",
        "print(1)",
        "%3Cscript%3E",
    ):  # shown in the editor of the playground, and no more
        fresh.goto("about:blank")
        fresh.goto(f"{own[0]}playground.html#program={code}", wait_until="networkidle")
        assert len(fresh.frames) == 1
        assert fresh.locator(".run-output, .run-status[data-state]").count() == 0
        own[1].difference_update({name for name in own[1] if name.endswith((".js", ".css"))})
    context.close()
    assert [asked for asked in own[1] if "runtime" in asked or "sandbox" in asked or "/run" in asked] == []
