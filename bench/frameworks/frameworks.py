#!/usr/bin/env python3
"""frameworks.py OUT.json [--cpu]: times PyTorch's and JAX's calls that do what verbs of warpfold do, on a GPU.

A framework that cannot be imported, or that sees no GPU, is named and left out; exit status 77 if none is left.
Each has a process of its own. A row of OUT.json is named as warpfold-bench's, with the framework as its method:
torch and jax start every call from Python, torch_graph replays short calls from a CUDA graph. Fields: `call`,
`timing`, `median_us`, `turns`, `calls` a turn, or `error`. `different_results`: how many of REPEATS further calls
have other bits than the first. --cpu: small sizes on the CPU, to test this program. From the environment:
WARPFOLD_COMMIT names the commit.
"""

import concurrent.futures
import datetime
import json
import math
import multiprocessing
import os
import pathlib
import statistics
import sys
import time
import timeit

BINS = 2**20
# Operation, type and n; of poisson_periodic_2d, n is the square's edge.
CALLS = [("sum", "float", 2**20), ("sum", "float", 2**24), ("sum", "float", 2**28), ("sum", "double", 2**28),
         ("inclusive_sum", "float", 2**24), ("inclusive_sum", "float", 2**28), ("histogram-256-uniform", "float", 2**28),
         ("order_statistics-1-uniform", "float", 2**28), (f"scatter_sum_uniform_{BINS}", "float", 2**28),
         ("random_normal", "float", 200_000_000), ("poisson_periodic_2d", "float", 4096)]
REPEATS = 20  # calls with one input, whose bits are compared
FLUSHED = 2**28  # bytes that are written before a turn, and of the inputs that a turn goes round: more than any L2
SHORT_US, LONG_US = 100, 20_000  # calls are replayed from a graph, too, below the first; alone in a turn above the other
TURNS, LEAST_TURNS, SECONDS = 101, 11, 1.5  # a row ends at TURNS, or after SECONDS and LEAST_TURNS


