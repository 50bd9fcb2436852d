// Histograms of the sentences' scores: one panel a system, all on the same axes.

const BINS = 40;

function ticks(low, high, wanted) {
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const result = [];
  for (let value = Math.ceil(low / step - 1e-9); value * step <= high + step * 1e-6; value += 1) result.push(value * step + 0);
  return { values: result, decimals };
}

// The range of some columns of scores, up to the perfect score where there is one; null if nothing is defined.
function extent(list, metric) {
  let low = Infinity;
  let high = -Infinity;
  for (const scores of list) {
    for (const score of scores) {
      if (score < low) low = score;
      if (score > high) high = score;
    }
  }
  if (low > high) return null;
  if (metric.perfect !== null) metric.higher ? (high = Math.max(high, metric.perfect)) : (low = Math.min(low, metric.perfect));
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  return sorted[below] + (place - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

function showHistogram() {
  const m = Number(byId("histogram-metric").value);
  const metric = head.metrics[m];
  const lists = head.systems.map((_, s) => scoreColumn(s, m));
  const range = extent(lists, metric);
  if (range === null) {
    fill("histogram", element("p", {}, "No sentence has this score."));
    byId("histogram-caption").textContent = "";
    return;
  }
  const [low, high] = range;
  const bins = lists.map((scores) => {
    const counts = new Array(BINS).fill(0);
    for (const score of scores) {
      if (!Number.isNaN(score)) counts[Math.min(BINS - 1, Math.floor(((score - low) / (high - low)) * BINS))] += 1;
    }
    return counts;
  });
  const most = Math.max(1, ...bins.flat());
  const width = Math.min(byId("histogram").clientWidth, 900);
  fill("histogram", ...bins.map((counts, s) => panel(counts, s, { metric, low, high, most, width, scores: lists[s], isLast: s === bins.length - 1 })));
  byId("histogram-caption").textContent = plural(BINS, "bin") + " of equal width from " + number(low, metric.decimals) + " to " +
    number(high, metric.decimals) + "; the broken line is the mean. All panels have the same scales." +
    (byId("histogram-scale").value === "root" ? " Heights are square roots of counts, so that small counts can be seen beside large ones." : "");
}

function panel(counts, s, { metric, low, high, most, width, scores, isLast }) {
  const left = 44;
  const top = 22;
  const height = 84;
  const across = width - left - 10;
  const x = (score) => left + ((score - low) / (high - low)) * across;
  const isRoot = byId("histogram-scale").value === "root";
  const y = (count) => top + height * (1 - (isRoot ? Math.sqrt(count / most) : count / most));
  const sorted = Array.from(scores).filter((score) => !Number.isNaN(score)).sort((a, b) => a - b);
  const mean = sorted.reduce((sum, score) => sum + score, 0) / sorted.length;
  const shown = (value) => number(value, Math.min(metric.decimals, 3));
  const facts = sorted.length === 0 ? "no score" : "mean " + shown(mean) + ", median " + shown(quantile(sorted, 0.5)) + ", quartiles " +
    shown(quantile(sorted, 0.25)) + " and " + shown(quantile(sorted, 0.75)) +
    (metric.perfect === null ? "" : ", perfect " + whole(sorted.filter((score) => score === metric.perfect).length)) +
    (sorted.length < scores.length ? ", undefined " + whole(scores.length - sorted.length) : "");
  const bars = counts.map((count, bin) => {
    const from = low + ((high - low) * bin) / BINS;
    const label = number(from, metric.decimals) + " to " + number(from + (high - low) / BINS, metric.decimals) + ": " + plural(count, "sentence");
    return drawn("rect", { class: "bar", x: x(from) + 0.5, y: y(count), width: Math.max(1, across / BINS - 1), height: Math.max(0, top + height - y(count)) }, drawn("title", {}, label));
  });
  const steps = ticks(0, most, 2).values;
  if (isRoot && steps[1] >= 50) steps.push(steps[1] / 10);
  const rules = steps.flatMap((count) => [
    drawn("line", { class: "grid", x1: left, x2: width - 10, y1: y(count), y2: y(count) }),
    drawn("text", { class: "quiet", x: left - 6, y: y(count) + 4, "text-anchor": "end" }, whole(count))]);
  const below = ticks(low, high, width < 500 ? 4 : 8);
  const scale = isLast ? below.values.map((value) => drawn("text", { class: "quiet", x: x(value), y: top + height + 17, "text-anchor": "middle" }, number(value, below.decimals))) : [];
  const marks = below.values.map((value) => drawn("line", { x1: x(value), x2: x(value), y1: top + height, y2: top + height + 4 }));
  const name = head.systems[s];
  const narrow = width < 620;
  const bottom = top + height + (isLast ? 24 : 10);
  const svg = drawn("svg", { class: systemClass(s), width, height: bottom, viewBox: "0 0 " + width + " " + bottom, role: "img",
    "aria-label": name + ": " + facts }, ...rules, ...bars,
    drawn("g", { class: "axis" }, drawn("line", { x1: left, x2: width - 10, y1: top + height, y2: top + height }), ...marks), ...scale,
    sorted.length ? drawn("line", { class: "mean", x1: x(mean), x2: x(mean), y1: top, y2: top + height }) : null);
  return element("figure", { class: systemClass(s) + " panel" },
    element("figcaption", {}, element("b", {}, name), narrow ? element("br") : "  ", element("span", {}, facts)), svg);
}
