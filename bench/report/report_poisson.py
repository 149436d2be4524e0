"""The page of Poisson's equation."""

from report_plots import HIGHER, axes, ceiling, save
from report_rows import TYPES, Results, bar, ratio, size_name

PERIODIC, CUBE, LINES = "poisson_periodic_2d", "poisson_periodic_3d", "poisson_periodic_1d_x4096"
ROUND_TRIPS = "round_trip_x4096"
TRANSFORMS, OTHERS = "transform_x4096", {"cufft": "cuFFT, real to complex", "copy": "a copy"}
COURSE = {"course": "course", "course_shared": "shared", "course_coalesced": "coalesced"}
# Points beyond the length of a periodic axis whose transforms take as long.
EXTRA = {"dirichlet_nodes": -1, "neumann_nodes": 1}
SQUARES = {"dirichlet_cells": "cells", "neumann_cells": "cells", "mixed_cells": "mixed",
           "mixed_nodes": "mixed", "dirichlet_nodes": "nodes", "neumann_nodes": "nodes"}
CUBES = {"neumann_cells": "cells", "mixed_cells": "mixed", "neumann_nodes": "nodes"}
# Time over the periodic box's, at most: by length, and what the box is.
SQUARE_RATIOS = {4096: {"cells": 1.12, "mixed": 1.15, "nodes": 1.25},
                 8192: {"cells": 1.12, "mixed": 1.15, "nodes": 1.25},
                 16384: {"cells": 1.2, "mixed": 1.2, "nodes": 1.4}}
CUBE_RATIOS = {length: {"cells": 1.2, "mixed": 1.2, "nodes": 1.35} for length in (256, 512)}
# VkFFT's transforms over ours, at least.
VKFFT = [("periodic", "float", {256: 1.0, 1024: 1.0, 3000: 1.5, 4096: 1.0, 8192: 1.0, 16384: 1.0}),
         ("neumann_cells", "float", {3000: 1.5, 4096: 1.0, 5000: 1.0, 8192: 1.0}),
         ("mixed_cells", "float", {4096: 1.0, 8192: 1.0}),
         ("dirichlet_nodes", "float", {4095: 1.8}),
         ("neumann_nodes", "float", {1025: 1.0, 4097: 1.8, 8193: 1.0}),
         ("periodic", "double", {4096: 1.0})]


def way_of(r, operation, kind, n, threads=0):
    """The way whose row is ours: kernels compiled for the length, fused ones, or the solver's choice."""
    return next((way for way in ("compiled", "fused") if (operation, kind, way, n, threads) in r.rows), "automatic")


def ours(r, operation, kind, n, threads=0):
    return r.us(operation, kind, way_of(r, operation, kind, n, threads), n, threads)


def engine_of(r, operation, kind, n, threads=0):
    """The engine that the solver takes by itself; empty if the row does not say."""
    row = r.rows.get((operation, kind, way_of(r, operation, kind, n, threads), n, threads), {})
    return row.get("label", "")


def over(r, operation, kind, n, way="vendor", threads=0):
    return ratio(r.us(operation, kind, way, n, threads), ours(r, operation, kind, n, threads))


def floor(r, n):
    """The share of a copy's speed that the fewest passes reach."""
    speed = r.gbs(PERIODIC, "float", way_of(r, PERIODIC, "float", n), n)
    return ratio(speed, r.ceilings.get("copy"))


def of_periodic(r, operation, kind, n):
    """Ours over the time of the periodic box whose transforms are as long."""
    name, axes_of_it = operation.removeprefix("poisson_").rsplit("_", 1)
    length = n - EXTRA.get(name, 0)
    return ratio(ours(r, operation, kind, n),
                 ours(r, f"poisson_periodic_{axes_of_it}", kind, length))


def words(name):
    return name.replace("_", " on ")


