"""Writes OUTDIR/summary.json from the logs of .ci/gpu, prints it, and fails if anything failed."""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

out = pathlib.Path(sys.argv[1])


def query(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def sections(name):
    """(title, text) of every '## title' section of a log."""
    parts = re.split(r"^## (.*)$", (out / name).read_text(errors="replace"), flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def exit_code(text):
    found = re.findall(r"^exit: (\d+)$", text, re.M)
    return int(found[-1]) if found else None


def cases(text):
    found = re.search(r"test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped", text)
    return dict(zip(("run", "passed", "failed", "skipped"), map(int, found.groups()))) if found else {}


smi = query("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").split("\n")[0].split(", ")
cuda = re.search(r"release ([\d.]+), V([\d.]+)", query("nvcc", "--version") or "")
summary = {
    "gpu": smi[0],
    "driver": smi[-1],
    "cuda": cuda.group(2) if cuda else "",
    "date": datetime.date.today().isoformat(),
    "commit": os.environ.get("WARPFOLD_COMMIT", "unknown"),
    "tests": {t: cases(text) | {"exit": exit_code(text)} for t, text in sections("tests.log")},
    "sanitizers": {
        t: {
            "exit": exit_code(text),
            "findings": (re.findall(r"SUMMARY: (.*)", text) or ["none reported"])[-1],
            "cases": cases(text).get("run", 0),
        }
        for t, text in sections("sanitizers.log")
    },
    "tour": exit_code((out / "tour.txt").read_text()),
    "benchmarks": (out / "bench.json").exists(),
}
(out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
print(json.dumps(summary, indent=2))

failed = [t for t, r in summary["tests"].items() if r["exit"] != 0]
failed += [t for t, r in summary["sanitizers"].items() if r["exit"] != 0 or r["cases"] == 0]
if summary["tour"] != 0:
    failed.append("tour")
if not summary["benchmarks"]:
    failed.append("benchmarks")
print("failed: " + ", ".join(failed) if failed else "everything passed")
sys.exit(1 if failed else 0)
