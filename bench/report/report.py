#!/usr/bin/env python3
"""Draws the plots and writes the tables of docs/results from warpfold-bench's JSON.

    warpfold-bench --quick --benchmark_out=run.json
    report.py run.json --out FOLDER
    report.py                          # anew from the JSON that is kept in docs/results
    report.py rival.json --out FOLDER  # the output of warpfold-rival

Without JSON arguments, profile.md and frameworks.md are written too, from profile_h*.csv and frameworks_h*.json in
docs/results.

Every figure is computed from the files, which must come from one commit and machine; where rows of
several files have the same name, the last one counts.
"""

import argparse
import pathlib
import re

from report_bars import bars_page
from report_by_index import scatter_page
from report_by_key import by_key_page
from report_counting import counting_page
from report_frameworks import frameworks_page
from report_monte_carlo import monte_carlo_page
from report_plots import LADDER, plot_bandwidth, plot_ratio
from report_poisson import poisson_page
from report_pricing import pricing_page
from report_profile import profile_page
from report_quantiles import quantiles_page
from report_rival import rival_page
from report_rows import (BETTER, SPLIT, Results, bars, geometric_mean, least, number, order, ratio,
                         size_name, times_table)
from report_scaling import scaling_page
from report_sums import scan_page, sums_page

# The JSON files that are kept: those of one run together.
KEPT = [("reduction", "counting"), ("scan",), ("by_key",), ("scatter",), ("quantiles",), ("pricing",),
        ("monte_carlo",), ("poisson", "vkfft"), ("scaling",), ("rival",)]

INTRODUCTION = """Written by bench/report/report.py from the output of warpfold-bench. Medians; the methods
of one size take turns, on arrays that are not in L2.

Calls are replayed from CUDA graphs of 2 to 64, one straight after the other. The times of short
folds are therefore those of a stream that is kept busy: a fold may start, and prefetch its input,
while the one before it ends (programmatic dependent launch), which CUB's kernels in CUDA 13.0 do
not ask for. "One call alone" has graphs of a single call, whose start is in the times of both.
Methods that wait for their result are timed by the wall clock. Thrust is timed as its users call
it: every call allocates and frees GPU memory (cudaMalloc, cudaFree), which on an H200 is most of
its time below 2^23, and waits.
"""


def table(head, rows, last_is_text=False):
    """A markdown table, or nothing for no rows. The first column is text."""
    rows = list(rows)
    if not rows:
        return ""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)] + rows
    if last_is_text:
        lines[1][-1] = "---"
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def machine_table(r):
    """What is better, and the run's machine: the end of every page's introduction."""
    names = [("gpu", "GPU"), ("gpus", "GPUs"), ("gpu_multiprocessors", "multiprocessors"),
             ("gpu_mhz", "GPU's highest clock, MHz"),
             ("gpu_memory_bytes", "GPU memory, bytes"), ("gpu_l2_bytes", "L2, bytes"),
             ("cuda_runtime", "CUDA runtime"), ("cuda_driver", "CUDA version of the driver"),
             ("toolkit_cccl", "CCCL of the toolkit"), ("rival_cccl", "newer CCCL"),
             ("host_threads", "host threads"), ("commit", "commit"), ("date", "date"),
             ("selection", "selection")]
    rows = [[text, str(r.context[key])] for key, text in names if key in r.context]
    return "\n".join((BETTER, table(["", "run"], rows)))


def sum_table(r, kind):
    def row(n):
        fold, cub = r.us("sum", kind, "fold", n), r.us("sum", kind, "cub", n)
        thrust = r.us("sum", kind, "thrust", n)
        waits, cub_waits = (r.us("sum", kind, m, n) for m in ("fold_blocking", "cub_blocking"))
        return [size_name(n), number(fold, 2), number(r.gbs("sum", kind, "fold", n), 0),
                number(cub, 2), number(ratio(cub, fold), 3), number(waits, 2), number(cub_waits, 2),
                number(thrust, 2), number(ratio(thrust, waits), 2)]
    head = ["n", "fold, us", "GB/s", "CUB, us", "CUB / fold", "fold and wait, us",
            "CUB and wait, us", "Thrust (allocates, waits), us", "Thrust / fold and wait"]
    return table(head, map(row, r.sizes("sum", kind, "fold")))


