"""Files of the project that the pages link to, such as the examples, become part of the site."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FENCED = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<=\]\()(?![a-z][a-z+.-]*:|#|/)([^)\s#]+)")


def on_files(files: Files, config: Any) -> Files:
    """Add what lies outside the documentation's folder and is linked to, with what that links to in turn."""
    waiting = [Path(file.abs_src_path) for file in files.documentation_pages() if file.abs_src_path]
    while waiting:
        page = waiting.pop()
        for target in linked(page):
            name = in_site(target)
            if target.is_file() and files.get_file_from_path(name) is None:
                files.append(File.generated(config, name, abs_src_path=str(target)))
                waiting += [target] if target.suffix == ".md" else []
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links to where the files are in the site."""
    source = Path(page.file.abs_src_path)
    folder = os.path.dirname(page.file.src_uri)
    return each_link(markdown, lambda link: os.path.relpath(in_site(resolved(source, link)), folder or "."))


def linked(page: Path) -> list[Path]:
    """The files that a page links to."""
    found: list[Path] = []

    def keep(link: str) -> str:
        found.append(resolved(page, link))
        return link

    each_link(page.read_text(encoding="utf-8"), keep)
    return found


def resolved(page: Path, link: str) -> Path:
    """The file that a link in a page is to; of a folder, the page in it."""
    target = Path(os.path.normpath(page.parent / link))
    return target / "README.md" if target.is_dir() else target


def in_site(target: Path) -> str:
    """The path of a file among the sources of the site."""
    if target.is_relative_to(DOCS):
        return target.relative_to(DOCS).as_posix()
    return "project/" + os.path.relpath(target, ROOT)


def each_link(markdown: str, change: Callable[[str], str]) -> str:
    """Change all relative links but for those in blocks of code."""
    parts, end = [], 0
    for block in FENCED.finditer(markdown):
        parts += [LINK.sub(lambda match: change(match[0]), markdown[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, LINK.sub(lambda match: change(match[0]), markdown[end:])])
