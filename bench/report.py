#!/usr/bin/env python3
"""Draws the plots and writes the tables of docs/results from warpfold-bench's JSON.

    warpfold-bench --quick --benchmark_out=run.json
    report.py run.json --out docs/results

Every figure is computed from the files; where rows of several files have the same name, the last
one counts.
"""

import argparse
import json
import math
import pathlib

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "warpfold"  # equal data, equal files
import matplotlib.pyplot as plt

TYPES = ["float", "double", "int32", "uint32", "int64", "uint64", "half", "bfloat16"]
LADDER = [
    ("ladder_divergent", "rung 1: divergent"),
    ("ladder_strided", "rung 2: strided index"),
    ("ladder_sequential", "rung 3: sequential"),
    ("ladder_first_add", "rung 4: add on loading"),
    ("ladder_last_warp", "rung 5: last warp unrolled"),
    ("ladder_unrolled", "rung 6: unrolled"),
    ("ladder_cascaded", "rung 7: many a thread"),
    ("halving", "halving fold"),
]
SPLIT = 2**22  # below it a sum lasts a few microseconds, above it memory decides


class Results:
    """The rows of some files, by operation, type, method and size."""

    def __init__(self, paths):
        self.context, self.rows, self.failures = {}, {}, []
        failed = {}
        for path in paths:
            document = json.loads(pathlib.Path(path).read_text())
            self.context.update(document["context"])
            for row in document["benchmarks"]:
                name = row["name"].split("/iterations:")[0]
                failed.pop(name, None)
                self.rows.pop(tuple(name.split("/")), None)
                if row.get("error_occurred"):
                    failed[name] = row.get("error_message", "")
                else:
                    self.rows[tuple(name.split("/"))] = row
        self.failures = sorted(failed.items())

    def row(self, operation, kind, method, n, host=False):
        key = (operation, kind, method, f"n:{n}")
        return self.rows.get(("host",) + key if host else key)

    def us(self, *key, **options):
        row = self.row(*key, **options)
        return row["median_us"] if row else None

    def gbs(self, *key, **options):
        row = self.row(*key, **options)
        return row["bytes_per_second"] / 1e9 if row else None

    def sizes(self, operation, kind, method, host=False):
        head = (("host",) if host else ()) + (operation, kind, method)
        return sorted(int(k[-1][2:]) for k in self.rows if k[:-1] == head)

    def kinds(self, operation, host=False):
        at = 2 if host else 1
        found = {k[at] for k in self.rows
                 if len(k) == at + 3 and k[at - 1] == operation and (k[0] == "host") == host}
        return sorted(found, key=lambda kind: (kind.count("_in_"), order(kind)))

    def ratios(self, operation, kind, over, under):
        """time of `over` / time of `under`, by size."""
        pairs = ((n, self.us(operation, kind, over, n), self.us(operation, kind, under, n))
                 for n in self.sizes(operation, kind, under))
        return {n: a / b for n, a, b in pairs if a and b}

    def ceilings(self):
        found = {k[1]: row["bytes_per_second"] / 1e9
                 for k, row in self.rows.items() if k[0] == "ceiling"}
        return {name: found[name] for name in ("copy", "memset") if name in found}


