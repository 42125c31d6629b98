"""Compare this harness with other tools that test the examples of documentation.

    .venv/bin/python bench/harness/run.py                 # all, about a quarter of an hour on two cores
    .venv/bin/python bench/harness/run.py --only tools    # time, mutation, leaks, faults
    .venv/bin/python bench/harness/run.py --only scale    # or time, mutation, leaks, faults, edit, order

The measurements go to docs/evidence/harness_bench.json; those of other parts and other tools in it do not change (see
`store_results` for measurements from another processor). Times are wall-clock seconds on an otherwise idle machine, the minimum
of `--repeat` runs. The tools take turns. A tool that starts an interpreter for each program needs seconds per program. It
runs `SAMPLE` programs once, and the time is extrapolated.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import corpus
import orders
import probes
from corpus import Program
from peers import ROOT, SETTINGS, THIS_HARNESS, TOOLS, Tool, on_cores, run, run_in, version, with_written_outputs
from snippetcheck.cache import processor

from gradnotes.evidence.provenance import describe_sources, with_imports

RESULTS = ROOT / "docs" / "evidence" / "harness_bench.json"
TOOL_PARTS = ("time", "mutation", "leaks", "faults")
TIMED = ("time", "scale", "edit")  # parts whose measurements cannot be compared between machines
LIMIT = 25.0  # seconds for a tool on a harmful program; longer than `peers.TIMEOUT`, the limit of a single program
SAMPLE = 20  # number of programs for a tool that needs seconds for each program


def main() -> None:
    """Run the parts of the comparison that the command line names, and write their measurements."""
    parts = {
        "time": times,
        "mutation": mutation,
        "leaks": leaks,
        "faults": faults,
        "scale": scale,
        "edit": edit,
        "order": order,
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--only", action="append", choices=["tools", *parts], help="run only this part; may be repeated"
    )
    parser.add_argument("--tool", action="append", help="run only this tool; may be repeated")
    parser.add_argument("--repeat", type=int, default=3, help="number of runs, of which the fastest counts (default 3)")
    parser.add_argument("--snippets", type=int, default=200, help="number of programs (default 200)")
    parser.add_argument("--orders", type=int, default=2, help="number of runs in random order (default 2)")
    options = parser.parse_args()
    tools = [tool for tool in TOOLS if not options.tool or tool.name in options.tool]
    for part in parts:
        if options.only and part not in options.only and not ("tools" in options.only and part in TOOL_PARTS):
            continue
        for tool in tools if part in TOOL_PARTS else ():
            tool.install()
        provenance = describe_benchmark()
        results = parts[part](tools, options)
        store_results(part, results, provenance)
        print(json.dumps(results, indent=1), flush=True)


def describe_benchmark() -> dict[str, Any]:
    """Return the provenance of the measurements: date, checksums of the sources, and versions of torch and pytest. Call it before measuring."""
    sources = {"harness": ["harness/src/snippetcheck"], "judge": with_imports(ROOT, "bench/harness/run.py")}
    return describe_sources(ROOT, "python bench/harness/run.py", sources, ("torch", "pytest"))


def store_results(part: str, new_measurements: dict[str, Any], provenance: dict[str, Any]) -> None:
    """Merge `new_measurements` of one part into the recorded ones in the evidence file, and derive the tables again.

    Recorded measurements of a part that measures time are dropped if they are from another processor. The provenance of the file becomes
    that of its oldest part.
    """
    results: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    measurements, machines = results.setdefault("parts", {}), results.setdefault("machines", {})
    this_machine = machine()
    if part in TIMED and machines.get(part, {}).get("processor") != this_machine["processor"]:
        measurements.pop(part, None)
    measurements[part] = {**measurements.get(part, {}), **new_measurements}
    machines[part] = {**this_machine, "date": provenance["date"][:10], "made_by": provenance}
    results["provenance"] = _oldest_provenance(machines)
    results["tools"] = table(measurements)
    results["scale"] = list(measurements.get("scale", {}).values())
    results["ratios"] = ratios(measurements)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


def _oldest_provenance(machines: dict[str, Any]) -> dict[str, Any] | None:
    """Return the provenance of the part that was measured first; None if a part has no provenance."""
    provenances = [machine.get("made_by") for machine in machines.values()]
    return None if None in provenances else min(provenances, key=lambda provenance: provenance["date"])


def ratios(measurements: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the ratios of recorded times that pages quote, as a list of {"ratio": description, "value": number}.

    `measurements` are those of the evidence file, by part. A ratio is left out if one of its times is missing.
    """
    seconds = {name: entry["seconds"] for name, entry in measurements.get("time", {}).items()}
    scale_seconds = {name: entry["seconds"] for name, entry in measurements.get("scale", {}).items()}
    definitions = (
        ("this harness, times doctest without isolation", seconds, THIS_HARNESS.name, "doctest"),
        ("fresh interpreters, times this harness", seconds, "fresh interpreters", THIS_HARNESS.name),
        ("1,000 examples, times 50", scale_seconds, "1000", "50"),
        ("1,000 examples by one worker, times two workers", scale_seconds, "1000", "1000 by two"),
    )
    return [
        {"ratio": text, "value": round(seconds_by_name[above] / seconds_by_name[below], 2)}
        for text, seconds_by_name, above, below in definitions
        if above in seconds_by_name and below in seconds_by_name
    ]


