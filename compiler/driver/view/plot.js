// plot.js: measurements by size, as a plot and as a table. The plot is drawn here, as polylines on logarithmic axes: a
// plotting library would be several times as large as the rest of the page, and a dependency of the build.

const PLOT = {width: 640, height: 300, left: 52, right: 12, top: 10, bottom: 34};

const shown_colors = ['#3b7dd8', '#d9822b', '#3f9e6a', '#b055b0', '#c64b4b', '#8a7f2b', '#3aa0b0', '#7a6bd0'];

// What is drawn of a point, by the unit: microseconds, GB/s, or times the fastest.
function plot_value(f, c, all, p) {
  if (state.unit === 'gbs') return f.bytes[c.type] * p.n * (p.count || 1) / p.us / 1e3;
  if (state.unit === 'ratio') return p.us / all.at.get(p.n + 'x' + p.count).us;
  return p.us;
}

const units = {us: 'µs a call', gbs: 'GB/s', ratio: 'times the fastest'};

function scale(from, to, low, high) {
  const a = Math.log(from), b = Math.log(to) - a || 1;
  return value => low + (Math.log(value) - a) / b * (high - low);
}

// 1, 2, 5, 10, .. between two values, at most about ten.
function ticks(from, to) {
  const all = [];
  for (let e = Math.floor(Math.log10(from)); e <= Math.log10(to); e++)
    for (const m of [1, 2, 5]) {
      const t = Number((m * 10 ** e).toPrecision(6));
      if (t >= from && t <= to) all.push(t);
    }
  return all.length > 10 ? all.filter(t => /^[0.]*1/.test(String(t))) : all;
}

function plot_axes(box, sizes, values, x, y) {
  const {width, height, left, right, top, bottom} = PLOT;
  for (const t of ticks(values[0], values[1]))
    box.append(svg('path', {class: 'axis', d: `M${left} ${y(t)}H${width - right}`}),
               svg('text', {class: 'small', x: left - 6, y: y(t) + 4, 'text-anchor': 'end'}, String(t)));
  const from = Math.ceil(Math.log2(sizes[0]) - 1e-9), to = Math.floor(Math.log2(sizes[1]) + 1e-9);
  const step = Math.max(1, Math.ceil((to - from) / 12));
  for (let e = from; e <= to; e += step)
    box.append(svg('path', {class: 'axis', d: `M${x(2 ** e)} ${top}V${height - bottom}`}),
               svg('text', {class: 'small', x: x(2 ** e), y: height - bottom + 15, 'text-anchor': 'middle'}, '2',
                   svg('tspan', {dy: -4, style: 'font-size:9px'}, String(e))));
  box.append(svg('text', {class: 'small', x: (left + width - right) / 2, y: height - 3, 'text-anchor': 'middle'},
                 'elements' + (state.count ? ' of each, ' + size_text(Number(state.count)) + ' of them' : '')),
             svg('text', {class: 'small', x: 12, y: (top + height - bottom) / 2, 'text-anchor': 'middle',
                          transform: `rotate(-90 12 ${(top + height - bottom) / 2})`}, units[state.unit]));
}

// The lines: of all variants that are listed, in grey; of those in `colors', in their color; the fastest, dashed.
function draw_plot(f, c, all, count, colors) {
  const box = svg('svg', {viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, width: PLOT.width, height: PLOT.height,
                          style: 'max-width:100%;height:auto', role: 'img', 'aria-label': 'measurements by size'});
  const here = points => points.filter(p => p.count === count && p.n > 0);
  const best = here(all.fastest);
  const lines = [...all.of].map(([id, points]) => [id, here(points)]).filter(x => x[1].length);
  const every = lines.flatMap(x => x[1].map(p => plot_value(f, c, all, p)));
  const sizes = lines.flatMap(x => x[1].map(p => p.n));
  if (!every.length) return el('p', {class: 'soft'}, 'Nothing was measured here.');
  const range = [Math.min(...every), Math.max(...every)], span = [Math.min(...sizes), Math.max(...sizes)];
  if (state.unit === 'ratio') range[1] = Math.min(range[1], 10); // of what is slower, that it is
  if (range[0] === range[1]) range[1] *= 2;
  const x = scale(span[0], span[1], PLOT.left, PLOT.width - PLOT.right);
  const y = scale(range[0], range[1], PLOT.height - PLOT.bottom, PLOT.top);
  plot_axes(box, span, range, x, y);
  const path = points => points.sort((a, b) => a.n - b.n).map((p, i) => (i ? 'L' : 'M') + x(p.n).toFixed(1) + ' ' +
    y(Math.min(plot_value(f, c, all, p), range[1])).toFixed(1)).join('');
  lines.sort((a, b) => colors.has(a[0]) - colors.has(b[0]));
  for (const [id, points] of lines) {
    const color = colors.get(id);
    box.append(svg('path', {class: color ? 'curve' : 'other', style: color ? 'stroke:' + color : null, d: path(points),
                            onclick: () => set({v: id})}, svg('title', {}, id)));
    if (color) for (const p of points)
      box.append(svg('circle', {cx: x(p.n), cy: y(Math.min(plot_value(f, c, all, p), range[1])), r: 2.3, fill: color},
                     svg('title', {}, `${id}: ${size_text(p.n)}, ${time_text(p.us)}, ${p.configuration}`)));
  }
  box.append(svg('path', {class: 'fastest', d: path(best)}, svg('title', {}, 'the fastest at each size')));
  return box;
}

