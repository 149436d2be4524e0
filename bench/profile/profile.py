#!/usr/bin/env python3
"""profile.py BINARY OUTDIR [ROW...]: profiles every row of warpfold-profile, or those that are named, by ncu.

One process a row, whose log is OUTDIR/profile-ROW.log. OUTDIR/profile.csv has a line for each launch; its
first line, a comment, names GPU, commit and date. Exit status 1 if there is no ncu, or if it counts nothing.
From the environment: NCU is the program, ncu otherwise; WARPFOLD_COMMIT names the commit.
"""

import csv
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zlib

# Columns of profile.csv, after row, kernel and instance (a digest of its whole name), and the metrics in them.
METRICS = {
    "grid": "launch__grid_size", "block": "launch__block_size", "registers": "launch__registers_per_thread",
    "time_us": "gpu__time_duration.sum", "dram_mb": "dram__bytes.sum",
    "dram_percent": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2_percent": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1_percent": "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "issue_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "warps_percent": "sm__warps_active.avg.pct_of_peak_sustained_active"}
# To microseconds, and to 10^6 bytes; other units stay as they are.
UNITS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3, "s": 1e6, "second": 1e6,
         "byte": 1e-6, "Kbyte": 1e-3, "Mbyte": 1, "Gbyte": 1e3}


def short_name(kernel):
    """The name without return type, namespaces, template arguments and parameters."""
    plain = re.sub(r"\(anonymous namespace\)::|<?unnamed>::", "", kernel)  # ncu may leave the < out
    return re.match(r"[^(<]*?(\w+)\s*[<(]", plain)[1]


def launches(log):
    """The launches in what ncu printed: kernels, and metrics by name. The CSV has a line for each metric."""
    found, lines = {}, [line for line in log.splitlines() if line.startswith('"')]
    for line in csv.DictReader(lines):
        name = line["Kernel Name"]
        of = found.setdefault(line["ID"], {"kernel": short_name(name), "instance": f"{zlib.crc32(name.encode()):08x}"})
        try:
            value = float(line["Metric Value"].replace(",", ""))
        except ValueError:  # n/a
            continue
        of[line["Metric Name"]] = value * UNITS.get(line["Metric Unit"], 1)
    return list(found.values())


def profile(ncu, binary, row, out):
    """The launches of a row; None, after a complaint, if ncu counted nothing."""
    log = out / f"profile-{re.sub('[^A-Za-z0-9]+', '-', row)}.log"
    command = [ncu, "--csv", "--print-units", "base", "--clock-control", "none", "--profile-from-start", "off",
               "--metrics", ",".join(METRICS.values()), binary, row]
    with log.open("w") as to:
        status = subprocess.run(command, stdout=to, stderr=subprocess.STDOUT, env={**os.environ, "LC_ALL": "C"},
                                check=False).returncode
    text = log.read_text(errors="replace")
    found = launches(text)
    missing = sorted({metric for one in found for metric in METRICS.values() if metric not in one})
    if status == 0 and found and not missing:
        print(f"{row}: {len(found)} launches, {sum(one[METRICS['time_us']] for one in found):.1f} us", flush=True)
        return found
    why = "no permission to read the counters" if "ERR_NVGPUCTRPERM" in text else \
        f"no {', '.join(missing)}" if missing else f"exit {status}, {len(found)} launches"
    print(f"{row}: not profiled: {why}; see {log}", *text.splitlines()[-5:], sep="\n  ", file=sys.stderr, flush=True)
    return None


def gpu_name():
    tool = shutil.which("nvidia-smi")
    text = subprocess.run([tool, "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                          check=False).stdout if tool else ""
    return (text.splitlines() or ["a GPU"])[0]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binary, out, rows = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]), sys.argv[3:]
    ncu = shutil.which(os.environ.get("NCU", "ncu"))
    if not ncu:
        sys.exit("profile.py: ncu (Nsight Compute) is not on the PATH: nothing is profiled")
    rows = rows or subprocess.run([binary], capture_output=True, text=True, check=True).stdout.split()
    out.mkdir(parents=True, exist_ok=True)
    missed = 0
    with (out / "profile.csv").open("w") as to:
        to.write(f"# {gpu_name()}, commit {os.environ.get('WARPFOLD_COMMIT', 'unknown')}, {datetime.date.today()}\n")
        to.write(",".join(["row", "kernel", "instance", *METRICS]) + "\n")
        for row in rows:
            found = profile(ncu, binary, row, out)
            missed += found is None
            for one in found or ():
                to.write(",".join([row, one["kernel"], one["instance"], *(f"{one[metric]:.10g}" for metric in METRICS.values())]) + "\n")
            to.flush()
    if missed:
        sys.exit(f"profile.py: {missed} of {len(rows)} rows were not profiled")


if __name__ == "__main__":
    main()
