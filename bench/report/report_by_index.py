"""The page of sums by index."""

from report_rows import Results, bar, least, number, ratio, size_name

INDICES = ["uniform", "clustered"]
BINS = [2**8, 2**16, 2**20, 2**24]
SIZE = 2**28


def operation_of(indices, bins):
    return f"scatter_sum_{indices}_{bins}"


def against_atomics(r, indices, bins):
    """The atomics' time / ours at 2^28, or None."""
    return r.ratios(operation_of(indices, bins), "float", "atomics", "fixed_point").get(SIZE)


def scatter_bars(r):
    """None of a run without sums by index, which older ones are."""
    if not any(r.kinds(operation_of(indices, bins)) for indices in INDICES for bins in BINS):
        return []

    def row(indices, bins, asked):
        found = {b: value for b in bins if (value := against_atomics(r, indices, b))}
        value, key = least(found)
        several = len(bins) > 1
        return bar(f"sums of {size_name(SIZE)} floats by index, {indices}, {' and '.join(map(size_name, bins))} bins: "
                   f"atomics' time / ours{', least' if several else ''}", f"at least {asked}",
                   value if len(found) == len(bins) else None,
                   at=f" ({size_name(key)} bins)" if several and key else "")

    return [row("uniform", [2**8], "100"), row("uniform", [2**16, 2**20], "0.98"), row("uniform", [2**24], "0.9"),
            row("clustered", [2**16, 2**20], "2.2"), row("clustered", [2**24], "1.5")]


def places(r):
    """Indices, number of bins, operation and size of all rows."""
    return [(indices, bins, operation, n) for indices in INDICES for bins in BINS
            for operation in [operation_of(indices, bins)] for n in r.sizes(operation, "float", "fixed_point")]


def atomics_table(r, table):
    rows = []
    for indices, bins, operation, n in places(r):
        ours, atomics = (r.us(operation, "float", way, n) for way in ("fixed_point", "atomics"))
        rows.append([indices, size_name(bins), size_name(n), number(ours),
                     number(r.gbs(operation, "float", "fixed_point", n), 0), number(atomics),
                     number(ratio(atomics, ours), 3)])
    return table(["indices", "bins", "n", "ours, us", "GB/s", "atomics, us", "atomics / ours"], rows)


def options_table(r, table):
    rows = []
    for indices, bins, operation, n in places(r):
        ours, wide, found = (r.us(operation, "float", way, n) for way in ("fixed_point", "wide", "without_bound"))
        rows.append([indices, size_name(bins), size_name(n), number(ours), number(wide),
                     number(ratio(wide, ours), 3), number(found), number(ratio(found, ours), 3)])
    return table(["indices", "bins", "n", "ours, us", "wide, us", "wide / ours", "without a bound, us",
                  "without / ours"], rows)


def exact_table(r, table):
    """Empty of a run without exact sums by index, which older ones are."""
    rows = []
    for indices, bins, operation, n in places(r):
        ours, exact = (r.us(operation, "float", way, n) for way in ("fixed_point", "exact"))
        if exact:
            rows.append([indices, size_name(bins), size_name(n), number(ours), number(exact),
                         number(ratio(exact, ours), 3)])
    return table(["indices", "bins", "n", "ours, us", "exact, us", "exact / ours"], rows) if rows else ""


def scatter_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    page = ["# Sums by index: results\n",
            table(["bar", "asked", "measured", "met"], r.of_interest(scatter_bars(r))),
            "Written by bench/report/report.py from the output of warpfold-bench: `scatter_sum` of floats by indices "
            "of 32 bits, with a bound. Calls follow one another in a busy stream, on arrays that are not in L2. Times "
            "are medians; methods take turns. GB/s are of the values and indices read.\n\n"
            "Uniform indices are random. Clustered ones are in the order of the bins, give or take two bins (standard "
            "deviation), as those of particles in cells. The atomics are additions of floats in GPU memory. Their bits "
            "depend on the order, except here: values are small integers, so all methods must agree.\n", machine]
    sections = [("Against atomic additions", atomics_table(r, table)),
                ("Options", "`wide` keeps two words a sum. A call without a bound reads the values twice.\n\n" + options
                 if (options := options_table(r, table)) else ""),
                ("Exact sums", exact_table(r, table))]
    found = [f"## {title}\n\n{content}" for title, content in sections if content]
    return "\n".join(page + found) if found else ""
