"""Makes the pictures of the documentation anew: drawings, figures of an analysis, and screenshots (`make pictures`)."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import fergus
from fergus.cli.grammar import chosen_grammar
from fergus.drawing import draw_alignment, draw_elementary, draw_lattice, draw_tree, standalone
from fergus.drawing.lattice import relabelled
from fergus.metrics import align

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
EXAMPLE = "saw(she man(the old) in(park(the)))"
PRESETS = ("default", "supertag", "treebank-lr", "baseline-lr")

# Pages of the workbench: the picture's name, the address, and the height that shows what matters.
WORKBENCH = [
    ("workbench-realize", "/workbench/realize?" + urlencode({"tree": EXAMPLE}) + "#result", 900),
]


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    drawings()
    with TemporaryDirectory() as folder:
        study_of_the_tutorial(Path(folder))
        screenshots(Path(folder))
    for picture in sorted(PICTURES.iterdir()):
        print(f"{picture.stat().st_size / 1000:7.0f} KB  {picture.relative_to(ROOT)}")


def drawings() -> None:
    """One tree through the house, and the alignment that the metrics count."""
    realizer = fergus.load("en", preset="supertag")
    tree = fergus.parse_tree(EXAMPLE)
    found = realizer.realize(tree)
    names = [choice.supertag for choice in found.supertags]
    write("tree.svg", draw_tree(tree, title="The input: who depends on whom, and no order"))
    write(
        "supertags.svg",
        draw_tree(tree, order=found.order, supertags=names, title="Every word with its supertag, in the order found"),
    )
    words = [node.form for node in tree.nodes]
    word = words.index("saw")
    grammar = chosen_grammar(file=None, xtag=None, treebank=None, model="en")
    write("elementary.svg", draw_elementary(grammar.tree(names[word]), word="saw"))
    assert found.lattice is not None
    lattice = relabelled(found.lattice, found.canonical)
    write("lattice.svg", draw_lattice(lattice, words, found.order, title="The orders that the supertags allow"))
    reference = ["There", "was", "no", "cost", "estimate", "for", "the", "second", "phase"]
    output = ["There", "was", "estimate", "for", "phase", "the", "second", "no", "cost"]
    alignment = align(reference, output)
    write("alignment.svg", draw_alignment(reference, output, alignment.operations, alignment.moves))


def write(name: str, drawing: str) -> None:
    """Keep a drawing as a file of its own."""
    (PICTURES / name).write_text(standalone(drawing), encoding="utf-8")


def run(folder: Path, arguments: str) -> None:
    """Run a command of Fergus in a folder."""
    command = [sys.executable, "-m", "fergus", *arguments.split()]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


def study_of_the_tutorial(folder: Path) -> None:
    """What the tutorial does, as far as its pictures need it."""
    shutil.copy(ROOT / "examples" / "town.txt", folder)
    run(folder, "parse --input lines town.txt --out references.conllu")
    outputs: list[str] = []
    for preset in PRESETS:
        out = f"{preset}.txt"
        run(folder, f"realize references.conllu --bare --preset {preset} --output tokens --out {out}")
        outputs.append(f"--outputs {out}")
    run(folder, f"study new ratings --references references.conllu --bases 15 --variants 3-4 {' '.join(outputs)}")
    with (folder / "ratings/items.csv").open(newline="") as source, (folder / "qualities.csv").open("w") as target:
        table = csv.writer(target)
        table.writerow(["item", "quality"])
        for item in csv.DictReader(source):
            tree, moves = float(item["m.generation_tree_accuracy"]), int(item["m.moves"])
            table.writerow([item["item"], 6 * tree - 0.3 * moves - 4])
    raters = "--raters 12 --think 3 --quality qualities.csv --database ratings.db --seed 4 --quiet"
    run(folder, f"study simulate ratings {raters}")
    run(folder, "analyse ratings --database ratings.db --score quality --figures figures --out report.txt")
    run(folder, "compare default.txt supertag.txt --references references.conllu --html comparison.html")
    shutil.copy(next((folder / "figures").glob("*model.svg")), PICTURES / "analysis-model.svg")


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, str]]:
    """A server for the study of the tutorial: the address of the study, and the one that makes an account."""
    command = [sys.executable, "-m", "fergus", "serve", "ratings", "--database", "ratings.db", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            lines = [server.stdout.readline() for _ in range(2)]
            yield tuple(re.findall(r"http://\S+", "".join(lines)))[:2]  # type: ignore[misc]
        finally:
            server.terminate()


def screenshots(folder: Path) -> None:
    """Pages as people see them."""
    from playwright.sync_api import sync_playwright

    with served(folder) as (study, setup), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
        administration(browser, setup)
        page = browser.new_page(viewport={"width": 900, "height": 720})
        page.goto(study)
        # Consent has two choices, a page of ratings many.
        while (choices := page.locator("input[type=radio]")).count() < 7:
            if choices.count():
                choices.first.check()
            page.locator("main button").first.click()
        page.screenshot(path=PICTURES / "study-rating.png")
        report = browser.new_page(viewport={"width": 1000, "height": 640})
        report.goto((folder / "comparison.html").as_uri())
        report.get_by_text("1 of 30", exact=True).first.evaluate("link => link.scrollIntoView()")
        report.screenshot(path=PICTURES / "comparison.png")
        workbench(browser, study.partition("/s/")[0])
        browser.close()


def administration(browser: Any, setup: str) -> None:
    """The page on which a study's progress is followed."""
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    page.goto(setup)
    page.fill("#name", "ann")
    for field in ("#password", "#again"):
        page.fill(field, "a password for pictures")
    page.locator("main button").last.click()
    page.goto(setup.partition("/admin")[0] + "/admin/studies/ratings")
    page.screenshot(path=PICTURES / "study-progress.png")


def workbench(browser: Any, address: str) -> None:
    """The pages of the workbench."""
    for name, path, height in WORKBENCH:
        page = browser.new_page(viewport={"width": 1000, "height": height})
        # The first sentence waits for the model; the time that is shown is that of an ordinary one.
        page.goto(address + path)
        page.reload()
        page.wait_for_selector("#sentence")
        page.screenshot(path=PICTURES / f"{name}.png")


if __name__ == "__main__":
    main()
