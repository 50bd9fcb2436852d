// The data of the report, decoded as late as possible, and the making of elements. All text becomes text nodes.

window.addEventListener("error", (event) => {
  document.documentElement.dataset.error = event.message;
  const failure = document.getElementById("failure");
  failure.hidden = false;
  failure.textContent = "Something in this report could not be shown: " + event.message;
});

const byId = (id) => document.getElementById(id);
const decoded = (id) => JSON.parse(byId(id).textContent);
const head = decoded("head");
const SVG = "http://www.w3.org/2000/svg";

// By column, when that part of the file has been read: {scores, counts, treeCounts}, by system.
let columns = null;

function readColumns() {
  columns = decoded("columns");
  columns.made = new Map();
}

const scale = (m) => 10 ** head.metrics[m].decimals;

// The scores of all sentences, NaN where there is none.
function scoreColumn(s, m) {
  const key = s * head.metrics.length + m;
  if (!columns.made.has(key)) {
    const by = scale(m);
    columns.made.set(key, Float64Array.from(columns.scores[s][m], (value) => (value === null ? NaN : value / by)));
  }
  return columns.made.get(key);
}

function scoreOf(s, m, i) {
  const value = columns.scores[s][m][i];
  return value === null ? null : value / scale(m);
}

const chunks = [];

function sentence(i) {
  const number = Math.floor(i / head.chunk);
  chunks[number] ??= decoded("sentences-" + number);
  const [identifier, count, references, systems] = chunks[number][i % head.chunk];
  return { identifier, count, references, systems };
}

// Tokens are written with a space between them, or as a list where a token has a space itself.
const words = (tokens) => (typeof tokens === "string" ? tokens.split(" ") : tokens);

function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [type, listener] of Object.entries(value)) made.addEventListener(type, listener);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const fill = (id, ...children) => byId(id).replaceChildren(...children);

function number(value, decimals) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

const whole = (value) => value.toLocaleString("en-GB");
const plural = (count, one, many) => whole(count) + " " + (count === 1 ? one : many ?? one + "s");
const interval = (pair, decimals) => (pair ? "[" + number(pair[0], decimals) + ", " + number(pair[1], decimals) + "]" : "");
const systemClass = (system) => "system-" + (system % 6);

function options(id, names, chosen, values) {
  fill(id, ...names.map((name, i) => element("option", { value: values ? values[i] : i, selected: i === chosen }, name)));
}

function metricOptions(id, chosen) {
  options(id, head.metrics.map((metric) => metric.title), chosen);
}

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

function textWidth(text, font) {
  const key = font + "\n" + text;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    pen.font = font;
    widths.set(key, (width = pen.measureText(text).width));
  }
  return width;
}

const style = getComputedStyle(document.documentElement);
const WORD_FONT = "16px " + style.getPropertyValue("--text");
const LABEL_FONT = "10.5px " + style.getPropertyValue("--interface");