def machine() -> dict[str, Any]:
    """Return a dict with the keys processor, cores (their number), and python, torch and pytest (their versions)."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "torch": version("torch", Path(sys.executable)),
        "pytest": version("pytest", Path(sys.executable)),
    }


# -- the parts --------------------------------------------------------------------------------------


def times(tools: list[Tool], options: argparse.Namespace) -> dict[str, Any]:
    """Measure the seconds that each tool needs for all programs in one pytest process, including the import of torch.

    Return for each tool a dict: version, seconds, programs (how many ran; for fewer than all, seconds are extrapolated), and passed.
    "fresh interpreters" and "plain fork server" have only seconds and programs.
    """
    programs = corpus.programs(options.snippets)
    entries: dict[str, Any] = {}
    for name, function in (("fresh interpreters", fresh_interpreters), ("plain fork server", plain_fork_server)):
        if not options.tool or name in options.tool:
            # a folder for the files that the programs write
            with tempfile.TemporaryDirectory(prefix="bench-") as folder, contextlib.chdir(folder):
                sample_programs = programs[:SAMPLE] if name == "fresh interpreters" else programs
                entries[name] = {
                    "seconds": extrapolate(function(sample_programs), sample_programs, programs),
                    "programs": len(sample_programs),
                }
    folders, samples = {}, {}
    for tool in tools:
        tool_version = tool.install()
        folders[tool.name] = folder = Path(tempfile.mkdtemp(prefix="bench-"))
        samples[tool.name] = sample_programs = programs[:SAMPLE] if tool.is_slow else programs
        tool.write(sample_programs, folder)
        tool.update(folder)
        entries[tool.name] = {"version": tool_version, "seconds": float("inf"), "programs": len(sample_programs)}
    for turn in range(options.repeat):  # in turns, so that drift of the machine affects all tools equally
        for tool in tools:
            if tool.is_slow and turn:
                continue
            entry = entries[tool.name]
            outcome = run_in(tool, folders[tool.name])
            seconds = extrapolate(outcome.seconds, samples[tool.name], programs)
            entry["seconds"] = min(entry["seconds"], seconds)
            entry["passed"] = sum(verdict == "passed" for verdict in outcome.verdicts.values())
            if not entry["passed"]:
                raise SystemExit(f"{tool.name}: no program passed; run it in {folders[tool.name]} to see why")
    for folder in folders.values():
        shutil.rmtree(folder)
    return entries


def extrapolate(seconds: float, sample_programs: list[Program], programs: list[Program]) -> float:
    """Return the seconds of a sample, extrapolated to all programs."""
    return round(seconds * len(programs) / len(sample_programs), 2)


def fresh_interpreters(programs: list[Program]) -> float:
    """Run each program in a new interpreter and compare its output. Return the seconds."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            file = Path(folder) / "program.py"
            file.write_text("\n".join(source for source, _ in program.statements))
            process = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
            expected = "".join(f"{line}\n" for _, lines in program.statements for line in lines)
            assert [line.rstrip() for line in process.stdout.splitlines()] == expected.splitlines(), program
    return round(time.perf_counter() - start, 2)


