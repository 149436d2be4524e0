"""Checks that code quoted in the documentation is the code that is compiled and tested.

A quotation is a fenced block right after the line <!-- example: FILE -->; it must equal what stands
in docs/examples/FILE between its two [example] markers. Every such line must have its block.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
quotation = re.compile(r"<!-- example: (\S+) -->\n```\w+\n(.*?)```", re.S)

quoted, wrong = 0, 0
for page in pages:
    content = page.read_text()
    quotations = quotation.findall(content)
    if len(quotations) != content.count("<!-- example:"):
        wrong += 1
        print(f"{page.relative_to(root)} has a marker without a fenced block right after it")
    for name, text in quotations:
        source = (root / "docs" / "examples" / name).read_text()
        quoted += 1
        if text != source.split("// [example]\n")[1]:
            wrong += 1
            print(f"{page.relative_to(root)} quotes another {name} than docs/examples has")
print(f"{quoted} quotations, {wrong} wrong")
sys.exit(1 if wrong or not quoted else 0)
