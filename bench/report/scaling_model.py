"""What the measured costs of two GPUs say of more, beside what more were measured to take: the tables
of docs/scaling.md.

Usage: scaling_model.py docs/results/scaling_h200.json
"""

import sys

from report_rows import Results

NODE = 8  # GPUs that share NVLink
# A step of a ring of small messages, us: NCCL's own figures (src/graph/tuning.cc, 2.28: hwLat, ring,
# LL), over NVLink and over a network.
STEP_NVLINK, STEP_NETWORK = 0.6, 2.7
NETWORK = 50.0  # GB/s of a GPU with a network card of 400 Gbit/s to itself
GPUS = (1, 2, 4, 8, 16, 64, 256, 1024)


def gathering(gpus):
    """What a gathering takes more than one of two GPUs, us: all steps of the ring beyond the first."""
    if gpus < 2:
        return 0.0
    between_nodes = max(gpus // NODE, 1) - 1
    return (gpus - 2 - between_nodes) * STEP_NVLINK + between_nodes * STEP_NETWORK


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---:" for _ in head) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def measured(time):
    return f"{time:,.0f}" if time else ""


def sums(r):
    n = 1 << 30
    one, two = (r.us("scaling_sum_each", "float", "fold", n, g) for g in (1, 2))
    latency = two - one
    print(f"Sums of 2^30 floats on each GPU: {one:.1f} us on one, and {latency:.1f} us for the gathering "
          "of two.\n")

    def row(gpus):
        time = one + (latency + gathering(gpus) if gpus > 1 else 0)
        return [f"{gpus:,}", f"{time:,.0f}", measured(r.us("scaling_sum_each", "float", "fold", n, gpus)),
                f"{one / time:.2f}", f"{4 * n * gpus / time / 1e6:,.1f}"]
    table(["GPUs", "us", "measured", "efficiency", "TB/s"], map(row, GPUS))


def simulations(r, options, paths):
    def found(gpus):
        return r.us(f"scaling_european_{options}", "float", "fused", paths, gpus)
    one, two = found(1), found(2)
    fixed = two - one / 2
    print(f"{options} options, {paths:,} paths: {one:.1f} us on one, and {fixed:.1f} us that two do not "
          "share.\n")

    def row(gpus):
        time = one / gpus + (fixed + gathering(gpus) if gpus > 1 else 0)
        return [f"{gpus:,}", f"{time:,.0f}", measured(found(gpus)), f"{one / time:.1f}"]
    table(["GPUs", "us", "measured", "times as fast"], map(row, GPUS))


def exchanged(gpus, slab, nvlink):
    """Both exchanges of a solve, us: bytes of a GPU's slab, those that leave the node by the network."""
    if gpus == 1:
        return 0.0
    beside = (min(gpus, NODE) - 1) / gpus
    beyond = max(gpus - NODE, 0) / gpus
    return 2 * max(slab * beside / nvlink, slab * beyond / NETWORK) / 1e3


def squares(r, n):
    alone = r.us("scaling_poisson_2d", "float", "fused", n, 1)
    two = r.us("scaling_poisson_2d", "float", "slabs", n, 2)
    nvlink = r.gbs("scaling_poisson_2d", "float", "exchange", n, 2)
    slab = 4 * n * n / 2
    shown = (two - exchanged(2, slab, nvlink)) / (alone / 2)
    print(f"{n:,} x {n:,} floats for every two GPUs: {alone:.0f} us on one, {two:.0f} us on two, of which "
          f"{exchanged(2, slab, nvlink):.0f} us are two exchanges at {nvlink:.0f} GB/s; "
          f"{100 * shown:.0f} % of the passes do not hide behind them.\n")

    def one_square(gpus):
        both = exchanged(gpus, 4 * n * n / gpus, nvlink)
        return [f"{gpus:,}", f"{both:,.0f}",
                measured(r.us("scaling_poisson_2d", "float", "exchange", n, gpus)),
                f"{shown * alone / gpus + both:,.0f}",
                measured(r.us("scaling_poisson_2d", "float", "slabs", n, gpus))]
    table(["GPUs, one square", "exchanges, us", "measured", "solve, us", "measured"],
          map(one_square, GPUS[1:4]))

    def row(gpus):
        passes, both = shown * alone / 2, exchanged(gpus, slab, nvlink)
        return [f"{gpus:,}", f"{both:,.0f}", f"{passes + both:,.0f}",
                f"{alone / 2 / (passes + both):.2f}"]
    table(["GPUs, a square for two", "exchanges, us", "solve, us", "efficiency"], map(row, GPUS[1:]))


def main():
    results = Results(sys.argv[1:])
    sums(results)
    simulations(results, 256, 1 << 24)
    simulations(results, 64, 1 << 18)
    squares(results, 16384)


main()
