'use strict';
// model.js: the facts of the page, what follows from them, and what is looked at.
//
// Nothing here is trusted to be harmless text: everything is put into the page as text nodes and attributes, never as
// markup.

const facts = JSON.parse(document.getElementById('facts').textContent);

const SVG = 'http://www.w3.org/2000/svg';

// An element with attributes and children: strings become text. `on..' is a listener, an array is spread.
function make(namespace, tag, attributes, kids) {
  const e = namespace ? document.createElementNS(namespace, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value);
  }
  for (const kid of kids.flat(2)) if (kid !== null && kid !== undefined) e.append(kid);
  return e;
}
const el = (tag, attributes, ...kids) => make(null, tag, attributes, kids);
const svg = (tag, attributes, ...kids) => make(SVG, tag, attributes, kids);

// ---- what is looked at: the page's fragment, #v=53feb26c&level=warp ----

const usual = {f: '0', v: '', q: '', level: '', det: '', batch: '', type: '', cat: '', used: '', sort: 'order',
               device: '0', mode: '', count: '', unit: 'us', remarks: '', at: '', theme: ''};
const state = Object.assign({}, usual);

function read_fragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(usual)) state[key] = given.has(key) ? given.get(key) : usual[key];
  if (!facts.folders[state.f]) state.f = '0';
}

function write_fragment() {
  const to = new URLSearchParams();
  for (const key of Object.keys(usual)) if (state[key] !== usual[key]) to.set(key, state[key]);
  const fragment = to.toString();
  history.replaceState(null, '', fragment ? '#' + fragment : location.pathname + location.search);
}

// ---- folders and variants ----

const folder = () => facts.folders[state.f];
const pooled = (v, key) => Array.isArray(v[key]) ? v[key].map(n => facts.pool[n]) : facts.pool[v[key]];

// The paragraphs of a variant's text or nest, each an array of lines, with the number of its first line.
function paragraphs_of(v, key) {
  const own = {'\x01': v.id, '\x02': v.id.toUpperCase(), '\x03': v.plan};
  let line = 1;
  return v[key].map(n => {
    const lines = facts.paragraphs[n].map(k => facts.lines[k].replace(/[\x01-\x03]/g, c => own[c])), first = line;
    line += lines.length + 1;
    return {first, lines};
  });
}

const levels_cache = new Map();
// All levels that some variant uses, top first.
function levels_of(f) {
  if (!levels_cache.has(f)) {
    const found = new Map();
    for (const v of f.variants) pooled(v, 'levels').forEach((l, i) => found.set(l, Math.max(found.get(l) || 0, i)));
    levels_cache.set(f, [...found.entries()].sort((a, b) => a[1] - b[1]).map(x => x[0]));
  }
  return levels_cache.get(f);
}

// The dispatch's rows that select it, of the type that is looked at.
const rows_of = (f, v) => f.dispatch.filter(r => r.variant === v.id && (!state.type || r.type === state.type));

// The variant that the dispatch selects for so many elements, of `count' parts, of a call that is `like' [] this.
function selected(f, type, n, count, like) {
  return f.dispatch.find(r => r.type === type && (r.up_to === null || n <= r.up_to) &&
                              (!r.count || count <= r.count) && (r.when || []).every(x => (like || []).includes(x)));
}

// "2508 × 16, aligned": what a row has room for, and what it asks of a call.
const row_text = r => [size_text(r.up_to) + (r.count ? ' × ' + size_text(r.count) : ''), ...(r.when || [])].join(', ');

// "threads 256, loads 4": what a row sets.
function configuration_of(f, row) {
  return f.configuration.filter(name => row[name]).map(name => name + ' ' + row[name]).join(', ');
}

// ---- numbers ----

// 1024: "2^10"; 10,273,904: "10.3M"
function size_text(n) {
  if (n === null || n === undefined) return '∞';
  const log = Math.log2(n);
  if (n >= 64 && Number.isInteger(log)) return '2^' + log;
  for (const [unit, of] of [['G', 1e9], ['M', 1e6], ['K', 1e3]])
    if (n >= of * 10 || (n >= of && of > 1e3)) return Number((n / of).toPrecision(3)) + unit;
  return String(n);
}

const variants_text = n => n + (n === 1 ? ' variant' : ' variants');

function time_text(us) {
  if (us < 1) return (us * 1e3).toPrecision(3) + ' ns';
  return us < 1000 ? us.toPrecision(3) + ' µs' : (us / 1e3).toPrecision(us < 1e5 ? 3 : 4) + ' ms';
}

// ---- measurements ----

// Of one device, type and mode: variants' points by size, and the fastest at each size.
const series_cache = new Map();
function measured(f, device, type, mode) {
  const key = [state.f, device, type, mode].join();
  if (series_cache.has(key)) return series_cache.get(key);
  const of = new Map(), fastest = new Map();
  for (const s of f.measured.series) {
    if (s.device !== device || s.type !== type || s.mode !== mode) continue;
    const points = s.points.map(([n, count, us, low, high, configuration, precise]) => ({n, count, us, low, high,
      configuration: f.measured.configurations[configuration], precise, variant: s.variant}));
    of.set(s.variant, points);
    for (const p of points) {
      const at = p.n + 'x' + p.count, best = fastest.get(at);
      if (!best || p.us < best.us) fastest.set(at, p);
    }
  }
  const all = {of, fastest: [...fastest.values()].sort((a, b) => a.count - b.count || a.n - b.n), at: fastest};
  series_cache.set(key, all);
  return all;
}

// What can be chosen, and what is: the type that is looked at, else the first that was measured.
function measured_choice(f) {
  const m = f.measured;
  if (!m || !m.series.length) return null;
  const device = Math.min(Number(state.device) || 0, m.devices.length - 1);
  const here = m.series.filter(s => s.device === device);
  const types = [...new Set(here.map(s => s.type))];
  const type = types.includes(state.type) ? state.type : state.type ? null : types[0];
  const modes = [...new Set(here.map(s => s.mode))];
  const mode = modes.includes(state.mode) ? state.mode : modes[0];
  return {device, types, type, modes, mode};
}

// How many times as long as the fastest a variant takes, the geometric mean over the sizes that it was measured at.
function mean_ratio(f, v) {
  const c = measured_choice(f), all = c && c.type && measured(f, c.device, c.type, c.mode);
  const points = all && all.of.get(v.id);
  if (!points) return Infinity;
  const logs = points.map(p => Math.log(p.us / all.at.get(p.n + 'x' + p.count).us));
  return Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length);
}
