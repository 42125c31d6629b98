"""A program that runs in the page reaches no network, no storage, no cookie, and only its own part of the page.

Each attempt is made twice: from Run, where it must fail, and from a worker of an unguarded page, where it must succeed.
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

from gradnotes.browser.run import run_program
from tests.site.browser_input import paste
from tests.site.running import START, await_end, need_runtime

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


def attempts(own_address: str, other_address: str) -> str:
    """Return a JavaScript program that makes all attempts at once and posts their results as JSON."""
    acts = [f"{json.dumps(name)}: async () => {act}" for name, act in STORAGE.items()]
    for server in (own_address, other_address):
        for name, act in REQUESTS.items():
            address = json.dumps(server + name)
            acts.append(f"{address}: async () => {{ const at = {address}; return {act}; }}")
    return f"const own = {json.dumps(own_address)};\nconst attempts = {{{', '.join(acts)}}};\n{ATTEMPTS}"


class Listening(http.server.SimpleHTTPRequestHandler):
    """Serve a folder and record the requested names."""

    requested_names: set[str]

    def do_GET(self) -> None:
        self.requested_names.add(self.path.strip("/"))
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
    """Start a server; yield its address and the set of requested names."""
    handler = type("Handler", (Listening,), {"requested_names": set()})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/", handler.requested_names
        server.shutdown()


@pytest.fixture(scope="module")
def own_server(site: Path) -> Iterator[tuple[str, set[str]]]:
    need_runtime(site)
    with listening(site) as server:
        yield server


@pytest.fixture(scope="module")
def other_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, set[str]]]:
    with listening(tmp_path_factory.mktemp("other")) as server:
        yield server


@pytest.fixture(scope="module")
def page(chromium: Browser, own_server: tuple[str, set[str]]) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(START)
    opened = context.new_page()
    opened.goto(own_server[0] + "index.html")
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
    """Return the lines that the program prints."""
    paste(panel.get_by_role("textbox"), program)
    panel.get_by_role("button", name="Run", exact=True).click()
    await_end(panel)
    printed_texts = panel.locator(".run-output .x-prints")
    return [line.removeprefix("#> ") for text in printed_texts.all_inner_texts() for line in text.splitlines()]


def test_without_a_guard_each_attempt_succeeds(
    chromium: Browser, other_server: tuple[str, set[str]], tmp_path: Path
) -> None:
    with listening(tmp_path) as (own_address, requested_names):
        context = chromium.new_context()
        open_page = context.new_page()
        open_page.goto(own_address + "blank")
        open_page.evaluate(
            '() => { new BroadcastChannel("a").onmessage = ({ target }) => target.postMessage("page"); }'
        )
        start = """(code) => new Promise((done) => {
            new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => done(JSON.parse(data));
        })"""
        results = open_page.evaluate(start, attempts(own_address, other_server[0]))
        context.close()
        assert {name: results[name] for name in STORAGE} == dict.fromkeys(STORAGE, "reached")
        assert set(REQUESTS) <= requested_names
        assert set(REQUESTS) <= other_server[1]
    other_server[1].clear()


def test_from_run_each_attempt_fails(
    page: Page, panel: Locator, own_server: tuple[str, set[str]], other_server: tuple[str, set[str]]
) -> None:
    """Make the attempts from a worker that the program starts. It has all globals, even those that our own worker removes."""
    program = f"""
import js
from pyodide.ffi import create_proxy, to_js

