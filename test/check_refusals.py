"""Every public function has a row in a table of what is refused (refusals.hpp), or a reason why not;
and every verb that is defined in a header names itself, or is made of one of its name.

Usage: check_refusals.py INCLUDE TEST

A table names its header, `of("norms.hpp")`, and behind it its functions, "norm1" or "solver::solve",
until it names another one; verbs.hpp has a row of both names for each verb and its _async form. What
takes no parameters, or is noexcept, has nothing to refuse.
"""

import pathlib
import re
import sys

# By header, or header and function.
EXEMPT = {
    "comm/transport.hpp": "an interface, for others to implement",
    "comm/mpi.hpp": "needs MPI to run; see mpi_test.cpp",
    "counting/aggregated_counter.cuh": "see aggregated_counter_test.cu",
    "error.hpp argument_error::argument_error": "made, not called",
    "error.hpp cuda_error::cuda_error": "made, not called",
    "error.hpp vendor_error::vendor_error": "made, not called",
    "comm/communicator.hpp communication_error::communication_error": "made, not called",
    "reduction/exact.hpp exact_product_accumulator::add": "any two numbers are right",
    "pricing/risk.hpp risk_workspace": "any number is right",
    "quantiles.hpp quantiles_workspace": "any number is right",
    "quantiles.hpp top_k_workspace": "any number is right",
    "scan.hpp scan_lookback": "any number is right",
    "scan/segmented.hpp segmented_scan_workspace": "any number is right",
    "scatter.hpp scatter_workspace": "any number is right",
    "segments.hpp segmented_workspace": "any number is right",
    "segments/by_key.hpp by_key_workspace": "any number is right",
    "segments/by_key.hpp exact_by_key_workspace": "any number is right",
    "segments/by_key.hpp mark_runs_workspace": "any number is right",
    "segments/by_key.hpp run_length_workspace": "any number is right",
    "segments/by_key.hpp run_marks_size": "any number is right",
    "segments/exact_segments.hpp exact_segmented_workspace": "any number is right",
    "poisson.hpp is_singular": "a problem that a solver refuses is none or the other",
    "execution.hpp gpu::set_stream": "a second GPU's stream: stream_test.cpp",
    "interop/memory_resource.hpp adapted_resource::adapted_resource": "any resource of the right shape",
    "interop/memory_resource.hpp adapted_resource::allocate": "the resource refuses",
    "interop/mdspan.hpp reduce_columns": "strides: mdspan_test.cpp; the rest as with a shape",
    "interop/mdspan.hpp reduce_columns_async": "as reduce_columns",
    "interop/mdspan.hpp reduce_rows": "as reduce_columns",
    "interop/mdspan.hpp reduce_rows_async": "as reduce_columns",
    "span.hpp device_span::device_span": "arrays are checked where they are used",
    "pricing/input.hpp input::input": "arrays are checked where they are used",
    "pricing/simulate.cuh simulate_async": "needs kernels; see simulate_custom_test.cu",
    "pricing/simulate.cuh geometric_brownian_motion::geometric_brownian_motion": "a model is its own",
    "pricing/simulate.cuh geometric_brownian_motion::step": "called by kernels",
    "twins/tags.hpp reducer::reducer": "a tag that is none is refused by the verb that takes it",
}


def without_comments(text):
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^\s*#[^\n]*(\\\n[^\n]*)*", "", text, flags=re.M)
    return re.sub(r'"(\\.|[^"\\])*"', '""', text)


def end_of(text, at, opening, closing):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i + 1
    raise ValueError("a bracket is open")


def without_template(declaration):
    text = re.sub(r"\[\[.*?\]\]", "", " ".join(declaration.split()))
    while text.startswith("template"):
        text = text[end_of(text, text.index("<"), "<", ">") :].lstrip()
    return text


