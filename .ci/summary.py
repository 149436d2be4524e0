"""Writes OUTDIR/summary.json from what .ci/gpu left there, prints it, and fails unless everything
that should have run did, and passed."""

import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

SUITES = ["warpfold-test", "warpfold-pricing-test", "warpfold-poisson-test", "warpfold-compiled-test",
          "warpfold-custom-test", "warpfold-comm-test", "warpfold-raycast-test"]
# At these all tools of compute-sanitizer look.
LOOKED_AT = SUITES + ["warpfold-allocation-gpu-test"]
# In these compute-sanitizer looks for leaks.
LEAK_SUITES = ["warpfold-allocation-test"]
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
# Tests that may be skipped, for want of memory, a second GPU, Boost.Context, MPFR, Embree, QuantLib, libcsv,
# FFTW, MPI, NCCL, NumPy or matplotlib, but not left out.
SKIPPABLE = ["warpfold-test-large", "warpfold-simt-test", "warpfold-mpfr-test",
             "warpfold-embree-test", "warpfold-quantlib-test", "warpfold-option-csv-test",
             "warpfold-mpi-test", "warpfold-mpi-test-gpus", "example-many-processes",
             "example-many-processes-gpus", "example-mpi-sum", "example-mpi-sum-gpus",
             "example-price-book", "example-solve-field", "example-plot-field", "warpfold-solve-field-test", "report", "sass"]
# The rows of warpfold-bench by the first word of their names.
FAMILIES = ["ceiling", "sum", "sum_of_squares", "min", "product", "host", "exact_sum",
            "exact_sum_wild", "exact_dot", "exact_norm2", "compensated_sum", "dot", "norm2", "count_if",
            "argmin", "minmax", "describe", "segmented_sum_4096", "segmented_sum_power_law",
            "counter_100", "counters_64_100", "sum_of_floats_100", "raycast", "histogram-16-uniform",
            "histogram-256-equal", "compact_if-50", "black_scholes", "black_scholes_greeks",
            "implied_volatility", "piped", "random_normal", "european_256", "asian_16x252",
            "poisson_periodic_2d", "poisson_periodic_3d", "poisson_dirichlet_cells_2d"]
# And where there are several GPUs.
SCALING = ["scaling_sum_each", "scaling_exact_sum_each", "scaling_european_256", "scaling_european_64",
           "scaling_black_scholes", "scaling_poisson_2d"]
# The rows of warpfold-rival by the second word of their names.
RIVAL = ["sum", "exact_sum", "argmin", "inclusive_sum"]

out = pathlib.Path(sys.argv[1])
failed = []


