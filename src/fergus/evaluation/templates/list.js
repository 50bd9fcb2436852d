// The list of sentences: which are shown, in which order, a page at a time.

const PAGE = 10;
const KINDS = [
  ["anything", () => true],
  ["any error", (c) => c.s + c.i + c.d > 0],
  ["no error", (c) => c.s + c.i + c.d === 0],
  ["moves", (c) => c.m > 0],
  ["substitutions", (c) => c.s > 0],
  ["deletions that are no moves", (c) => c.d > c.m],
  ["insertions that are no moves", (c) => c.i > c.m],
  ["errors in treelets", (c) => c.tree > 0],
  ["errors in the string, none in treelets", (c) => c.s + c.i + c.d > 0 && c.tree === 0],
];

const list = { order: [], page: 0, selected: null, haystack: [] };

function countsOf(system, i) {
  const [s, insertions, d, m] = columns.counts[system].map((column) => column[i]);
  const tree = columns.treeCounts[system];
  return { s, i: insertions, d, m, tree: tree[0][i] < 0 ? -1 : tree[0][i] + tree[1][i] + tree[2][i] };
}

function haystack(i) {
  list.haystack[i] ??= (() => {
    const { identifier, references, systems } = sentence(i);
    const outputs = systems.filter((packed) => packed.length > 1).map((packed) => words(packed[1]).join(" "));
    return [identifier, ...references.map((reference) => words(reference[0]).join(" ")), ...outputs].join("\n").toLowerCase();
  })();
  return list.haystack[i];
}

function sortKeys() {
  const [metric, first, second] = ["sort-metric", "sort-first", "sort-second"].map((id) => Number(byId(id).value));
  switch (byId("sort-kind").value) {
    case "score": return scoreColumn(first, metric);
    case "difference": return scoreColumn(first, metric).map((score, i) => score - scoreColumn(second, metric)[i]);
    case "length": return columns.counts[0][4];
    default: return null;
  }
}

function arrange() {
  const text = byId("filter-text").value.trim().toLowerCase();
  const holds = KINDS[Number(byId("filter-kind").value)][1];
  const systems = byId("filter-system").value === "any" ? head.systems.map((_, s) => s) : [Number(byId("filter-system").value)];
  const candidates = list.selected ?? Array.from({ length: head.sentences }, (_, i) => i);
  list.order = candidates.filter((i) =>
    (holds === KINDS[0][1] || systems.some((s) => holds(countsOf(s, i)))) && (!text || haystack(i).includes(text)));
  const keys = sortKeys();
  const direction = Number(byId("sort-direction").value);
  if (keys !== null) {
    // Undefined scores come last in both directions, equal ones stay in the order of the file.
    list.order.sort((a, b) => Number.isNaN(keys[a]) - Number.isNaN(keys[b]) || direction * (keys[a] - keys[b]) || a - b);
  } else if (direction < 0) list.order.reverse();
}

function pages() {
  return Math.max(1, Math.ceil(list.order.length / PAGE));
}

function showList(page) {
  list.page = Math.min(Math.max(0, page), pages() - 1);
  const kind = byId("sort-kind").value;
  byId("sort-metric-label").hidden = byId("sort-first-label").hidden = kind !== "score" && kind !== "difference";
  byId("sort-second-label").hidden = kind !== "difference";
  byId("selection").hidden = list.selected === null;
  byId("count").textContent = list.order.length === head.sentences ? plural(head.sentences, "sentence") : `${whole(list.order.length)} of ${plural(head.sentences, "sentence")}`;
  for (const id of ["turn-top", "turn-bottom"]) fill(id, ...turner());
  const sortedMetric = kind === "score" || kind === "difference" ? Number(byId("sort-metric").value) : -1;
  const width = byId("list").clientWidth - 20;
  const shown = list.order.slice(list.page * PAGE, (list.page + 1) * PAGE);
  const items = shown.map((i) => showSentence(i, { width, sortedMetric, withTrees: byId("show-trees").checked, note: kind === "difference" ? difference(i) : "" }));
  fill("list", ...(items.length ? items : [element("li", { class: "sentence" }, "No sentence is like that.")]));
}

function difference(i) {
  const [m, first, second] = ["sort-metric", "sort-first", "sort-second"].map((id) => Number(byId(id).value));
  const [a, b] = [scoreOf(first, m, i), scoreOf(second, m, i)];
  const value = a === null || b === null ? null : a - b;
  return `${head.metrics[m].abbreviation}: ${head.systems[first]} less ${head.systems[second]} is ${number(value, head.metrics[m].decimals)}`;
}

function turner() {
  const turn = (label, page, isPossible) => element("button", { type: "button", disabled: !isPossible, on: { click: () => turnTo(page) } }, label);
  const { page } = list;
  const last = pages() - 1;
  return [turn("First", 0, page > 0), turn("Previous", page - 1, page > 0), element("span", {}, `Page ${whole(page + 1)} of ${whole(last + 1)}`),
    turn("Next", page + 1, page < last), turn("Last", last, page < last)];
}

function turnTo(page) {
  if (document.readyState === "loading") return; // the sentences of that page may not have been read yet
  showList(page);
  focusOn(0);
}

function focusOn(position) {
  const item = byId("list").children[position];
  item.setAttribute("tabindex", "-1");
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "start" });
}

function rearrange() {
  arrange();
  showList(0);
}

// Show one sentence, whatever was sorted and filtered; if a filter hides it, the filters are taken away.
function goTo(i) {
  let position = list.order.indexOf(i);
  if (position < 0) {
    clearFilters();
    arrange();
    position = list.order.indexOf(i);
  }
  showList(Math.floor(position / PAGE));
  focusOn(position % PAGE);
}

function clearFilters() {
  byId("filter-text").value = "";
  byId("filter-kind").value = "0";
  byId("filter-system").value = "any";
  list.selected = null;
}

function select(members, description) {
  clearFilters();
  list.selected = members;
  byId("selection-text").textContent = description;
  rearrange();
  focusOn(0);
}

function step(by) {
  const items = [...byId("list").children];
  const current = items.indexOf(document.activeElement?.closest(".sentence"));
  const next = current < 0 ? (by > 0 ? 0 : items.length - 1) : current + by;
  if (next >= 0 && next < items.length) focusOn(next);
  else if (next < 0 && list.page > 0) {
    showList(list.page - 1);
    focusOn(PAGE - 1);
  } else if (next >= items.length && list.page < pages() - 1) turnTo(list.page + 1);
}