def summary_table(r):
    rows = []
    for operation in ("sum", "sum_of_squares", "min", "product"):
        for kind in r.kinds(operation):
            found = r.ratios(operation, kind, "cub", "fold")
            if not found:
                continue
            lowest, where = least(found)
            rows.append([f"{operation}, {kind.replace('_', ' ')}",
                         number(geometric_mean(v for n, v in found.items() if n <= SPLIT), 3),
                         number(geometric_mean(v for n, v in found.items() if n > SPLIT), 3),
                         number(lowest, 3), size_name(where), str(len(found))])
    head = ["CUB time / fold time", "mean up to 2^22", "mean above", "least", "at n", "sizes"]
    spread = "".join(f"The widest spread of {text}'s rows, (p90 - p10) / median: "
                     f"{100 * found[0]:.1f}%, {found[1]} of {found[2]}, {size_name(found[3])}.\n"
                     for method, text in (("fold", "the fold"), ("cub", "CUB"))
                     if (found := r.widest_spread(method)))
    return "\n".join(filter(None, (table(head, rows), spread)))


def bandwidth_table(r):
    read = r.ceilings.get("read")
    rows = []
    for kind in r.kinds("sum"):
        fold, cub = (r.gbs("sum", kind, m, 2**30) for m in ("fold", "cub"))
        if fold:
            of_read = f"{100 * fold / read:.1f}%" if read else ""
            rows.append([kind.replace("_", " "), number(fold, 0), number(cub, 0), of_read])
    others = [[text, number(r.ceilings[name], 0)]
              for name, text in (("read", "a kernel that only reads"),
                                 ("copy", "copy, read + write"), ("memset", "memset, write"))
              if name in r.ceilings]
    return "\n".join(filter(None, (
        table(["sum of 2^30", "fold, GB/s", "CUB, GB/s", "fold of reading alone"], rows),
        table(["memory alone", "GB/s"], others))))


def half_table(r):
    rows = []
    for kind in ("half", "bfloat16"):
        for n in r.sizes("sum", kind, "fold"):
            half, full = r.gbs("sum", kind, "fold", n), r.gbs("sum", "float", "fold", n)
            speed = ratio(r.us("sum", "float", "fold", n), r.us("sum", kind, "fold", n))
            if half and full:
                rows.append([kind, size_name(n), number(half, 0), number(full, 0),
                             number(half / full, 3), number(speed, 3)])
    return table(["type", "n", "GB/s", "float, GB/s", "bandwidth / float's", "speed / float's"],
                 rows)


def square_table(r):
    rows = []
    for kind in r.kinds("sum_of_squares"):
        for n in r.sizes("sum_of_squares", kind, "fold"):
            squares, plain = (r.us(o, kind, "fold", n) for o in ("sum_of_squares", "sum"))
            cub = r.us("sum_of_squares", kind, "cub", n)
            rows.append([kind, size_name(n), number(squares, 2), number(plain, 2),
                         number(ratio(squares, plain), 3), number(ratio(cub, squares), 3)])
    return table(["type", "n", "squares, us", "sum, us", "squares / sum", "CUB / fold, squares"],
                 rows)


def lambda_table(r):
    def row(n):
        plain, squares = (r.us("sum", "float", m, n) for m in ("fold", "fold_lambda"))
        return [size_name(n), number(squares, 2), number(plain, 2),
                number(ratio(squares, plain), 3)]
    return table(["n", "sum of squares by a lambda, us", "sum, us", "lambda / sum"],
                 map(row, r.sizes("sum", "float", "fold_lambda")))


def ladder_table(r, kind, n):
    rows, first, previous = [], None, None
    for method, text in LADDER + [("fold", "fold"), ("cub", "CUB"),
                                  ("thrust", "Thrust (allocates, waits)")]:
        us = r.us("sum", kind, method, n)
        if us is None:
            continue
        first = first or us
        step = ratio(previous, us) if method.startswith("ladder") else None
        rows.append([text, number(us, 2), number(r.gbs("sum", kind, method, n), 0),
                     number(step, 2), number(first / us, 2)])
        previous = us
    has_ladder = r.us("sum", kind, "ladder_divergent", n)
    head = [f"{kind}, {size_name(n)}", "us", "GB/s", "step", "in all"]
    return table(head, rows) if has_ladder else ""


