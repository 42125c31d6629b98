"""Drivers for Firefox (WebDriver BiDi), for WebKitGTK (WebDriver) and, with the same methods, for a page of Playwright.

Playwright drives only its own builds of Firefox and WebKit, not Debian's packages. Selenium needs geckodriver for Firefox, which Debian
does not have.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Error, Page
from tornado.websocket import WebSocketClientConnection, websocket_connect

PATIENCE = 120.0  # s, for the answer to a command; starting a browser takes long on a busy machine
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Control": "\ue009",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
NAMES = {code: name for name, code in KEYS.items()}
POLL = (0.02, 0.2)  # s between two attempts: initially, and at most

# JavaScript: the center of the element `%s`, or null if the element is missing or hidden, or is covered even after scrolling.
MIDDLE = """(() => {
    const element = %s;
    if (!element?.checkVisibility({ visibilityProperty: true })) return null;
    const middle = () => {
        const box = [...element.getClientRects()].find((rect) => rect.width > 0) ?? element.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
    };
    const isOnTop = () => element.contains(document.elementFromPoint(...middle()));
    if (!isOnTop()) element.scrollIntoView({ block: "center", behavior: "instant" });
    return isOnTop() ? middle() : null;
})()"""
# Firefox: no animations; downloads go to the folder of the profile. They open no panel, because it would receive the next keys.
PREFERENCES = """user_pref("ui.prefersReducedMotion", 1);
user_pref("browser.download.folderList", 2);
user_pref("browser.download.dir", %s);
user_pref("browser.download.alwaysOpenPanel", false);
"""


class Driver(Protocol):
    """The commands that tests give to a browser, whatever its protocol."""

    def open(self, address: str) -> None:
        """Go to `address`, and return when the page is loaded."""

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page, or the result of the promise that it gives.

        The value must be expressible as JSON.

        Raises:
            RuntimeError: the expression has thrown an error.
        """

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Perform keyboard and pointer actions, in the format of WebDriver."""

    def resize(self, width: int, height: int) -> None:
        """Set the width and height of the page in CSS pixels."""

    def close(self) -> None:
        """End the browser and its processes."""


def wait_for(driver: Driver, expression: str, timeout: float = 30.0) -> Any:
    """Evaluate `expression` until its value is true, and return the value. An error counts as false. `timeout` is in seconds.

    Raises:
        TimeoutError: the value is still not true after `timeout`. The message contains the expression and its last value or error.
    """
    end = time.monotonic() + timeout
    pause, longest = POLL
    while True:
        value: Any
        try:
            if value := driver.evaluate(expression):
                return value
        except RuntimeError as error:
            value = error
        if time.monotonic() > end:
            raise TimeoutError(f"{expression} is still {value!r} after {timeout:.0f} s")
        time.sleep(pause)
        pause = min(longest, 1.5 * pause)


def press(driver: Driver, *keys: str) -> None:
    """Press the keys in order, then release them in reverse order. A key is a name in `KEYS` or a character."""
    codes = [KEYS.get(key, key) for key in keys]
    steps = [{"type": "keyDown", "value": code} for code in codes]
    steps += [{"type": "keyUp", "value": code} for code in reversed(codes)]
    driver.act([{"type": "key", "id": "keyboard", "actions": steps}])


def enter(driver: Driver, text: str) -> None:
    """Type `text`, character by character."""
    steps = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
    driver.act([{"type": "key", "id": "keyboard", "actions": steps}])


def click(driver: Driver, selector: str) -> None:
    """Click the center of the first element that `selector` matches."""
    click_on(driver, f"document.querySelector({json.dumps(selector)})")


def click_on(driver: Driver, element: str) -> None:
    """Wait until a JavaScript expression gives an element that can be clicked, and click its center."""
    middle = wait_for(driver, MIDDLE % element)
    steps = [
        {"type": "pointerMove", "x": middle[0], "y": middle[1], "origin": "viewport"},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    driver.act([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}])


class Chromium:
    """Drives a page of Playwright. `close` does nothing, because a fixture closes the page."""

    def __init__(self, page: Page):
        self.page = page

    def open(self, address: str) -> None:
        """Go to `address` and wait for the load event."""
        self.page.goto(address)

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression with Playwright, and wait for its promise."""
        try:
            return self.page.evaluate(f"async () => ({expression})")
        except Error as error:
            raise RuntimeError(f"{expression}: {error.message}") from None

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Perform actions one by one with the keyboard and the mouse of Playwright."""
        keyboard, mouse = self.page.keyboard, self.page.mouse
        for step in [step for source in actions for step in source["actions"]]:
            key = NAMES.get(step.get("value"), step.get("value"))
            match step["type"]:
                case "keyDown":
                    keyboard.down(key)
                case "keyUp":
                    keyboard.up(key)
                case "pointerMove":
                    mouse.move(step["x"], step["y"])
                case "pointerDown":
                    mouse.down()
                case "pointerUp":
                    mouse.up()

    def resize(self, width: int, height: int) -> None:
        """Set the size of the viewport."""
        self.page.set_viewport_size({"width": width, "height": height})

    def close(self) -> None:
        """Do nothing: a fixture closes the page."""


class Firefox:
    """Drives headless Firefox ESR over WebDriver BiDi."""

    programs = ("firefox-esr",)
    packages = "firefox-esr"

    def __init__(self, folder: Path):
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
        (folder / "user.js").write_text(PREFERENCES % json.dumps(str(folder)), encoding="utf-8")
        self.log = folder / "firefox.log"
        self.process = _start(command, self.log)
        # asyncio allows one running loop per thread, and the thread of the tests runs Playwright's loop.
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.number = 0
        self.connection: WebSocketClientConnection | None = None
        try:
            address = _wait_for_log(self.process, self.log, r"WebDriver BiDi listening on (ws://\S+)")
            connecting = _connect(f"{address}/session")
            self.connection = asyncio.run_coroutine_threadsafe(connecting, self.loop).result(PATIENCE)
            self._send("session.new", capabilities={})
            self.context = self._send("browsingContext.create", type="tab")["context"]
        except BaseException:
            self.close()
            raise

    def open(self, address: str) -> None:
        """Navigate, and wait until the page is complete."""
        self._send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression as JSON, and wait for its promise."""
        text = f"(async () => JSON.stringify(await ({expression})) ?? 'null')()"
        target = {"context": self.context}
        answer = self._send("script.evaluate", expression=text, target=target, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Send the actions, which have the format of WebDriver BiDi."""
        self._send("input.performActions", context=self.context, actions=actions)

    def resize(self, width: int, height: int) -> None:
        """Set the size of the viewport."""
        self._send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def close(self) -> None:
        """Close the connection, stop the event loop, and end Firefox."""
        if self.connection:
            self.loop.call_soon_threadsafe(self.connection.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
        _end(self.process)

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return asyncio.run_coroutine_threadsafe(self._exchange(method, parameters), self.loop).result(PATIENCE)

    async def _exchange(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        assert self.connection
        self.number += 1
        await self.connection.write_message(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while (text := await self.connection.read_message()) is not None:
            answer = json.loads(text)
            if answer.get("id") != self.number:
                continue  # an event, not the response
            if answer["type"] == "error":
                raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
            return answer["result"]
        raise RuntimeError(f"{method}: Firefox has closed the connection")


class WebKit:
    """Drives WebKitGTK's MiniBrowser over WebDriver, on a virtual display."""

    programs = ("WebKitWebDriver", "xvfb-run")
    packages = "webkit2gtk-driver xvfb xauth"

    def __init__(self, folder: Path):
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}/session"
        self.log = folder / "webkit.log"
        screen = "-screen 0 1400x1000x24"  # room for a page of 1280 x 800 or 390 x 844 and the window frame
        # Without animations of GTK, the page gets prefers-reduced-motion. Otherwise a click may miss a moving element.
        (folder / "gtk-3.0").mkdir()
        (folder / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-enable-animations=0\n", encoding="utf-8")
        environment = ["env", f"XDG_CONFIG_HOME={folder}"]
        self.process = _start(
            [*environment, "xvfb-run", "-a", "-s", screen, "WebKitWebDriver", f"--port={port}"], self.log
        )
        self.session = ""
        try:
            _wait_until_open(port, self.process, self.log)
            options = {"webkitgtk:browserOptions": {"args": ["--automation"]}}
            self.session = "/" + self._send("POST", "", {"capabilities": {"alwaysMatch": options}})["sessionId"]
            self._send("POST", "/timeouts", {"script": int(PATIENCE * 1000), "pageLoad": int(PATIENCE * 1000)})
        except BaseException:
            self.close()
            raise

    def open(self, address: str) -> None:
        """Navigate. WebDriver answers when the page is loaded."""
        self._send("POST", "/url", {"url": address})

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression as JSON, and wait for its promise."""
        script = f"return (async () => JSON.stringify(await ({expression})) ?? 'null')()"
        return json.loads(self._send("POST", "/execute/sync", {"script": script, "args": []}))

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Send the actions, which have the format of WebDriver."""
        self._send("POST", "/actions", {"actions": actions})

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window so that the page has this size. Its width is at least 447 pixels."""
        frame = self.evaluate("[outerWidth - innerWidth, outerHeight - innerHeight]")
        self._send("POST", "/window/rect", {"width": width + frame[0], "height": height + frame[1]})
        # MiniBrowser is at least 447 pixels wide. This still gives the layout for phones, which applies below 480 pixels.
        wait_for(self, f"Math.abs(innerWidth - {width}) < 60")

    def close(self) -> None:
        """Delete the session and end the driver."""
        try:
            if self.session and self.process.poll() is None:
                self._send("DELETE", "", None)
        finally:
            _end(self.process)

    def _send(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{self.session}{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path or 'session'}: {value['error']}: {value['message']}") from None


def start_browser(browser: type[Firefox] | type[WebKit], folder: Path) -> Driver:
    """Start a browser with its profile and log in `folder`. If it is not installed, skip the test, or fail it in CI."""
    if not all(map(shutil.which, browser.programs)):
        message = f"not installed: apt-get install {browser.packages}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return browser(folder)


async def _connect(address: str) -> WebSocketClientConnection:
    return await websocket_connect(address)


def _start(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a program in a new process group, which `_end` kills. Its output goes to `log`."""
    with log.open("wb") as file:
        return subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def _wait_for_log(process: subprocess.Popen[bytes], log: Path, pattern: str) -> str:
    end = time.monotonic() + PATIENCE
    while not (match := re.search(pattern, log.read_text(errors="replace"))):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"the browser did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.1)
    return match[1]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_open(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return as soon as `port` accepts connections.

    Raises:
        RuntimeError: `process` has ended or has not opened the port in time. The message contains the log.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the browser did not start:\n{log.read_text(errors='replace')}") from None
            time.sleep(0.1)
