// The parts put together: what needs only the head is shown at once, the rest when the file has been read.

function prepare() {
  metricOptions("histogram-metric", 0);
  metricOptions("x-metric", 0);
  metricOptions("y-metric", 0);
  metricOptions("sort-metric", 0);
  options("x-system", head.systems, 0);
  options("y-system", head.systems, head.systems.length > 1 ? 1 : 0);
  // One system has nothing to be compared with but its own other scores.
  if (head.systems.length === 1 && head.metrics.length > 1) byId("y-metric").value = "1";
  options("sort-first", head.systems, 0);
  options("sort-second", head.systems, head.systems.length > 1 ? 1 : 0);
  options("filter-kind", KINDS.map(([name]) => name), 0);
  options("filter-system", ["any system", ...head.systems], 0, ["any", ...head.systems.map((_, s) => s)]);
  if (head.systems.length === 1) byId("sort-kind").querySelector("[value=difference]").remove();
}

function listen() {
  for (const id of ["histogram-metric", "histogram-scale"]) byId(id).addEventListener("change", showHistogram);
  for (const id of ["x-system", "x-metric", "y-system", "y-metric"]) byId(id).addEventListener("change", showScatter);
  const canvas = byId("plot-canvas");
  canvas.addEventListener("pointermove", (event) => {
    const disc = discAt(event);
    canvas.style.cursor = disc ? "pointer" : "crosshair";
    byId("plot-point").textContent = disc ? describe(disc) : "";
  });
  canvas.addEventListener("click", (event) => {
    const disc = discAt(event);
    if (disc === null) return;
    if (disc.members.length === 1) goTo(disc.members[0]);
    else select(disc.members, plural(disc.members.length, "sentence") + " of one disc of the scatter plot.");
  });
  const controls = byId("list-controls");
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("change", (event) => {
    if (event.target.id === "show-trees") showList(list.page);
    else if (event.target.id !== "filter-text") rearrange();
  });
  controls.addEventListener("reset", () => setTimeout(() => {
    list.selected = null;
    rearrange();
  }));
  let waiting = 0;
  byId("filter-text").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(rearrange, 150);
  });
  byId("selection-clear").addEventListener("click", () => {
    list.selected = null;
    rearrange();
    focusOn(0);
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", followHash);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showScatter);
  let width = document.documentElement.clientWidth;
  window.addEventListener("resize", () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    clearTimeout(waiting);
    waiting = setTimeout(showAll, 120);
  });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const action = { j: () => step(1), k: () => step(-1), n: () => turnTo(list.page + 1), p: () => turnTo(list.page - 1), "/": () => byId("filter-text").focus() }[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function followHash() {
  const found = /^#sentence-(\d+)$/.exec(window.location.hash);
  if (found && Number(found[1]) >= 1 && Number(found[1]) <= head.sentences) goTo(Number(found[1]) - 1);
}

function showAll() {
  showHistogram();
  showScatter();
  showList(list.page);
}

// The first page is shown as soon as what it needs has been read, long before the last sentences of a large file.
function showFirst() {
  const isRead = document.readyState !== "loading" || byId("sentences-0")?.nextElementSibling;
  if (!isRead) setTimeout(showFirst, 20);
  else if (columns === null) {
    readColumns();
    arrange();
    showAll();
  }
}

showHead();
showScores();
showComparisons();
showLegend();
prepare();
setTimeout(showFirst, 0);
document.addEventListener("DOMContentLoaded", () => {
  showFirst();
  listen();
  followHash();
  document.documentElement.dataset.ready = "true";
});