def cufft_bars(r):
    def rows(what, operation, kind, asked):
        for n, least in asked.items():
            yield bar(f"{kind}, {what}, {n}: cuFFT's time / ours", f"at least {least}",
                      over(r, operation, kind, n), 2)

    yield from rows("periodic square", PERIODIC, "float",
                    {64: 2.2, 128: 2.2, 256: 2.2, 512: 2.2, 1024: 2.2, 2048: 2.35, 3000: 2.5, 4096: 2.4,
                     8192: 2.05, 16384: 1.95, 32768: 1.5})
    yield from rows("periodic square", PERIODIC, "double", {4096: 2.0, 8192: 2.2})
    yield from rows("periodic cube", CUBE, "float", {256: 1.95, 512: 1.95})
    yield from rows("periodic cube", CUBE, "double", {256: 1.55})
    yield from rows("4096 periodic lines", LINES, "float", {4096: 2.5})


def ratio_bars(r):
    for figure, axes_of_it, names, asked in (("square", "2d", SQUARES, SQUARE_RATIOS),
                                             ("cube", "3d", CUBES, CUBE_RATIOS)):
        for length, most in asked.items():
            for name, what in names.items():
                n = length + EXTRA.get(name, 0)
                text = words(name) + (" in a cube" if figure == "cube" else "")
                yield bar(f"float, {text}, {n}: time / that of the periodic {figure} of {length}",
                          f"at most {most[what]}",
                          of_periodic(r, f"poisson_{name}_{axes_of_it}", "float", n), 2, most=True)


def vkfft_bars(r):
    for name, kind, asked in VKFFT:
        for n, least in asked.items():
            yield bar(f"VkFFT's transforms alone / ours, {kind}, {words(name)}, {n}",
                      f"at least {least}", beside_vkfft(r, f"poisson_{name}_2d", kind, n), 2)


def beside_vkfft(r, operation, kind, n):
    return ratio(r.us(operation, kind, "vkfft", n), r.us(operation, kind, "beside_vkfft", n))


def poisson_bars(r):
    yield from cufft_bars(r)
    for n, least in {4096: 0.85, 8192: 0.85, 16384: 0.78}.items():
        yield bar(f"float, periodic square, {n}: 24 bytes a point at a copy's speed / time",
                  f"at least {least}", floor(r, n), 2)
    yield bar("float, periodic square, 8192: the course's first version / ours", "at least 4.5",
              over(r, PERIODIC, "float", 8192, "course"), 2)
    yield from ratio_bars(r)
    yield from vkfft_bars(r)
    for what, operation, n in (("square", PERIODIC, 1024), ("cube", CUBE, 256)):
        yield bar(f"host, 2 threads, double, periodic {what}, {n}: FFTW's time, planned by measuring, / ours",
                  "at least 0.8", over(r, f"host/{operation}", "double", n, "planned", 2), 2)


def cell(value, digits):
    return f"{value:,.{digits}f}" if value else ""


def columns(r, operation, kind):
    """Heads, and what they show of a size."""
    def us(way):
        return lambda n: cell(r.us(operation, kind, way, n), 1)

    def share(n):
        speed = r.gbs(operation, kind, way_of(r, operation, kind, n), n)
        part = ratio(speed, r.ceilings.get("copy"))
        return f"{100 * part:.0f}%" if part else ""

    def choice(n):
        engine = engine_of(r, operation, kind, n)
        return "" if engine == "fused" else engine

    def built_in(n):
        return us("fused")(n) if way_of(r, operation, kind, n) == "compiled" else ""

    yield "ours, us", lambda n: cell(ours(r, operation, kind, n), 1)
    yield "engine", choice
    yield "not compiled for the length, us", built_in
    yield ("GB/s of the fewest passes",
           lambda n: cell(r.gbs(operation, kind, way_of(r, operation, kind, n), n), 0))
    yield "of a copy's", share
    if operation not in (PERIODIC, CUBE, LINES):
        yield "ours / periodic", lambda n: cell(of_periodic(r, operation, kind, n), 2)
    yield "cuFFT, us", us("vendor")
    yield "cuFFT / ours", lambda n: cell(over(r, operation, kind, n), 2)
    for way, name in COURSE.items():
        yield ("course, us" if way == "course" else f"course, {name}, us"), us(way)
        if way == "course":
            yield "course / ours", lambda n: cell(over(r, operation, kind, n, "course"), 2)
    yield "transforms in float, us", us("single")
    yield "VkFFT, us", us("vkfft")
    yield "ours beside it, us", us("beside_vkfft")
    yield "VkFFT / ours", lambda n: cell(beside_vkfft(r, operation, kind, n), 2)