def query(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def text_of(name):
    path = out / name
    return path.read_text(errors="replace") if path.exists() else ""


def exit_code(text):
    found = re.findall(r"^exit: (\d+)$", text, re.M)
    return int(found[-1]) if found else None


def cases(text):
    """doctest's count of cases that ran and passed, and how many ran."""
    found = re.findall(r"test cases:\s*(\d+) \|\s*(\d+) passed", text)
    return dict(zip(("run", "passed"), map(int, found[-1]))) if found else {"run": 0, "passed": 0}


def tests():
    """What ctest says in tests.xml and by its exit status."""
    try:
        found = xml.etree.ElementTree.parse(out / "tests.xml").getroot().findall("testcase")
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        failed.append(f"tests.xml: {error}")
        found = []
    names = collections.defaultdict(list)
    suites = {}
    for case in found:
        status = {"run": "passed", "fail": "failed"}.get(case.get("status"), "skipped")
        # A test whose executable is missing counts as "not run" too.
        why = case.find("skipped")
        if why is not None and "SKIP" not in why.get("message", ""):
            status = "failed"
        names[status].append(case.get("name"))
        if case.get("name").removesuffix("-gpu") in SUITES + LEAK_SUITES:
            suites[case.get("name")] = cases(case.findtext("system-out") or "")
    required = [suite + end for suite in SUITES + LEAK_SUITES for end in ("", "-gpu")]
    absent = {*required, *SKIPPABLE}.difference(*names.values())
    failed.extend(names["failed"])
    failed.extend(f"{name}: skipped" for name in names["skipped"]
                  if name.endswith("-gpu") or name in required)
    failed.extend(f"{name}: absent" for name in sorted(absent))
    failed.extend(f"{name}: ran no cases" for name in required
                  if name in names["passed"] and suites[name]["run"] == 0)
    code = exit_code(text_of("tests.log"))
    if code != 0:
        failed.append(f"ctest: exit {code}")
    return {status: len(names[status]) for status in ("passed", "failed")} | {
        "skipped": names["skipped"],
        "exit": code,
        "cases": suites,
    }


def sanitizers():
    parts = re.split(r"^## (.*)$", text_of("sanitizers.log"), flags=re.M)
    logs = dict(zip(parts[1::2], parts[2::2]))
    result = {}
    for name in [f"{tool} {suite}" for tool in TOOLS for suite in LOOKED_AT] + [
            f"leakcheck {suite}" for suite in LEAK_SUITES]:
        for of in [name, f"{name}-alone"]: # what failed among others, and ran again
            if of in logs or of == name:
                text = logs.get(of, "")
                findings = re.findall(r"SUMMARY: (.*)", text)
                result[of] = {"exit": exit_code(text), "findings": findings[-1] if findings else None,
                              "cases": cases(text)["run"]}
        text = logs.get(name, "")
        if result[name]["exit"] != 0 or not result[name]["findings"] or result[name]["cases"] == 0:
            failed.append(name)
        elif name.startswith("leakcheck") and "LEAK SUMMARY: 0 bytes leaked" not in text:
            failed.append(name)
    return result


def rows_of(program, name, family, wanted):
    """Counts the rows that a program wrote to `name`.json, by family; `wanted` families must be there."""
    code = exit_code(text_of(f"{name}.log"))
    if code != 0:
        failed.append(f"{program}: exit {code}")
    try:
        rows = json.loads(text_of(f"{name}.json"))["benchmarks"]
    except (ValueError, KeyError) as error:
        failed.append(f"{name}.json: {type(error).__name__} {error}")
        rows = []
    families = collections.Counter(family(row["name"]) for row in rows)
    wrong = [row["name"] for row in rows if row.get("error_occurred")]
    failed.extend(wrong)
    failed.extend(f"{name}.json: no row of {one}" for one in wanted if not families[one])
    return {"exit": code, "rows": dict(families), "failed": wrong}


def benchmarks():
    return rows_of("warpfold-bench", "bench", lambda row: row.split("/")[0],
                   FAMILIES + (SCALING if len(gpus) > 1 else []))


def rival():
    """Rows of warpfold-rival, which is built only where a newer CCCL is named."""
    if not text_of("rival.log") and not os.environ.get("WARPFOLD_CCCL"):
        return None
    return rows_of("warpfold-rival", "rival", lambda row: row.split("/")[1], RIVAL)


visible = os.environ.get("CUDA_VISIBLE_DEVICES")
gpus = query("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader",
             *(["--id", visible] if visible else [])).split("\n")
smi = gpus[0].split(", ")
cuda = re.search(r"release ([\d.]+), V([\d.]+)", query("nvcc", "--version"))
summary = {
    "gpu": smi[0],
    "gpus": len(gpus),
    "driver": smi[-1],
    "cuda": cuda.group(2) if cuda else "",
    "date": datetime.date.today().isoformat(),
    "commit": os.environ.get("WARPFOLD_COMMIT", "unknown"),
    "tests": tests(),
    "sanitizers": sanitizers(),
    "tour": exit_code(text_of("tour.txt")),
    "benchmarks": benchmarks(),
    "rival": rival(),
}
if summary["tour"] != 0:
    failed.append(f"warpfold-tour: exit {summary['tour']}")
summary["failed"] = failed
(out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
print(json.dumps(summary, indent=2))
print("FAILED: " + ", ".join(failed) if failed else "everything passed")
sys.exit(1 if failed else 0)
