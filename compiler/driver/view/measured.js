// measured.js: measurements by size: what can be chosen, the plot, the table.

const ratio_head = () => el('th', {class: 'number', title: 'its time relative to the fastest'}, 'ratio');

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
    el('th', {class: 'number'}, 'elements'), v ? el('th', {class: 'number'}, v.id) : null, v ? ratio_head() : null,
    el('th', {class: 'number'}, 'fastest'), el('th', {}, 'variant'), el('th', {}, 'dispatch selects'),
    ratio_head(),
    el('th', {}, 'configuration of the fastest'))), el('tbody', {}, rows)));
}

const usual_count = counts => counts[counts.length - 1];
const parts_text = count => size_text(count) + (count === 1 ? ' part' : ' parts');

function plot_controls(f, c, counts) {
  const devices = f.measured.devices.map((d, i) => [String(i), d.name + ', ' + d.toolkit]);
  const types = [...(state.type ? [] : [['', c.type]]), ...c.types.map(t => [t, t])];
  const shown = [['us', 'time'], ...(f.bytes[c.type] ? [['gbs', 'GB/s']] : []), ['ratio', 'times the fastest']];
  return el('span', {class: 'controls'},
    devices.length > 1 ? select('device', devices, 'device') : null,
    c.types.length > 1 ? select('type', types, 'element type') : c.type,
    c.modes.length > 1 ? select('mode', c.modes.map(x => [x === c.modes[0] ? '' : x, x]), 'how calls are made') : null,
    counts.length > 1 ? select('count', counts.map(x => [x === usual_count(counts) ? '' : String(x), parts_text(x)]),
                               'number of parts') : null,
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
  if (!counts.includes(Number(state.count)) || Number(state.count) === usual_count(counts)) state.count = '';
  const count = state.count ? Number(state.count) : usual_count(counts);
  if (state.unit === 'gbs' && !f.bytes[c.type]) state.unit = 'us';
  const colors = v ? new Map([[v.id, '--accent']]) : overview_colors(all, count), d = f.measured.devices[c.device];
  const few = new Set(all.fastest.filter(p => p.count === count).map(p => p.n)).size < 3; // the table says it all
  return [el('h3', {}, 'Measured', el('span', {class: 'soft', style: 'font-weight:normal'},
            [d.name, d.toolkit].filter(Boolean).join(', ')), plot_controls(f, c, counts)),
    el('div', {class: v || few ? null : 'columns'}, few ? null : draw_plot(f, c, all, count, colors),
    plot_table(f, c, all, count, v)),
    f.measured.stale ? el('p', {class: 'soft'}, f.measured.stale + ' measurements are of variants whose text has ' +
      'changed since, and are not shown.') : null].flat();
}

function not_measured(f) {
  const heading = f.table && f.table.heading;
  return [el('h3', {}, 'Measured'), el('p', {class: 'note'}, 'Not measured here: run `tgc tune` on this folder.' +
          (heading ? ' The dispatch table below: ' + heading : ''))];
}