// Size by size: the variant that is looked at, the fastest one, the one that the dispatch selects.
function plot_table(f, c, all, count, v) {
  const own = new Map((v ? all.of.get(v.id) || [] : []).map(p => [p.n + 'x' + p.count, p]));
  const link = id => el('a', {onclick: () => set({v: id})}, el('code', {}, id));
  const rows = all.fastest.filter(p => p.count === count).map(p => {
    const mine = own.get(p.n + 'x' + p.count), row = selected(f, c.type, p.n, p.count, p.like);
    const chosen = row && (all.of.get(row.variant) || []).find(q => q.n === p.n && q.count === p.count);
    return el('tr', {class: v && p.variant === v.id ? 'chosen' : null}, el('td', {class: 'number'}, size_text(p.n)),
      v ? el('td', {class: 'number'}, mine ? time_text(mine.us) : '–') : null,
      v ? el('td', {class: 'number'}, mine ? (mine.us / p.us).toFixed(2) + '×' : '') : null,
      el('td', {class: 'number'}, time_text(p.us)), el('td', {}, link(p.variant)),
      el('td', {}, row ? link(row.variant) : '–'),
      el('td', {class: 'number'}, chosen ? (chosen.us / p.us).toFixed(2) + '×' : ''),
      el('td', {class: 'soft'}, p.configuration));
  });
  return el('div', {class: 'scroll'}, el('table', {id: 'winners'}, el('thead', {}, el('tr', {},
    el('th', {class: 'number'}, 'elements'), v ? el('th', {class: 'number'}, v.id) : null, v ? el('th', {}) : null,
    el('th', {class: 'number'}, 'fastest'), el('th', {}, 'variant'), el('th', {}, 'dispatch selects'), el('th', {}),
    el('th', {}, "the fastest one's configuration"))), el('tbody', {}, rows)));
}

function plot_controls(f, c, counts) {
  const devices = f.measured.devices.map((d, i) => [String(i), d.name + ', ' + d.toolkit]);
  const types = [...(state.type ? [] : [['', c.type]]), ...c.types.map(t => [t, t])];
  const shown = [['us', 'time'], ...(f.bytes[c.type] ? [['gbs', 'GB/s']] : []), ['ratio', 'times the fastest']];
  return el('span', {class: 'controls'},
    devices.length > 1 ? select('device', devices, 'device') : null,
    c.types.length > 1 ? select('type', types, 'element type') : c.type,
    c.modes.length > 1 ? select('mode', c.modes.map(x => [x === c.modes[0] ? '' : x, x]), 'how calls are made') : null,
    counts.length > 1 ? select('count', counts.map(x => [String(x), size_text(x) + ' of them']), 'parts') : null,
    select('unit', shown, 'unit'));
}

// The colors of the overview: the variants that are fastest most often.
function overview_colors(all, count) {
  const wins = new Map();
  for (const p of all.fastest.filter(x => x.count === count)) wins.set(p.variant, (wins.get(p.variant) || 0) + 1);
  const first = [...wins].sort((a, b) => b[1] - a[1]).slice(0, shown_colors.length).map(x => x[0]);
  return new Map(first.map((id, i) => [id, shown_colors[i]]));
}

// What was measured, of variant v or of all.
function draw_measured(f, v) {
  const c = measured_choice(f);
  if (!c) return not_measured(f);
  if (!c.type) return [el('p', {class: 'soft'}, 'Nothing was measured for ' + state.type + '.')];
  const all = measured(f, c.device, c.type, c.mode), counts = [...new Set(all.fastest.map(p => p.count))];
  const count = counts.includes(Number(state.count)) ? Number(state.count) : counts[counts.length - 1];
  if (state.unit === 'gbs' && !f.bytes[c.type]) state.unit = 'us';
  const colors = v ? new Map([[v.id, 'var(--accent)']]) : overview_colors(all, count), d = f.measured.devices[c.device];
  const few = new Set(all.fastest.filter(p => p.count === count).map(p => p.n)).size < 3; // the table says it all
  return [el('h3', {}, 'Measured', el('span', {class: 'soft', style: 'font-weight:normal'},
            [d.name, d.toolkit].filter(Boolean).join(', ')), plot_controls(f, c, counts)),
    el('div', {class: v || few ? null : 'columns'}, few ? null : el('div', {}, draw_plot(f, c, all, count, colors),
    el('div', {class: 'legend'}, [...colors].map(([id, color]) => el('span', {}, el('span', {class: 'swatch',
      style: 'background:' + color}), el('a', {onclick: () => set({v: id})}, el('code', {}, id)))),
      el('span', {}, '- - fastest at each size'), el('span', {}, 'grey: all others (click one)'))),
    plot_table(f, c, all, count, v)),
    f.measured.stale ? el('p', {class: 'soft'}, f.measured.stale + ' measurements are of variants whose text has ' +
      'changed since, and are not shown.') : null].flat();
}

function not_measured(f) {
  const heading = f.table && f.table.heading;
  return [el('h3', {}, 'Measured'), el('p', {class: 'note'}, 'Not measured here: run `tgc tune` on this folder.' +
          (heading ? ' The dispatch table below: ' + heading : ''))];
}
