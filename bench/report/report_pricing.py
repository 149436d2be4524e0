"""The page of option pricing: prices, Greeks, implied volatilities, host memory to host memory."""

from report_plots import HIGHER, axes, ceiling, save
from report_rows import Results, bar, number, ratio, size_name

LARGE = [2**e for e in (24, 26, 28)]
# Ways to price in the order of the tables, and what the page calls them.
WAYS = {"mills": "Mills ratios", "polynomial": "polynomial", "vendor": "textbook",
        "zip_by_parity": "Thrust over zipped arrays", "native": "Mills ratios, native", "warpfold": "warpfold"}
TITLES = {"black_scholes": "call and put", "black_scholes_greeks": "call, put and eight Greeks",
          "implied_volatility": "implied volatility"}


def ways_of(r, operation, kind):
    found = {k[2] for k in r.rows if k[:2] == (operation, kind)}
    return [w for w in WAYS if w in found] + sorted(found - set(WAYS))


def rate(r, operation, kind, method, n, threads=0):
    """Thousand millions of options a second."""
    us = r.us(operation, kind, method, n, threads)
    return n / us / 1e3 if us else None


def price_bars(r):
    def least(over, sizes):
        found = {n: ratio(r.us("black_scholes", "float", over, n), r.us("black_scholes", "float", "mills", n))
                 for n in sizes}
        whole = None not in found.values()
        n = min(found, key=found.get) if whole else None
        return found.get(n), f" ({size_name(n)})" if whole else ""

    polynomial, thrust = least("polynomial", LARGE), least("zip_by_parity", LARGE)
    copy = r.ceilings.get("copy")
    return [bar("prices in float, 2^24, 2^26, 2^28: the polynomial's time / Mills ratios', least",
                "at least 0.97", polynomial[0], at=polynomial[1]),
            bar("native prices in float, 2^26: the polynomial's time / theirs", "at least 0.95",
                ratio(r.us("black_scholes", "float", "polynomial", 2**26),
                      r.us("black_scholes", "float", "native", 2**26))),
            bar("prices in float, 2^26, GB/s of 20 bytes an option", "at least 4200",
                r.gbs("black_scholes", "float", "mills", 2**26), 0),
            bar("the same three sizes: time of Thrust over zipped arrays / Mills ratios', least",
                "at least 1.3", thrust[0], 2, thrust[1]),
            bar("prices in double, 2^26: bytes a second / a copy's", "at least 0.9",
                ratio(r.gbs("black_scholes", "double", "mills", 2**26), copy)),
            bar("prices and eight Greeks in float, 2^24: bytes a second / a copy's", "at least 0.8",
                ratio(r.gbs("black_scholes_greeks", "float", "mills", 2**24), copy))]


def implied_bars(r):
    return [bar("implied volatilities of 2^24 floats, 1e9 a second", "at least 5",
                rate(r, "implied_volatility", "float", "warpfold", 2**24), 2)]


def pipeline_bars(r):
    times = {m: r.us("piped/black_scholes", "float", m, 2**26)
             for m in ("pinned", "copy_in", "copy_out")}
    slower = max((times["copy_in"], times["copy_out"])) if all(times.values()) else None
    return [bar("2^26 options from and to pinned host memory: time / the slower copy's alone",
                "at most 1.10", ratio(times["pinned"], slower), most=True)]


def host_bars(r):
    n = 2**20
    return [bar("host, float: time of a scalar loop with libm / Mills ratios' on 2 threads",
                "at least 4", ratio(r.us("host/black_scholes", "float", "vendor", n, 1),
                                    r.us("host/black_scholes", "float", "mills", n, 2)), 2)]


def pricing_bars(r):
    return price_bars(r) + implied_bars(r) + pipeline_bars(r) + host_bars(r)


def rates_table(r, table, operation, kind):
    ways = ways_of(r, operation, kind)
    ours = ways[0]
    sizes = sorted({k[3] for k in r.rows if k[:2] == (operation, kind)})

    def cells(n):
        for way in ways:
            us, speed = r.us(operation, kind, way, n), rate(r, operation, kind, way, n)
            yield from (number(us), number(speed))
        yield number(r.gbs(operation, kind, ours, n), 0)
    head = [f"{TITLES[operation]}, {kind}"]
    head += [text for way in ways for text in (f"{WAYS.get(way, way)}, us", "1e9/s")]
    return table(head + [f"{WAYS.get(ours, ours)}, GB/s"],
                 ([size_name(n), *cells(n)] for n in sizes))


def piped_table(r, table):
    columns = {"pageable": "pageable, ms", "pinned": "pinned, ms",
               "copy_in": "inputs in, pinned, alone", "copy_out": "results out, pinned, alone"}
    operation = "piped/black_scholes"
    times = {n: [r.us(operation, "float", m, n) for m in columns]
             for n in sorted({k[3] for k in r.rows if k[0] == operation})}
    return table(["host memory to host memory, float", *columns.values()],
                 ([size_name(n)] + [number(us and us / 1e3, 3) for us in found]
                  for n, found in times.items()))


def host_table(r, table):
    rows = []
    for key in sorted(r.rows, key=lambda key: (key[1] == "double", key[4], key[3], key[2])):
        operation, kind, method, n, threads = key
        if operation == "host/black_scholes":
            speed = rate(r, operation, kind, method, n, threads)
            rows.append([f"{WAYS.get(method, method)}, {kind}", str(threads), size_name(n),
                         f"{r.us(*key):.0f}", f"{1e3 * speed:.1f}"])
    return table(["on the host", "threads", "n", "us", "1e6 a second"], rows)


def plot_rates(r, path):
    found = [(way, r.sizes("black_scholes", "float", way)) for way in ways_of(r, "black_scholes", "float")]
    if not found:
        return None
    figure, (plot,) = axes(f"Prices in float on {r.context.get('gpu', 'a GPU')}, cold L2",
                           "1e9 options a second, call and put" + HIGHER)
    for (way, sizes), marker in zip(found, "osD^vx*+" * 2):
        plot.plot(sizes, [rate(r, "black_scholes", "float", way, n) for n in sizes], marker=marker,
                  markersize=3.5, linewidth=1.3, label=WAYS.get(way, way))
    if copy := r.ceilings.get("copy"):
        ceiling(plot, copy / 20, f"at a copy's speed, {copy:.0f} GB/s")
    plot.set_ylim(bottom=0)
    plot.legend(frameon=False, fontsize=9)
    return save(figure, path)


def pricing_page(r: Results, table, machine, out):
    """The page's text; nothing if there are no such rows. Draws its plot into `out`."""
    sections = [rates_table(r, table, operation, kind)
                for operation in TITLES for kind in r.kinds(operation)]
    sections += [piped_table(r, table), host_table(r, table)]
    if not any(sections):
        return ""
    plot = plot_rates(r, out / "pricing_float.svg")
    page = ["# Option pricing: results\n",
            table(["bar", "asked", "measured", "met"], pricing_bars(r)),
            "Written by bench/report/report.py from the output of warpfold-bench, measured as on "
            "[the page of reductions](reduction.md).\n", machine,
            f"![{plot.stem.replace('_', ' ')}]({plot.name})\n" if plot else ""]
    return "\n".join(page + [section for section in sections if section])
