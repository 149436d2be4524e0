"""The page of profiles: for each case study, where the time of a call goes. From the CSV that bench/profile/profile.py writes."""

import csv

from report_rows import number

# What a row's name begins with, which is the case study's page, and its title.
CASES = {"reduction": "Reduction", "sums": "Sums to trust", "counting": "Counting", "scan": "Scan", "by_key": "Sums by key",
         "scatter": "Sums by index", "quantiles": "Order statistics", "black-scholes": "Option prices",
         "monte-carlo": "Monte Carlo", "poisson": "Poisson's equation"}
PERCENTS = ["dram_percent", "l2_percent", "l1_percent", "issue_percent", "warps_percent"]
LEAST = 0.01  # kernels with less of a row's time are "others"

INTRODUCTION = """Written by bench/report/report.py from `{}`, what ncu counted ({}). Less time is better. Memory, L2, L1 or issue near 100 % is what
bounds a kernel. ncu runs every launch alone, on a cold cache, so times differ from those of the benchmarks, where launches overlap.

A row is one call of `warpfold-profile`; in brackets is the sum of its launches; copies and memsets are not among them. Instances of
one kernel template are numbered. MB are 10^6 bytes moved to and from GPU memory. Memory, L2 and L1
are per cent of their peak throughput. "Issue" is per cent of the cycles in which a scheduler issues an instruction. "Warps" is per cent of those that a
multiprocessor has room for. Launches of one kernel are added up, and their per cents weighted by time. Kernels below 1 % of a row's
time are "others".
"""


def read(path):
    """The machine, of the first line, and the launches of every row."""
    machine, *lines = path.read_text().splitlines()
    rows = {}
    for line in csv.DictReader(lines):
        rows.setdefault(line["row"], []).append(line)
    return machine.lstrip("# "), rows


def time_of(launches):
    return sum(float(one["time_us"]) for one in launches)


def by_kernel(launches):
    """Launches by kernel, the longest time first, and the short ones together last."""
    found = {}
    for one in launches:
        found.setdefault((one["kernel"], one["instance"]), []).append(one)
    least = LEAST * time_of(launches)
    kept = sorted(((name, of) for name, of in found.items() if time_of(of) >= least), key=lambda pair: -time_of(pair[1]))
    others = [one for of in found.values() if time_of(of) < least for one in of]
    names = [name for (name, _), _ in kept]
    kept = [(name if names.count(name) == 1 else f"{name} {names[:i].count(name) + 1}", of)
            for i, ((name, _), of) in enumerate(kept)]
    return kept + [("others", others)] * bool(others)


def case_table(rows, table):
    lines = []
    for row, launches in rows.items():
        whole = time_of(launches)
        name = f"{row.partition('/')[2].replace('_', ' ')} ({number(whole, 1)} us)"
        for kernel, of in by_kernel(launches):
            time = time_of(of)
            registers = sorted({int(float(one["registers"])) for one in of})
            means = [number(sum(float(one[column]) * float(one["time_us"]) for one in of) / time, 0) for column in PERCENTS]
            lines.append([name, kernel, str(len(of)), number(time, 1), number(100 * time / whole, 1),
                          number(sum(float(one["dram_mb"]) for one in of), 1), *means,
                          "-".join(map(str, dict.fromkeys((registers[0], registers[-1]))))])
            name = ""
    return table(["row", "kernel", "launches", "us", "% of the row", "MB", "memory, %", "L2, %", "L1, %", "issue, %", "warps, %",
                  "registers"], lines)


def profile_page(path, table):
    """The page's text."""
    machine, rows = read(path)
    unknown = {row.partition("/")[0] for row in rows} - set(CASES)
    if unknown:
        raise SystemExit(f"report_profile.py: no case study named {', '.join(sorted(unknown))}")
    page = ["# Profiles: where the time goes\n", INTRODUCTION.format(path.name, machine)]
    for case, title in CASES.items():
        of_case = {row: launches for row, launches in rows.items() if row.startswith(case + "/")}
        if of_case:
            page.append(f"## {title}\n\nThe case study is [here](../{case}.md).\n\n{case_table(of_case, table)}")
    return "\n".join(page)
