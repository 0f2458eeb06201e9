#!/usr/bin/env python3
"""Checks every link between the pages, and every page that a file of the tree names.

A link `[text](path#anchor)` has to lead to a file of the tree, and its anchor to a heading of that page, by GitHub's
rule for headings. A page named in a source (`docs/reference/machines.md`) has to exist too. Links to other sites are
not followed. With --self the check is run on a page that is wrong in each of these ways, and has to find all of them.
"""
import os, re, subprocess, sys, tempfile

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAMED = re.compile(r"\b(docs/[\w/-]+\.md)\b")
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
SOURCES = (".c", ".h", ".cc", ".cu", ".py", ".sh", ".cdl", ".cmake", ".txt", ".yaml", ".md")


def anchors(text):
    """The anchors of a page's headings; the second of a name gets -1."""
    found = {}
    for heading in re.findall(r"^#+ +(.*)$", FENCED.sub("", text), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
        count = found[name] = found.get(name, -1) + 1
        if count:
            found[f"{name}-{count}"] = 0
    return set(found)


def page_complaints(root, page, text):
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", FENCED.sub("", text))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(root, os.path.dirname(page), path)) if path else os.path.join(root, page)
        if not os.path.exists(file):
            yield f"{page}: no such file: {target}"
        elif anchor and file.endswith(".md") and anchor not in anchors(open(file, encoding="utf-8").read()):
            yield f"{page}: no such heading: {target}"


def complaints(root, files):
    for name in files:
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if name.endswith(".md"):
            yield from page_complaints(root, name, text)
        for page in NAMED.findall(text):
            if not os.path.exists(os.path.join(root, page)):
                yield f"{name}: no such page: {page}"


def wrong_pages():
    with tempfile.TemporaryDirectory() as root:
        text = "# One `two`\n[a](#one-two) [b](#one) [c](none.md) [d](page.md#three) see " + "docs/" + "none.md\n"
        open(os.path.join(root, "page.md"), "w", encoding="utf-8").write(text)
        return list(complaints(root, ["page.md"]))


if sys.argv[1] == "--self":
    expected = ["no such heading: #one", "no such file: none.md", "no such heading: page.md#three",
                "no such page: " + "docs/" + "none.md"]
    found = [c.split(": ", 1)[1] for c in wrong_pages()]
    print("\n".join(found))
    sys.exit(found != expected)
root = sys.argv[1]
listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
names = [n for n in listed.stdout.split("\n") if n.endswith(SOURCES) and os.path.isfile(os.path.join(root, n))
         and not (n.startswith("bench/results/") and n.endswith(".txt"))]
if not names:
    sys.exit("docs/links: git lists no files here")
wrong = list(complaints(root, names))
print("\n".join(wrong))
print(f"{sum(n.endswith('.md') for n in names)} pages, {len(wrong)} links that lead nowhere")
sys.exit(bool(wrong))