def order(kind):
    base = kind.split("_in_")[0]
    return TYPES.index(base) if base in TYPES else len(TYPES)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def size_name(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def ratio(a, b):
    return a / b if a and b else None


def table(head, rows):
    """A markdown table, or nothing for no rows. The first column is text."""
    rows = list(rows)
    if not rows:
        return ""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


# Tables


def machine_table(r):
    names = [("gpu", "GPU"), ("gpu_multiprocessors", "multiprocessors"),
             ("gpu_memory_bytes", "GPU memory, bytes"), ("gpu_l2_bytes", "L2, bytes"),
             ("cuda_runtime", "CUDA runtime"), ("cuda_driver", "CUDA version of the driver"),
             ("host_threads", "host threads"), ("commit", "commit"), ("date", "date"),
             ("selection", "selection")]
    rows = [[text, str(r.context[key])] for key, text in names if key in r.context]
    return table(["", "run"], rows)


def sum_table(r, kind):
    def row(n):
        fold, cub = r.us("sum", kind, "fold", n), r.us("sum", kind, "cub", n)
        thrust = r.us("sum", kind, "thrust", n)
        waits = r.us("sum", kind, "fold_blocking", n)
        return [size_name(n), number(fold, 2), number(r.gbs("sum", kind, "fold", n), 0),
                number(cub, 2), number(ratio(cub, fold), 3), number(waits, 2), number(thrust, 2),
                number(ratio(thrust, waits), 2)]
    head = ["n", "fold, us", "GB/s", "CUB, us", "CUB / fold", "fold and wait, us", "Thrust, us",
            "Thrust / fold and wait"]
    return table(head, map(row, r.sizes("sum", kind, "fold")))


def summary_table(r):
    rows = []
    for operation in ("sum", "sum_of_squares", "min", "product"):
        for kind in r.kinds(operation):
            found = r.ratios(operation, kind, "cub", "fold")
            if not found:
                continue
            least = min(found, key=found.get)
            rows.append([f"{operation}, {kind.replace('_', ' ')}",
                         number(geometric_mean(v for n, v in found.items() if n <= SPLIT), 3),
                         number(geometric_mean(v for n, v in found.items() if n > SPLIT), 3),
                         number(found[least], 3), size_name(least), str(len(found))])
    head = ["CUB time / fold time", "mean up to 2^22", "mean above", "least", "at n", "sizes"]
    return table(head, rows)


def bandwidth_table(r):
    n, ceilings = 2**30, r.ceilings()
    rows = []
    for kind in r.kinds("sum"):
        row = r.row("sum", kind, "fold", n)
        if not row:
            continue
        found = row["bytes_per_second"] / 1e9
        rows.append([kind.replace("_", " "), number(found, 0),
                     number(r.gbs("sum", kind, "cub", n), 0)]
                    + [number(100 * found / c, 1) + "%" for c in ceilings.values()])
    for name, value in ceilings.items():
        rows.append([f"{name} (ceiling)", number(value, 0), ""] + [""] * len(ceilings))
    return table(["sum of 2^30", "fold, GB/s", "CUB, GB/s"] + [f"fold of {c}" for c in ceilings],
                 rows)


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


def ladder_table(r, kind, n):
    rows, first, previous = [], None, None
    for method, text in LADDER + [("fold", "fold"), ("cub", "CUB"), ("thrust", "Thrust (waits)")]:
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
    for kind in r.kinds("sum", host=True):
        for n in r.sizes("sum", kind, "fold", host=True):
            fold, thrust = (r.us("sum", kind, m, n, host=True) for m in ("fold", "thrust"))
            rows.append([kind, size_name(n), number(fold, 1),
                         number(r.gbs("sum", kind, "fold", n, host=True), 1), number(thrust, 1),
                         number(ratio(thrust, fold), 2)])
    return table(["type", "n", "fold, us", "GB/s", "Thrust on OpenMP, us", "Thrust / fold"], rows)


# Plots


def axes(title, label):
    figure, plot = plt.subplots(figsize=(8, 4.8), layout="constrained")
    plot.set_xscale("log", base=2)
    plot.set_xlabel("n, elements")
    plot.set_ylabel(label)
    plot.set_title(title)
    plot.grid(True, which="major", color="0.9")
    return figure, plot


def save(figure, path):
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    print("wrote", path)


def plot_bandwidth(r, kind, path):
    # The methods that wait for their result have the host's latency in their times.
    methods = ([("fold", "fold"), ("cub", "CUB"), ("thrust", "Thrust (waits)")] + LADDER)
    lines = [(m, text, r.sizes("sum", kind, m)) for m, text in methods]
    lines = [line for line in lines if line[2]]
    if not lines:
        return None
    figure, plot = axes(f"Sum of {kind} on {r.context.get('gpu', 'a GPU')}, cold L2", "GB/s")
    plot.set_yscale("log")
    ladder = plt.get_cmap("viridis")
    front = {"fold": "crimson", "cub": "black", "thrust": "tab:blue", "halving": "0.6"}
    steps = [m for m, _ in LADDER if m != "halving"]
    for method, text, sizes in lines:
        usual = method in ("fold", "cub", "thrust")
        color = front.get(method) or ladder(steps.index(method) / (len(steps) - 0.4))
        plot.plot(sizes, [r.gbs("sum", kind, method, n) for n in sizes], label=text, color=color,
                  linewidth=1.8 if usual else 1.1, linestyle="-" if usual else "--",
                  zorder=3 if usual else 2)
    for (name, value), style in zip(r.ceilings().items(), (":", "-.")):
        plot.axhline(value, color="0.35", linewidth=1, linestyle=style,
                     label=f"{name}: {value:.0f} GB/s")
    plot.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    save(figure, path)
    return path


def plot_ratio(r, path):
    found = {kind: r.ratios("sum", kind, "cub", "fold") for kind in TYPES[:3]}
    found = {kind: values for kind, values in found.items() if values}
    if not found:
        return None
    figure, plot = axes(f"Sums on {r.context.get('gpu', 'a GPU')}: the fold beside CUB",
                        "CUB time / fold time (above 1 the fold is faster)")
    plot.axhline(1, color="black", linewidth=1)
    for (kind, values), marker in zip(found.items(), "osD"):
        plot.plot(list(values), list(values.values()), marker=marker, markersize=3.5,
                  linewidth=1.3, label=kind)
    plot.legend(frameon=False)
    save(figure, path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="+", help="files of --benchmark_out")
    parser.add_argument("--out", default="docs/results", type=pathlib.Path, help="output folder")
    options = parser.parse_args()
    r = Results(options.json)
    options.out.mkdir(parents=True, exist_ok=True)

    plots = [plot_bandwidth(r, kind, options.out / f"reduction_{kind}.svg")
             for kind in ("float", "int32")]
    plots.append(plot_ratio(r, options.out / "reduction_ratio.svg"))

    page = ["# Reduction: results\n",
            "Written by bench/report.py from the output of warpfold-bench. Medians; the methods "
            "of one size take turns, on arrays that are not in L2. Calls are replayed from CUDA "
            "graphs, except those that wait for their result, which are timed by the wall clock.\n",
            machine_table(r)]
    page += [f"![{p.stem.replace('_', ' ')}]({p.name})\n" for p in plots if p]
    sections = [("Against CUB", summary_table(r)), ("Read bandwidth", bandwidth_table(r))]
    sections += [(f"Sums of {kind.replace('_', ' ')}", sum_table(r, kind))
                 for kind in r.kinds("sum")]
    sections += [("The ladder", "\n".join(filter(None, (ladder_table(r, "int32", 2**e)
                                                        for e in (22, 25))))),
                 ("Half types", half_table(r)), ("Sums of squares", square_table(r)),
                 ("On the host", host_table(r)),
                 ("Not measured", table(["row", "why"], [[n, why] for n, why in r.failures]))]
    for title, content in sections:
        if content:
            page += [f"## {title}\n", content]
    path = options.out / "reduction.md"
    path.write_text("\n".join(page))
    print("wrote", path)


if __name__ == "__main__":
    main()
