"""The page of PyTorch's and JAX's calls beside warpfold's, from the JSON that bench/frameworks/frameworks.py writes."""

import json

from report_rows import BETTER, number, ratio, size_name

# What an operation's name begins with: what the page calls it, the run that has warpfold's row, and its method there.
OURS = {"sum": ("sum", "reduction", "fold"),
        "inclusive_sum": ("prefix sums", "scan", "fold"),
        "histogram-256": ("histogram of 256 bins", "reduction", "fold"),
        "order_statistics-1": ("median", "quantiles", "fold"),
        "scatter_sum": ("sums by index, 2^20 bins", "scatter", "fixed_point"),
        "random_normal": ("normal numbers", "monte_carlo", "warpfold"),
        "poisson_periodic_2d": ("Poisson, periodic square", "poisson", "fused")}
HEAD = ["", "type", "n", "call", "framework, us", "warpfold, us", "framework / warpfold", "bits differ"]
OVER_OURS = HEAD.index("framework / warpfold")

INTRODUCTION = """Written by bench/report/report.py from `{}`, the output of bench/frameworks/frameworks.py. The frameworks' times
and warpfold's are from different runs, on the same kind of GPU. warpfold's are those of the other pages of results; the last table
has each run's GPU, commit and date.

Times are medians. The frameworks' calls go round inputs of 2^28 bytes or more, and L2 is written over before each turn. Python
starts them, which takes longer than the GPU's work for short calls. "CUDA graph": the calls are replayed from a graph, as
warpfold's are. PyTorch is timed by CUDA events; JAX's functions are jitted, and timed by the wall clock.

"Bits differ": of {} further calls with one input, how many had other bits than the first. warpfold's results have the same bits on
every run and GPU, where [its guarantees](../guarantees.md) say so. Its sums by index are those in fixed point; the frameworks' are
atomic additions of floats, or what the framework chooses. "Median" is an order statistic for PyTorch and warpfold; JAX interpolates.
"""


def call_of(row):
    """Operation, type and n: the rows of one stand together."""
    operation, kind, _, n = row["name"].split("/")
    return operation, kind, n


def row_of(row, runs):
    """The cells of a framework's row, or None for an operation that the page does not know."""
    operation, kind, method, last = row["name"].split("/")
    n = int(last.removeprefix("n:"))
    known = next((OURS[start] for start in sorted(OURS, key=len, reverse=True) if operation.startswith(start)), None)
    if known is None or "error" in row:
        return None
    title, run, our_method = known
    ours = runs[run].us(operation, kind, our_method, n) if run in runs else None
    call = row["call"] + (", CUDA graph" if method.endswith("_graph") else "")
    size = f"{n} x {n}" if operation.startswith("poisson") else size_name(n)
    return [title, kind, size, call, number(row["median_us"], 1), number(ours, 1), number(ratio(row["median_us"], ours)),
            str(row.get("different_results", ""))]


def cuda_version(told):
    """JAX tells "cuda 13000" where PyTorch tells "13.0"."""
    number = told.removeprefix("cuda ")
    return f"{int(number) // 1000}.{int(number) % 1000 // 10}" if number.isdigit() else number


def frameworks_page(path, runs, table):
    """The page's text, of the frameworks' file and warpfold's runs by capability."""
    document = json.loads(path.read_text())
    context, rows = document["context"], document["rows"]
    page = ["# Beside PyTorch and JAX: results\n", INTRODUCTION.format(path.name, context["repeats"]), BETTER]
    places = list(dict.fromkeys(map(call_of, rows)))
    rows = sorted(rows, key=lambda row: places.index(call_of(row)))
    page.append(table(HEAD, filter(None, (row_of(row, runs) for row in rows))))
    failed = [[row["name"], row["error"]] for row in rows if "error" in row]
    if failed:
        page += ["## Not measured\n", table(["row", "why"], failed, last_is_text=True)]
    versions = "; ".join(f"{name} {context[key]} (CUDA {cuda_version(context[key + '_cuda'])})"
                         for name, key in (("PyTorch", "torch"), ("JAX", "jax")) if key in context)
    machines = [["frameworks", context["gpu"], context["commit"], context["date"], versions]]
    for name in dict.fromkeys(run for _, run, _ in OURS.values()):
        if name in runs:
            of = runs[name].context
            machines.append([name, of["gpu"], of["commit"], of["date"][:10], f"CUDA {of['cuda_runtime']}"])
    page += ["## Runs\n", table(["run", "GPU", "commit", "date", "versions"], machines, last_is_text=True)]
    return "\n".join(page)
