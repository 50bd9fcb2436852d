// The alignment of a hypothesis (below) with its reference (above), as example (2) of the paper has it:
// tokens in columns, the operation under them, a line from where a moved token was to where it is.

const PAD = 5; // around a word, inside its box
const BETWEEN = 5; // between two columns
const ROW = 24; // the height of a box
const CLASSES = { d: "deleted", i: "inserted", s: "substituted", m: "moved", ".": "matched" };
const NAMES = { d: "deleted", i: "inserted", s: "substituted", m: "moved" };

// One object a column: the operation, what is shown of it ("m" for half of a move), the tokens, the move's number.
function alignedColumns(reference, hypothesis, operations, moves) {
  const [left, right] = [new Map(), new Map()];
  for (let k = 0; k < moves.length; k += 2) {
    left.set(moves[k], k / 2 + 1);
    right.set(moves[k + 1], k / 2 + 1);
  }
  let [i, j] = [0, 0];
  return Array.from(operations, (operation) => {
    const above = operation === "i" ? null : i++;
    const below = operation === "d" ? null : j++;
    const move = (operation === "d" && left.get(above)) || (operation === "i" && right.get(below)) || 0;
    const [upper, lower] = [above === null ? "" : reference[above], below === null ? "" : hypothesis[below]];
    const room = Math.max(textWidth(upper, WORD_FONT), textWidth(lower, WORD_FONT), 8) + 2 * PAD;
    return { operation, kind: move ? "m" : operation, upper, lower, move, room };
  });
}

function inLines(cells, width) {
  const lines = [[]];
  let x = 0;
  for (const cell of cells) {
    if (x > 0 && x + cell.room > width) {
      lines.push([]);
      x = 0;
    }
    cell.line = lines.length - 1;
    cell.middle = x + cell.room / 2 + 1;
    x += cell.room + BETWEEN;
    lines.at(-1).push(cell);
  }
  return lines;
}

function drawAlignment(reference, hypothesis, operations, moves, available) {
  const cells = alignedColumns(reference, hypothesis, operations, moves);
  const pairs = Array.from({ length: moves.length / 2 }, () => ({}));
  for (const cell of cells) if (cell.move) pairs[cell.move - 1][cell.operation === "d" ? "from" : "to"] = cell;
  let lines = inLines(cells, available - 4);
  const far = () => pairs.filter(({ from, to }) => from.line !== to.line);
  const margin = lines.length > 1 ? 6 + 5 * Math.min(far().length, 8) : 0;
  if (margin) lines = inLines(cells, available - 4 - margin);
  const edge = Math.max(...cells.map((cell) => cell.middle + cell.room / 2 + 2), 1);

  let y = 1;
  const tops = lines.map((line, l) => {
    const touching = pairs.filter(({ from, to }) => from.line === l || to.line === l).length;
    const gap = touching ? 16 + 5 * Math.min(touching, 6) : 4;
    const place = { upper: y, gap: y + ROW, lower: y + ROW + gap, marks: y + 2 * ROW + gap + 13 };
    y = place.marks + (l < lines.length - 1 ? 16 : 5);
    return place;
  });
  const arcs = pairs.map((pair, k) => drawMove(pair, tops, edge, far().indexOf(pair), k));
  const boxes = cells.map((cell) => drawColumn(cell, tops[cell.line]));
  const width = Math.ceil(edge + (far().length ? margin : 0) + 2);
  return drawn("svg", { width, height: y, viewBox: `0 0 ${width} ${y}`, role: "img", "aria-label": spoken(cells) }, ...boxes, ...arcs);
}

