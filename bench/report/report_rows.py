"""The rows of warpfold-bench's JSON, and the bars that they are held to."""

import json
import math
import pathlib

TYPES = ["float", "double", "int32", "uint32", "int64", "uint64", "half", "bfloat16"]
MAIN_TYPES = TYPES[:3]
MAIN_SIZES = [2**e for e in range(8, 31)]
# Which direction is better, for the introduction of every page.
BETTER = ("Times, errors and our time / another's: less is better. GB/s, other rates, speed-ups and another's time / ours: more is "
          "better.\n")
SPLIT = 2**22  # below it a sum lasts a few microseconds, above it memory decides


class Results:
    """The rows of some files, by operation, type, method, size and host threads (of groups: GPUs). The
    operations of the host are named host/sum and so on, those of groups scaling_sum_each and so on."""

    def __init__(self, paths):
        self.context, self.rows, self.ceilings = {}, {}, {}
        rows = {}
        for path in paths:
            document = json.loads(pathlib.Path(path).read_text())
            for key in ("gpu", "commit", "host_threads"):
                mine, other = document["context"].get(key), self.context.get(key)
                if self.context and mine != other:
                    raise SystemExit(f"report.py: {path} has {key} {mine}, the one before {other}")
            self.context.update(document["context"])
            for row in document["benchmarks"]:
                if row.get("run_type") != "aggregate":
                    rows[row["name"].split("/iterations:")[0]] = row
        self.failures = []
        for name, row in rows.items():
            words = [part for part in name.split("/") if ":" not in part]
            fields = dict(part.split(":") for part in name.split("/") if ":" in part)
            if row.get("error_occurred"):
                self.failures.append((name, row.get("error_message", "")))
            elif words[0] == "ceiling":
                self.ceilings[words[1]] = row["bytes_per_second"] / 1e9
            else:
                *operation, kind, method = words
                threads = int(fields.get("threads", fields.get("gpus", 0)))
                self.rows["/".join(operation), kind, method, int(fields["n"]), threads] = row

    def has_gpu(self):
        return self.context.get("gpu") != "none"

    def most_powers(self):
        """1e9 powers of two a second in float, of which a multiprocessor makes 16 a cycle; None if the run
        did not tell the clock."""
        if "gpu_mhz" not in self.context:
            return None
        return int(self.context["gpu_multiprocessors"]) * 16 * int(self.context["gpu_mhz"]) / 1e3

    def of_interest(self, bars_of_it):
        """Of a run without a GPU, those bars that it measured."""
        return [row for row in bars_of_it if self.has_gpu() or row[-1] != "not measured"]

    def us(self, operation, kind, method, n, threads=0):
        row = self.rows.get((operation, kind, method, n, threads))
        return row["median_us"] if row else None

    def gbs(self, operation, kind, method, n, threads=0):
        row = self.rows.get((operation, kind, method, n, threads))
        return row["bytes_per_second"] / 1e9 if row else None

    def sizes(self, operation, kind, method):
        return sorted({k[3] for k in self.rows if k[:3] == (operation, kind, method)})

    def kinds(self, operation):
        return sorted({k[1] for k in self.rows if k[0] == operation},
                      key=lambda kind: (kind.count("_in_"), order(kind)))

    def ratios(self, operation, kind, over, under):
        """time of `over` / time of `under`, by size."""
        pairs = ((n, self.us(operation, kind, over, n), self.us(operation, kind, under, n))
                 for n in self.sizes(operation, kind, under))
        return {n: a / b for n, a, b in pairs if a and b}

    def widest_spread(self, method):
        """The largest (p90 - p10) / median of the GPU's rows, with its operation, type and size."""
        found = [((row["p90_us"] - row["p10_us"]) / row["median_us"], operation, kind, n)
                 for (operation, kind, name, n, _), row in self.rows.items()
                 if name == method and not operation.startswith(("host/", "scaling_"))]
        return max(found, default=None)


def order(kind):
    base = kind.split("_in_")[0]
    return TYPES.index(base) if base in TYPES else len(TYPES)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def size_name(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def ratio(a, b):
    return a / b if a and b else None


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def least(found):
    """The smallest value with its key, or None twice."""
    key = min(found, key=found.get, default=None)
    return (found[key], key) if key is not None else (None, None)


def times_table(r, table, operation, ours, theirs, name="ours"):
    """One row a size, with both times and their ratio for every type."""
    kinds = [k for k in MAIN_TYPES if r.sizes(operation, k, ours)]
    sizes = sorted({n for k in kinds for n in r.sizes(operation, k, ours)})

    def cells(kind, n):
        mine, cub = (r.us(operation, kind, way, n) for way in (ours, theirs))
        return [number(mine), number(cub), number(ratio(cub, mine), 3)]
    head = ["n"] + [f"{k}: {what}" for k in kinds for what in (f"{name}, us", "CUB, us", f"CUB / {name}")]
    return table(head, ([size_name(n)] + [cell for k in kinds for cell in cells(k, n)]
                        for n in sizes))


def bar(what, asked, value, digits=3, at="", most=False):
    """What, what is asked, what was measured, whether that is enough."""
    if value is None:
        return [what, asked, "", "not measured"]
    limit = float(asked.split()[-1])
    met = value <= limit if most else value >= limit
    return [what, asked, f"{value:.{digits}f}{at}", "yes" if met else "NO"]


def bars(r):
    """A bar is only measured when all of its rows are there."""
    cub = {(kind, n): found for kind in MAIN_TYPES
           for n, found in r.ratios("sum", kind, "cub", "fold").items() if n in MAIN_SIZES}
    whole = len(cub) == len(MAIN_TYPES) * len(MAIN_SIZES)
    lambdas = r.ratios("sum", "float", "fold_lambda", "fold")
    speed = {kind: r.gbs("sum", kind, "fold", 2**30) for kind in MAIN_TYPES}

    def mean(of):
        return geometric_mean(found for (_, n), found in cub.items() if of(n)) if whole else None

    least = min(cub, key=cub.get) if whole else None
    slowest = min(speed, key=speed.get) if all(speed.values()) else None
    worst = max(lambdas, key=lambdas.get) if set(MAIN_SIZES) <= set(lambdas) else None
    n = 100_000_000
    sums = f"sums of {', '.join(MAIN_TYPES)}, 2^8 to 2^30: CUB's time / the fold's"
    rows = [bar(f"{sums}, least", "at least 0.97", cub.get(least),
                at=f" ({least[0]}, {size_name(least[1])})" if least else ""),
            bar(f"{sums}, geometric mean to {size_name(SPLIT)}", "at least 1.10",
                mean(lambda n: n <= SPLIT)),
            bar(f"{sums}, geometric mean above", "at least 1.01", mean(lambda n: n > SPLIT)),
            bar("the same types' slowest sum of 2^30, GB/s", "at least 4550", speed.get(slowest),
                0, f" ({slowest})")]
    rows += [bar(f"{kind}'s GB/s / float's, sum of 2^30", "at least 0.95",
                 ratio(r.gbs("sum", kind, "fold", 2**30), speed["float"]))
             for kind in ("half", "bfloat16")]
    rows += [bar("user's lambda (squares of floats), time / that of the sum, 2^8 to 2^30, most",
                 "at most 1.03", lambdas.get(worst), most=True,
                 at=f" ({size_name(worst)})" if worst else ""),
             bar("host, 2 threads, sum of 1e8 floats: Thrust's time / the fold's", "at least 1.5",
                 ratio(*(r.us("host/sum", "float", m, n, 2) for m in ("thrust", "fold"))), 2)]
    return rows