def function_of(declaration):
    """The name of the function that is declared, if it has parameters and may throw."""
    text = without_template(declaration)
    if re.match(r"(\w+)\(.*\) -> \1<", text):
        return None  # a deduction guide
    found = re.search(r"\brequires\s*\(", text)
    if found and "(" not in text[: found.start()]:
        text = text[end_of(text, found.end() - 1, "(", ")") :]
    text = text.split(" operator", 1)[0]
    found = re.search(r"(~?\b[a-z]\w*)\s*\(", text)
    if not found or found[1].startswith("~") or re.match(r"\s*(using|friend|extern|typedef)\b", text):
        return None
    before = text[: found.start()]
    if "=" in before or before.count("<") > before.count(">"):
        return None
    end = end_of(text, found.end() - 1, "(", ")")
    if not text[found.end() : end - 1].strip() or re.search(r"\bnoexcept\b|= (delete|0)", text[end:]):
        return None
    if re.fullmatch(r"\s*\w+&{1,2} \w*\s*", text[found.end() : end - 1]) and f"{found[1]}&" in text:
        return None  # a copy or a move
    return found[1]


def functions_of(text):
    """The bodies by name, of those in the namespaces and public parts of classes that a user sees."""
    text, bodies, scopes = without_comments(text), {}, []
    at = start = 0
    while at < len(text):
        c = text[at]
        if c == "(":
            at = end_of(text, at, "(", ")")
            continue
        if c not in ";{}" and not re.match(r"(public|private|protected)\s*:(?!:)", text[at:]):
            at += 1
            continue
        head, at, start = text[start:at], at + 1, at + 1
        if c not in ";{}":
            access = re.match(r"\w+\s*:", text[at - 1 :])
            scopes[-1][1] = access[0].startswith("public")
            at = start = at - 1 + access.end()
        elif c == "}":
            scopes.pop()
        elif c == "{" and (space := re.search(r"\bnamespace\s+([\w:]+)\s*$", head)):
            scopes.append(["", "detail" not in space[1].split("::")])
        elif c == "{" and (kind := re.search(r"\b(class|struct) (\w+)[^()=]*$", without_template(head))):
            scopes.append([kind[2] + "::", kind[1] == "struct"])
        else:
            end = end_of(text, at - 1, "{", "}") if c == "{" else at
            if all(seen for _, seen in scopes) and (name := function_of(head)):
                bodies.setdefault("".join(of for of, _ in scopes) + name, []).append(text[at - 1 : end])
            at = start = end
    return bodies


def names_itself(name, body):
    """Members' refusals are told apart by their rows."""
    form = rf"\b{name.removesuffix('_async')}(_async)?\s*(<[^;()]*>)?\("
    job = r"(\.(now|later)|\bdetail::\w+(<[^;()]*>)?)\(\"\""  # which is told the name
    return "::" in name or body == ";" or "verb const scope(" in body or re.search(f"{form}|{job}", body)


def rows_of(text):
    rows, header = set(), None
    for literal in re.findall(r'"([\w/.:]+)"', text):
        if literal.endswith((".hpp", ".cuh")):
            header = literal
        elif header:
            rows.add(f"{header} {literal}")
    return rows


def main(include, test):
    wanted, silent = set(), []
    verbs = re.findall(r'^  X\((\w+), "([\w/.]+)"', (test / "verbs.hpp").read_text(), re.M)
    rows = {f"{header} {verb}{form}" for verb, header in verbs for form in ("", "_async")}
    for table in sorted(test.rglob("refusals*")):
        # Macros that name a verb name its _async form, too.
        text = re.sub(r"\b[A-Z]+\((?:[\w:<>]+, )?(\w+)[^()\n]*\)", r' "\1" "\1_async" ', table.read_text())
        rows |= rows_of(re.sub(r"#include[^\n]*|//[^\n]*", "", text))
    for header in sorted(include.rglob("*.[hc]*")):
        path = header.relative_to(include).as_posix()
        if not path.startswith("detail/") and path not in EXEMPT:
            bodies = functions_of(header.read_text().replace("::inline v0", ""))
            wanted |= {f"{path} {name}" for name in bodies}
            silent += [f"{path} {name}" for name in bodies if f"{path} {name}" not in EXEMPT
                       and not all(names_itself(name, body) for body in bodies[name])]
    missing = sorted(wanted - rows - set(EXEMPT))
    idle = sorted(name for name in EXEMPT if " " in name and (name in rows or name not in wanted))
    for name in missing:
        print("no row refuses anything of", name)
    for name in silent:
        print("no scope names the verb in", name)
    for name in idle:
        print("needs no reason:", name)
    print(len(wanted), "functions")
    return 1 if missing or silent or idle else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) / "warpfold", pathlib.Path(sys.argv[2])))
