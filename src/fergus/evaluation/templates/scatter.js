// One system or metric against another: a disc for every pair of scores, its area for the number of sentences.

let discs = [];

function showScatter() {
  const [xs, xm, ys, ym] = ["x-system", "x-metric", "y-system", "y-metric"].map((id) => Number(byId(id).value));
  const across = scoreColumn(xs, xm);
  const upwards = scoreColumn(ys, ym);
  const isSame = xm === ym;
  const rangeX = extent(isSame ? [across, upwards] : [across], head.metrics[xm]);
  const rangeY = extent(isSame ? [across, upwards] : [upwards], head.metrics[ym]);
  const size = Math.min(byId("plot").clientWidth, 540);
  const area = { left: 52, right: size - 20, top: 20, bottom: size - 46 };
  const canvas = byId("plot-canvas");
  const density = window.devicePixelRatio || 1;
  canvas.width = canvas.height = size * density;
  canvas.style.width = canvas.style.height = size + "px";
  const context = canvas.getContext("2d");
  context.scale(density, density);
  discs = [];
  if (rangeX === null || rangeY === null) {
    fill("plot-axes", element("p", {}, "No sentence has both scores."));
    return;
  }
  const x = (score) => area.left + ((score - rangeX[0]) / (rangeX[1] - rangeX[0])) * (area.right - area.left);
  const y = (score) => area.bottom - ((score - rangeY[0]) / (rangeY[1] - rangeY[0])) * (area.bottom - area.top);
  discs = gathered(across, upwards, x, y);
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--link");
  context.fillStyle = colour;
  for (const disc of discs) {
    context.globalAlpha = 0.6;
    context.beginPath();
    context.arc(disc.x, disc.y, disc.radius, 0, 2 * Math.PI);
    context.fill();
  }
  fill("plot-axes", axes(size, area, x, y, rangeX, rangeY, isSame, [xs, xm, ys, ym]));
  byId("plot-point").textContent = "";
  byId("plot-caption").textContent = plotCaption(across, upwards, isSame && xs !== ys ? [xs, ys, head.metrics[xm]] : null);
}

function gathered(across, upwards, x, y) {
  const found = new Map();
  for (let i = 0; i < across.length; i += 1) {
    if (Number.isNaN(across[i]) || Number.isNaN(upwards[i])) continue;
    const key = Math.round(x(across[i])) * 4096 + Math.round(y(upwards[i]));
    const disc = found.get(key);
    if (disc) disc.members.push(i);
    else found.set(key, { x: x(across[i]), y: y(upwards[i]), across: across[i], upwards: upwards[i], members: [i] });
  }
  const result = [...found.values()];
  const most = result.reduce((largest, disc) => Math.max(largest, disc.members.length), 1);
  for (const disc of result) disc.radius = 2.2 + (most > 1 ? 12 * Math.sqrt((disc.members.length - 1) / most) : 0.8);
  return result.sort((a, b) => b.radius - a.radius);
}

function axes(size, area, x, y, rangeX, rangeY, isSame, [xs, xm, ys, ym]) {
  const parts = [];
  const axis = drawn("g", { class: "axis" }, drawn("path", { d: `M${area.left} ${area.top}V${area.bottom}H${area.right}` }));
  if (isSame) parts.push(drawn("line", { class: "grid", x1: x(rangeX[0]), y1: y(rangeY[0]), x2: x(rangeX[1]), y2: y(rangeY[1]) }));
  const ticksX = ticks(...rangeX, 5);
  const ticksY = ticks(...rangeY, 5);
  for (const value of ticksX.values) {
    axis.append(drawn("line", { x1: x(value), x2: x(value), y1: area.bottom, y2: area.bottom + 4 }),
      drawn("text", { x: x(value), y: area.bottom + 17, "text-anchor": "middle" }, number(value, ticksX.decimals)));
  }
  for (const value of ticksY.values) {
    axis.append(drawn("line", { x1: area.left - 4, x2: area.left, y1: y(value), y2: y(value) }),
      drawn("text", { x: area.left - 7, y: y(value) + 4, "text-anchor": "end" }, number(value, ticksY.decimals)));
  }
  const title = (s, m) => shortened(head.systems[s], 30) + ", " + head.metrics[m].abbreviation;
  const middle = (area.top + area.bottom) / 2;
  parts.push(axis,
    drawn("text", { class: "label", x: (area.left + area.right) / 2, y: size - 10, "text-anchor": "middle" }, title(xs, xm)),
    drawn("text", { class: "label", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, title(ys, ym)));
  return drawn("svg", { width: size, height: size, viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title(ys, ym) + " against " + title(xs, xm) }, ...parts);
}

const shortened = (text, length) => (text.length > length ? text.slice(0, length - 1) + "…" : text);

function plotCaption(across, upwards, compared) {
  const hint = "The larger a disc, the more sentences have these scores. Press one to see its sentences below; by keyboard, sort the sentences by difference.";
  if (compared === null) return hint;
  const [xs, ys, metric] = compared;
  let [first, equal, second] = [0, 0, 0];
  for (let i = 0; i < across.length; i += 1) {
    const difference = metric.higher ? across[i] - upwards[i] : upwards[i] - across[i];
    if (difference > 0) first += 1;
    else if (difference < 0) second += 1;
    else if (difference === 0) equal += 1;
  }
  return `${head.systems[xs]} is better in ${plural(first, "sentence")}, ${head.systems[ys]} in ${whole(second)}; equal in ${whole(equal)}. ` + hint;
}

function discAt(event) {
  const box = byId("plot-canvas").getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let nearest = null;
  let least = 144; // the square of how far from a disc's middle the pointer may be
  for (const disc of discs) {
    const distance = Math.max(0, (disc.x - x) ** 2 + (disc.y - y) ** 2 - disc.radius ** 2);
    if (distance <= least) [nearest, least] = [disc, distance];
  }
  return nearest;
}

function describe(disc) {
  const [xm, ym] = ["x-metric", "y-metric"].map((id) => head.metrics[Number(byId(id).value)]);
  const { identifier, references } = sentence(disc.members[0]);
  const others = disc.members.length > 1 ? " and " + plural(disc.members.length - 1, "other") : "";
  return `${number(disc.across, xm.decimals)} across, ${number(disc.upwards, ym.decimals)} upwards: ${identifier}${others}. ` +
    shortened(words(references[0][0]).join(" "), 160);
}
