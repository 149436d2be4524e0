"""The plots of the report."""

from unittest.mock import MagicMock

from report_rows import MAIN_TYPES

drawing = True  # False where only the pages are wanted: then matplotlib is not needed

LADDER = [
    ("ladder_divergent", "rung 1: divergent"),
    ("ladder_strided", "rung 2: strided index"),
    ("ladder_sequential", "rung 3: sequential"),
    ("ladder_first_add", "rung 4: add on loading"),
    ("ladder_last_warp", "rung 5: last warp unrolled"),
    ("ladder_unrolled", "rung 6: unrolled"),
    ("ladder_cascaded", "rung 7: many a thread"),
    ("ladder_cascaded_1024", "rung 7, blocks of 1024"),
    ("halving", "halving fold"),
]


def pyplot():
    if not drawing:
        return MagicMock(**{"subplots.side_effect": lambda rows, columns, **_: (
            MagicMock(), [[MagicMock()] * columns])})
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "warpfold"  # equal data, equal files
    import matplotlib.pyplot
    return matplotlib.pyplot


HIGHER = ": higher is better"  # at the end of an axis' label


def ceiling(plot, value, label):
    """A horizontal line for a limit."""
    plot.axhline(value, color="0.35", linewidth=1, linestyle=":", label=label)


def axes(title, label, panels=1):
    figure, plots = pyplot().subplots(1, panels, figsize=(3.5 + 4.5 * panels, 4.8), squeeze=False,
                                      layout="constrained")
    for plot in plots[0]:
        plot.set_xscale("log", base=2)
        plot.set_xlabel("n, elements")
        plot.grid(True, which="major", color="0.9")
    plots[0][0].set_ylabel(label)
    figure.suptitle(title)
    return figure, plots[0]


def save(figure, path):
    figure.savefig(path, metadata={"Date": None})
    pyplot().close(figure)
    if drawing:
        print("wrote", path)
    return path


def plot_bandwidth(r, kind, path):
    """All sizes on a logarithmic axis, and the large ones, where that shows nothing, on a linear
    one."""
    # The methods that wait for their result have the host's latency in their times.
    methods = [("fold", "fold"), ("cub", "CUB"), ("thrust", "Thrust (waits)")] + LADDER
    lines = [(m, text, r.sizes("sum", kind, m)) for m, text in methods]
    lines = [line for line in lines if line[2]]
    if not lines:
        return None
    figure, plots = axes(f"Sum of {kind} on {r.context.get('gpu', 'a GPU')}, cold L2", "GB/s" + HIGHER, 2)
    plots[0].set_yscale("log")
    plots[1].set_title("from 2^18 on, linear", fontsize=10)
    colors = pyplot().get_cmap("viridis")
    front = {"fold": "crimson", "cub": "black", "thrust": "tab:blue", "halving": "0.6"}
    steps = [m for m, _ in LADDER if m != "halving"]
    for plot, first in zip(plots, (1, 2**18)):
        for method, text, sizes in lines:
            usual = method in ("fold", "cub", "thrust")
            step = steps.index(method) if method in steps else 0
            shown = [n for n in sizes if n >= first]
            plot.plot(shown, [r.gbs("sum", kind, method, n) for n in shown], label=text,
                      color=front.get(method) or colors(step / (len(steps) - 0.4)),
                      linewidth=1.8 if usual else 1.1,
                      linestyle="-" if usual else ("--", "-.", ":")[step % 3],
                      zorder=3 if usual else 2)
        if read := r.ceilings.get("read"):
            ceiling(plot, read, f"reading alone: {read:.0f} GB/s")
    plots[1].set_ylim(bottom=0)
    plots[1].legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return save(figure, path)


def plot_ratio(r, path):
    found = {kind: r.ratios("sum", kind, "cub", "fold") for kind in MAIN_TYPES}
    found = {kind: values for kind, values in found.items() if values}
    if not found:
        return None
    figure, (plot,) = axes(f"Sums on {r.context.get('gpu', 'a GPU')}: the fold beside the toolkit's CUB",
                           "CUB time / fold time (above 1 the fold is faster)")
    plot.axhline(1, color="black", linewidth=1)
    for (kind, values), marker in zip(found.items(), "osD"):
        plot.plot(list(values), list(values.values()), marker=marker, markersize=3.5,
                  linewidth=1.3, label=kind)
    # CUB's tile is 16 KiB: tuning_reduce.cuh of CUB 3.0.
    for kind, n, text in (("float", 2**12, "CUB's single tile is full:\n4096 floats, 2048 doubles"),
                          ("double", 2**11, "")):
        if n in found.get(kind, {}):
            plot.annotate(text, (n, found[kind][n]), xytext=(2**17, 1.75), fontsize=8, color="0.35",
                          arrowprops={"arrowstyle": "-", "color": "0.6", "relpos": (0, 0)})
    plot.legend(frameon=False)
    return save(figure, path)
