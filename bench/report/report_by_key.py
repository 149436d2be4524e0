"""The page of sums by key."""

from report_rows import Results, bar, geometric_mean, least, number, ratio, size_name

LENGTHS = [1, 2, 4, 32, 128, 1000, 10_000, 1_000_000]
RUNS = [f"by_key_{length}" for length in LENGTHS] + ["by_key_power_law"]
SIZES = [2**24, 2**28]
COLUMNS = "by_key_columns_32"
ENCODED, EXACT = "run_length_encode_", "exact_sum_by_key_"  # the length of runs follows


def runs_of(operation):
    """How the page names the lengths of runs."""
    of = operation.split("by_key_")[1]
    return of.replace("_", " ") if not of.isdigit() else f"{int(of):,}"


def against_cub(r):
    """CUB's time / ours, by operation and size."""
    return {(operation, n): value for operation in RUNS
            for n, value in r.ratios(operation, "float", "cub", "fold").items() if n in SIZES}


def columns(r):
    """The time of three columns / that of one, by size."""
    return {n: value for n, value in r.ratios(COLUMNS, "float", "three", "one").items() if n in SIZES}


def by_key_bars(r):
    """None of a run without sums by key, which older ones are."""
    if not any(r.kinds(operation) for operation in RUNS):
        return []
    found, factors = against_cub(r), columns(r)
    whole = len(found) == len(RUNS) * len(SIZES)
    value, key = least(found)
    sums = "sums of 2^24 and 2^28 floats by key, runs of 1 to 10^6 and a power law: CUB's time / ours"
    most = max(factors, key=factors.get, default=None) if len(factors) == len(SIZES) else None
    return [bar(f"{sums}, least", "at least 0.95", value if whole else None,
                at=f" (runs of {runs_of(key[0])}, {size_name(key[1])})" if key else ""),
            bar("the same sums by key, geometric mean", "at least 1.1",
                geometric_mean(found.values()) if whole else None),
            bar("three columns with the same keys, 2^24 and 2^28: time / that of one, most",
                "at most 1.9", factors.get(most), at=f" ({size_name(most)})" if most else "", most=True)]


def cub_table(r, table):
    rows = []
    for operation in RUNS:
        for n in r.sizes(operation, "float", "fold"):
            ours, cub = (r.us(operation, "float", way, n) for way in ("fold", "cub"))
            rows.append([runs_of(operation), size_name(n), number(ours),
                         number(r.gbs(operation, "float", "fold", n), 0), number(cub),
                         number(ratio(cub, ours), 3)])
    return table(["runs of", "n", "ours, us", "GB/s", "CUB, us", "CUB / ours"], rows)


def columns_table(r, table):
    rows = []
    for n in r.sizes(COLUMNS, "float", "three"):
        one, three, cub = (r.us(COLUMNS, "float", way, n) for way in ("one", "three", "cub_three"))
        rows.append([size_name(n), number(one), number(three), number(ratio(three, one), 3), number(cub),
                     number(ratio(cub, three), 3)])
    return table(["n", "one, us", "three, us", "three / one", "CUB three times, us", "CUB / ours"], rows)


def by_length(r, table, prefix, kind, ways, names, quotient):
    """A row for each length of runs and size of the operations with this prefix: two ways, as `names` calls them, and
    the quotient of their times, of which `quotient` says which are divided."""
    rows = []
    for length, operation in sorted((int(k.removeprefix(prefix)), k) for k in {k[0] for k in r.rows}
                                    if k.startswith(prefix)):
        for n in r.sizes(operation, kind, ways[0]):
            times = [r.us(operation, kind, way, n) for way in ways]
            rows.append([f"{length:,}", size_name(n), number(times[0]), number(r.gbs(operation, kind, ways[0], n), 0),
                         number(times[1]), number(ratio(*(times[k] for k in quotient)), 3)])
    divided = " / ".join(names[k] for k in quotient)
    return table(["runs of", "n", f"{names[0]}, us", "GB/s", f"{names[1]}, us", divided], rows)


def lengths_table(r, table):
    return by_length(r, table, ENCODED, "uint32", ("fold", "cub"), ("ours", "CUB"), (1, 0))


def exact_table(r, table):
    return by_length(r, table, EXACT, "float", ("exact", "sum"), ("exact", "rounded"), (0, 1))


def told(text, content):
    """What a table shows, and the table; nothing without one."""
    return f"{text}\n\n{content}" if content else ""


def host_table(r, table):
    rows = []
    for length in LENGTHS:
        operation = f"host/by_key_{length}"
        for n, threads in sorted({(k[3], k[4]) for k in r.rows if k[0] == operation}):
            ours, thrust = (r.us(operation, "float", way, n, threads) for way in ("fold", "thrust"))
            rows.append([runs_of(operation), str(threads), size_name(n), number(ours, 1),
                         number(r.gbs(operation, "float", "fold", n, threads), 1), number(thrust, 1),
                         number(ratio(thrust, ours))])
    return table(["runs of", "threads", "n", "ours, us", "GB/s", "Thrust on OpenMP, us", "Thrust / ours"],
                 rows)


def by_key_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    page = ["# Sums by key: results\n",
            table(["bar", "asked", "measured", "met"], r.of_interest(by_key_bars(r))),
            "Written by bench/report/report.py from the output of warpfold-bench: `reduce_by_key` of floats by keys "
            "of 32 bits, calls one after the other in a busy stream, on arrays that are not in L2, medians; what is "
            "compared takes turns. GB/s are of bytes read and written. In the power law P(length > x) = 1 / x, up "
            "to a million.\n", machine]
    sections = [("Against CUB", cub_table(r, table)),
                ("Three columns by one marking, runs of 32", columns_table(r, table)),
                ("Lengths of runs", told("`run_length_encode` of keys of 32 bits, with unique keys and lengths.",
                                         lengths_table(r, table))),
                ("Exact sums", told("`exact_sum_by_key` of normal random numbers; `sum_by_key` rounds.",
                                    exact_table(r, table))),
                ("On the host", host_table(r, table))]
    found = [f"## {title}\n\n{content}" for title, content in sections if content]
    return "\n".join(page + found) if found else ""