worker = js.Worker.new(js.URL.createObjectURL(js.Blob.new(to_js([{attempts(own_server[0], other_server[0])!r}]))))
worker.onmessage = create_proxy(lambda event: setattr(js, "said", event.data))
"""
    run(panel, program)
    for _ in range(5):
        page.wait_for_timeout(2000)
        lines = run(panel, "import js\nprint(js.said)\n")
        if lines:
            break
    results = json.loads(lines[0])
    assert len(results) == len(STORAGE) + 2 * len(REQUESTS)
    assert {name: result for name, result in results.items() if result == "reached"} == {}
    assert not own_server[1] & {*REQUESTS, "own-worker"}
    assert other_server[1] == set()
    assert page.evaluate("heard") == []


def test_python_reaches_no_more(
    page: Page, panel: Locator, own_server: tuple[str, set[str]], other_server: tuple[str, set[str]]
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
    lambda: request("{other_server[0]}python"),
    lambda: request("{own_server[0]}python"),
    lambda: js.indexedDB.open("a"),
    lambda: js.document.cookie,
    lambda: js.cookieStore.getAll(),
    lambda: js.localStorage,
    lambda: js.parent,
    lambda: run_js("import('{other_server[0]}python')"),
    lambda: js.Function("return 1"),
]
for attempt in attempts:
    try:
        print("reached", attempt())
    except Exception as error:
        print(type(error).__name__, str(error).split("\\n")[0])
print(js.origin)
js.setTimeout("import('{other_server[0]}python')", 0)
pyodide_js.loadPackage("{other_server[0]}python-1-py3-none-any.whl")
pyodide_js._api.loadScript("{other_server[0]}python")
"""
    lines = run(panel, program)
    page.wait_for_timeout(300)
    refused = [line.split()[0] for line in lines[: lines.index("null")]]
    assert refused == ["JsException"] * 3 + ["AttributeError"] * 4 + ["JsException"] * 2
    assert "python" not in own_server[1]
    assert other_server[1] == set()


def test_forged_messages_of_a_program_are_only_shown(page: Page, panel: Locator) -> None:
    markup = """<p id="__drawer" class="md-overlay x-prints" style="position: fixed" onclick="alert(1)">words</p>
        <a href="https://example.org">link</a><img src="/runtime/asked"><form action="/"><input></form><style>* { color: red }</style>
        <iframe srcdoc="words"></iframe><meta http-equiv="refresh" content="0; url=/glossary.html"><link rel="preload" href="/a">
        <svg><a href="/"><text>link</text></a><use href="#a"/><image href="/a"/>
        <image href="data:image/svg+xml;base64,PHN2Zz4="/><circle fill="url(/a)" r="1" href="/a" style="width: 9em"/><script>alert(1)</script></svg><button data-run>Run</button>
        <script type="application/json">{"nodes": [{"href": "https://example.org"}]}</script>"""
    error = {"text": "<b>Error</b>", "line": 1, "calls": [["<b>1</b>", "<b>f</b>"]]}
    progress = {"line": 1, "html": markup}
    forged = {
        "shown": [progress],
        "figures": [],
        "verdict": "<b>Fine</b>",
        "differences": ["<b>none</b>"],
        "error": error,
    }
    expected = '<p class="x-prints">words</p> <svg> <circle r="1"></circle></svg> <script type="application/json">{"nodes":[{}]}</script>'
    for message in ({"progress": progress}, {"result": forged}):
        send = f"import js\njs.postMessage(js.JSON.parse({json.dumps(json.dumps(message))}))\n1 / 0\n"
        run(panel, send)
        page.wait_for_timeout(300)
        markup_on_page = panel.locator(".run-output").first.evaluate("(element) => element.innerHTML")
        assert " ".join(markup_on_page.split()) == (
            expected if "result" in message else " ".join(markup_on_page.split())
        )
        assert (
            panel.locator(".run-output").first.locator("a, b, form, iframe, meta, link, style, [onclick]").count() == 0
        )
    assert panel.locator(".run-error").inner_text() == "Raised in line NaN, in <b>f</b>"
    assert panel.locator(".run-error b").count() == 0
    assert panel.locator(".run-status").text_content() == "<b>Fine</b>"
    assert panel.locator(".run-result li").text_content() == "<b>none</b>"


