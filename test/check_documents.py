"""Checks what the documents say: links, paths, commands, names, quotations and figures.

    check_documents.py [--mend]

--mend writes anew what is computed or copied: pages of results, figures, blocks. Figures in sentences are
those of bench/report/report_figures.py. Markers, which readers do not see, say where the block after them comes from:

    <!-- example: FILE -->   the code between the [example] markers of FILE, anywhere in docs/examples; FILE#NAME: [NAME]
    <!-- output: NAME -->    what that example prints: docs/examples/quoted/expected/NAME.txt
    <!-- from: FILE -->      lines of FILE, from the block's first one on; of a table only its numbers
                             must be there, perhaps rounded
"""

import functools
import json
import pathlib
import re
import subprocess
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "bench/report"))
import report
import report_plots
from report_figures import sentences

mend = sys.argv[1:] == ["--mend"]
report_plots.drawing = False
folders = ("include", "lib", "bench", "test", "docs", ".ci")
files = [path for folder in folders for path in (root / folder).rglob("*") if path.is_file()]
files += [path for path in root.iterdir() if path.is_file()]
names = [str(path.relative_to(root)) for path in files]
text_of = functools.lru_cache(None)(lambda path: path.read_text(errors="ignore"))
pages = {path: text_of(path) for path in files if path.suffix == ".md"}
sources = [path for path in files if path.suffix in (".hpp", ".cuh", ".cpp", ".cu", ".py", ".cmake")
           or path.name == "CMakeLists.txt" or ".ci" in path.parts]
words = {word for path in sources for word in re.findall(r"\w+", text_of(path))}
public = {word for path in sources if root / "include" in path.parents
          for word in re.findall(r"\w+", re.sub(r"//.*", "", text_of(path)))}
build_files = {path: text_of(path) for path in files if path.name == "CMakeLists.txt" or path.suffix == ".cmake"}
problems, checked = [], {}


def check(right, page, kind, what):
    checked[kind] = checked.get(kind, 0) + 1
    if not right:
        problems.append(f"{page.relative_to(root)}: {kind}: {what}")


def anchors(text):
    """As GitHub makes them of headings."""
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")
            for head in re.findall(r"^#+ (.*)$", text, re.M)}


def check_links(page, prose):
    for target in re.findall(r"\]\(\s*([^)\s]+)\)", prose):
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        check("://" in target or other.exists(), page, "link", target)
        check(not anchor or other not in pages or anchor in anchors(pages[other]), page, "link", target)


def expanded(pattern):
    found = re.match(r"(.*)\{([^{}]*)\}(.*)$", pattern)
    return [one for part in found[2].split(",") for one in expanded(found[1] + part + found[3])] \
        if found else [pattern]


def is_there(path):
    """A file or folder, by its path's end; by its name's end if that begins with an underscore."""
    pattern = re.compile(("" if path[0] == "_" else "(^|.*/)") + re.escape(path).replace(r"\*", "[^/]*") + r"($|/)")
    return any((pattern.search if path[0] == "_" else pattern.match)(name) for name in names)


def check_code(page, code):
    """Inline code: a header, a path, a command or a name."""
    endings = "cpp|cu|hpp|cuh|py|md|json|txt|cmake|svg"
    if found := re.fullmatch(r"<(warpfold/[\w/.]+)>", code):
        check((root / "include" / found[1]).exists(), page, "header", code)
    elif re.fullmatch(rf"([\w.{{}},*-]+/)*[\w.{{}},*-]+\.({endings})|(include|lib|bench|test|docs|\.ci)/[\w./{{}},*-]*",
                      code):
        for path in expanded(code.rstrip("/")):
            check(is_there(path), page, "path", path)
    elif re.match(r"(build/\w+/\w+/warpfold-|warpfold-|\.ci/|cmake |ctest |python3 |[\w/]+\.py )", code):
        check_command(page, code)
    elif found := re.match(r"\w+(::\w+)+", code):
        parts = found[0].split("::")
        if parts[0] not in ("cub", "cuda", "rmm", "thrust", "std"):
            check(set(parts) <= (words if "_impl::" in code else public), page, "name", code)
    elif re.fullmatch(r"\w{2,}_\w+(\(.*\))?", code) and not re.match(r"__|cuda|fused_|lines_", code):
        check(re.match(r"\w+", code)[0] in words, page, "name", code)


