#!/usr/bin/env python3
"""Runs clang-tidy 14 over what the host's compiler compiles.

tidy.py [--analyze] SOURCES BUILD [PATTERN...]: the .cpp files of lib, bench, docs/examples and test, and instances
of the library's templates for one element; or those of them whose path matches a pattern. CUDA's files
are left out: clang 14 reads no CUDA 13. Bodies of kernels are seen through the host code and the tests
of test/simt that include them. --analyze: clang's static analyzer reads them, too, which takes up to a
minute and a half for a file.
"""
import json
import os
import re
import shutil
import sys


def each_source(command):
    """The command, or one for each file if it compiles several together."""
    whole = command["file"]
    if not re.search(r"/Unity/unity_\d+_cxx\.cxx$", whole):
        return [command]
    with open(whole) as file:
        parts = re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)
    return [{**command, "file": part, "command": command["command"].replace(whole, part)} for part in parts]


arguments = sys.argv[1:]
analyzes = arguments[:1] == ["--analyze"]
sources, build, *patterns = arguments[analyzes:]
sources, build, patterns = os.path.realpath(sources), os.path.realpath(build), patterns or [""]
ours = re.compile(rf"(?:{re.escape(sources)}/(?=lib/|bench/|docs/examples/|test/)|{re.escape(build)}/(?=lib/))"
                  r"(.*\.cpp)$")

if not shutil.which("run-clang-tidy-14"):
    sys.exit("tidy: run-clang-tidy-14 is missing: packages clang-tidy-14 and libomp-14-dev")
with open(os.path.join(build, "compile_commands.json")) as file:
    commands = json.load(file)
# clang 14 also makes those constructors of a template whose requirements do not hold.
left_out = {"lib/comm/group.cpp"}
commands.sort(key=lambda command: not command["file"].endswith("_double.cpp"))
once = {}  # a file that several targets compile, and instances that differ in the element, are read once
for command in (one for read in commands for one in each_source(read)):
    found = ours.match(command["file"])
    if found and found[1] not in left_out and any(re.search(pattern, found[1]) for pattern in patterns):
        # What g++ alone understands, and errors that would be made of clang's own warnings.
        gnu = r" --param=\S+| -fno-thread-jumps| -include \S*cmake_pch\.hxx| -Werror"
        command["command"] = re.sub(gnu, "", command["command"])
        once.setdefault(re.sub(r"(/instances/.*)_[^_]+\.cpp$", r"\1", command["file"]), command)
if not once:
    sys.exit("tidy: no file matches")

database = os.path.join(build, "tidy")
os.makedirs(database, exist_ok=True)
with open(os.path.join(database, "compile_commands.json"), "w") as file:
    json.dump(list(once.values()), file)

stand_in = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tidy_source_location.hpp")
os.chdir(sources)
os.execvp("run-clang-tidy-14", ["run-clang-tidy-14", "-quiet", f"-p={database}",
                                *([] if analyzes else ["-checks=-clang-analyzer-*"]),
                                "-extra-arg=-include", f"-extra-arg={stand_in}"])
