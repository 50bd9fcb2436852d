"""The documentation's site is built without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.chromium import ARGUMENTS, chromium

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


class Page(HTMLParser):
    """What a page links to, loads and can be linked by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = {""}
        self.without_text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("id"):
            self.anchors.add(str(values["id"]))
        if tag == "a" and values.get("href"):
            self.links.append(str(values["href"]))
        if tag in {"img", "script", "link"} and (source := values.get("src") or values.get("href")):
            self.loads.append(source)
        if tag == "img" and not values.get("alt"):
            self.without_text.append(str(values.get("src")))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="the extra fergus[docs] is not installed")
    pytest.importorskip("mkdocstrings_handlers.python", reason="the extra fergus[docs] is not installed")
    folder = tmp_path_factory.mktemp("site")
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert build.returncode == 0, build.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def problems(site: Path, pages: dict[Path, Page]) -> list[str]:
    """Links of the site that lead nowhere, and what pages load from elsewhere."""
    found = []
    for path, page in pages.items():
        # The page that is shown for addresses that do not exist knows no address of its own.
        if path.name == "404.html":
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{path.relative_to(site)}: {link} leads nowhere")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{path.relative_to(site)}: {link}: there is no such anchor")
        for source in page.loads:
            if urlsplit(source).netloc or not (path.parent / urlsplit(source).path).exists():
                found.append(f"{path.relative_to(site)} loads {source}")
    return found


def test_every_link_and_every_anchor_of_the_site(site: Path, pages: dict[Path, Page]) -> None:
    assert len(pages) > 40
    assert problems(site.resolve(), pages) == []


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    text = '<h1 id="a"></h1><a href="#a"></a><a href="#b"></a><a href="no"></a><img src="http://x.org/y" alt="y">'
    (tmp_path / "page.html").write_text(text)
    found = problems(tmp_path, {tmp_path / "page.html": Page(text)})
    assert found == [
        "page.html: #b: there is no such anchor",
        "page.html: no leads nowhere",
        "page.html loads http://x.org/y",
    ]


def test_pictures_have_a_text(pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        assert not page.without_text, path.name


def test_the_python_reference_has_every_public_name(site: Path, pages: dict[Path, Page]) -> None:
    import fergus

    anchors = pages[(site / "reference" / "python-names.html").resolve()].anchors
    named = {anchor.rpartition(".")[2] for anchor in anchors}
    assert set(fergus.__all__) - {"__version__"} <= named
    assert "fergus.realize.pipeline.Realizer.realize" in anchors


def test_no_page_is_twice_in_the_navigation() -> None:
    pages = re.findall(r"^ +- .*: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(pages) > 30
    assert len(pages) == len(set(pages))


def test_every_decision_is_in_the_index() -> None:
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    for page in sorted((DOCS / "decisions").glob("0*.md")):
        title = page.read_text(encoding="utf-8").partition("\n")[0].partition(". ")[2]
        assert f"[{title}]({page.name})" in index, page.name


def test_pictures_are_few_and_small() -> None:
    assert sum(picture.stat().st_size for picture in (DOCS / "pictures").iterdir()) < 1_500_000


def test_pages_can_be_read_by_light_and_in_the_dark(site: Path) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed: pip install axe-playwright-python")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    from tests.web.browser.test_accessibility import script

    grounds = {}
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for scheme in ("light", "dark"):
            page = browser.new_page(color_scheme=scheme)
            for name in ("index.html", "explanation/pipeline.html", "reference/api.html", "how-to/workbench.html"):
                page.goto((site / name).as_uri())
                page.evaluate(script())
                found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
                # The theme leaves its footer outside of every landmark, which is no more than moderate.
                serious = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
                assert serious == [], f"{name}, {scheme}"
            grounds[scheme] = page.evaluate(
                "getComputedStyle(document.querySelector('.wy-nav-content')).backgroundColor"
            )
        browser.close()
    assert grounds == {"light": "rgb(252, 252, 252)", "dark": "rgb(21, 25, 28)"}
