// One sentence: the reference, its tree, and every system's output with scores, counts, alignment, treelets.

const LONG = 400; // operations beyond which an alignment or a tree is drawn on request only

const counted = (operations, moves) => ({
  s: operations.split("s").length - 1,
  i: operations.split("i").length - 1,
  d: operations.split("d").length - 1,
  m: moves.length / 2,
});

// "1 move, 2 deletions": what is left of insertions and deletions when moves are taken out.
function errorsInWords({ s, i, d, m }) {
  const parts = [[m, "move"], [s, "substitution"], [d - m, "deletion"], [i - m, "insertion"]];
  return parts.filter(([count]) => count > 0).map(([count, name]) => plural(count, name)).join(", ");
}

function unpacked(packed, reference) {
  const [number, tokens, operations, moves, places, treelets] = packed;
  const [text, heads, relations, chosen] = reference;
  const target = words(text);
  if (packed.length === 1) return { number, target, heads, relations, chosen, tokens: target, operations: ".".repeat(target.length), moves: [], places: null, treelets: [], isEqual: true };
  const output = words(tokens);
  return { number, target, heads, relations, chosen, tokens: output, operations, moves, places,
    treelets: treelets.map(([headPlace, steps, treeletMoves], t) => ({ number: t + 1, head: headPlace, operations: steps, moves: treeletMoves })), isEqual: false };
}

function showSentence(i, { width, sortedMetric, withTrees, note }) {
  const { identifier, count, references, systems } = sentence(i);
  const outputs = systems.map((packed) => unpacked(packed, references[packed[0]]));
  const item = element("li", { class: "sentence", tabindex: -1, id: "sentence-" + (i + 1), "data-index": i, "aria-label": "Sentence " + identifier });
  const of = count > 1 ? `the best of ${count} references is chosen for each system` : null;
  item.append(element("div", { class: "identifier" }, element("h3", {}, identifier), element("a", { href: "#sentence-" + (i + 1) }, whole(i + 1) + " of " + whole(head.sentences)), of ? element("span", {}, of) : null, note ? element("span", {}, note) : null),
    element("p", { class: "reference", dir: "auto" }, outputs[0].target.join(" ") || "(empty)"));
  const hasTree = outputs.some((output) => output.heads);
  const tree = hasTree && withTrees ? new TreeView(outputs) : null;
  if (tree) item.append(tree.element);
  outputs.forEach((output, s) => item.append(showOutput(output, i, s, width, sortedMetric, tree, references.length > 1)));
  if (tree) tree.show(Math.max(0, outputs.findIndex((output) => output.treelets.length)), 0);
  return item;
}

function showOutput(output, i, s, width, sortedMetric, tree, withReference) {
  const facts = element("div", { class: "facts" }, element("h4", {}, head.systems[s]));
  head.metrics.forEach((metric, m) => {
    const score = number(scoreOf(s, m, i), Math.min(metric.decimals, 3));
    facts.append(element("span", { class: m === sortedMetric ? "sorted" : null, title: metric.title }, metric.abbreviation + " ", element("b", {}, score)));
  });
  const block = element("div", { class: "output " + systemClass(s) }, facts);
  const counts = counted(output.operations, output.moves);
  const against = withReference ? "reference " + output.chosen : "the reference";
  if (output.isEqual) {
    facts.append(element("span", {}, "identical to " + against));
    return block;
  }
  block.append(element("div", { class: "facts counts" }, element("span", {}, withReference ? "tokens of " + against : "tokens"),
    ...letters(counts), ...letters({ r: output.target.length }),
    ...(output.heads ? [element("span", { class: "second" }, "treelets"), ...letters(treeCounts(output))] : [])));
  block.append(drawnOnRequest(output.operations.length, "alignment", "alignment", () =>
    drawAlignment(output.target, output.tokens, output.operations, output.moves, width)));
  if (output.heads) block.append(showTreelets(output, s, tree));
  return block;
}

const letters = (counts) => Object.entries(counts).map(([name, count]) => element("span", {}, name.toUpperCase() + " ", element("b", {}, String(count))));

// Of all treelets together; a token that is no node is an insertion in the sentence.
function treeCounts(output) {
  const sum = { s: 0, i: output.places.filter((place) => place < 0).length, d: 0, m: 0 };
  for (const treelet of output.treelets) {
    for (const [name, count] of Object.entries(counted(treelet.operations, treelet.moves))) sum[name] += count;
  }
  return sum;
}