def host_table(r):
    rows = []
    found = [(threads, kind, n) for operation, kind, method, n, threads in r.rows
             if (operation, method) == ("host/sum", "fold")]
    for threads, kind, n in sorted(found, key=lambda key: (key[0], order(key[1]), key[2])):
        fold, thrust = (r.us("host/sum", kind, m, n, threads) for m in ("fold", "thrust"))
        rows.append([kind, str(threads), size_name(n), number(fold, 1),
                     number(r.gbs("host/sum", kind, "fold", n, threads), 1), number(thrust, 1),
                     number(ratio(thrust, fold), 2)])
    return table(["type", "threads", "n", "fold, us", "GB/s", "Thrust on OpenMP, us",
                  "Thrust / fold"], rows)


def reduction_page(r, out):
    """The page's text; nothing if there are no such rows. Draws its plots into `out`."""
    plots = [plot_bandwidth(r, kind, out / f"reduction_{kind}.svg") for kind in ("float", "int32")]
    plots.append(plot_ratio(r, out / "reduction_ratio.svg"))
    page = ["# Reduction: results\n", table(["bar", "asked", "measured", "met"], bars(r)),
            INTRODUCTION, machine_table(r)]
    page += [f"![{p.stem.replace('_', ' ')}]({p.name})\n" for p in plots if p]
    sections = [("Against CUB", summary_table(r)), ("One call alone", times_table(r, table, "sum", "fold_alone", "cub_alone", "fold")),
                ("Read bandwidth", bandwidth_table(r))]
    sections += [(f"Sums of {kind.replace('_', ' ')}", sum_table(r, kind))
                 for kind in r.kinds("sum")]
    sections += [("The ladder", "\n".join(filter(None, (ladder_table(r, "int32", 2**e)
                                                        for e in (22, 25))))),
                 ("Half types", half_table(r)), ("Sums of squares", square_table(r)),
                 ("A user's lambda", lambda_table(r)), ("On the host", host_table(r)),
                 ("Not measured", table(["row", "why"], [[n, why] for n, why in r.failures]))]
    for title, content in sections:
        if content:
            page += [f"## {title}\n", content]
    return "\n".join(page) if r.kinds("sum") or r.kinds("host/sum") else ""


def pages(r, out):
    """The texts of all pages that there are rows for, by name."""
    machine = machine_table(r)
    found = {"reduction": reduction_page(r, out), "sums": sums_page(r, table, machine),
             "scan": scan_page(r, table, machine), "by_key": by_key_page(r, table, machine),
             "scatter": scatter_page(r, table, machine), "quantiles": quantiles_page(r, table, machine),
             "counting": counting_page(r, table, machine),
             "pricing": pricing_page(r, table, machine, out),
             "monte_carlo": monte_carlo_page(r, table, machine, out),
             "poisson": poisson_page(r, table, machine, out),
             "scaling": scaling_page(r, table, machine), "rival": rival_page(r, table, machine)}
    return {name: text for name, text in found.items() if text}


def kept(folder):
    """What is kept in a folder: the runs by capability, and all pages by name."""
    files = {names[0]: [path for name in names for path in sorted(folder.glob(f"{name}_h*.json"))]
             for names in KEPT}
    runs = {name: Results(paths) for name, paths in files.items() if paths}
    texts = {name: text for r in runs.values() for name, text in pages(r, folder).items()}
    if (folder / "host").is_dir():
        runs |= {f"host/{name}": run for name, run in kept(folder / "host")[0].items()}
    texts["bars"] = bars_page(runs, table)
    texts |= {"profile": profile_page(path, table) for path in sorted(folder.glob("profile_h*.csv"))}
    texts |= {"frameworks": frameworks_page(path, runs, table) for path in sorted(folder.glob("frameworks_h*.json"))}
    if folder.parent.name == "results":  # links lead up, but to pages beside
        texts = {name: re.sub(r"\]\((?!(?:" + "|".join(texts) + r")\.)", "](../", text)
                 for name, text in texts.items()}
    return runs, texts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="*", help="files of --benchmark_out; none: those kept in --out")
    parser.add_argument("--out", default="docs/results", type=pathlib.Path, help="output folder")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    found = pages(Results(options.json), options.out) if options.json else kept(options.out)[1]
    for name, text in found.items():
        path = options.out / f"{name}.md"
        path.write_text(text)
        print("wrote", path)


if __name__ == "__main__":
    main()
