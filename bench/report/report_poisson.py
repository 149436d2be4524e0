"""The page of Poisson's equation."""

from report_plots import axes, save
from report_rows import Results, bar, ratio, size_name

PERIODIC = "poisson_periodic_2d"
COURSE = {"course": "course", "course_shared": "shared", "course_coalesced": "coalesced"}
BOUNDED = ["dirichlet_cells", "neumann_cells", "dirichlet_nodes", "neumann_nodes", "mixed_cells",
           "mixed_nodes"]


def over(r, operation, kind, n, way="vendor"):
    return ratio(r.us(operation, kind, way, n), r.us(operation, kind, "fused", n))


def poisson_bars(r):
    def rows(text, operation, kind, sizes, asked):
        for n in sizes:
            yield bar(f"{text}, {n}: cuFFT's time / ours", asked, over(r, operation, kind, n), 2)
    yield from rows("float, periodic square", PERIODIC, "float", (4096, 8192, 16384), "at least 2.0")
    yield from rows("float, periodic square", PERIODIC, "float", (1024, 2048), "at least 1.6")
    yield from rows("float, periodic square", PERIODIC, "float", (3000,), "at least 1.4")
    yield from rows("float, periodic square", PERIODIC, "float", (64, 128, 256, 512), "at least 2.0")
    yield bar("float, periodic square, 8192: the course's first version / ours", "at least 4.5",
              over(r, PERIODIC, "float", 8192, "course"), 2)
    yield from rows("float, periodic cube", "poisson_periodic_3d", "float", (256, 512), "at least 1.3")
    yield from rows("double, periodic square", PERIODIC, "double", (4096,), "at least 1.6")
    whole = r.us(PERIODIC, "float", "fused", 4096)
    for name in BOUNDED:
        operation = f"poisson_{name}_2d"
        for n in r.sizes(operation, "float", "fused") or [None]:
            time = r.us(operation, "float", "fused", n) if n else None
            yield bar(f"float, {name.replace('_', ' on ')}, {n or 4096}: time / that of the periodic "
                      "square of 4096", "at most 1.6", ratio(time, whole), 2, most=True)


def tables(r, table):
    found = sorted({k[:2] for k in r.rows if k[0].startswith("poisson_")},
                   key=lambda k: (k[0] != PERIODIC, k[0], k[1] != "float"))
    for operation, kind in found:
        sizes = sorted({k[3] for k in r.rows if k[:2] == (operation, kind)})
        others = [way for way in COURSE if any(r.us(operation, kind, way, n) for n in sizes)]

        def row(n):
            ours, vendor = (r.us(operation, kind, way, n) for way in ("fused", "vendor"))
            speed, copy = r.gbs(operation, kind, "fused", n), r.ceilings.get("copy")
            yield f"{ours:,.1f}" if ours else ""
            yield f"{speed:,.0f}" if speed else ""
            yield f"{100 * speed / copy:.0f}%" if speed and copy else ""
            yield f"{vendor:,.1f}" if vendor else ""
            yield f"{vendor / ours:.2f}" if vendor and ours else ""
            for way in others:
                time = r.us(operation, kind, way, n)
                yield f"{time:,.1f}" if time else ""
                if way == "course":
                    yield f"{time / ours:.2f}" if time and ours else ""

        name = operation.removeprefix("poisson_").replace("_", " ")
        head = [f"{name}, {kind}", "fused, us", "GB/s of the fewest passes", "of a copy's",
                "cuFFT, us", "cuFFT / fused"]
        for way in others:
            head += [f"{way.replace('_', ', ')}, us"] + (["course / fused"] if way == "course" else [])
        yield table(head, ([size_name(n), *row(n)] for n in sizes))


def plot(r, path):
    ways = [("fused", "fused", "crimson", "-"), ("vendor", "cuFFT, real transforms", "black", "-"),
            ("course", "the course, complex", "tab:blue", ":")]
    lines = [(text, color, line, r.sizes(PERIODIC, "float", way), way)
             for way, text, color, line in ways]
    if len(lines[0][3]) < 2:
        return None
    figure, (plot_of,) = axes(f"Periodic squares of floats on {r.context.get('gpu', 'a GPU')}, cold L2",
                              "GB/s of the fewest passes (24 bytes a point)")
    for text, color, line, sizes, way in lines:
        plot_of.plot(sizes, [r.gbs(PERIODIC, "float", way, n) for n in sizes], line, color=color,
                     marker="o", markersize=3, linewidth=1.3, label=text)
    plot_of.set_xlabel("points along each side")
    plot_of.set_ylim(bottom=0)
    plot_of.legend(frameon=False, fontsize=8)
    return save(figure, path)


def poisson_page(r: Results, table, machine, out):
    """The page's text; nothing if there are no such rows. Draws its plot into `out`."""
    sections = list(tables(r, table))
    if not any(sections):
        return ""
    drawn = plot(r, out / "poisson.svg")
    page = ["# Poisson's equation: results\n",
            table(["bar", "asked", "measured", "met"], poisson_bars(r)),
            "Written by bench/report/report.py from the output of warpfold-bench, measured as on "
            "[the page of reductions](reduction.md). Periodic squares of 4096 and all that "
            "have other boundaries took turns; so did all ways of each size.\n\n"
            "The fewest passes over the data, reading and writing everything once in each, are one "
            "each way along all axes but one, and one for that: 24 bytes a point of a square "
            "of floats, 40 of a cube. A copy reads and writes at "
            f"{r.ceilings.get('copy', 0):,.0f} GB/s.\n", machine,
            f"![{drawn.stem}]({drawn.name})\n" if drawn else ""]
    return "\n".join(page + [section for section in sections if section])
