"""What the compiler made of the kernels that are to be fast: no local memory, and loads of 16 bytes
where data are aligned for them. Of Hopper's machine code.

Usage: check_sass.py CUOBJDUMP OBJECT...
"""

import pathlib
import re
import subprocess
import sys

# By the end of an object's name: which of its kernels load 16 bytes at once, and how many of them keep
# some bytes in local memory, which may not become more.
RULES = {
    "reduction/fold.cu.o": ("packed_reader", 0),
    "reduction/exact.cu.o": ("packed_reader", 0),
    "reduction/extrema.cu.o": ("packed_reader", 0),
    "counting/fold.cu.o": ("packed_reader", 2),
    "counting/histogram.cu.o": ("histogram_kernel", 4),
    "norms/fold.cu.o": ("packed_reader", 2),
    "poisson/fused_columns_float.cu.o": ("columns_kernel", 2),
    "poisson/fused_rows_float.cu.o": ("rows_back_kernel", 0),
    "segments/rows.cu.o": ("packed_reader", 7),
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
    for end, (wide, spilling) in RULES.items():
        path = next((p for p in objects if pathlib.PurePath(p).as_posix().endswith(end)), None)
        if not path:
            wrong.append(f"{end}: no such object")
            continue
        found = list(kernels(cuobjdump, path))
        narrow = [name for name, code in found
                  if re.search(wide, name) and not re.search(r"LDG\S*\.128", code)]
        local = [name for name, code in found if re.search(r"\b(LDL|STL)\b", code)]
        if not any(re.search(wide, name) for name, _ in found):
            wrong.append(f"{end}: no kernel is called {wide}")
        wrong += [f"{end}: no load of 16 bytes in {name}" for name in narrow]
        if len(local) > spilling:
            wrong += [f"{end}: local memory in {name}" for name in local]
        seen += len(found)
    for complaint in wrong:
        print(complaint)
    print(f"{seen} kernels, {len(wrong)} complaints")
    return 1 if wrong or not seen else 0


sys.exit(main())