function drawColumn(cell, place) {
  const group = drawn("g", { class: CLASSES[cell.kind], "data-operation": cell.operation });
  const word = (text, y, isAbove) => {
    if (cell.operation === (isAbove ? "i" : "d")) return;
    const half = Math.max(textWidth(text, WORD_FONT) / 2, 4) + PAD - 1;
    if (cell.kind !== ".") group.append(drawn("rect", { class: "box", x: cell.middle - half, y: y + 1, width: 2 * half, height: ROW - 2, rx: 3 }));
    group.append(drawn("text", { class: "word", x: cell.middle, y: y + 17 }, text));
  };
  word(cell.upper, place.upper, true);
  word(cell.lower, place.lower, false);
  const mark = cell.kind === "." ? "·" : cell.move ? "m" + cell.move : cell.kind;
  group.append(drawn("text", { class: "mark", x: cell.middle, y: place.marks }, mark));
  return group;
}

function drawMove({ from, to }, tops, edge, track, k) {
  const start = [from.middle, tops[from.line].gap];
  const end = [to.middle, tops[to.line].lower - 5];
  let path;
  if (track < 0) {
    const bend = (tops[to.line].lower - start[1]) * 0.85;
    path = `M${start}C${start[0]} ${start[1] + bend} ${end[0]} ${end[1] - bend} ${end}`;
  } else {
    // To another line: along the gap, down or up the margin, and back along the gap of the other line.
    const x = edge + 6 + 5 * (track % 8);
    const [y1, y2] = [from, to].map((cell) => tops[cell.line].gap + 6 + 5 * (track % 6));
    path = rounded([start, [start[0], y1], [x, y1], [x, y2], [end[0], y2], end]);
  }
  const [x, y] = end;
  return drawn("g", { class: "move", "data-move": k + 1 }, drawn("path", { class: "arc", d: path }),
    drawn("path", { class: "tip", d: `M${x - 4} ${y - 1}h8l-4 6z` }), drawn("title", {}, `move ${k + 1}: ${from.upper}`));
}

function rounded(points) {
  const parts = [`M${points[0]}`];
  for (let p = 1; p < points.length - 1; p += 1) {
    const [before, corner, after] = [points[p - 1], points[p], points[p + 1]];
    const towards = (other) => {
      const length = Math.hypot(other[0] - corner[0], other[1] - corner[1]) || 1;
      const part = Math.min(5, length / 2) / length;
      return [corner[0] + (other[0] - corner[0]) * part, corner[1] + (other[1] - corner[1]) * part];
    };
    parts.push(`L${towards(before)}Q${corner} ${towards(after)}`);
  }
  return parts.join("") + `L${points.at(-1)}`;
}

function spoken(cells) {
  const kinds = Object.entries(NAMES).map(([kind, name]) => {
    const found = cells.filter((cell) => cell.kind === kind && !(kind === "m" && cell.operation === "i"));
    const text = found.map((cell) => (kind === "s" ? cell.upper + " by " + cell.lower : cell.upper || cell.lower)).join(", ");
    return found.length ? name + ": " + text : "";
  });
  return "Alignment. " + (kinds.filter(Boolean).join("; ") || "All tokens match.");
}

function showLegend() {
  const sample = (operation, kind, text, label) => {
    const cell = { operation, kind, upper: text, lower: text, middle: 20, move: kind === "m" ? 1 : 0, room: 40 };
    // Above and below fall together: a sample shows one row.
    const svg = drawn("svg", { width: 40, height: 40, "aria-hidden": "true" }, drawColumn(cell, { upper: 0, lower: 0, marks: 37 }));
    return element("span", {}, svg, label);
  };
  fill("legend", element("span", {}, "Above the reference, below the output:"),
    sample("d", "d", "the", "deleted"), sample("i", "i", "the", "inserted"), sample("s", "s", "the", "substituted"),
    sample("d", "m", "the", "moved: from above to below, along the line"),
    element("span", {}, drawn("svg", { class: "rail", width: 34, height: 12, "aria-hidden": "true" }, drawn("line", { x1: 6, x2: 28, y1: 6, y2: 6 }),
      drawn("rect", { x: 2, y: 1.5, width: 9, height: 9 }), drawn("circle", { cx: 28, cy: 6, r: 4 })), "head and daughters of a treelet out of order"));
}