def test_our_markup_is_not_changed(page: Page, panel: Locator) -> None:
    program = """
import torch
import warnings
import matplotlib.pyplot as plt

plt.plot([1, 2, 4], "o--", label="<b>")
plt.scatter([1, 2], [3, 4], c=[0, 1])
plt.text(1, 3, "<i>", ha="center")
plt.title("<a href='/'>")
plt.legend()
plt.figure()
plt.imshow([[0, 1], [1, 0]])
plt.figure()
plt.hist([1, 2, 2])
plt.suptitle("<p>")
plt.quiver(1, 2)
plt.show()
x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * x).sum().backward()
print("<b>", x.grad)
warnings.warn("so")
torch.ones(2) @ torch.ones(3)
"""
    result = json.loads(
        run_program(
            program, "run-x", f'"""One."""\n{program}'.replace('warn("so")', 'warn("so")\n#~ UserWarning: and so')
        )
    )
    markup = "".join([statement["html"] for statement in result["shown"]] + result["figures"])
    assert all(f"x-{kind}" in markup for kind in ("prints", "warns", "raises", "page", "plot", "note"))
    assert all(f"<{name}" in markup for name in ("svg", "image", "circle", "desc"))
    same = """(markup) => {
        const kept = document.createElement("body");
        kept.append(...gradnotes.harmless(markup, "run-x-"));
        const sorted = (root) => [...root.querySelectorAll("*")].map((e) => [e.localName, e.namespaceURI,
            [...e.attributes].map((a) => `${a.name}=${a.value}`).sort(), e.localName === "script" ? JSON.parse(e.textContent) : e.textContent]);
        return [sorted(kept), sorted(new DOMParser().parseFromString(markup, "text/html").body)];
    }"""
    sanitized, original = page.evaluate(same, markup)
    assert sanitized == original


def test_the_frame_runs_nothing_outside_of_a_sandbox(
    page: Page, own_server: tuple[str, set[str]], other_server: tuple[str, set[str]]
) -> None:
    """Run no program of another site that embeds the frame without a sandbox, since the program would have our origin."""
    stranger = page.context.new_page()
    stranger.goto(other_server[0] + "blank")
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
    assert stranger.evaluate(ask, [own_server[0] + "runtime/frame.html", True]) == "null"
    assert stranger.evaluate(ask, [own_server[0] + "runtime/frame.html", False]) == "nothing"
    stranger.close()
    other_server[1].clear()


def test_nothing_that_came_by_a_link_runs(chromium: Browser, own_server: tuple[str, set[str]]) -> None:
    """Open links with a program or with the name of an example: nothing runs before the reader presses Run."""
    context = chromium.new_context()
    fresh = context.new_page()
    fresh.goto(own_server[0] + "index.html")
    name = fresh.locator("figure:has([data-run])").first.get_attribute("id")
    own_server[1].clear()
    for link in (
        f"#{name}",
        f"#run-{name}",
        f"#run-{name}-1.3",
        f"?run={name}#run",
        "?source=print(1)&code=print(1)#program=print(1)",
    ):
        fresh.goto("about:blank")
        fresh.goto(own_server[0] + "index.html" + link, wait_until="networkidle")
        assert len(fresh.frames) == 1
        assert fresh.locator(".run-panel").count() == 0
    assert [request for request in own_server[1] if "/run" in request] == []
    for code in (
        "S87ILMpMzs4vSszPVQjOz00FAA",
        "print(1)",
        "%3Cscript%3E",
    ):  # only shown in the editor of the playground
        fresh.goto("about:blank")
        fresh.goto(f"{own_server[0]}playground.html#program={code}", wait_until="networkidle")
        assert len(fresh.frames) == 1
        assert fresh.locator(".run-output, .run-status[data-state]").count() == 0
        own_server[1].difference_update({name for name in own_server[1] if name.endswith((".js", ".css"))})
    context.close()
    assert [
        request for request in own_server[1] if "runtime" in request or "sandbox" in request or "/run" in request
    ] == []
