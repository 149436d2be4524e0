"""The page of order statistics."""

from report_rows import MAIN_TYPES, Results, bar, number, ratio, size_name

COUNTS = {1: "one", 5: "five"}
PATTERNS = ["uniform", "equal"]
FIRST = ["100", "10000", "half"]
SIZE = 2**28


def operation_of(count, pattern):
    return f"order_statistics-{count}-{pattern}"


def quantiles_bars(r):
    """None of a run without order statistics, which older ones are."""
    if not any(r.kinds(operation_of(count, pattern)) for count in COUNTS for pattern in PATTERNS):
        return []
    rows = [bar(f"{name} of {size_name(SIZE)} uniform floats by rank: time of CUB's radix sort / ours",
                f"at least {asked}", r.ratios(operation_of(count, "uniform"), "float", "cub", "fold").get(SIZE))
            for (count, name), asked in zip(COUNTS.items(), ("15", "10"))]
    of_sum = {name: value for count, name in COUNTS.items()
              if (value := r.ratios(operation_of(count, "equal"), "float", "fold", "sum").get(SIZE))}
    most = max(of_sum, key=of_sum.get) if len(of_sum) == len(COUNTS) else None
    return rows + [bar(f"one and five of {size_name(SIZE)} equal floats by rank: time / the plain sum's, most",
                       "at most 5", of_sum.get(most), at=f" ({most})" if most else "", most=True)]


def times_by_rank(r, table, pattern):
    rows = []
    for kind in MAIN_TYPES:
        for count, name in COUNTS.items():
            operation = operation_of(count, pattern)
            for n in r.sizes(operation, kind, "fold"):
                ours, cub, plain = (r.us(operation, kind, way, n) for way in ("fold", "cub", "sum"))
                rows.append([kind, name, size_name(n), number(ours), number(r.gbs(operation, kind, "fold", n), 0),
                             number(cub), number(ratio(cub, ours), 3), number(plain), number(ratio(ours, plain))])
    return table(["type", "ranks", "n", "ours, us", "GB/s", "CUB, us", "CUB / ours", "sum, us", "ours / sum"], rows)


def first_elements(r, table):
    rows = []
    for kind in MAIN_TYPES:
        for k in FIRST:
            operation = f"top_k-{k}-uniform"
            for n in r.sizes(operation, kind, "fold"):
                ours, cub, plain = (r.us(operation, kind, way, n) for way in ("fold", "cub", "sum"))
                rows.append([kind, k if k != "half" else "n / 2", size_name(n), number(ours), number(cub),
                             number(ratio(cub, ours), 3), number(ratio(ours, plain))])
    return table(["type", "k", "n", "ours, us", "CUB, us", "CUB / ours", "ours / sum"], rows)


def quantiles_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    page = ["# Order statistics: results\n",
            table(["bar", "asked", "measured", "met"], r.of_interest(quantiles_bars(r))),
            "Written by bench/report/report.py from the output of warpfold-bench: `order_statistics` of one rank, the "
            "median's, or of five, and `top_k`. Calls follow one another in a busy stream, on arrays that are not in L2. Times are "
            "medians; methods take turns. CUB sorts all elements by `DeviceRadixSort`, for `top_k` with their positions, and copies those that are asked for. "
            "`sum` is warpfold's plain sum of the same elements, which reads them once. GB/s count every element "
            "once.\n", machine]
    sections = [(f"{pattern.capitalize()} elements", times_by_rank(r, table, pattern)) for pattern in PATTERNS]
    sections.append(("The k largest and their positions", first_elements(r, table)))
    found = [f"## {title}\n\n{content}" for title, content in sections if content]
    return "\n".join(page + found) if found else ""
