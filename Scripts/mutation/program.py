"""A program that holds many mutants of the engine; the variable SKEIN_MUTANT selects one by its number.

A mutant has a number, a name, and the changed text of each file that it changes. It changes only the bodies of functions:
each function that it changes has its changed body as well.
"""

import collections
import contextlib
import itertools
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPY = ROOT / ".build" / "mutants"
LOG = ROOT / ".build" / "mutants.log"
MEMORY = 16 << 30
SWITCH = b"""import Foundation

/// The mutant that this process runs with, by its number.
enum Mutant {
  static let active = ProcessInfo.processInfo.environment["SKEIN_MUTANT"].flatMap(Int.init)
}
"""


# Source files

# The text of a function between its braces, with its offset. `hasResult`: the function returns a value;
# `isExpression`: the body is an expression, the result without `return`.
Body = collections.namedtuple("Body", "text start hasResult isExpression")


def bodies(text):
    """The bodies of the functions, initializers and accessors of a source file, in order, as the compiler reads it."""
    with tempfile.NamedTemporaryFile(suffix=".swift") as file:
        file.write(text)
        file.flush()
        # Its JSON form is not valid for some files. In this form, a node is a line, indented below its parent.
        done = subprocess.run(["swiftc", "-frontend", "-dump-parse", file.name], capture_output=True, check=True)
    nodes = [
        (len(match[1]), match[2], match[0])
        for match in re.finditer(r"^( *)\((\w+).*", done.stdout.decode(), re.M)]
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    found, index = [], 0
    while index < len(nodes):
        depth, kind, line = nodes[index]
        index += 1
        if kind not in ("func_decl", "accessor_decl", "constructor_decl"):
            continue
        below = list(itertools.takewhile(lambda node: node[0] > depth, nodes[index:]))
        index += len(below)
        children = [number for number, node in enumerate(below) if node[0] == depth + 2]
        brace = next((number for number in children if below[number][1] == "brace_stmt"), None)
        if brace is None:
            continue
        place = re.search(r"range=\[.*:(\d+):(\d+) - line:(\d+):(\d+)\]", below[brace][2])
        first, column, last, end = map(int, place.groups())
        start = starts[first - 1] + column
        body = list(itertools.takewhile(lambda node: node[0] > depth + 2, below[brace + 1:]))
        elements = [node[1] for node in body if node[0] == depth + 4]
        hasResult = " get for=" in line or any(below[number][1] == "result" for number in children)
        isExpression = hasResult and len(elements) == 1 and (
            elements[0].endswith("_expr")
            or elements[0] in ("if_stmt", "switch_stmt") and all(node[1] != "return_stmt" for node in body))
        found.append(Body(text[start:starts[last - 1] + end - 1], start, hasResult, isExpression))
    return sorted(found, key=lambda body: body.start)


def statements(body):
    """A body as statements, to stand among others."""
    if not body.isExpression:
        return body.text
    start = re.match(rb"(?:\s|//[^\n]*\n)*", body.text).end()
    return body.text[:start] + b"return " + body.text[start:]


def switched(file, versions):
    """A file in which each changed body is selected by its mutant. `versions`: the mutants and their texts."""
    text = (ROOT / file).read_bytes()
    own = bodies(text)
    changed = collections.defaultdict(list)
    for mutant, version in versions:
        theirs = bodies(version)
        rest = version
        for mine, its in zip(reversed(own), reversed(theirs)):
            rest = rest[:its.start] + mine.text + rest[its.start + len(its.text):]
        if rest != text:
            sys.exit(f"{mutant.name} changes more than the bodies of functions.")
        for number, its in enumerate(theirs):
            if own[number].text != its.text:
                changed[number].append((mutant, its))
    for number in sorted(changed, reverse=True):
        body = own[number]
        choice = b"".join(
            b"\nif Mutant.active == %d {%b\n%b}\n" % (mutant.number, statements(its), b"" if its.hasResult else b"return\n")
            for mutant, its in changed[number])
        text = text[:body.start] + choice + statements(body) + text[body.start + len(body.text):]
    return text


