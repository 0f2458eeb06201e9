// plot.js: measurements by size as a plot, which Chart.js draws on a canvas. A tgc that was built without it writes no
// `Chart' into the page, and a note stands in the plot's place.

const shown_colors = ['#3b7dd8', '#d9822b', '#3f9e6a', '#b055b0', '#c64b4b', '#8a7f2b', '#3aa0b0', '#7a6bd0'];

const units = {us: 'time per call, µs', gbs: 'bandwidth, GB/s', ratio: 'time relative to the fastest'};
const RATIO_SHOWN = 10; // slower ones would leave no room for those that matter

// What is drawn of a point, by the unit.
function plot_value(f, c, all, p) {
  if (state.unit === 'gbs') return f.bytes[c.type] * p.n * (p.count || 1) / p.us / 1e3;
  if (state.unit === 'ratio') return p.us / all.at.get(p.n + 'x' + p.count).us;
  return p.us;
}

// ---- axes ----

// 1, 2, 5, 10, .. from the last that is no more than `from' to the first that is no less than `to'.
function decades(from, to) {
  const all = [];
  for (let e = Math.floor(Math.log10(from)); e <= Math.ceil(Math.log10(to)); e++)
    for (const m of [1, 2, 5]) all.push(Number((m * 10 ** e).toPrecision(3)));
  const first = all.filter(t => t <= from).length - 1, last = all.findIndex(t => t >= to);
  return all.slice(Math.max(first, 0), Math.max(last, first + 1) + 1);
}

// At most about `most' of them: powers of ten stay longest.
function thinned(all, most) {
  if (all.length <= most) return all;
  const tens = all.filter(t => /^[0.]*10*$/.test(String(t)) || /^1e/.test(String(t)));
  return tens.length >= 2 ? tens : all;
}

// Powers of two between the sizes, at most 13; of sizes without any, these themselves.
function size_ticks(sizes) {
  const from = Math.ceil(Math.log2(sizes[0])), to = Math.floor(Math.log2(sizes[sizes.length - 1]));
  const all = [];
  for (let e = from; e <= to; e += Math.max(1, Math.ceil((to - from) / 12))) all.push(2 ** e);
  return all.length > 1 ? all : sizes.length > 8 ? [sizes[0], sizes[sizes.length - 1]] : sizes;
}

const superscript = n => [...String(n)].map(d => d === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]).join('');
const size_label = n => Number.isInteger(Math.log2(n)) ? '2' + superscript(Math.log2(n)) : size_text(n);

function axis(title, values, labels, from, to) {
  const color = css('--soft'), small = {size: 12};
  return {type: 'logarithmic', min: from, max: to, title: {display: true, text: title, color, font: small},
          grid: {color: css('--line'), borderColor: css('--line')}, border: {color: css('--line')},
          ticks: {color, font: small, callback: labels, autoSkip: true, maxRotation: 0},
          afterBuildTicks: scale => { scale.ticks = values.map(value => ({value})); }};
}

// ---- lines ----

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// As much of a text as a line of the plot has room for.
const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;

const resolved = color => color.startsWith('--') ? css(color) : color;

// Lines later in the array lie below: the fastest at each size, those with a color, all others in grey.
function datasets(f, c, all, here, colors) {
  const points = of => here(of).sort((a, b) => a.n - b.n).map(p => ({x: p.n, y: plot_value(f, c, all, p), p}));
  const clip = {left: 6, right: 6, bottom: 6, top: state.unit === 'ratio' ? 0 : 6}; // points at the plot's edges
  const line = {clip, borderJoinStyle: 'round', tension: 0, pointHitRadius: 6, hoverBorderWidth: 3};
  const fastest = {...line, label: 'fastest at each size', data: points(all.fastest), kind: 'fastest',
                   borderColor: css('--ink'), backgroundColor: css('--ink'), borderDash: [5, 4], borderWidth: 1.5,
                   pointRadius: 0, hoverBorderColor: css('--ink')};
  const others = [], colored = [], thin = all.of.size > 100 ? .5 : 1;
  for (const [id, of] of all.of) {
    const data = points(of), color = colors.get(id) && resolved(colors.get(id));
    if (!data.length) continue;
    if (color)
      colored.push({...line, label: cut(id, 40), id, data, kind: 'colored', borderColor: color, backgroundColor: color,
                    borderWidth: 2, pointRadius: 2.5, pointHoverRadius: 4, hoverBorderColor: color});
    else
      others.push({...line, label: cut(id, 40), id, data, kind: 'other', borderColor: css('--faint'), borderWidth: thin,
                   backgroundColor: css('--faint'), pointRadius: 0, pointHoverRadius: 3,
                   hoverBorderColor: css('--ink')});
  }
  return [fastest, ...colored, ...others];
}

// ---- what is said of a point, and of a line ----

// "threads=256 loads=4 .." in lines of at most 60 characters.
function wrapped(text) {
  const lines = [''];
  for (const word of cut(text, 300).split(' ')) {
    if (lines[lines.length - 1].length + word.length > 60) lines.push('');
    lines[lines.length - 1] += (lines[lines.length - 1] ? ' ' : '') + cut(word, 60);
  }
  return lines.filter(Boolean);
}

