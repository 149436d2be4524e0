"""Makes the site of the documents and the API reference (docs/Doxyfile: warnings are errors), and checks what Doxygen
cannot: that each public function is told what it throws and whether it waits, and each verb what its bits depend on,
by itself, its class, its header, or another header that these name; that docs/verbs.md has the verbs, their places and
headers; and that every link within the site leads somewhere. The site is OUTDIR/html; Debian's package
doxygen-awesome-css, where it is installed, gives it its style.

Usage, in the root of the sources: check_reference.py DOXYGEN OUTDIR
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree as ET

ASKED = {
    "what it throws": re.compile(r"throw|_error"),
    "whether it waits": re.compile(r"\b(block|enqueue|wait|synchronise|at once|returns when)", re.IGNORECASE),
    "what its bits depend on": re.compile(r"determinis|same bits|the bits|exact", re.IGNORECASE),
}
NO_VERBS = {"copy", "to_vector", "join_group", "adopt_group", "poisson::can_fuse", "poisson::can_compile",
            "transforms::can_transform", "poisson::make_fields", "poisson::make_face"}
SILENT = re.compile(r"\bnoexcept\b|= ?(delete|default)$")
THEME = pathlib.Path("/usr/share/doxygen-awesome-css/doxygen-awesome.css")


def descriptions(node):
    return [node.find("briefdescription"), node.find("detaileddescription")]


class Reference:
    def __init__(self, folder):
        roots = [ET.parse(path).getroot()[0] for path in sorted(folder.glob("*.xml"))]
        self.compounds = {one.get("id"): one for one in roots if one.tag == "compounddef"}
        self.topics = {key: one for key, one in self.compounds.items() if key.startswith("group__")}
        self.topic_of = {inner.get("refid"): key for key, one in self.topics.items() for inner in one.iter("innerclass")}

    def said(self, node, seen):
        """What is said about a thing, and by the headers that this names."""
        text = "".join(word for part in descriptions(node) for word in part.itertext())
        if node.find(".//parameterlist[@kind='exception']") is not None and node.tag == "memberdef":
            text += " throws"
        for link in (ref.get("refid") for part in descriptions(node) for ref in part.iter("ref")):
            if link in self.topics and link not in seen:
                seen.add(link)
                text += self.said(self.topics[link], seen)
        return text

    def functions(self):
        """(function, its header, all that is said about it, whether it is a class's), of the public ones."""
        for key, compound in self.compounds.items():
            topic = self.topics.get(self.topic_of.get(key, key))
            for one in compound.iter("memberdef") if topic is not None else ():
                if one.get("kind") == "function" and one.get("prot") == "public":
                    seen = set()
                    text = "\n".join(self.said(node, seen) for node in (one, compound, topic))
                    yield one, topic.findtext("title"), text, compound is not topic


def places_of(function):
    first = function.find("param/type")
    words = set(re.findall(r"\w+", "".join(first.itertext()))) if first is not None else set()
    if "communicator" in words:
        return {"communicator"}
    return {"host", "gpu"} if "Place" in words else words & {"host", "gpu"}


def table_of(page):
    """{verb: (places, whether it has an _async form, headers)}"""
    rows = {}
    for line in page.splitlines():
        if line.startswith("| `"):
            names, host, gpu, group, _, _, headers = [cell.strip() for cell in line.strip("|").split("|")]
            places = {place for place, cell in (("host", host), ("gpu", gpu), ("communicator", group)) if cell}
            for name in re.findall(r"`([\w:]+)`", names):
                rows[name] = places, "_async" in gpu, {f"warpfold/{one}" for one in re.findall(r"`([^`]+)`", headers)}
    return rows


def dead_links(site):
    """Copies the files of the sources that pages link to, as docs/page_filter.py names them; the links that are dead."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in site.glob("*.html")}
    anchors = {name: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for name, text in pages.items()}
    for name, text in pages.items():
        for link in sorted(set(re.findall(r'\b(?:href|src)="([^":]+)"', text))):
            path, _, anchor = html.unescape(urllib.parse.unquote(link)).partition("#")
            source, copy = pathlib.Path(path.removeprefix("files/")), site / path
            if path.startswith("files/"):
                source = source if source.exists() else source.with_suffix("")
                if source.is_file():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, copy)
            if not copy.exists() or (anchor and anchor not in anchors.get(path or name, [])):
                yield f"{name}: dead link {link}"


def main():
    doxygen, out = sys.argv[1], pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(out / "html", ignore_errors=True)  # pages that are no longer made
    theme = str(THEME) if THEME.exists() else ""
    made = subprocess.run([doxygen, "docs/Doxyfile"],
                          env={**os.environ, "WARPFOLD_REFERENCE": str(out), "WARPFOLD_THEME": theme})
    if made.returncode != 0:
        sys.exit("the site has warnings")
    reference, verbs, count = Reference(out / "xml"), {}, 0
    wrong = list(dead_links(out / "html"))
    for one, header, text, of_class in reference.functions():
        count += 1
        name = one.findtext("qualifiedname").removeprefix("warpfold::")
        places, verb = places_of(one), name.removesuffix("_async")
        is_verb = bool(places) and not of_class and verb not in NO_VERBS
        silent = SILENT.search(one.findtext("argsstring")) or one.get("constexpr") == "yes" or "~" in name
        for what, words in ASKED.items():
            if (is_verb if "bits" in what else not silent) and not words.search(text):
                wrong.append(f"{header}: {name}{one.findtext('argsstring')} does not say {what}")
        if is_verb:
            known = verbs.setdefault(verb, (set(), set(), set()))
            known[0].update(places)
            known[1].add(name != verb)
            known[2].add(header)
    found = {name: (places, True in forms, headers) for name, (places, forms, headers) in verbs.items()}
    table = table_of(pathlib.Path("docs/verbs.md").read_text(encoding="utf-8"))
    classes = {one.findtext("compoundname").removeprefix("warpfold::") for one in reference.compounds.values()}
    wrong += [f"docs/verbs.md: {name} is no verb" for name in table if name not in found and name not in classes]
    wrong += [f"docs/verbs.md: {name} is {table.get(name, 'not there')}, in the headers {what}"
              for name, what in found.items() if table.get(name) != what]
    print("\n".join(wrong + [f"{count} functions, {len(found)} verbs, {len(wrong)} wrong"]))
    sys.exit(bool(wrong) or not found)


main()
