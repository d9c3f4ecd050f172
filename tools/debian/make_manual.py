"""Makes the manual's pages for a browser: every Markdown page of the sources as HTML, and the files and folders that they link to.

usage: make_manual.py SOURCES FOLDER
Needs the program cmark-gfm. A page keeps its place among the folders; README.md becomes index.html. A link that leads
nowhere ends it; places within pages, behind a '#', are not looked for.
"""

import html
import os
import re
import shutil
import subprocess
import sys

FOLDERS = ("sim", "workloads", "experiments", "platforms", "tools", "tests")
FOR_STUDENTS = "handout.md"  # of labs, with numbers of a student's own
STYLE = """body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }
pre { overflow-x: auto; padding: .6rem; background: #f3f3f3; }
table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: .2rem .5rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }"""


def pages_of(sources):
    found = ["README.md"]
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(sources, folder)):
            found += [os.path.relpath(os.path.join(path, name), sources)
                      for name in names if name.endswith(".md") and name != FOR_STUDENTS]
    return sorted(found)


def page_name(page):
    """What a page is called as HTML."""
    folder, name = os.path.split(page)
    return os.path.join(folder, "index.html" if name == "README.md" else name.removesuffix(".md") + ".html")


def anchor(heading):
    """What links to a heading call it, as in Markdown viewers."""
    text = html.unescape(re.sub("<[^>]*>", "", heading)).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Manual:
    def __init__(self, sources, folder):
        self.sources, self.folder = sources, folder
        self.pages = pages_of(sources)
        self.linked = set()  # files and folders that are no pages

    def target(self, page, link):
        """A link of a page, as it is in the HTML."""
        if re.match("[a-z]+:|#", link):
            return link
        path, hash_sign, place = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if os.path.join(target, "README.md") in self.pages:
            target = os.path.join(target, "README.md")
        if target in self.pages:
            written = page_name(target)
        elif os.path.exists(os.path.join(self.sources, target)):
            self.linked.add(target)
            written = target
        else:
            sys.exit(f"{page}: the link '{link}' leads nowhere")
        return os.path.relpath(written, os.path.dirname(page) or ".") + hash_sign + place

    def html_of(self, page):
        body = subprocess.run(["cmark-gfm", "--unsafe", "--extension", "table", os.path.join(self.sources, page)],
                              stdout=subprocess.PIPE, check=True, text=True).stdout
        body = re.sub('(href|src)="([^"]*)"',
                      lambda m: f'{m[1]}="{html.escape(self.target(page, html.unescape(m[2])))}"', body)
        body = re.sub("<h([1-6])>(.*?)</h", lambda m: f'<h{m[1]} id="{anchor(m[2])}">{m[2]}</h', body)
        heading = re.search("<h1[^>]*>(.*?)</h1>", body)
        title = re.sub("<[^>]*>", "", heading[1]) if heading else page
        front = "" if page == "README.md" else f'<p><a href="{self.target(page, self.front(page))}">nowsim</a></p>\n'
        return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
                f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n{front}{body}</body>\n</html>\n")

    @staticmethod
    def front(page):
        return os.path.relpath("README.md", os.path.dirname(page) or ".")

    def make(self):
        for page in self.pages:
            path = os.path.join(self.folder, page_name(page))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.html_of(page))
        for name in sorted(self.linked):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            source = os.path.join(self.sources, name)
            if os.path.isdir(source):
                shutil.copytree(source, path, dirs_exist_ok=True)  # it may hold pages
            else:
                shutil.copyfile(source, path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Manual(*sys.argv[1:]).make()
