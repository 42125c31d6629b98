"""A program that runs in the page has no access to the network, storage, cookies, or the page outside its own elements.

Each attempt in REQUESTS and STORAGE is made twice: from Run, where it must fail, and from a worker of an unprotected page, where it
must succeed; of a request, this means that it reaches the server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from gradnotes.browser.run import run_program
from tests.site.browser_input import paste
from tests.site.running import START, Host, await_end, need_runtime, serve

# JavaScript that requests the address `url`, by the last part of that address.
REQUESTS = {
    "fetch": 'fetch(url, { mode: "no-cors" })',
    "fetch-with-cookies": 'fetch(url, { mode: "no-cors", credentials: "include", keepalive: true })',
    "xml-http-request": 'call(new XMLHttpRequest(), (request) => { request.open("GET", url); request.send(); })',
    "event-source": "call(new EventSource(url))",
    "web-socket": 'call(new WebSocket(url.replace("http", "ws")))',
    "font": 'new FontFace("a", `url(${url})`).load()',
    "import-scripts": "importScripts(url)",
    "import": "import(url)",
}
STORAGE = {
    "indexed-db": 'call(indexedDB.open("a"))',
    "cache": 'caches.open("a")',
    "files": "navigator.storage.getDirectory()",
    "lock": 'navigator.locks.request("a", () => 1)',
    "own-worker": "call(new Worker(`${ownAddress}own-worker`))",
    "channel": (
        'new Promise((resolve) => { const channel = new BroadcastChannel("a");'
        ' channel.onmessage = resolve; channel.postMessage("worker"); })'
    ),
}
ATTEMPTS = """
const call = (target, start = () => {}) => new Promise((resolve, reject) => {
  target.onload = target.onopen = target.onsuccess = target.onmessage = resolve;
  target.onerror = () => reject(target.error ?? new Error("refused"));
  start(target);
});
const timeout = () => new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), 1500));
const tryOne = async ([name, attempt]) => {
  try {
    await Promise.race([attempt(), timeout()]);
    return [name, "reached"];
  } catch (error) {
    return [name, `${error.name}: ${error.message}`];
  }
};
Promise.all(Object.entries(attempts).map(tryOne))
  .then((results) => postMessage(JSON.stringify(Object.fromEntries(results))));
"""


def attempts_program(own_address: str, other_address: str) -> str:
    """Return a JavaScript program that makes all attempts at once and posts their results as JSON."""
    attempts = [f"{json.dumps(name)}: async () => {expression}" for name, expression in STORAGE.items()]
    for server in (own_address, other_address):
        for name, expression in REQUESTS.items():
            address = json.dumps(server + name)
            attempts.append(f"{address}: async () => {{ const url = {address}; return {expression}; }}")
    return f"const ownAddress = {json.dumps(own_address)};\nconst attempts = {{{', '.join(attempts)}}};\n{ATTEMPTS}"


class RecordingHandler(Host):
    """Serves a folder, the script /own-worker and the empty page /blank, and records the requested names."""

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
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def recording_server(folder: Path) -> Iterator[tuple[str, set[str]]]:
    """Start a server of a folder. Yield its address and the set of requested names."""
    handler = type("Handler", (RecordingHandler,), {"requested_names": set()})
    with serve(handler, folder) as address:
        yield address, handler.requested_names


@pytest.fixture(scope="module")
def own_server(site: Path) -> Iterator[tuple[str, set[str]]]:
    need_runtime(site)
    with recording_server(site) as server:
        yield server


@pytest.fixture(scope="module")
def other_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, set[str]]]:
    with recording_server(tmp_path_factory.mktemp("other")) as server:
        yield server


@pytest.fixture(scope="module")
def page(chromium: Browser, own_server: tuple[str, set[str]]) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(START)
    new_page = context.new_page()
    new_page.goto(own_server[0] + "index.html")
    new_page.evaluate("""() => {
        document.cookie = "secret=of-the-page";
        window.receivedMessages = [];
        new BroadcastChannel("a").onmessage = ({ data }) => window.receivedMessages.push(data);
    }""")
    yield new_page
    context.close()


@pytest.fixture(scope="module")
def panel(page: Page) -> Locator:
    page.get_by_role("button", name="Run: How much").click()
    panel = page.locator(".run-panel")
    expect(panel.locator(".run-status")).to_contain_text("The output is the same as on the page", timeout=START)
    return panel


def run(panel: Locator, program: str) -> list[str]:
    """Run a program in the panel. Return the lines that it prints."""
    paste(panel.get_by_role("textbox"), program)
    panel.get_by_role("button", name="Run", exact=True).click()
    await_end(panel)
    printed_texts = panel.locator(".run-output .x-prints")
    return [line.removeprefix("#> ") for text in printed_texts.all_inner_texts() for line in text.splitlines()]


def test_each_attempt_succeeds_in_an_unprotected_page(
    chromium: Browser, other_server: tuple[str, set[str]], tmp_path: Path
) -> None:
    with recording_server(tmp_path) as (own_address, requested_names):
        context = chromium.new_context()
        open_page = context.new_page()
        open_page.goto(own_address + "blank")
        open_page.evaluate(
            '() => { new BroadcastChannel("a").onmessage = ({ target }) => target.postMessage("page"); }'
        )
        start = """(code) => new Promise((resolve) => {
            new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => resolve(JSON.parse(data));
        })"""
        results = open_page.evaluate(start, attempts_program(own_address, other_server[0]))
        context.close()
        assert {name: results[name] for name in STORAGE} == dict.fromkeys(STORAGE, "reached")
        assert set(REQUESTS) <= requested_names
        assert set(REQUESTS) <= other_server[1]
    other_server[1].clear()


def test_each_attempt_fails_from_run(
    page: Page, panel: Locator, own_server: tuple[str, set[str]], other_server: tuple[str, set[str]]
) -> None:
    """Make the attempts of `attempts_program` in a worker that the program starts.

    The worker of the page lacks some globals, but this one has them all.
    """
    program = f"""
