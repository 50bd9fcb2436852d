// The head of the report, the table of scores, and the comparisons.

function showHead() {
  byId("title").textContent = head.title;
  const systems = head.systems.length === 1 ? "System " + head.systems[0] : head.systems.length + " systems: " + head.systems.join(", ");
  byId("summary").textContent = systems + ". " + plural(head.sentences, "sentence") + ". " + head.date + ".";
  const pairs = head.settings.flatMap(([key, value]) => [element("dt", {}, key.replaceAll("_", " ")), element("dd", {}, value)]);
  if (head.command) pairs.push(element("dt", {}, "command"), element("dd", {}, element("code", {}, head.command)));
  fill("settings-list", ...pairs);
  byId("settings").hidden = pairs.length === 0;
  byId("settings").open = pairs.length <= 24;
  fill("signature-list", ...head.metrics.flatMap((metric, m) => signature(metric, m)));
}

function signature(metric, m) {
  const known = head.corpus.map((system) => system[m]?.signature).filter((text) => text !== undefined);
  const same = known.every((text) => text === known[0]);
  const lines = same ? known.slice(0, 1) : head.systems.map((name, s) => name + ": " + head.corpus[s][m]?.signature);
  return [element("dt", {}, metric.title), element("dd", {}, ...lines.map((text) => element("div", {}, element("code", {}, text))))];
}

function showScores() {
  const emphasis = head.systems.length < 2 ? "" : head.comparisons.length
    ? " A bold, underlined score is better than that of every other system, significantly so (both corrected p < " + head.level +
      "); a dotted line marks a best score for which that is not shown."
    : " The best score is bold and underlined; whether it is better by more than chance has not been tested.";
  const hasIntervals = head.corpus.flat().some((score) => score?.meanInterval || score?.pooledInterval);
  byId("scores-caption").textContent = "Mean: of the sentences’ scores. Pooled: one score of the summed statistics. " +
    (hasIntervals ? "In brackets the 95% interval, by bootstrap. " : "") + "The aggregate by which a metric is usually reported stands in the colour of the text, the other in grey." + emphasis;
  const first = element("tr", {},
    element("th", { class: "name", rowspan: 2, scope: "col" }, "Metric"),
    element("th", { class: "name", rowspan: 2, scope: "col" }, "Reported"),
    ...head.systems.map((name) => element("th", { class: "system group", colspan: 2, scope: "colgroup" }, name)));
  const second = element("tr", {}, ...head.systems.flatMap(() => [
    element("th", { class: "group", scope: "col" }, "mean"), element("th", { scope: "col" }, "pooled")]));
  fill("score-table", element("thead", {}, first, second), element("tbody", {}, ...head.metrics.map(scoreRow)));
}

function scoreRow(metric, m) {
  const cells = head.systems.flatMap((_, s) => ["mean", "pooled"].map((aggregate) => scoreCell(metric, m, s, aggregate)));
  const direction = metric.higher ? "↑ higher is better" : "↓ lower is better";
  return element("tr", {},
    element("th", { class: "name", scope: "row" }, metric.title, element("small", {}, direction)),
    element("td", { class: "name" }, metric.headline, element("small", {}, metric.scale)), ...cells);
}

function scoreCell(metric, m, s, aggregate) {
  const score = head.corpus[s][m];
  const isHeadline = metric.headline === aggregate;
  const best = head.best[m];
  const names = [aggregate === "mean" ? "group" : "", isHeadline ? "headline" : "aside"];
  if (isHeadline && best !== null && best.system === s) names.push(best.significant === false ? "leading" : "best");
  if (score === null) return element("td", { class: names.join(" ") }, "–");
  const between = interval(score[aggregate + "Interval"], metric.decimals);
  return element("td", { class: names.join(" ").trim() },
    element("b", {}, number(score[aggregate], metric.decimals)),
    between ? element("small", {}, between) : null,
    isHeadline && score.missing ? element("small", {}, whole(score.missing) + " undefined") : null);
}

function showComparisons() {
  if (head.comparisons.length === 0) return;
  byId("comparisons").hidden = byId("comparisons-link").hidden = false;
  byId("comparisons-caption").textContent = "The score of the first system less that of the second, with its 95% interval by paired bootstrap; " +
    "p by paired bootstrap and by approximate randomisation, both corrected for the number of pairs (Holm).";
  const names = [...new Set(head.comparisons.map((c) => c.metric))];
  const title = (name) => head.metrics.find((metric) => metric.name === name)?.title ?? name;
  const select = byId("comparison-metric");
  options("comparison-metric", ["all", ...names.map(title)], head.comparisons.length > 16 ? 1 : 0, ["", ...names]);
  const show = () => {
    const rows = head.comparisons.filter((c) => !select.value || c.metric === select.value).map((c) => comparisonRow(c, title(c.metric)));
    const header = ["Metric", "Aggregate", "First", "Second", "Difference", "p, bootstrap", "p, randomisation", "Verdict"];
    fill("comparison-table",
      element("thead", {}, element("tr", {}, ...header.map((name, i) => element("th", { scope: "col", class: i < 4 || i > 6 ? "name" : "" }, name)))),
      element("tbody", {}, ...rows));
  };
  select.addEventListener("change", show);
  show();
}

function comparisonRow(c, title) {
  const metric = head.metrics.find((candidate) => candidate.name === c.metric) ?? { decimals: 4, higher: true };
  const isSignificant = c.p.every((p) => p !== null && p < head.level);
  const better = c.difference > 0 === metric.higher ? c.first : c.second;
  const probability = (p) => (p !== null && p < 0.001 ? "< 0.001" : number(p, 3));
  return element("tr", {},
    element("th", { class: "name", scope: "row" }, title), element("td", { class: "name aside" }, c.aggregate),
    element("td", { class: "name" }, c.first), element("td", { class: "name" }, c.second),
    element("td", {}, element("b", {}, number(c.difference, metric.decimals)), element("small", {}, interval(c.interval, metric.decimals))),
    ...c.p.map((p) => element("td", {}, probability(p))),
    element("td", { class: "name" }, isSignificant ? better + " is better" : "no difference shown"));
}
