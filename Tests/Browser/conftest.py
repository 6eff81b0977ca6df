"""Fixtures of the browser tests: a real server, real clients behind the pages, and Debian's Chromium."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

SKEIN = os.environ["SKEIN"]
PICTURES = Path(os.environ.get("PICTURES", "pictures"))


class Program:
    """A process that prints its address in its first line."""

    def __init__(self, *words):
        self.words = words
        self.process = None
        self.address = None

    def start(self):
        self.process = subprocess.Popen([SKEIN, *self.words], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+[^\s,]", line)
        assert found, f"skein {self.words[0]} said {line!r}"
        self.address = found.group()
        return self

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(20)


class World:
    """A server and the clients with a page."""

    def __init__(self, folder, browser):
        self.folder, self.browser = folder, browser
        self.server = Program("serve", "--port", "0", "--data", str(folder / "server")).start()
        self.port = self.server.address.rsplit(":", 1)[1]
        self.programs = {}

    def restart_server(self):
        self.server = Program("serve", "--port", self.port, "--data", str(self.folder / "server")).start()

    def program(self, name):
        program = Program(
            "web", "--server", f"http://127.0.0.1:{self.port}", "--user", name, "--password", "secret-of-" + name,
            "--register", "--data", str(self.folder / name))
        self.programs[name] = program.start()
        return program

    def say(self, name, lines):
        """Types lines into a terminal client and returns its output."""
        return subprocess.run(
            [SKEIN, "chat", "--server", f"http://127.0.0.1:{self.port}", "--user", name, "--password",
             "secret-of-" + name, "--register", "--data", str(self.folder / name)],
            input="\n".join(lines) + "\n", text=True, check=True, stdout=subprocess.PIPE).stdout

    def page(self, name, **options):
        program = self.programs.get(name) or self.program(name)
        context = self.browser.new_context(**{"viewport": {"width": 1100, "height": 760}, **options})
        page = context.new_page()
        page.problems = []
        page.on("dialog", lambda dialog: dialog.accept())
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: page.problems.append(line.text) if line.type == "error" else None)
        page.goto(program.address)
        return page

    def end(self):
        for program in [*self.programs.values(), self.server]:
            program.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        assert path, "Chromium is not installed."
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield browser
        browser.close()


@pytest.fixture
def world(tmp_path, browser):
    world = World(tmp_path, browser)
    yield world
    for context in browser.contexts:
        context.close()
    world.end()


def picture(page, name):
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")


def accessible(page):
    """Checks roles, names and contrast with axe."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