PLAIN = """
import os, sys, json, torch
torch.set_num_threads(1)
for source, expected in json.load(open(sys.argv[1])):
    r, w = os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(w, 1)
        exec(compile(source, "program", "exec"), {"__name__": "__main__"})
        sys.stdout.flush()
        os._exit(0)
    os.close(w)
    with os.fdopen(r) as stream:
        lines = [line.rstrip() for line in stream.read().splitlines()]
    os.waitpid(pid, 0)
    assert lines == expected, (source, lines)
"""


def plain_fork_server(programs: list[Program]) -> float:
    """Return the seconds of a minimal isolating tool: import torch once, then fork for each program and compare its output."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "programs.json"
        file.write_text(
            json.dumps(
                [
                    (
                        "\n".join(s for s, _ in program.statements),
                        [line for _, lines in program.statements for line in lines],
                    )
                    for program in programs
                ]
            )
        )
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", PLAIN, str(file)], check=True)
        return round(time.perf_counter() - start, 2)


def mutation(tools: list[Tool], options: argparse.Namespace, count: int = 60) -> dict[str, Any]:
    """Change one digit in the output of up to `count` programs (for a slow tool `SAMPLE`), and run each tool on them.

    Return for each tool the number of changed programs as "mutants", and how many of them it marks as failed as "killed".
    """
    usable_programs = [program for program in corpus.programs(options.snippets) if corpus.change_digit(program, 0)][
        :count
    ]
    scores = {}
    for tool in tools:
        programs = usable_programs[:SAMPLE] if tool.is_slow else usable_programs
        mutants = [corpus.change_digit(program, number) or program for number, program in enumerate(programs)]
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name)
            tool.write(programs if tool.update_arguments else mutants, folder)
            tool.update(folder)
            if tool.update_arguments:
                for number, program in enumerate(programs):
                    change_digit_in(folder / f"{program.name}{tool.suffix}", number)
            outcome = run_in(tool, folder)
        killed_count = sum(verdict == "failed" for verdict in outcome.verdicts.values())
        scores[tool.name] = {"mutants": len(mutants), "killed": killed_count}
    return scores


def change_digit_in(file: Path, index: int) -> None:
    """Change one digit of the output in a file that a tool has written. `index` selects the digit, modulo the number of digits."""
    lines = file.read_text().split("\n")
    is_inside, digits = False, []
    for number, line in enumerate(lines):
        if line.strip() == '"""':
            is_inside = not is_inside
        elif is_inside or line.strip().startswith("#>"):
            digits += [(number, match.start()) for match in re.finditer(r"\d", line)]
    number, position = digits[index % len(digits)]
    line = lines[number]
    lines[number] = line[:position] + str((int(line[position]) + 1) % 10) + line[position + 1 :]
    file.write_text("\n".join(lines))


def leaks(tools: list[Tool], options: argparse.Namespace) -> dict[str, Any]:
    """Count for each tool the leaking programs whose leak does not reach the next program.

    Return for each tool the number of leaking programs as "probes", of those whose leak is contained as "contained", and the names of the
    other leaks as "leaked".
    """
    programs = probes.leaks()
    scores = {}
    for tool in tools:
        outcome = run(tool, programs, limit=300)
        contained_leaks = [
            name
            for number, name in enumerate(probes.LEAKS)
            if outcome.verdicts.get(f"p{2 * number + 1:04}") == "passed"
        ]
        scores[tool.name] = {
            "probes": len(probes.LEAKS),
            "contained": len(contained_leaks),
            "leaked": [name for name in probes.LEAKS if name not in contained_leaks],
        }
    return scores


