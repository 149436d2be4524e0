"""The page of groups of GPUs."""

from report_rows import Results, bar, ratio, size_name


def figure(value, digits=0):
    return f"{value:,.{digits}f}" if value else ""


def groups(r, operation, way):
    """Numbers of GPUs that there are rows of, by size."""
    found = {}
    for name, _, method, n, gpus in sorted(r.rows):
        if (name, method) == (operation, way):
            found.setdefault(n, []).append(gpus)
    return found


def us(r, operation, way, n, gpus):
    return r.us(operation, "float", way, n, gpus)


def scaling_bars(r):
    def faster(operation, way, n):
        return ratio(us(r, operation, way, n, 1), us(r, operation, way, n, 4))
    solver, n = "scaling_poisson_2d", 2**14
    huge = ratio(us(r, solver, "fused", 2**15, 1), us(r, solver, "slabs", 2**15, 4))
    return [bar("four GPUs, sum of 2^30 floats on each: time of one / time", "at least 0.95",
                faster("scaling_sum_each", "fold", 2**30)),
            bar("four GPUs, 256 calls of 2^24 paths: speed-up", "at least 3.6",
                faster("scaling_european_256", "fused", 2**24), 2),
            bar(f"four GPUs, square of {n} x {n} floats: cuFFT's time over all four / slabs'",
                "at least 1.3", ratio(us(r, solver, "cufft_xt", n, 4), us(r, solver, "slabs", n, 4)), 2),
            bar("four GPUs, square of 32768 x 32768 floats: speed-up over one GPU's solver",
                "at least 2.2", huge, 2)]


def sums(r, table):
    for n, numbers in groups(r, "scaling_sum_each", "fold").items():
        def row(gpus):
            yield str(gpus)
            for operation, way in (("scaling_sum_each", "fold"), ("scaling_sum_each", "cub"),
                                   ("scaling_exact_sum_each", "fold")):
                time = us(r, operation, way, n, gpus)
                yield figure(time, 1)
                yield figure(r.gbs(operation, "float", way, n, gpus))
                yield figure(ratio(us(r, operation, way, n, 1), time), 3)
        head = [f"GPUs, {size_name(n)} floats on each"]
        for way in ("sum", "CUB", "exact sum"):
            head += [f"{way}, us", "GB/s", "time of one / time"]
        yield table(head, (list(row(gpus)) for gpus in numbers))


def simulations(r, table):
    for operation in sorted({k[0] for k in r.rows if k[0].startswith("scaling_european_")},
                            key=lambda name: -int(name.rsplit("_", 1)[1])):
        for n, numbers in groups(r, operation, "fused").items():
            def row(gpus):
                time = us(r, operation, "fused", n, gpus)
                evaluations = int(operation.rsplit("_", 1)[1]) * n
                return [str(gpus), figure(time, 1), figure(evaluations / time / 1e3),
                        figure(ratio(us(r, operation, "fused", n, 1), time), 2)]
            yield table([f"GPUs, {operation.rsplit('_', 1)[1]} calls of {size_name(n)} paths", "us",
                         "10^9 evaluations a second", "speed-up"], map(row, numbers))


def books(r, table):
    operation = "scaling_black_scholes"
    for n, numbers in groups(r, operation, "pinned").items():
        def row(gpus):
            yield str(gpus)
            for way in ("pinned", "pageable"):
                time = us(r, operation, way, n, gpus)
                yield figure(time, 0)
                yield figure(r.gbs(operation, "float", way, n, gpus), 1)
                yield figure(ratio(us(r, operation, way, n, 1), time), 2)
        head = [f"GPUs, {size_name(n)} calls and puts in host memory"]
        for way in ("page-locked", "pageable"):
            head += [f"{way}, us", "GB/s", "speed-up"]
        yield table(head, (list(row(gpus)) for gpus in numbers))


def squares(r, table):
    operation = "scaling_poisson_2d"
    for n, numbers in groups(r, operation, "slabs").items():
        alone = us(r, operation, "fused", n, 1)

        def row(gpus):
            slabs, twin = us(r, operation, "slabs", n, gpus), us(r, operation, "cufft_xt", n, gpus)
            if gpus == 1:
                twin = us(r, operation, "vendor", n, 1)
            return [str(gpus), figure(slabs, 1), figure(ratio(alone, slabs), 2), figure(twin, 1),
                    figure(ratio(twin, slabs), 2),
                    figure(us(r, operation, "exchange", n, gpus), 1),
                    figure(r.gbs(operation, "float", "exchange", n, gpus))]
        yield table([f"GPUs, {n:,} x {n:,} floats", "slabs, us", "best on one GPU / slabs", "cuFFT, us",
                     "cuFFT / slabs", "bare exchange, us", "GB/s of a GPU"], map(row, numbers))
        if alone:
            yield f"One GPU's own solver takes {figure(alone, 1)} us.\n"


def scaling_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    sections = [("Sums", list(sums(r, table))), ("Simulations", list(simulations(r, table))),
                ("Books of options", list(books(r, table))),
                ("Poisson's equation on slabs", list(squares(r, table)))]
    if not any(found for _, found in sections):
        return ""
    page = ["# Many GPUs: results\n",
            table(["bar", "asked", "measured", "met"], scaling_bars(r)),
            "Written by bench/report/report.py from the output of warpfold-bench. Medians by the host's clock, "
            "from when the first rank begins until the last one has its result, of groups in one "
            "process; ways of one table and number of GPUs took turns. Every result was checked before: "
            "exact sums, simulations and prices have the bits of one GPU.\n\n"
            "cuFFT over several GPUs is real transforms of descriptors (cufftXt), in place, with one "
            "kernel between them, on the same GPUs; on one GPU it is the solver by "
            "twins::engine::vendor. A bare exchange moves what slabs exchange in a solve, and nothing "
            "else; its GB/s are what a GPU sends.\n", machine]
    for title, found in sections:
        if found:
            page += [f"## {title}\n", *found]
    return "\n".join(page)