function tooltip(f, c, all) {
  const value = p => state.unit === 'gbs' ? plot_value(f, c, all, p).toPrecision(3) + ' GB/s, ' : '';
  const ratio = p => (p.us / all.at.get(p.n + 'x' + p.count).us).toFixed(2) + '× the fastest';
  return {mode: 'nearest', intersect: false, displayColors: false, borderColor: css('--soft'), borderWidth: 1,
          bodyFont: {size: 11}, titleFont: {size: 11},
          callbacks: {
            title: items => items.length ? cut(items[0].raw.p.variant, 60) : '',
            label: item => [size_text(item.raw.p.n) + ' elements: ' + value(item.raw.p) + time_text(item.raw.p.us) +
                            ', ' + ratio(item.raw.p), ...wrapped(item.raw.p.configuration)]},
          filter: (item, i) => i === 0};
}

// The library's legend: one entry for all of the grey lines.
function legend() {
  const entries = chart => {
    const all = chart.data.datasets.map((d, i) => ({d, i})), other = all.find(x => x.d.kind === 'other');
    return all.filter(x => x.d.kind !== 'other' || x === other).map(({d, i}) => ({
      text: text(d), datasetIndex: i, strokeStyle: color(d), fillStyle: color(d), pointStyle: 'line',
      lineWidth: Math.max(1, d.borderWidth), lineDash: d.borderDash, fontColor: css('--soft')}));
  };
  const color = d => d.kind === 'other' ? css('--soft') : d.borderColor; // one of them alone would be too pale
  const text = d => d.kind === 'other' ? 'other variants (point at one, click to open it)' : d.label;
  const chosen = d => d.kind === 'other' ? null : d; // that entry stands for many
  const point_at = (chart, item) => {
    const data = item ? chart.data.datasets[item.datasetIndex].data : [];
    chart.setActiveElements(data.map((_, index) => ({datasetIndex: item.datasetIndex, index})));
    chart.update('none');
  };
  return {position: 'bottom', labels: {usePointStyle: true, boxWidth: 24, font: {size: 11}, generateLabels: entries},
          onClick: (e, item, l) => open_variant(chosen(l.chart.data.datasets[item.datasetIndex])),
          onHover: (e, item, l) => point_at(l.chart, item), onLeave: (e, item, l) => point_at(l.chart, null)};
}

// Later: opening destroys the chart, which still handles the click.
function open_variant(d) {
  if (d && d.kind !== 'fastest' && d.id !== state.v) setTimeout(() => set({v: d.id}), 0);
}

// ---- the plot ----

let plot = null; // {canvas, options, chart}: `options' makes them anew, in the colors of the theme

function draw_plot(f, c, all, count, colors) {
  const here = points => points.filter(p => p.count === count && p.n > 0);
  const points = [...all.of.values()].flatMap(here), sizes = [...new Set(points.map(p => p.n))].sort((a, b) => a - b);
  if (typeof Chart === 'undefined')
    return el('p', {class: 'note', id: 'no-plot'}, 'No plot: the tgc that wrote this page was built without the ' +
              'plotting library Chart.js (libjs-chart.js on Debian and Ubuntu). The tables have the measurements.');
  const values = points.map(p => plot_value(f, c, all, p)).reduce(([low, high], v) =>
    [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  const ratio = state.unit === 'ratio', high = ratio ? Math.min(values[1], RATIO_SHOWN) : values[1];
  const y = decades(values[0], high), shown = ratio && values[1] > RATIO_SHOWN ? ', up to ' + RATIO_SHOWN + '×' : '';
  const options = () => ({
    type: 'line', data: {datasets: datasets(f, c, all, here, colors)},
    options: {
      animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
      hover: {mode: 'dataset', intersect: false},
      scales: {
        x: axis(count ? 'elements per part, ' + parts_text(count) : 'elements', size_ticks(sizes), size_label,
                sizes[0], sizes[sizes.length - 1]),
        y: axis(units[state.unit] + shown, thinned(y, 10), t => String(t), y[0], y[y.length - 1])},
      plugins: {legend: legend(), tooltip: tooltip(f, c, all)},
      onClick: (e, active, chart) => active.length && open_variant(chart.data.datasets[active[0].datasetIndex])}});
  const canvas = el('canvas', {role: 'img', 'aria-label': `measurements by size: ${units[state.unit]}, ` +
                                                          `${variants_text(all.of.size)}, ${sizes.length} sizes`});
  plot = {canvas, options, chart: null};
  return el('div', {class: 'plot'}, canvas);
}

// Once the canvas is in the page, which gives it its size; again when the theme changes.
function start_plot() {
  if (!plot || typeof Chart === 'undefined') return;
  if (plot.chart) plot.chart.destroy();
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  plot.chart = new Chart(plot.canvas, plot.options());
}

function drop_plot() {
  if (plot && plot.chart) plot.chart.destroy();
  plot = null;
}