def tables(r, table):
    """One a box and type; columns without a figure are left out."""
    found = sorted({k[:2] for k in r.rows if k[0].startswith("poisson_")},
                   key=lambda k: (k[0].rsplit("_", 1)[1], "_periodic_" not in k[0], k[0], k[1] != "float"))
    for operation, kind in found:
        sizes = sorted({k[3] for k in r.rows if k[:2] == (operation, kind)})
        shown = [(head, [of(n) for n in sizes]) for head, of in columns(r, operation, kind)]
        shown = [(head, cells) for head, cells in shown if any(cells)]
        name = operation.removeprefix("poisson_").replace("_", " ")
        yield table([f"{name}, {kind}"] + [head for head, _ in shown],
                    ([size_name(n)] + [cells[i] for _, cells in shown] for i, n in enumerate(sizes)))


def host_table(r, table):
    keys = sorted({(k[0], TYPES.index(k[1]), k[3], k[4]) for k in r.rows
                   if k[0].startswith("host/poisson_")})

    def rows():
        for operation, index, n, threads in keys:
            row = operation, TYPES[index], n, threads
            planned, twin = (r.us(operation, TYPES[index], way, n, threads) for way in ("planned", "vendor"))
            yield [operation.removeprefix("host/poisson_").replace("_", " ") + f", {TYPES[index]}",
                   size_name(n), str(threads), cell(ours(r, *row), 0), cell(planned, 0),
                   cell(ratio(planned, ours(r, *row)), 2), cell(twin, 0), cell(ratio(twin, ours(r, *row)), 2)]

    return table(["on the host", "n", "threads", "ours, us", "FFTW, planned by measuring, us", "FFTW / ours",
                  "FFTW in the twin, us", "twin / ours"], rows())


def transforms_table(r, table):
    """Kinds of transforms, with what took turns with them: cuFFT's of real numbers, and a copy."""
    rows = []
    for kind in r.kinds(TRANSFORMS):
        cufft, copied = (next(iter(r.gbs(TRANSFORMS, kind, way, n) for n in r.sizes(TRANSFORMS, kind, way)), None)
                         for way in ("cufft", "copy"))
        found = sorted({k[2:4] for k in r.rows if k[:2] == (TRANSFORMS, kind)}, key=lambda k: (k[0] in OTHERS, k))
        for way, n in found:
            speed = r.gbs(TRANSFORMS, kind, way, n)
            rows.append([f"{OTHERS.get(way, way.replace('_', ' '))}, {kind}", size_name(n),
                         cell(r.us(TRANSFORMS, kind, way, n), 1), cell(speed, 0),
                         cell(100 * speed / copied if copied else None, 0) + "%" * bool(copied),
                         "" if way in OTHERS else cell(ratio(speed, cufft), 2)])
    return table(["transforms of 4096 lines", "points", "us", "GB/s", "of a copy's", "speed / cuFFT's"], rows)


def round_trips_table(r, table):
    """Transforms of lines and what undoes them, beside VkFFT's."""
    rows = []
    for kind in r.kinds(ROUND_TRIPS):
        found = sorted({k[2:4] for k in r.rows if k[:2] == (ROUND_TRIPS, kind) and not k[2].startswith("vkfft_")})
        for way, n in found:
            ours_us, theirs = (r.us(ROUND_TRIPS, kind, name, n) for name in (way, f"vkfft_{way}"))
            rows.append([f"{way.replace('_', ' ')}, {kind}", size_name(n), cell(ours_us, 1), cell(theirs, 1),
                         cell(ratio(theirs, ours_us), 2)])
    return table(["4096 lines, there and back", "points", "ours, us", "VkFFT, us", "VkFFT / ours"], rows)