def faults(tools: list[Tool], options: argparse.Namespace) -> dict[str, Any]:
    """Count for each tool the harmful programs that it handles.

    It handles a program if it marks only this program as failed, ends in time, and leaves no process behind. Return for each tool the
    number of programs as "faults", of those that it handles as "contained", and a text for each other program, by name, as "failed".
    The scores are also stored after each tool.
    """
    scores, provenance = {}, describe_benchmark()
    for tool in tools:
        failures = {}
        with ThreadPoolExecutor(4) as pool:  # most of the time, the tools wait for a time limit
            outcomes = pool.map(
                lambda name, tool=tool: run(
                    with_written_outputs(tool), probes.fault(name), LIMIT, tool.timeout_arguments
                ),
                probes.FAULTS,
            )
        for name, outcome in zip(probes.FAULTS, outcomes, strict=True):
            expected = {"p0000": "passed", "p0001": "failed", "p0002": "passed"}
            if outcome.code is None:
                failures[name] = "did not end"
            elif outcome.code == 0:
                failures[name] = "ended green"
            elif "left" in outcome.verdicts:
                failures[name] = "left a process running"
            elif outcome.verdicts != expected:
                failures[name] = "gave no verdict on its neighbours" if not outcome.verdicts else "blamed another"
        scores[tool.name] = {
            "faults": len(probes.FAULTS),
            "contained": len(probes.FAULTS) - len(failures),
            "failed": failures,
        }
        print(tool.name, scores[tool.name], flush=True)
        store_results("faults", scores, provenance)
    return scores


def scale(tools: list[Tool], options: argparse.Namespace) -> dict[str, Any]:
    """Measure seconds and memory of this harness for 50, 200 and 1,000 snippets; for 1,000, also with two workers and on one core.

    Return the results of `measure_fastest` by name: "50", "200" and "1000", which also have "server_mib", "1000 by two" and
    "1000 on one core".
    """
    measurements: dict[str, Any] = {}
    for count in (50, 200, 1000):
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name)
            THIS_HARNESS.write(corpus.programs(count), folder)
            measurements[f"{count}"] = {**measure_fastest(folder, count, options), "server_mib": server_memory(folder)}
            if count == 1000:
                measurements["1000 by two"] = measure_fastest(folder, count, options, workers=2)
                measurements["1000 on one core"] = measure_fastest(folder, count, options, cores=1)
    return measurements


def measure_fastest(
    folder: Path, count: int, options: argparse.Namespace, workers: int = 1, cores: int | None = None
) -> dict[str, Any]:
    """Run this harness on a folder of `count` snippets `--repeat` times, and return the measurements of the fastest run.

    The keys are snippets, workers, cores (how many it may use), seconds (wall-clock), and busy (CPU seconds per wall-clock second).
    """
    with on_cores(cores):
        arguments = ("-n", str(workers)) if workers > 1 else ()
        best = min(
            (run_in(THIS_HARNESS, folder, arguments=arguments) for _ in range(options.repeat)),
            key=lambda run: run.seconds,
        )
    available_cores = cores or len(os.sched_getaffinity(0))
    row = {"snippets": count, "workers": workers, "cores": available_cores, "seconds": round(best.seconds, 2)}
    return {**row, "busy": round(best.cpu / best.seconds, 2)}


def server_memory(folder: Path) -> int:
    """Run all snippets of a folder on one server. Return the memory of the server and its child processes after that, in MiB."""
    program = textwrap.dedent(
        """
        from pathlib import Path
        from snippetcheck.runner.client import EngineClient
        from snippetcheck.settings import load_settings

        settings = load_settings(".")
        server = EngineClient(settings.engines["torch"])
        for path in sorted(settings.snippets_dir.glob("*.py")):
            server.run(settings.load(path))
        kilobytes = 0
        for pid in (server.pid, *Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()):
            try:
                kilobytes += int(Path(f"/proc/{pid}/smaps_rollup").read_text().split("Pss:")[1].split()[0])
            except ProcessLookupError:
                pass  # the last child: it has ended, and is not waited for yet
        print(kilobytes // 1024)
        server.close()
        """
    )
    process = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return int(process.stdout)