def check_command(page, line):
    for command in re.split(r"\s*&&\s*", line.split("  #")[0]):
        first, *rest = re.sub(r"^build/\w+/\w+/", "", command).split()
        pairs = dict(zip(rest, rest[1:]))
        right = True
        if first == "cmake" and "--preset" in rest:
            kind = "workflowPresets" if "--workflow" in rest else "configurePresets"
            right = pairs["--preset"] in [one["name"] for one in json.loads(
                text_of(root / "CMakePresets.json"))[kind]]
        elif first == "ctest" and "-R" in rest:
            right = re.search(rf"(NAME |skipped_test\(|suite\(){pairs['-R']}\b", "".join(build_files.values()))
        elif first.startswith("warpfold-"):
            made = [path.parent for path, text in build_files.items()
                    if re.search(rf"(add_executable|add_test|warpfold_suite)\((NAME )?{first}\b", text)]
            code = "".join(text_of(path) for path in sources if made and made[0] in path.parents)
            right = made and all(re.search(rf'"{word.partition("=")[0]}["=]', code) or word.startswith("--benchmark_")
                                 for word in rest if word.startswith("--"))
        elif "/" in first or first == "python3":
            right = is_there(first if "/" in first else rest[0])
        check(right, page, "command", command)


def numbers(text):
    return [found.replace(",", "") for found in re.findall(r"(?<![\w.^])-?\d[\d,]*\.?\d*", text)]


def check_table(page, name, block):
    known = [float(number) for number in numbers((page.parent / name).read_text())]
    for shown in {number for row in block.splitlines() for cell in row.split("|")[2:] for number in numbers(cell)}:
        # The known number is rounded itself, hence more than a half of the last digit.
        least = 0.55 * 10.0 ** -len(shown.partition(".")[2])
        check(any(abs(one - float(shown)) <= least for one in known), page, "figure", f"{shown} is not in {name}")


def printed_by(name, other):
    """An example's output on a host (other: gpu), or on a GPU (other: host)."""
    lines = (root / f"docs/examples/quoted/expected/{name}.txt").read_text().splitlines(keepends=True)
    return "".join(re.sub(r"^(gpu|host)\| ", "", line) for line in lines
                   if not line.startswith((f"{other}| ", f"{other}~ ")))


def block_of(page, kind, name, block):
    """What a block should be."""
    if kind == "example":
        name, _, part = name.partition("#")
        text = next((root / "docs/examples").rglob(name)).read_text()
        return textwrap.dedent(text.split(f"// [{part or 'example'}]\n")[1].rstrip(" "))
    if kind == "output":
        return block if block == printed_by(name, "host") else printed_by(name, "gpu")
    lines = [line.rstrip() for line in (page.parent / name).read_text().splitlines()]
    wanted = block.splitlines()
    if wanted[0] not in lines:
        check(False, page, "block", f"it begins with no line of {name}")
        return block
    first = lines.index(wanted[0])
    return "\n".join(lines[first:first + len(wanted)]) + "\n"


PLAIN = ["README.md", "CONTRIBUTING.md", "docs/validation/README.md", "docs/examples/first/README.md", *(f"docs/{page}.md" for page in (
    "index", "building", "is-this-your-bug", "third-party", "guarantees", "measured", "verbs", "interop", "design", "numerics",
    "reduction", "sums", "counting", "scan", "by_key", "scatter", "quantiles", "black-scholes", "monte-carlo", "poisson", "random",
    "scaling", "many-gpus"))]
UNSAID = re.compile(r"thousand million|[Ww]hether one may|which is what .* is for|(?:^|[.:] )(?:Of|Whether|What) (?!is (?:promised|this))")


def check_language(page, prose):
    """Sentences that can be read once: short ones, without the words that are not said."""
    prose = re.sub(r"^(\||#|<!--).*$", "", prose, flags=re.M)
    prose = re.sub(r"\[([^\]]*)\]\([^)]*\)|`[^`]*`", lambda found: found[1] or "code", prose)
    for paragraph in re.split(r"\n\s*\n|^- ", prose, flags=re.M):
        number = re.search(r"[\w,]\n *\d+\. ", paragraph)
        check(not number, page, "language", f"a list, within a sentence: {number and number[0].split()[-1]}")
        for sentence in re.split(r"(?<=[.?!:;])\**\)?\s+", " ".join(paragraph.split())):
            check(len(sentence.split()) <= 30, page, "language", f"more than 30 words: {sentence}")
            check(not UNSAID.search(sentence), page, "language", f"not said: {sentence}")