class Torch:
    def __init__(self, cpu):
        import torch
        if not cpu and not torch.cuda.is_available():
            raise ImportError("it sees no GPU")
        self.xp, self.place, self.has_graphs, self.seed = torch, "cpu" if cpu else "cuda", not cpu, int
        self.types, self.index = {"float": torch.float32, "double": torch.float64}, torch.int32
        self.norm, self.timing = "forward", "wall clock" if cpu else "CUDA events"  # norm backward would take one more kernel
        self.context = {"gpu": "none" if cpu else torch.cuda.get_device_name(0), "torch": torch.__version__,
                        "torch_cuda": str(torch.version.cuda)}
        self.flushed = torch.zeros(FLUSHED // (256 if cpu else 4), device=self.place)
        torch.manual_seed(1)
        self.uniform = lambda shape, kind, _: torch.rand(shape, dtype=self.types[kind], device=self.place)
        self.same_bits = lambda a, b: torch.equal(*(
            x.view(torch.int64 if x.dtype == torch.float64 else torch.int32) for x in (a, b)))
        self.calls = {
            "sum": ("torch.sum", torch.sum), "inclusive_sum": ("torch.cumsum", lambda x: torch.cumsum(x, 0)),
            "histogram": ("torch.histc", lambda x: torch.histc(x, 256, 0, 1)), "order_statistics": ("torch.median", torch.median),
            "scatter_sum": ("index_add_, int32 indices", lambda values, indices, bins:
                            torch.zeros(bins, device=self.place).index_add_(0, indices, values)),
            "random_normal": ("torch.randn", lambda _, n: torch.randn(n, device=self.place)),
            "poisson": ("torch.fft.rfft2, product, irfft2", lambda f, table: torch.fft.irfft2(
                torch.fft.rfft2(f) * table, s=f.shape, norm=self.norm))}

    def turn_us(self, turn):
        self.flushed.fill_(1)
        if self.place == "cpu":
            return 1e6 * timeit.timeit(turn, number=1)
        begin, end = (self.xp.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        turn()
        end.record()
        end.synchronize()
        return 1e3 * begin.elapsed_time(end)

    def graph(self, turn):
        graph = self.xp.cuda.CUDAGraph()
        with self.xp.cuda.graph(graph):
            turn()
        return graph.replay


class Jax:
    def __init__(self, cpu):
        os.environ |= {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"} | ({"JAX_PLATFORMS": "cpu"} if cpu else {})
        import jax
        jax.config.update("jax_enable_x64", True)  # float64, where it is asked for
        device, xp, fft, jit = jax.devices()[0], jax.numpy, jax.numpy.fft, jax.jit
        if not cpu and device.platform != "gpu":
            raise ImportError("it sees no GPU")
        self.xp, self.place, self.has_graphs, self.seed = xp, None, False, jax.random.PRNGKey
        self.types, self.index, self.norm = {"float": xp.float32, "double": xp.float64}, xp.uint32, "backward"
        self.timing = "jitted, wall clock around a turn and block_until_ready"
        self.context = {"gpu": "none" if cpu else device.device_kind, "jax": jax.__version__,
                        "jax_cuda": " ".join(device.client.platform_version.split())}
        self.write, self.flushed = jit(lambda x: x + 1, donate_argnums=0), xp.zeros(FLUSHED // (256 if cpu else 4), "float32")
        self.uniform = lambda shape, kind, seed: jax.random.uniform(self.seed(seed), shape, self.types[kind])
        self.same_bits = jit(lambda a, b: xp.array_equal(*(
            jax.lax.bitcast_convert_type(x, f"uint{8 * x.dtype.itemsize}") for x in (a, b))))
        self.calls = {
            "sum": ("jnp.sum", jit(xp.sum)), "inclusive_sum": ("jnp.cumsum", jit(xp.cumsum)),
            "histogram": ("jnp.histogram", jit(lambda x: xp.histogram(x, 256, (0, 1))[0])),
            "order_statistics": ("jnp.quantile", jit(lambda x: xp.quantile(x, 0.5))),
            "scatter_sum": (".at[].add, uint32 indices", jit(
                lambda values, indices, bins: xp.zeros(bins, "float32").at[indices].add(values), static_argnums=2)),
            "random_normal": ("jax.random.normal", jit(lambda key, n: jax.random.normal(key, (n,), "float32"), static_argnums=1)),
            "poisson": ("jnp.fft.rfft2, product, irfft2", jit(lambda f, table: fft.irfft2(fft.rfft2(f) * table, s=f.shape)))}

    def turn_us(self, turn):
        self.flushed = self.write(self.flushed).block_until_ready()
        return 1e6 * timeit.timeit(lambda: turn().block_until_ready(), number=1)


def inputs(of, operation, kind, n, seed):
    """The arguments of a call."""
    if operation == "random_normal":
        return of.seed(seed), n
    if operation == "poisson_periodic_2d":
        # Reciprocals of the five-point Laplacian's eigenvalues, spacing 1; the mean's, 0, stays.
        axis = -4 * of.xp.sin(math.pi / n * of.xp.arange(n, dtype=of.types[kind], device=of.place)) ** 2
        values = axis[:, None] + axis[None, :n // 2 + 1]
        table = of.xp.where(values == 0, values, 1 / values) / (n * n if of.norm == "forward" else 1)
        return of.uniform((n, n), kind, seed), table
    if operation.startswith("scatter_sum"):
        bins = int(operation.rpartition("_")[2])
        return of.uniform((n,), kind, seed), of.xp.asarray(of.uniform((n,), "double", seed + 1000) * bins, dtype=of.index), bins
    return (of.uniform((n,), kind, seed),)


def error_of(of, operation, given, n, result):
    """How far a result is from what it should be, in parts of 1: of means, a count, a median, an equation."""
    if operation == "poisson_periodic_2d":
        around = sum(of.xp.roll(result, shift, axis) for shift in (1, -1) for axis in (0, 1))
        return float(abs(around - 4 * result - (given[0] - given[0].mean())).max())
    if operation == "random_normal":
        return abs(float(result.mean())) + abs(float(result.std()) - 1)
    whole = n * result if operation.startswith("order") else result[-1] if operation == "inclusive_sum" else result.sum()
    return abs(float(whole) / n - (1 if operation.startswith("histogram") else 0.5))


def median_us(of, turn, calls):
    turn()
    times, begun = [], time.perf_counter()
    while len(times) < LEAST_TURNS or len(times) < TURNS and time.perf_counter() - begun < SECONDS:
        times.append(of.turn_us(turn) / calls)
    return {"median_us": statistics.median(times), "turns": len(times), "calls": calls}


def measure(of, operation, kind, n):
    """The fields of a row, and those of a second one with a graph, or None."""
    base = next(name for name in of.calls if operation.startswith(name))
    name, function = of.calls[base]
    size = {"float": 4, "double": 8}[kind] * (n * n if base == "poisson" else n)
    sets = [inputs(of, operation, kind, n, seed) for seed in range(min(64, math.ceil(FLUSHED / size)))]
    first = function(*sets[0])
    error = error_of(of, operation, sets[0], n, first)
    if not error < 0.01:
        raise ArithmeticError(f"a result is wrong by {error:.3g}")
    row = {"call": name, "timing": of.timing}
    if base != "random_normal":
        row["different_results"] = sum(not of.same_bits(first, function(*sets[0])) for _ in range(REPEATS))
    once = min(of.turn_us(lambda: function(*sets[0])) for _ in range(3))
    calls = 1 if once > LONG_US else max(8, len(sets))

    def turn():
        for i in range(calls):
            result = function(*sets[i % len(sets)])
        return result
    row |= median_us(of, turn, calls)
    if not of.has_graphs or once > SHORT_US:
        return row, None
    try:
        return row, row | {"timing": f"{of.timing}, CUDA graph"} | median_us(of, of.graph(turn), calls)
    except RuntimeError as why:
        return row, {"call": name, "error": str(why).splitlines()[0]}


def rows_of(name, cpu):
    """The context and the rows of a framework; ImportError or RuntimeError if it cannot be used."""
    of, rows, shrunk = {"torch": Torch, "jax": Jax}[name](cpu), [], 64 if cpu else 1
    for operation, kind, n in CALLS:
        operation, n = operation.replace(str(BINS), str(BINS // shrunk)), n // (math.isqrt(shrunk) if n == 4096 else shrunk)
        for tried in (n, n // 4, n // 16):  # the largest that works
            try:
                row, graph = measure(of, operation, kind, tried)
            except Exception as why:  # of many kinds; other rows are measured all the same
                row, graph = {"error": f"{type(why).__name__}: {why}".splitlines()[0]}, None
            rows += [{"name": f"{operation}/{kind}/{method}/n:{tried}"} | fields
                     for method, fields in ((name, row), (f"{name}_graph", graph)) if fields]
            print(rows[-1], flush=True)
            if "error" not in row:
                break
    return of.context, rows


def main():
    cpu = "--cpu" in sys.argv
    if len(sys.argv) != 2 + cpu or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    context, rows = {}, []
    for name in ("torch", "jax"):
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as one:
            try:
                of_it, found = one.submit(rows_of, name, cpu).result()
                context, rows = context | of_it, rows + found
            except (ImportError, RuntimeError) as why:  # RuntimeError: no device, or the process ended
                print(f"frameworks.py: {name} is left out: {why}", file=sys.stderr, flush=True)
    if not rows:
        print("frameworks.py: neither torch nor jax can be used: nothing is measured", file=sys.stderr)
        sys.exit(77)
    context |= {"date": str(datetime.date.today()), "commit": os.environ.get("WARPFOLD_COMMIT", "unknown"),
                "repeats": REPEATS}
    pathlib.Path(sys.argv[1]).write_text(json.dumps({"context": context, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
