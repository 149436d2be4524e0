"""What the compiler made of the kernels that are to be fast: no local memory, and loads of 16 bytes
where data are aligned for them. Of Hopper's machine code.

Usage: check_sass.py CUOBJDUMP OBJECT...
"""

import pathlib
import re
import subprocess
import sys

# By objects' names, of which those of instances end with an element's type: which of their kernels
# load 16 bytes at once, and how many of them keep some bytes in local memory, which may not become
# more. Twins have other objects.
RULES = {
    r"instances/reduction/fold_(sums|others)_\w+": ("packed_reader", 0),
    r"instances/reduction/exact_exact_\w+": ("packed_reader", 0),
    r"instances/reduction/extrema_policies_\w+": ("packed_reader", 0),
    r"instances/counting/count_counts_\w+": ("packed_reader", 2),
    r"instances/counting/histogram_histograms_\w+": ("histogram_kernel", 4),
    r"instances/norms/(measures_measures|dot_dots)_\w+": ("packed_reader", 2),
    r"instances/quantiles/selection_keys_\w+": ("narrow_kernel|keep_kernel", 0),
    r"instances/poisson/engine/columns_units_float": (r"unit_columns_kernel.*paired_core.*kindE0", 11),
    r"instances/poisson/engine/boxes_units_float": (r"unit_box_kernel.*kindE0|unit_depths_kernel", 3),
    r"instances/poisson/engine/single/packed_units_float": (r"packed_kernel.*kindE[02]", 14),
    r"instances/poisson/engine/long/long_poisson_float": ("leave_rows_kernel|cross_planes_kernel", 1),
    r"instances/segments/rows_segments_\w+": ("packed_reader", 7),
}


def kernels(cuobjdump, path):
    """(name, instructions) of each."""
    text = subprocess.run([cuobjdump, "-sass", "-arch", "sm_90", path], capture_output=True, text=True,
                          check=True).stdout
    for part in re.split(r"\n\s*Function : ", text)[1:]:
        name, _, code = part.partition("\n")
        yield name.strip(), code


def main():
    cuobjdump, *objects = sys.argv[1:]
    wrong, seen = [], 0
    for which, (wide, spilling) in RULES.items():
        paths = [p for p in objects if re.search(rf"/{which}\.cu\.o$", pathlib.PurePath(p).as_posix())]
        if not paths:
            wrong.append(f"{which}: no such object")
            continue
        found = [kernel for path in paths for kernel in kernels(cuobjdump, path)]
        narrow = [name for name, code in found
                  if re.search(wide, name) and not re.search(r"LDG\S*\.128", code)]
        local = [name for name, code in found if re.search(r"\b(LDL|STL)\b", code)]
        if not any(re.search(wide, name) for name, _ in found):
            wrong.append(f"{which}: no kernel is called {wide}")
        wrong += [f"{which}: no load of 16 bytes in {name}" for name in narrow]
        if len(local) > spilling:
            wrong += [f"{which}: local memory in {name}" for name in local]
        seen += len(found)
    for complaint in wrong:
        print(complaint)
    print(f"{seen} kernels, {len(wrong)} complaints")
    return 1 if wrong or not seen else 0


sys.exit(main())
