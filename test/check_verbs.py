"""Every public verb is part of random work, of the tables of failing allocations, of a case in the
suite gpu whose name begins with "fast:", which all sanitizers run, and, if it does not wait, of a
captured graph; what ranks share is part of the first two by ranks. Or there is a reason why not.

Usage: check_verbs.py VERBS INCLUDE TEST

The verbs are those of the table in docs/verbs.md; each book and each model of pricing::simulate
counts as one. A test has a verb if its text calls it, or the text of a function of the same file or
of an included header of tests whose name it mentions, and so on.
"""

import functools
import pathlib
import re
import sys

REASONS = {  # why a verb lacks a test
    "random::vendor_generator random work": "nothing is known of a vendor's numbers",
    "random::vendor_generator captured": "it promises nothing about graphs",
}
NEEDS_NVCC = ("random work", "allocations")  # which g++ compiles: not for verbs of .cuh alone
# Objects, and what members of theirs enqueue.
MEMBERS = {"solver": "solve_async", "plan": "run_async", "vendor_generator": "uniform_async"}


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


@functools.cache
def words_of(text):
    return set(re.findall(r"\w+", text))


def parts_of(text):
    """Bodies by name, and (name, body) of each test case."""
    bodies, cases, part, depth = {}, [], "", 0
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if depth == 0 and re.match(r"\s*(#|\}|namespace\b.*\{$|TEST_SUITE|$)", line):
            part = "" if line.startswith("#") else part
            continue
        part += line + "\n"
        bare = re.sub(r"\"(\\.|[^\"\\])*\"|'.'", "", line)
        depth += bare.count("{") - bare.count("}")
        if depth > 0 or not re.search(r"[;}]$", line):
            continue
        case = re.match(r'\s*(TEST_CASE|(?:FAST_)?EVERY_(?:PLACE|GROUP))\w*\(\s*"([^"]*)', part)
        head = part.split("{")[0]
        if case:
            cases.append((("fast: " if case[1].startswith("FAST") else "") + case[2], part))
        elif name := re.search(r"\b(?:struct|class) (\w+)[^()]*$|(\w+)\s*\(|(\w+) = |(\w+)\s*$", head):
            bodies.setdefault(next(filter(None, name.groups())), []).append(part)
        part = ""
    return bodies, cases


class Tests:
    def __init__(self, folder):
        self.folder, self.files = folder, {}
        for path in folder.rglob("*.[hc]*"):
            if path.suffix in (".hpp", ".cpp", ".cu"):
                self.files[path.resolve()] = without_comments(path.read_text())
        self.parts = {path: parts_of(text) for path, text in self.files.items()}

    def included(self, path, seen):
        if path in seen or path not in self.files:
            return
        seen.append(path)
        for name in re.findall(r'#include "([\w/.]+)"', self.files[path]):
            for base in (path.parent, self.folder):
                self.included((base / name).resolve(), seen)

    @functools.cache
    def known_in(self, path):
        within, known = [], {}
        self.included(path, within)
        for file in within:
            for name, bodies in self.parts[file][0].items():
                known[name] = "\n".join([known.get(name, ""), *bodies])
        return known

    def reach(self, path, text):
        """The text, and the bodies that it leads to."""
        known = self.known_in(path.resolve())
        reached, left = {}, [text]
        while left:
            for word in words_of(left.pop()) & known.keys() - reached.keys():
                reached[word] = known[word]
                left.append(known[word])
        return {text, *reached.values()}

    def of_files(self, pattern):
        paths = sorted(self.folder.glob(pattern))
        return set().union(*(self.reach(path, self.files[path.resolve()]) for path in paths))

    def cases(self):
        """But for those of refusals, which run nothing."""
        for path, (_, cases) in self.parts.items():
            for name, part in [] if path.name.startswith("refusals") else cases:
                yield name, self.reach(path, part)


def has(text, verb, table):
    """Whether the text calls the verb, or loops over the table that it is in."""
    last = verb.split("::")[-1]
    named = rf"(?<!std)(?<!ranges)::{last}(_async)?\s*[(<,{{]|\bSAME\({last}\b"
    return bool(re.search(named, text)) or (
        verb in table and re.search(r"\bfor_each_verb\b|\bWARPFOLD_TEST_VERBS\b", text))


def by_ranks(text, verb):
    last = verb.split("::")[-1]
    return bool(re.search(rf"::{last}\s*(<[^;()]*>)?\s*(\w+)?\((over|on)\b|\bSAME\({last}\b", text))


def rows_of(page):
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 7:
            for name in re.findall(r"`([\w:]+)`", cells[0]):
                yield name, cells[2], cells[3], re.findall(r"`([\w/.]+)`", cells[6])


def simulated(include):
    """Books and models of pricing::simulate."""
    books, models = set(), set()
    for header in (include / "pricing").glob("*.hpp"):
        text = header.read_text()
        for call in re.findall(r"\bvoid simulate\(([^;]*?)\)", text):
            books |= set(re.findall(r"span<(\w+) const> book|(?:device|host)_(european)s", call))
            models |= set(re.findall(r"(\w+) const& model", call))
        models |= set(re.findall(r"same_as<Model, (\w+)>", text))
    return sorted(({a or b for a, b in books} | models) - {"Model"})


def main(verbs, include, folder):
    tests = Tests(folder)
    table = set(re.findall(r"^  X\((\w+),", (folder / "verbs.hpp").read_text(), re.M))
    found = {"random work": tests.of_files("random_work/*.cpp"),
             "allocations": tests.of_files("core/allocation_*test.cpp"), "fast": set()}
    found["captured"] = set(found["random work"])  # whose forms are captured, too
    for name, bodies in tests.cases():
        if name.startswith("fast:") and "allocation fails" not in name:
            found["fast"] |= bodies
        if any(re.search(r"\bcaptured\b", body) for body in bodies):
            found["captured"] |= bodies
    texts = {test: "\n".join(sorted(bodies)) for test, bodies in found.items()}
    shared = {"random work by ranks": texts["random work"],
              "allocations by ranks": (folder / "core/allocation_groups.hpp").read_text()
              + (folder / "core/allocation_test.cpp").read_text()}
    missing, used, count = [], set(), 0

    def want(verb, test, there):
        if not there and f"{verb} {test}" in REASONS:
            used.add(f"{verb} {test}")
        elif not there:
            missing.append(f"{verb}: not in {test}")

    for verb, gpu, ranks, headers in rows_of(verbs.read_text()):
        count += 1
        only_nvcc = all(header.endswith(".cuh") for header in headers)
        for test, text in texts.items():
            if gpu == "" or (only_nvcc and test in NEEDS_NVCC):
                continue
            if test == "captured" and "_async" not in gpu:
                continue
            name = MEMBERS.get(verb.split("::")[-1], verb) if test == "captured" else verb
            there = has(text, verb, table) and (name == verb or re.search(rf"\.{name}\(", text))
            want(verb, test, there)
        if ranks == "yes":
            for test, text in shared.items():
                want(verb, test, by_ranks(text, verb))
    for name in simulated(include):
        count += 1
        for test, text in texts.items():
            want(f"simulate of {name}", test, re.search(rf"\b{name}(_\w+)?\b", text))
    idle = sorted(set(REASONS) - used)
    for line in missing + [f"needs no reason: {key}" for key in idle]:
        print(line)
    print(count, "verbs, books and models")
    return 1 if missing or idle else 0


if __name__ == "__main__":
    sys.exit(main(*(pathlib.Path(argument) for argument in sys.argv[1:])))
