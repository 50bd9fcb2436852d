// The dependency tree of the reference, arcs above the words; under them a rail for every treelet that is out
// of order: a square for its head, a circle for every daughter.

const LEVEL_HEIGHT = 17;

function arcLevels(heads) {
  const arcs = [];
  heads.forEach((headPlace, place) => {
    if (headPlace >= 0) arcs.push({ place, head: headPlace, from: Math.min(place, headPlace), to: Math.max(place, headPlace), level: 1 });
  });
  arcs.sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from);
  // An arc stands above every shorter arc that lies over part of the same words.
  arcs.forEach((arc, n) => {
    for (let other = 0; other < n; other += 1) {
      const lower = arcs[other];
      if (lower.from < arc.to && lower.to > arc.from) arc.level = Math.max(arc.level, lower.level + 1);
    }
  });
  return arcs;
}

function members(heads, treeletHead) {
  return heads.map((_, place) => place).filter((place) => place === treeletHead || heads[place] === treeletHead);
}

// treelets: [{number, head}], those out of order; chosen: the number of the one that is looked at, or 0.
function drawTree(tokens, heads, relations, treelets, chosen) {
  const arcs = arcLevels(heads);
  const indent = treelets.length ? 22 : 4;
  const middles = [];
  let x = indent;
  tokens.forEach((token, place) => {
    const label = relations ? Math.min(textWidth(relations[place], LABEL_FONT), 70) : 0;
    const room = Math.max(textWidth(token, WORD_FONT) + 14, label * 0.9 + 6, 26);
    middles.push(x + room / 2);
    x += room;
  });
  const width = Math.ceil(x + 4);
  const base = 27 + LEVEL_HEIGHT * Math.max(1, ...arcs.map((arc) => arc.level));
  const numbers = new Map(treelets.map((treelet) => [treelet.head, treelet.number]));
  const isShown = (number) => number !== undefined && (chosen === 0 || chosen === number);
  const groups = arcs.map((arc) => drawArc(arc, middles, base, relations, isShown(numbers.get(arc.head))));
  const root = heads.indexOf(-1);
  const stem = drawn("g", {}, drawn("path", { d: `M${middles[root]} 12V${base - 6}` }), tip(middles[root], base),
    drawn("text", { x: middles[root], y: 9 }, "root"));
  const inTreelet = new Set(treelets.filter((t) => isShown(t.number)).flatMap((t) => members(heads, t.head)));
  const texts = tokens.map((token, place) =>
    drawn("text", { class: inTreelet.has(place) ? "word member" : "word", x: middles[place], y: base + 17 }, token));
  const rails = treelets.map((treelet, row) => drawRail(treelet, heads, middles, base + 32 + 14 * row, isShown(treelet.number)));
  const height = base + 26 + 14 * treelets.length + 2;
  const out = groups.filter((group) => group.classList.contains("out"));
  const label = "Dependency tree" + (treelets.length ? "; " + plural(treelets.length, "treelet") + " out of order" : "");
  return drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    drawn("g", { class: "arcs" }, ...groups.filter((group) => !out.includes(group)), heads.length > 1 || treelets.length ? stem : null, ...out), ...texts, ...rails);
}

const tip = (x, base) => drawn("polygon", { points: `${x - 3},${base - 7} ${x + 3},${base - 7} ${x},${base - 1}` });

function drawArc(arc, middles, base, relations, isOut) {
  const direction = arc.place > arc.head ? 1 : -1;
  const start = middles[arc.head] + 4 * direction;
  const end = middles[arc.place];
  const top = base - 4 - LEVEL_HEIGHT * arc.level;
  const bend = Math.min(14, Math.abs(end - start) / 2) * direction;
  const path = `M${start} ${base - 2}C${start} ${top + 6} ${start} ${top} ${start + bend} ${top}H${end - bend}C${end} ${top} ${end} ${top + 6} ${end} ${base - 6}`;
  const label = relations ? drawn("text", { x: (start + end) / 2, y: top + 3.5 }, relations[arc.place]) : null;
  return drawn("g", { class: isOut ? "out" : null }, drawn("path", { d: path }), tip(end, base), label);
}

function drawRail(treelet, heads, middles, y, isShown) {
  const places = members(heads, treelet.head);
  const xs = places.map((place) => middles[place]);
  const first = Math.min(...xs);
  return drawn("g", { class: isShown ? "rail" : "rail faint", "data-treelet": treelet.number },
    drawn("line", { x1: first, x2: Math.max(...xs), y1: y, y2: y }),
    ...places.map((place) => place === treelet.head
      ? drawn("rect", { x: middles[place] - 4.5, y: y - 4.5, width: 9, height: 9 })
      : drawn("circle", { cx: middles[place], cy: y, r: 4 })),
    drawn("text", { x: first - 9, y: y + 4 }, String(treelet.number)));
}