def edit(tools: list[Tool], options: argparse.Namespace) -> dict[str, Any]:
    """Edit one of 400 snippets. Measure the seconds until the watch mode prints its verdict, and the seconds of a run with the cache.

    Return for each of the two a dict: snippets (400), and seconds, the minimum of `--repeat` edits.
    """
    programs = corpus.programs(400)
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        THIS_HARNESS.write(programs, folder)
        (folder / "pyproject.toml").write_text(SETTINGS)
        (folder / "docs").mkdir()
        for program in programs:
            (folder / "docs" / f"{program.name}.md").write_text(f"``` snippet\nfile: {program.name}.py\n```\n")
        run_in(THIS_HARNESS, folder, arguments=("--snippet-cache",))
        numbers = iter(range(100))
        with watch_mode(folder) as output:
            watch_seconds = [until_green(folder, next(numbers), output) for _ in range(options.repeat)]
        cache_seconds = []
        for _ in range(options.repeat):
            touch(folder, next(numbers))
            cache_seconds.append(run_in(THIS_HARNESS, folder, arguments=("--snippet-cache",)).seconds)
    seconds_by_mode = {
        "watch mode, to its verdict": watch_seconds,
        "pytest --snippet-cache": cache_seconds,
    }
    return {name: {"snippets": 400, "seconds": round(min(seconds), 2)} for name, seconds in seconds_by_mode.items()}


def touch(folder: Path, number: int) -> None:
    """Change the title of snippet number `number` in `folder`, but not its program."""
    file = folder / "snippets" / f"p{number:04}.py"
    text = file.read_text()
    file.write_text(text.replace('"""', '"""Edited. ', 1))


@contextlib.contextmanager
def watch_mode(folder: Path) -> Iterator[IO[str]]:
    """Start the watch mode for the `with` block. Wait until it has imported the engine, then yield its output."""
    command = [sys.executable, "-m", "snippetcheck", "watch"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            while "watching" not in process.stdout.readline():
                pass
            time.sleep(1)
            yield process.stdout
        finally:
            process.terminate()


def until_green(folder: Path, number: int, output: IO[str]) -> float:
    """Edit snippet number `number`, and return the seconds until the watch mode prints to `output` that the snippet is green."""
    start = time.perf_counter()
    touch(folder, number)
    while f"green p{number:04}.py" not in output.readline():
        pass
    return time.perf_counter() - start


def order(tools: list[Tool], options: argparse.Namespace) -> dict[str, Any]:
    """Run the hostile snippets in random orders. Add the runs to the recorded runs if these were made with the same sources.

    Return {"hostile": the totals of `orders.runs`}, or an empty dict if `--orders` is 0. The totals are also stored after each run.
    """
    recorded_totals: dict[str, Any] = {}
    provenance = describe_benchmark()
    if RESULTS.exists():
        evidence = json.loads(RESULTS.read_text())
        recorded_provenance = evidence.get("machines", {}).get("order", {}).get("made_by") or {}
        if recorded_provenance.get("made_with") == provenance["made_with"]:
            recorded_totals = evidence["parts"]["order"]["hostile"]
    for totals in orders.runs(recorded_totals, options.orders):
        store_results("order", {"hostile": totals}, provenance)
    return {"hostile": totals} if options.orders else {}


# -- the table of all tools -------------------------------------------------------------------------


def table(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the table of tools in docs/proof.md, one for each tool, from the measurements by part.

    The keys are tool, version, isolated, seconds and times_doctest (its ratio to doctest's seconds), and killed, leaks and faults, which
    are texts such as "58 of 60". If a part did not run for a tool, its values are None; without a version, the version is "".
    """
    seconds = results.get("time", {})
    base = seconds.get("doctest", {}).get("seconds")
    rows = []
    for name in [*(tool.name for tool in TOOLS), "plain fork server", "fresh interpreters"]:
        tool_seconds = seconds.get(name, {}).get("seconds")
        parts = {part: results.get(part, {}).get(name) for part in ("mutation", "leaks", "faults")}
        row: dict[str, Any] = {"tool": name, "version": seconds.get(name, {}).get("version", "")}
        row["isolated"] = next((tool.is_isolated for tool in TOOLS if tool.name == name), True)
        row["seconds"] = tool_seconds
        row["times_doctest"] = round(tool_seconds / base, 2) if tool_seconds and base else None
        row["killed"] = parts["mutation"] and f"{parts['mutation']['killed']} of {parts['mutation']['mutants']}"
        row["leaks"] = parts["leaks"] and f"{parts['leaks']['contained']} of {parts['leaks']['probes']}"
        row["faults"] = parts["faults"] and f"{parts['faults']['contained']} of {parts['faults']['faults']}"
        rows.append(row)
    return rows


if __name__ == "__main__":
    main()
