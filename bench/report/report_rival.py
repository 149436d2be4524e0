"""The page of a CUB that is newer than the toolkit's, from warpfold-rival's rows."""

from report_rows import SPLIT, Results, geometric_mean, least, number, ratio, size_name, times_table

START = "rival/"
# Operation, its way here, CUB's way, and what the summary calls them.
COMPARED = [
    ("sum", "fold", "cub", "sum, busy stream"),
    ("sum", "fold_alone", "cub_alone", "sum, one call alone"),
    ("exact_sum", "exact", "cub_gpu_to_gpu", "exact_sum; CUB's gpu_to_gpu sum"),
    ("exact_sum", "sum", "cub_gpu_to_gpu", "sum; CUB's gpu_to_gpu sum"),
    ("exact_sum", "sum", "cub_not_guaranteed", "sum; CUB's not_guaranteed sum"),
    ("argmin", "fold", "cub", "argmin"),
    ("inclusive_sum", "fold", "cub", "inclusive_sum"),
    ("inclusive_sum", "fold", "cub_run_to_run", "inclusive_sum; CUB's run_to_run")]


def lengths(r, start):
    """The numbers at the end of operations that begin so."""
    return sorted({int(k[0].rsplit("_", 1)[1]) for k in r.rows if k[0].startswith(START + start)})


def summary_row(name, found, at):
    lowest, where = least(found)
    return [name, number(geometric_mean(v for n, v in found.items() if n <= SPLIT), 3),
            number(geometric_mean(v for n, v in found.items() if n > SPLIT), 3),
            number(lowest, 3), at(where), str(len(found))]


def summary_table(r, table):
    rows = []
    for operation, ours, theirs, name in COMPARED:
        for kind in r.kinds(START + operation):
            found = r.ratios(START + operation, kind, theirs, ours)
            if found:
                rows.append(summary_row(f"{name}, {kind}", found, size_name))
    return table(["CUB's time / ours", f"mean to {size_name(SPLIT)}", "mean above", "least", "at n",
                  "sizes"], rows)


def exact_table(r, table):
    operation, rows = START + "exact_sum", []
    for kind in r.kinds(operation):
        for n in r.sizes(operation, kind, "exact"):
            exact, ours, usual, same, free = (
                r.us(operation, kind, way, n)
                for way in ("exact", "sum", "cub", "cub_gpu_to_gpu", "cub_not_guaranteed"))
            rows.append([kind, size_name(n), number(exact), number(ours), number(usual),
                         number(same), number(free), number(ratio(same, exact), 3),
                         number(ratio(same, ours), 3), number(ratio(free, ours), 3)])
    return table(["type", "n", "exact_sum, us", "sum, us", "CUB run_to_run, us",
                  "CUB gpu_to_gpu, us", "CUB not_guaranteed, us", "gpu_to_gpu / exact_sum",
                  "gpu_to_gpu / sum", "not_guaranteed / sum"], rows)


def segment_table(r, table):
    rows, found = [], []
    for length in lengths(r, "segmented_sum_"):
        operation = f"{START}segmented_sum_{length}"
        for n in r.sizes(operation, "float", "fold"):
            ours, cub = (r.us(operation, "float", way, n) for way in ("fold", "cub"))
            found += [cub / ours] if cub else []
            rows.append([f"{length:,}", size_name(n), number(ours),
                         number(r.gbs(operation, "float", "fold", n), 0), number(cub),
                         number(ratio(cub, ours), 3)])
    mean = f"Geometric mean {geometric_mean(found):.3f}, least {min(found):.3f}.\n" if found else ""
    parts = (table(["length", "floats", "ours, us", "GB/s", "CUB, us", "CUB / ours"], rows), mean)
    return "\n".join(filter(None, parts))


def alone(r, start, name, page):
    """Says so where operations that begin so have CUB's rows only, as older runs, with a link to ours."""
    if any(k[0].startswith(START + start) and k[2] == "fold" for k in r.rows):
        return ""
    return f"CUB alone: this run has no rows of warpfold's {name}, which are [beside the toolkit's CUB]({page}.md). "