function drawnOnRequest(size, className, name, draw) {
  const box = element("div", { class: className });
  if (size <= LONG) box.append(draw());
  else {
    const show = () => box.replaceChildren(draw());
    box.append(element("button", { type: "button", on: { click: show } }, `Draw the ${name} of ${whole(size)} columns`));
  }
  return box;
}

function showTreelets(output, s, tree) {
  const list = element("ul", { class: "treelets" });
  for (const treelet of output.treelets) {
    const button = element("button", { type: "button", "aria-pressed": tree ? "false" : null, "data-treelet": treelet.number, title: tree ? "Show this treelet in the tree" : null },
      element("span", { class: "number" }, String(treelet.number)), ...treeletWords(output, treelet),
      element("span", { class: "what" }, " (" + errorsInWords(counted(treelet.operations, treelet.moves)) + ")"));
    if (tree) button.addEventListener("click", () => tree.toggle(s, treelet.number));
    list.append(element("li", {}, button));
  }
  const extra = output.places.filter((place) => place < 0).length;
  if (extra) list.append(element("li", { class: "what" }, plural(extra, "token") + " that " + (extra === 1 ? "is" : "are") + " no node of the tree (" + plural(extra, "insertion") + ")"));
  return list;
}

// "the second phase → phase the second", each word in the manner of its operation.
function treeletWords(output, treelet) {
  const places = new Set(members(output.heads, treelet.head));
  const expected = [...places].map((place) => output.target[place]);
  const realized = output.tokens.filter((_, token) => places.has(output.places[token]));
  const cells = alignedColumns(expected, realized, treelet.operations, treelet.moves);
  const side = (isAbove) => cells.filter((cell) => cell.operation !== (isAbove ? "i" : "d")).flatMap((cell, n) => {
    const word = element("span", { class: cell.kind === "." ? null : "w-" + cell.kind }, isAbove ? cell.upper : cell.lower);
    return n ? [" ", word] : [word];
  });
  return [...side(true), element("span", { class: "arrow" }, " → "), ...(realized.length ? side(false) : ["(nothing)"])];
}

// The tree of a sentence, which shows the treelets that one system has out of order, all or one of them.
class TreeView {
  constructor(outputs) {
    this.outputs = outputs;
    this.system = 0;
    this.chosen = 0;
    this.canvas = element("div", { class: "scroll canvas", tabindex: 0, role: "region", "aria-label": "Dependency tree of the reference" });
    this.element = element("div", { class: "tree" });
    this.choices = [];
    if (outputs.some((output) => output.treelets.length)) this.element.append(this.choice());
    this.element.append(this.canvas);
  }

  choice() {
    const name = "tree-" + TreeView.count++;
    this.choices = this.outputs.map((output, s) => element("input", { type: "radio", name, value: s, on: { change: () => this.show(s, 0) } }));
    const labels = this.choices.map((input, s) => element("label", {}, input, `${head.systems[s]}: ${this.outputs[s].treelets.length}`));
    return element("fieldset", { class: "which" }, element("legend", {}, "Treelets out of order in"), ...labels);
  }

  toggle(system, number) {
    this.show(system, this.system === system && this.chosen === number ? 0 : number);
  }

  show(system, chosen) {
    [this.system, this.chosen] = [system, chosen];
    const { target, heads, relations, treelets } = this.outputs[system];
    if (this.choices.length) this.choices[system].checked = true;
    if (!heads) this.canvas.replaceChildren(element("p", { class: "caption" }, "The reference chosen for this system has no tree."));
    else this.canvas.replaceChildren(drawnOnRequest(target.length, "", "tree", () => drawTree(target, heads, relations ? words(relations) : null, treelets, chosen)));
    const rail = chosen ? this.canvas.querySelector(`[data-treelet="${chosen}"] line`) : null;
    if (rail) this.canvas.scrollLeft = rail.getAttribute("x1") - 40;
    const card = this.element.parentElement;
    [...card.querySelectorAll(".output")].forEach((block, s) => {
      for (const button of block.querySelectorAll(".treelets button")) {
        button.setAttribute("aria-pressed", String(s === system && Number(button.dataset.treelet) === chosen));
      }
    });
  }
}
TreeView.count = 0;
