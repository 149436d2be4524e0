"""What Doxygen reads in place of a header of this house.

- A header is a topic. The comment after `#pragma once`, and the one that begins "Contract of", describe it:
  they are the contract of all that it declares.
- What is private, up to the end of its class, is left out.
- A declaration that follows another one without an empty line between shares its comment; fields only if that
  begins a paragraph. Of several fields in one declaration each has its comment. A call operator has that
  of its class.
- In a comment a word in the first column and text in a second one are an item of a list, and lines
  that are indented elsewhere are code.

Usage: doxygen_filter.py HEADER
"""

import pathlib
import re
import sys

ITEM = re.compile(r"([A-Za-z_]\w*(?: \w+)?) {2,}(?=\S)")
FULL_ITEM = re.compile(r"([A-Za-z]\w{10}|Host memory) (?=\S)")  # where the second column is the 13th
FIELDS = re.compile(r"(\s+[\w:]+(?:<.*>)?) (\w+[^(,;]*(?:, \w+[^(,;]*)+);(.*)")
IDIOMS = {
    r"using (value|element)_type =": "/// The elements' type.",
    r"using is_commutative =": "/// The operands may change places.",
    r"~\w+\(": "/// Gives back what it holds. Never throws.",
    r"(\w+)\(\1 ?&&|operator=\(\w+ ?&&": "/// Takes over what the other one has. Never throws.",
}


def topic(path):
    """The name of a header's topic, from its path below include/."""
    return re.sub(r"\W", "_", path)


def prose(lines):
    """The text of a comment's lines, as Markdown."""
    lines = list(lines)
    in_columns = any(re.match(r" {12}\S", line) for line in lines)
    item = code = False
    for line in lines:
        line = re.sub(r"<(warpfold/[\w/.]+)>", lambda m: f'@ref {topic(m[1])} "{m[1]}"', line)
        indent = len(line) - len(line.lstrip())
        if indent < 2:  # no code: underscores make nothing bold, and an initial's point ends no sentence
            line = re.sub(r"(?<!`)\b__\w+?__\b", r"`\g<0>`", line)
            line = re.sub(r"\b([A-Z]\.) (?=[A-Z])", r"\1\\ ", line)
        begins = ITEM.match(line) or (in_columns and FULL_ITEM.match(line))
        if code and indent < 2:
            code = False
            yield "@endcode"
        if begins:
            line, item = f"- <b>{begins[1]}</b> {line[begins.end():]}", True
        elif line.startswith("@"):
            item = True
        elif indent >= 2 and item:
            line = "  " + line.strip()
        elif indent >= 2 and not code:
            line, code = "@code " + line, True
        elif not indent:
            item = False
        yield line
    if code:
        yield "@endcode"


def comment(lines):
    return [f"/// {line}".rstrip() for line in prose(re.sub(r"^\s*//+ ?", "", line) for line in lines)]


def take(lines, i, mark):
    """The comment lines from line i on, and the number of the line after them."""
    end = i
    while end < len(lines) and re.match(rf"\s*{mark}(?![/<])", lines[end]):
        end += 1
    return lines[i:end], end


def translate(lines, path):
    name = topic(path)
    above, i = take(lines, 1, "//")
    yield from [f"/// @defgroup {name} {path}", *comment(l for l in above if "clang-format" not in l), ""]
    depth = parentheses = 0
    shared = {}  # by depth: the comment of the last declaration
    ended = leads = False  # the last line ended a declaration; that comment began a paragraph
    while i < len(lines):
        line, documented = lines[i], False
        if line.startswith("// Contract of"):
            contract, i = take(lines, i, "//")
            yield from ["/// @}", "", f"/// @addtogroup {name}", "/// @details", *comment(contract), "/// @{", ""]
            continue
        if line.strip() == "private:":
            while not lines[i].startswith(line.replace("private:", "};")):
                i += 1
            continue
        if line.startswith("extern template"):
            while not lines[i].endswith(";"):
                i += 1
            i += 1
            continue
        own, after = take(lines, i, "///")
        if own:
            shared[depth], documented = comment(own), True
            leads = not lines[i - 1].strip() or lines[i - 1].endswith("{")
            yield from shared[depth]
            i, line = after, lines[after]
        line = line.replace("///< + ", "///< &zwj;+ ")  # a sign, and no list
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'|//.*', "", line).strip()
        about = shared.get(depth) if documented else None
        if "///<" in line:
            shared[depth] = None
        elif code and not documented and not code.startswith(("#", "}")):
            idiom = next((text for pattern, text in IDIOMS.items() if re.search(pattern, code)), None)
            if idiom:
                about = [idiom]
            elif "operator()(" in code and not shared.get(depth):
                about = shared.get(depth - 1)
            elif ended and (leads or "(" in code or not code.endswith(";")):
                about = shared.get(depth)
            yield from about or []
        if line.startswith("} // namespace warpfold"):
            yield "/// @}"
        fields = FIELDS.match(line)
        if fields and depth > 0 and parentheses == 0:
            names = re.findall(r"\w+(?:\{\}| = [^,;]+)?", fields[2])
            for field in names[:-1]:
                yield from [f"{fields[1]} {field};{fields[3]}", *(about or [])]
            line = f"{fields[1]} {names[-1]};{fields[3]}"
        yield line
        if line.startswith("namespace warpfold"):
            yield from [f"/// @addtogroup {name}", "/// @{", ""]
        before = depth
        parentheses += code.count("(") - code.count(")")
        depth += sum(code.count(c) for c in "{(") - sum(code.count(c) for c in "})")
        if depth > before or not line.strip():
            shared[depth] = None
        if not code.startswith("#") and (code or not line.strip()):
            ended = code.endswith((";", "}"))
        i += 1


def main():
    path = pathlib.Path(sys.argv[1])
    public = path.as_posix().split("include/")[-1]
    print("\n".join(translate(path.read_text(encoding="utf-8").replace("::inline v0", "").splitlines(), public)))


main()