import js
from pyodide.ffi import create_proxy, to_js

worker = js.Worker.new(js.URL.createObjectURL(js.Blob.new(to_js([{attempts_program(own_server[0], other_server[0])!r}]))))
worker.onmessage = create_proxy(lambda event: setattr(js, "results", event.data))
"""
    run(panel, program)
    for _ in range(5):
        page.wait_for_timeout(2000)
        lines = run(panel, "import js\nprint(js.results)\n")
        if lines:
            break
    results = json.loads(lines[0])
    assert len(results) == len(STORAGE) + 2 * len(REQUESTS)
    assert {name: result for name, result in results.items() if result == "reached"} == {}
    assert not own_server[1] & {*REQUESTS, "own-worker"}
    assert other_server[1] == set()
    assert page.evaluate("receivedMessages") == []


def test_python_reaches_no_storage_and_no_server(
    page: Page, panel: Locator, own_server: tuple[str, set[str]], other_server: tuple[str, set[str]]
) -> None:
    program = f"""
import js
import pyodide_js
from pyodide.code import run_js

def status_of(address):
    request = js.XMLHttpRequest.new()
    request.open("GET", address, False)
    request.send()
    return request.status

attempts = [
    lambda: status_of("{other_server[0]}python"),
    lambda: status_of("{own_server[0]}python"),
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


def test_forged_messages_of_a_program_are_shown_as_harmless_text(page: Page, panel: Locator) -> None:
    markup = """<p id="__drawer" class="md-overlay x-prints" style="position: fixed" onclick="alert(1)">words</p>
        <a href="https://example.org">link</a><img src="/runtime/requested"><form action="/"><input></form><style>* { color: red }</style>
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


def test_markup_of_real_results_is_not_changed(page: Page, panel: Locator) -> None:
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
    compare = """(markup) => {
        const kept = document.createElement("body");
        kept.append(...gradnotes.sanitize(markup, "run-x-"));
        const describe = (root) => [...root.querySelectorAll("*")].map((element) => [
            element.localName,
            element.namespaceURI,
            [...element.attributes].map(({ name, value }) => `${name}=${value}`).sort(),
            element.localName === "script" ? JSON.parse(element.textContent) : element.textContent,
        ]);
        return [describe(kept), describe(new DOMParser().parseFromString(markup, "text/html").body)];
    }"""
    sanitized, original = page.evaluate(compare, markup)
    assert sanitized == original


def test_the_frame_runs_nothing_outside_a_sandbox(
    page: Page, own_server: tuple[str, set[str]], other_server: tuple[str, set[str]]
) -> None:
    """Check that another site cannot run a program in the frame without a sandbox.

    Such a program would have the origin of our site.
    """
    other_page = page.context.new_page()
    other_page.goto(other_server[0] + "blank")
    run_in_frame = """([address, isSandboxed]) => new Promise((resolve) => {
        const frame = document.createElement("iframe");
        if (isSandboxed) frame.setAttribute("sandbox", "allow-scripts");
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        setTimeout(() => resolve("nothing"), 1500);
        const files = { "worker.js": new Blob(["postMessage(origin)"]) };
        frame.onload = () => frame.contentWindow.postMessage(files, "*", [port2]);
        frame.src = address;
        document.body.append(frame);
    })"""
    assert other_page.evaluate(run_in_frame, [own_server[0] + "runtime/frame.html", True]) == "null"
    assert other_page.evaluate(run_in_frame, [own_server[0] + "runtime/frame.html", False]) == "nothing"
    other_page.close()
    other_server[1].clear()


def test_a_link_runs_no_program(chromium: Browser, own_server: tuple[str, set[str]]) -> None:
    """Check that links to a program or an example run nothing before the reader presses Run."""
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
    ):  # the playground must only show them in its editor
        fresh.goto("about:blank")
        fresh.goto(f"{own_server[0]}playground.html#program={code}", wait_until="networkidle")
        assert len(fresh.frames) == 1
        assert fresh.locator(".run-output, .run-status[data-state]").count() == 0
        own_server[1].difference_update({name for name in own_server[1] if name.endswith((".js", ".css"))})
    context.close()
    assert [
        request for request in own_server[1] if "runtime" in request or "sandbox" in request or "/run" in request
    ] == []