# The copy

def write(path, text):
    """Writes a file of the copy if it differs, so that little is built again."""
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def make_copy(mutants):
    """Copies the repository, with all mutants."""
    versions = collections.defaultdict(list)
    for mutant in mutants:
        for file, text in mutant.patched().items():
            versions[file].append((mutant, text))
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    texts = {file: (ROOT / file).read_bytes() for file in listed.stdout.decode().split("\0") if (ROOT / file).is_file()}
    for file in versions:
        texts[file] = switched(file, versions[file])
        texts["/".join(file.split("/")[:2]) + "/Mutant.swift"] = SWITCH
    for file, text in texts.items():
        write(COPY / file, text)
    for path in COPY.rglob("*.swift"):
        file = path.relative_to(COPY)
        if ".build" not in file.parts and str(file) not in texts:
            path.unlink()


def builds(*options):
    """Builds the copy, and returns whether that worked; LOG has what the compiler printed."""
    say(f"building {' '.join(options)}")
    with open(LOG, "w") as log:
        done = subprocess.run(["swift", "build", "--package-path", COPY, *options], stdout=log, stderr=log)
    say("")
    return done.returncode == 0


def build(*options):
    if not builds(*options):
        sys.exit(f"The mutants do not build; the log is {LOG}.")


# Playing

def say(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def started(command, mutant, errors):
    """A running program with a mutant, which ends with the block."""
    environment = {**os.environ, "SKEIN_MUTANT": str(mutant.number)} if mutant else os.environ
    # In a session of its own, the program ends together with the processes that it has started. Some mutants never end,
    # and take more and more memory.
    program = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, errors="replace",
        start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
    try:
        yield program
    finally:
        stop(program)
        program.wait()


def stop(program):
    try:
        os.killpg(program.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def simulate(mutant, start, count):
    """The number of seeds played until a violation, and the promises that each seed broke; None if the process ended."""
    program = COPY / ".build" / "release" / "skein"
    command = [program, "simulate", "--json", "--until-violation", "--from", str(start), "--seeds", str(count)]
    with started(command, mutant, subprocess.DEVNULL) as running:
        try:
            result = json.loads(running.communicate(timeout=60 + 4 * count)[0])
        except (json.JSONDecodeError, subprocess.TimeoutExpired):
            return None
    broken = collections.defaultdict(set)
    for violation in result["violations"]:
        broken[violation["seed"]].add(violation["invariant"])
    return result["seeds"], broken


def play(mutant, limit):
    """The promises that notice a mutant within `limit` seeds, and the seed."""
    start = 1
    while start <= limit:
        result = simulate(mutant, start, limit - start + 1)
        if result is None:
            return "the end of the process", f"from {start}"
        count, broken = result
        for seed in sorted(broken):
            # A seed in which the program without a mutant breaks a promise is ignored.
            kept = simulate(None, seed, 1)
            if kept and not kept[1]:
                return ", ".join(sorted(broken[seed])), str(seed)
        start += count
    return "nobody", "-"


def failed(tests, mutant):
    """The first failure of the tests that a pattern selects: None if they pass. The tests end with the first failure."""
    command = ["swift", "test", "--package-path", COPY, "--skip-build", "--disable-xctest", "--filter", tests]
    with started(command, mutant, subprocess.STDOUT) as running:
        late = []

        def end():
            late.append(running)
            stop(running)

        watch = threading.Timer(600, end)
        watch.start()
        try:
            for line in running.stdout:
                failure = re.search(r'Test "?(.+?)"? (?:failed after|recorded an issue)', line)
                if failure:
                    return failure[1]
            if late:
                return "a test that does not end"
            return None if running.wait() == 0 else "the end of the process"
        finally:
            watch.cancel()