def plot(r, path):
    """Lines through powers of two; other lengths are marks, since what solves them differs."""
    ways = [("fused", "warpfold", "crimson"), ("compiled", "warpfold, compiled for the length", "tab:orange"),
            ("vendor", "cuFFT, real transforms", "black"), ("course", "the course, complex", "tab:blue")]
    if len(r.sizes(PERIODIC, "float", "fused")) < 2:
        return None
    figure, (plot_of,) = axes(f"Periodic squares of floats on {r.context.get('gpu', 'a GPU')}, cold L2",
                              "GB/s of the fewest passes, 24 bytes a point" + HIGHER)
    for way, text, color in ways:
        for others in (False, True):
            sizes = [n for n in r.sizes(PERIODIC, "float", way) if (n & (n - 1) != 0) == others]
            if sizes:
                plot_of.plot(sizes, [r.gbs(PERIODIC, "float", way, n) for n in sizes], color=color,
                             linestyle="none" if others else "-", marker="D" if others else "o", markersize=4 if others else 3,
                             markerfacecolor="none" if others else color, linewidth=1.3,
                             label=text + (": other lengths" if others and way != "compiled" else ""))
    if copy := r.ceilings.get("copy"):
        ceiling(plot_of, copy, f"a copy: {copy:.0f} GB/s")
    plot_of.set_xlabel("points along each side")
    plot_of.set_ylim(bottom=0)
    plot_of.legend(frameon=False, fontsize=8)
    return save(figure, path)


def vkfft_text(r):
    if "vkfft" not in r.context:
        return ""
    return (f"VkFFT {r.context['vkfft']} is timed by warpfold-vkfft-bench, in turns with ours: its forward "
            "transform and its normalised inverse, in place. It does not divide by eigenvalues, so a "
            "solver made of it would take longer.\n")


def poisson_page(r: Results, table, machine, out):
    """The page's text; nothing if there are no such rows. Draws its plot into `out`."""
    sections = [*tables(r, table), host_table(r, table)]
    if not any(sections):
        return ""
    drawn = plot(r, out / "poisson.svg")
    failures = [[name, why] for name, why in r.failures
                if name.removeprefix("host/").startswith(("poisson_", "transform_"))]
    sections.append(table(["not measured", "why"], failures, last_is_text=True))
    if transforms := transforms_table(r, table):
        sections.append("## Real transforms\n\nBy `transforms::plan`, along rows of an array, once along columns. All took "
                        "turns, with a copy of the array and with cuFFT's transform of real numbers: it has no cosine "
                        f"or sine transforms. GB/s are of an array read and one written.\n\n{transforms}")
    if trips := round_trips_table(r, table):
        sections.append("A transform and what undoes it, in place, by `transforms::plan` and by VkFFT, in turns:\n\n" + trips)
    on_gpu = ("measured as on "
              "[the page of reductions](reduction.md). Periodic squares took turns with all other "
              "squares whose transforms have their length, and cubes likewise; so did all ways of each "
              "size.\n\n"
              "Ours are the fused kernels; where kernels were compiled for the length (the engine "
              "compiled), those, with the fused ones' time behind them. \"Engine\" names what is not fused: "
              "the solver's choice where no fused kernels are built.\n\n"
              "The fewest passes over the data, reading and writing everything once in each, are one "
              "each way along all axes but one, and one for that: 24 bytes a point of a square "
              "of floats, 40 of a cube. A copy reads and writes at "
              f"{r.ceilings.get('copy', 0):,.0f} GB/s.\n")
    on_host = ("on a machine without a GPU. All ways of a size took turns, on arrays that together are larger "
               "than the caches.\n")
    planned = ("\"FFTW, planned by measuring\" is its real transform of all axes, FFTW_MEASURE, "
               "and a loop that divides; the twin goes axis by axis, planned by FFTW_ESTIMATE.\n")
    page = ["# Poisson's equation: results\n",
            table(["bar", "asked", "measured", "met"], r.of_interest(poisson_bars(r))),
            "Written by bench/report/report.py from the output of warpfold-bench, "
            + (on_gpu if r.has_gpu() else on_host), vkfft_text(r),
            planned if host_table(r, table) else "",
            "Hosts' rows were measured [on a machine without a GPU](host/poisson.md) as well.\n"
            if (out / "host/poisson_host.json").exists() else "", machine,
            f"![{drawn.stem}]({drawn.name})\n" if drawn else ""]
    return "\n".join(part for part in page + sections if part)
