"""Run engines interleaved (A, B, C, A, B, C, ...) and append one JSON line per run.

    python3 run_all.py [--rounds 5] [--workloads W1,W2] [--engines torch,mygrad]
                       [--blas ambient|native] [--out results/run.jsonl] [--budget 6] [--repeat N]

engines.json lists the engines: python (interpreter), script, and optionally env
(environment variables), only / skip (workloads), every (k: run in every k-th round),
kind ("numpy" for an engine that report.py compares with the fastest of this kind).
`--budget` is the number of seconds after which a run times no further call.
To add an engine for a single run:  --add name=python:script
"""
import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = ["W1", "W1depth", "W2", "W3", "W4", "W5", "W6max", "W6avg", "W7", "W8", "W9"]
ONCE = {"W1depth"}                       # workloads that run in the first round only

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--rounds", type=int, default=5)
ap.add_argument("--workloads", default=",".join(ALL))
ap.add_argument("--engines", default="")
ap.add_argument("--add", action="append", default=[])
ap.add_argument("--blas", default="ambient", choices=["ambient", "native"])
ap.add_argument("--out", default=os.path.join(HERE, "results", "run.jsonl"))
ap.add_argument("--budget", type=float, default=6.0)
ap.add_argument("--repeat", type=int, default=0)
a = ap.parse_args()

os.environ.setdefault("PEERS", os.path.expanduser("~/.cache/bench-peers"))
with open(os.path.join(HERE, "engines.json")) as f:
    engines = json.load(f)
for spec in a.add:
    name, command = spec.split("=", 1)
    py, script = command.rsplit(":", 1)
    engines[name] = dict(python=py, script=script)
names = a.engines.split(",") if a.engines else list(engines)
missing = [n for n in names if not os.path.exists(os.path.expandvars(engines[n]["python"]))]
if missing:
    print("skipped, because their venv is missing: " + ", ".join(missing) + "\n    run setup_venvs.sh", file=sys.stderr)
names = [n for n in names if n not in missing]
os.makedirs(os.path.dirname(a.out), exist_ok=True)

for r in range(a.rounds):
    for w in a.workloads.split(","):
        if w in ONCE and r:
            continue
        for n in names:
            e = engines[n]
            if w in e.get("skip", {}) or ("only" in e and w not in e["only"]) or r % e.get("every", 1):
                continue
            cmd = [os.path.expandvars(e["python"]), os.path.join(HERE, e["script"]), w, "--budget", str(a.budget)]
            if a.repeat:
                cmd += ["--repeat", str(a.repeat)]
            env = dict(os.environ, BENCH_BLAS=a.blas, **e.get("env", {}))
            t = time.time()
            try:
                p = subprocess.run(cmd, env=env, cwd=HERE, capture_output=True, text=True, timeout=400)
                row = json.loads(p.stdout.strip().splitlines()[-1])
            except subprocess.TimeoutExpired:
                row = dict(workload=w, median_s=None, error="timeout after 400 s")
            except (IndexError, ValueError):
                row = dict(workload=w, median_s=None,
                           error="rc=%d %s" % (p.returncode, p.stderr.strip().splitlines()[-1:]))
            row.update(engine=n, kind=e.get("kind", ""), round=r, took_s=round(time.time() - t, 1))
            with open(a.out, "a") as f:
                f.write(json.dumps(row) + "\n")
            m = row.get("median_s")
            print("r%d %-8s %-22s %s %s" % (r, w, n, "%10.3f ms" % (m * 1e3) if m else "         -   ",
                                            row.get("error", "") or ("" if row["result_check"].get("ok") else "CHECK " + str(row["result_check"]))),
                  flush=True)
print("done", file=sys.stderr)
