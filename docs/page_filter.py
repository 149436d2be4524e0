"""What Doxygen reads in place of a page of this house.

- A page is named by its path. Each heading has an anchor: the page's name, then what GitHub makes of the heading.
- A link leads to the page, to the topic of a header, or to the copy of a file below files/ in the site.
  docs/check_reference.py makes these copies, and refuses links without a target.
- Plots are copied files, too, and links to themselves. In code a header in angle brackets is a link to its topic.
- Pages of results are below the page docs/measured.md, which lists them.
- Markers, which tell where a block comes from, are left out.

Usage, in the root of the sources: page_filter.py PAGE
"""

import pathlib
import re
import sys

TOKEN = re.compile(
    r"(?P<fence>^```.*?^```$)|(?P<marker>^<!-- [^\n]* -->$)|(?P<heading>^#+ [^\n]*$)|(?P<code>`[^`]+`)|"
    r"(?P<number>(?<=[\w,]\n)\d+(?=\. ))|"
    r"\*\*(?P<bold>(?:`[^`]*`|[^*`])+)\*\*|\*(?P<italic>`[^`]*`)\*|"
    r"!\[(?P<about>[^\]]*)\]\((?P<image>[^)\s]+)\)|"
    r"\[(?:!\[(?P<caption>[^\]]*)\]\((?P<picture>[^)\s]+)\)|(?P<text>(?:`[^`]*`|[^\]`])*))\]\(\s*(?P<target>[^)\s]+)\)",
    re.S | re.M)
HEADER = re.compile(r"<?(?:warpfold/)?((?!detail)[\w/]+\.(?:hpp|cuh))>?")
FOLDERS = {"docs/validation": "docs/validation/README.md", "docs/results": "docs/index.md#results"}
TITLES = {"README.md": ", in short", "docs/results/h100": ", on an H100", "docs/results/host": ", on a host"}


def name_of(page):
    """A page's name in the site, from its path below the root."""
    return re.sub(r"\W", "_", page.removeprefix("docs/").removesuffix(".md")).lower()


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def topic_of(header):
    """The file that Doxygen makes of a header's topic."""
    return "group__" + re.sub(r"\W", "_", header).replace("_", "__") + ".html"


def code_of(code):
    """Inline code: Doxygen ends it at an apostrophe unless its marks are double."""
    return f"`{code}`" if "'" in code else code


def address_of(target, page):
    """Where a link of a page leads in the site."""
    path, _, anchor = target.partition("#")
    if "://" in target:
        return target
    path = (page.parent / path).resolve().relative_to(pathlib.Path.cwd()).as_posix() if path else page.as_posix()
    if path in FOLDERS:
        path, _, anchor = FOLDERS[path].partition("#")
    if path.endswith(".md"):
        return f"{name_of(path)}.html" + (f"#{name_of(path)}_{anchor}" if anchor else "")
    if path.startswith("include/"):
        return topic_of(path.removeprefix("include/"))
    readable = path.endswith((".txt", ".json", ".svg", ".png"))
    return f"files/{path}" + ("" if readable else ".txt")


def translate(text, page):
    name, seen = name_of(page.as_posix()), {}

    def heading(line):
        marks, _, words = line.partition(" ")
        if marks == "#":
            label = "" if name == "index" else f" {{#{name}}}"  # Doxygen names its main page
            more = TITLES.get(page.as_posix(), TITLES.get(page.parent.as_posix(), ""))
            return f"{line}{more}{label}\n\n@tableofcontents{{html:1}}\n"
        anchor, words = anchor_of(words), words.replace("`", "")  # the tree and the tables of contents have plain text
        seen[anchor] = seen.get(anchor, -1) + 1
        return f"{marks} {words} {{#{name}_{anchor}{f'-{seen[anchor]}' if seen[anchor] else ''}}}"

    def token(found):
        if found["fence"]:
            return found[0]
        if found["marker"]:
            return ""
        if found["heading"]:
            return heading(found[0])
        if found["code"]:
            code = code_of(found["code"])
            header = HEADER.fullmatch(code.strip("`"))
            if not header or not pathlib.Path("include/warpfold", header[1]).exists():
                return code
            if "/" in code or page.name == "verbs.md" or not any(pathlib.Path("lib").rglob(header[1])):
                return f'<a href="{topic_of(f"warpfold/{header[1]}")}">{code}</a>'
            return f"<code>%{header[1]}</code>"  # may be the file in lib/: no link
        if found["number"]:  # begins a line of a sentence, and no list
            return f"{found[0]}\\"
        if found["bold"] or found["italic"]:  # Doxygen knows neither mark beside a link or code
            tag = "b" if found["bold"] else "i"
            return f"<{tag}>{TOKEN.sub(token, found['bold'] or found['italic'])}</{tag}>"
        if found["image"]:
            address = address_of(found["image"], page)
            return f'<a href="{address}"><img src="{address}" alt="{found["about"]}"/></a>'
        if found["picture"]:
            text = f'<img src="{address_of(found["picture"], page)}" alt="{found["caption"]}"/>'
        else:
            text = TOKEN.sub(lambda part: code_of(part[0]) if part["code"] else part[0], found["text"])
        return f'<a href="{address_of(found["target"], page)}">{text}</a>'
    return TOKEN.sub(token, text)


def main():
    page = pathlib.Path(sys.argv[1]).resolve().relative_to(pathlib.Path.cwd())
    print(translate(page.read_text(encoding="utf-8"), page), end="")
    if page == pathlib.Path("docs/measured.md"):
        print("\n## Pages of results\n")
        for one in sorted(pathlib.Path("docs/results").rglob("*.md"), key=lambda path: (len(path.parts), path)):
            print(f"- @subpage {name_of(one.as_posix())}")


main()