def scan_table(r, table):
    """Without the columns that are empty."""
    head = ["type", "n", "ours, us", "GB/s", "CUB, us", "GB/s", "CUB run_to_run, us", "run_to_run / CUB",
            "CUB / ours", "run_to_run / ours"]
    operation, rows = START + "inclusive_sum", []
    for kind in r.kinds(operation):
        for n in r.sizes(operation, kind, "cub"):
            ours, usual, same = (r.us(operation, kind, way, n) for way in ("fold", "cub", "cub_run_to_run"))
            rows.append([kind, size_name(n), number(ours), number(r.gbs(operation, kind, "fold", n), 0),
                         number(usual), number(r.gbs(operation, kind, "cub", n), 0), number(same),
                         number(ratio(same, usual), 3), number(ratio(usual, ours), 3),
                         number(ratio(same, ours), 3)])
    shown = [i for i in range(len(head)) if any(row[i] for row in rows)]
    return table([head[i] for i in shown], [[row[i] for i in shown] for row in rows])


def key_table(r, table):
    rows = []
    for length in lengths(r, "reduce_by_key_"):
        operation = f"{START}reduce_by_key_{length}"
        for n in r.sizes(operation, "float", "cub"):
            rows.append([f"{length:,}", size_name(n), number(r.us(operation, "float", "cub", n)),
                         number(r.gbs(operation, "float", "cub", n), 0)])
    return table(["length of runs", "n", "CUB, us", "GB/s"], rows)


def rival_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    sections = [
        ("All", "Geometric means over the sizes that were measured.", summary_table(r, table)),
        ("Sums in a busy stream", "Graphs of 2 to 64 calls, one straight after the other.",
         times_table(r, table, START + "sum", "fold", "cub")),
        ("One call alone", "Graphs of a single call: its start is in the time.",
         times_table(r, table, START + "sum", "fold_alone", "cub_alone")),
        ("Exact and reproducible sums",
         "Normal random numbers. `exact_sum` is correctly rounded; it and `sum` have the same bits on "
         "every GPU. CUB promises those of its gpu_to_gpu sum on every GPU, those of run_to_run, its "
         "default, on one, and none of not_guaranteed. An empty cell: the result was wrong in this run.", exact_table(r, table)),
        ("Segments of one length", "CUB's form with a fixed segment size, which the toolkit's does not "
         "have.", segment_table(r, table)),
        ("Positions of minima", "CUB's ArgMin has no policy for NaN.",
         times_table(r, table, START + "argmin", "fold", "cub")),
        ("Prefix sums", alone(r, "inclusive_sum", "prefix sums", "scan") + "GB/s are of bytes read and written.", scan_table(r, table)),
        ("Sums by key", alone(r, "reduce_by_key_", "sums by key", "by_key") + "Keys are uint32 in runs of one length, "
         "values float; GB/s are of bytes read and written.", key_table(r, table)),
        ("Not measured", "", table(["row", "why"], [[name, why] for name, why in r.failures
                                                    if name.startswith(START)]))]
    found = [f"## {title}\n\n" + (f"{text}\n\n" if text else "") + content
             for title, text, content in sections if content]
    if not any(k[0].startswith(START) for k in r.rows):
        return ""
    version = r.context.get("rival_cccl", "of an unknown version")
    toolkit = r.context.get("toolkit_cccl", "unknown")
    page = [f"# Beside CUB {version}: results\n",
            "Written by bench/report/report.py from the output of warpfold-rival, measured as on "
            f"[the page of reductions](reduction.md). There CUB is the toolkit's, {toolkit}; here it "
            f"is {version}, built from newer headers in a program of its own. Ratios are CUB's time / "
            "ours.\n\n"
            "CUB gets its scratch memory ready made, and 32-bit numbers of elements where it takes "
            "them. Sums with gpu_to_gpu and not_guaranteed, and prefix sums with run_to_run, are "
            "calls with an environment, whose memory resource returns the same scratch memory; all "
            "others are calls in two phases.\n", machine]
    return "\n".join(page + found)