def check_docstrings(path):
    """The same of what public headers say, but for formulas: docstrings, and comments of whole lines that say what a
    header has or promises, where a word before two spaces begins a paragraph."""
    text = text_of(path)
    blocks = [re.sub(r"@(t?param +\w+|\w+)", ".", re.sub(r"^[ \t]*///<?", "", block, flags=re.M))
              for block in re.findall(r"(?:^[ \t]*///.*\n)+|///<.*\n", text, re.M)]
    blocks += [re.sub(r"^ *\w[\w, ]*?  +", "\n\n", re.sub(r"^// ?", "", block, flags=re.M), flags=re.M)
               for block in re.findall(r"(?:^//(?!/).*\n)+", text, re.M)]
    for block in blocks:
        for paragraph in re.split(r"\n\s*\n", block):
            for sentence in re.split(r"(?<=[.?!:;])\s+", " ".join(paragraph.split())):
                short = " = " in sentence or len(sentence.split()) <= 30
                check(short, path, "language", f"more than 30 words: {sentence}")
                check(not UNSAID.search(sentence) and not sentence.startswith("The same "), path, "language", f"not said: {sentence}")


PREPOSITION = re.compile(r"(?<!\breturn)(?<=[\w>&*])[ \n]+[&*]*\b(of|to|from|at|on|in|by|with|until|before|after|as|between|per)\s*([(){}=;,\[])")


def check_names(path):
    """No parameter, member or function of a public header is a preposition; at() is the standard's name."""
    for word, behind in PREPOSITION.findall(re.sub(r"//.*|^\s*#.*", "", text_of(path), flags=re.M)):
        check((word, behind) == ("at", "("), path, "language", f"a name that is a preposition: {word}")


def check_blocks(page):
    def checked_block(found):
        start, kind, name, block = found.groups()
        new = block_of(page, kind, name, block)
        check(mend or block == new, page, "quotation", f"{kind} {name}: the block\n{block}should be\n{new}")
        return start + new
    marker = r"(<!-- (example|output|from): (\S+) -->\n"
    pages[page], fenced = re.subn(marker + r"```\w*\n)(.*?)(?=^```)", checked_block, pages[page], flags=re.S | re.M)
    tables = re.findall(marker + r")((?:\|.*\n)+)", pages[page])
    for _, _, name, block in tables:
        check_table(page, name, block)
    check(fenced + len(tables) == len(re.findall(marker[1:], pages[page])), page, "quotation",
          "a marker without a block right after it")


def check_figures(page, runs):
    rest = pages[page]
    for template, is_now, should_be in sentences(str(page.relative_to(root)), pages[page], runs):
        check(is_now and (mend or is_now == should_be), page, "figure", f"'{is_now}' should be '{should_be}'")
        pages[page] = pages[page].replace(is_now or template, should_be)
        rest = rest.replace(is_now or template, "")
    if page == root / "docs/measured.md":
        # The rest are sizes: powers of two, and those of a table's first column.
        left = numbers(re.sub(r"(?m)^\|[^|\n]*\||\]\([^)]*\)|2\^\d+|CUDA \d+\.\d", "", rest))
        check(not left, page, "figure", f"nothing computes {left}")


runs, written = report.kept(root / "docs/results")
of_others = [(folder / f"{name}.md", text) for folder in (root / "docs/results/h100", root / "docs/results/host")
             for name, text in report.kept(folder)[1].items()]
for page, text in [*((root / f"docs/results/{name}.md", text) for name, text in written.items()), *of_others]:
    check(mend or pages.get(page) == text, page, "results", "is not what bench/report/report.py writes")
    pages[page] = text
model = subprocess.run([sys.executable, root / "bench/report/scaling_model.py", root / "docs/results/scaling_h200.json"],
                       capture_output=True, text=True, check=True).stdout
for part in model.strip().split("\n\n"):
    check(part in pages[root / "docs/scaling.md"], root / "docs/scaling.md", "figure", f"should say\n{part}")
port = root / "lib/cmake/vcpkg/warpfold/vcpkg.json"
version = ".".join(re.findall(r"define WARPFOLD_VERSION_[A-Z]+ (\d+)", text_of(root / "include/warpfold/version.hpp")))
check(f'"version": "{version}"' in text_of(port), port, "version", f"should be {version}")
for page in sorted(pages):
    check_figures(page, runs)
    check_blocks(page)
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", pages[page], re.S | re.M):
        for line in re.findall(r"^(?:warpfold-\w|\.ci/|cmake --|ctest |python3 ).*", block, re.M) * (language in ("", "sh")):
            check_command(page, line)
    prose = re.sub(r"^```.*?^```", "", pages[page], flags=re.S | re.M)
    check_links(page, re.sub(r"`[^`]*`", "", prose))
    if str(page.relative_to(root)) in PLAIN:
        check_language(page, prose)
    for code in re.findall(r"`([^`\n]+)`", prose):
        check_code(page, code)
for path in sources:
    if root / "include" in path.parents and "detail" not in path.parts:
        check_docstrings(path)
        check_names(path)
for page, text in pages.items() if mend else ():
    page.write_text(text)
print(*problems, f"{sum(checked.values())} checked: {checked}; {len(problems)} wrong", sep="\n")
sys.exit(1 if problems else 0)
