// main.js: the whole page, and what changes it.

function draw_top() {
  const f = folder();
  const tabs = facts.folders.length < 2 ? null : el('span', {class: 'tabs'}, facts.folders.map((x, i) => el('button',
    {'aria-pressed': String(String(i) === state.f),
     onclick: () => set({f: String(i), v: '', cat: '', level: '', type: ''})}, x.path || x.machine)));
  document.getElementById('top').replaceChildren(el('h1', {}, f.spectrum), tabs || '',
    el('span', {}, variants_text(f.variants.length) + ' for ', el('b', {}, f.machine)),
    el('span', {class: 'soft'}, 'from ' + f.source + '; ' + f.types.join(', ')),
    el('span', {class: 'gap'}), el('button', {onclick: () => set({v: ''}), title: 'Esc'}, 'overview'),
    el('button', {onclick: toggle_theme, title: 't', id: 'theme'}, 'light / dark'),
    el('span', {class: 'soft'}, 'tgc ' + facts.version));
  document.title = f.spectrum + ', ' + f.machine + (state.v ? ', ' + state.v : '') + ' - tgc view';
}

function dispatch_row(f, by_id, row, note) {
  const v = by_id.get(row.variant);
  return el('tr', {}, el('td', {}, row.type), el('td', {class: 'number'}, row_text(row)),
    el('td', {}, el('a', {onclick: () => set({v: row.variant})}, el('code', {}, row.variant))),
    el('td', {}, configuration_of(f, row)),
    el('td', {class: 'soft'}, v ? pooled(v, 'determinism') : 'not in this folder'),
    el('td', {class: 'soft'}, note && !(v && note === v.plan) ? note : ''),
    el('td', {class: 'soft mono'}, v ? v.plan : ''));
}

function draw_dispatch(f) {
  const by_id = new Map(f.variants.map(v => [v.id, v]));
  const rows = f.dispatch.map((r, i) => [r, f.table && f.table.notes[i]])
    .filter(([r]) => !state.type || r.type === state.type);
  return [el('h3', {}, 'Dispatch', el('span', {class: 'soft', style: 'font-weight:normal'},
            f.table && f.table.heading || 'which variant serves which size')),
    el('div', {class: 'scroll', style: 'max-height:none'}, el('table', {}, el('thead', {}, el('tr', {},
      ['type', 'up to', 'variant', 'configuration', 'determinism', '', 'plan'].map(h => el('th', {}, h)))),
      el('tbody', {}, rows.map(([r, note]) => dispatch_row(f, by_id, r, note)))))];
}

// Remarks that are about no codelet's line: plans that were left out.
function draw_left_out(f) {
  const all = (f.remarks || []).filter(r => r.pass === 'plan');
  return all.length ? el('details', {}, el('summary', {}, all.length + ' plans were left out'),
                         table(['reason'], all.map(r => [r.message]))) : null;
}

function draw_main() {
  const f = folder(), v = f.variants.find(x => x.id === state.v), main = document.getElementById('main');
  drop_plot();
  const parts = v ? draw_variant(f, v) : [el('h2', {}, f.spectrum + ' for ' + f.machine),
    el('div', {class: 'why'}, 'Choose a variant on the left to see its plan, its kernels beside the codelets, and ' +
       'its measurements. Keys: j and k move through the list, / searches, Esc returns here.'),
    ...draw_measured(f, null), ...draw_dispatch(f), draw_left_out(f)];
  main.replaceChildren(...parts.flat().filter(Boolean));
  start_plot();
  scroll_to_kept();
}

// ---- changes ----

function dark_by_system() { return matchMedia('(prefers-color-scheme: dark)').matches; }

// Paper is white: a page is printed in the light theme.
let printing = false;

function apply_theme() {
  const root = document.documentElement, chosen = state.theme || (dark_by_system() ? 'dark' : 'light');
  const theme = printing ? 'light' : chosen;
  if (root.dataset.theme === theme) return;
  root.dataset.theme = theme;
  start_plot();
}

function print_theme(on) {
  printing = on;
  apply_theme();
  if (plot && plot.chart) on ? plot.chart.resize(640, 320) : plot.chart.resize();
}

function toggle_theme() {
  set({theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'}, 'none');
}

// Changes what is looked at; `what': all, the list alone, or none of it is drawn anew.
function set(changes, what) {
  const moved = 'v' in changes && changes.v !== state.v, typed = what === 'list';
  if (moved) state.at = '';
  Object.assign(state, changes);
  write_fragment();
  apply_theme();
  if (what === 'none') return;
  if (!typed && !(moved && Object.keys(changes).length === 1)) draw_filters();
  if (moved && Object.keys(changes).length === 1) mark_chosen();
  else draw_list();
  if (typed) return;
  draw_top();
  draw_main();
  if (moved) document.getElementById('main').scrollTop = 0;
}

function mark_chosen() {
  for (const x of document.querySelectorAll('.item')) {
    const is = x.dataset.id === state.v;
    x.setAttribute('aria-current', String(is));
    if (is) x.scrollIntoView({block: 'nearest'});
  }
}

function step(by) {
  const ids = [...document.querySelectorAll('.item')].map(x => x.dataset.id), at = ids.indexOf(state.v);
  const next = ids[Math.max(0, Math.min(ids.length - 1, at < 0 ? 0 : at + by))];
  if (next) set({v: next});
}

document.addEventListener('keydown', e => {
  const typing = e.target.closest && e.target.closest('input, select');
  if (e.key === 'Escape') {
    if (typing) e.target.blur();
    else set({v: ''});
  }
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'j') step(1);
  if (e.key === 'k') step(-1);
  if (e.key === 't') toggle_theme();
  if (e.key === '/') {
    e.preventDefault();
    document.getElementById('q').focus();
  }
});

function draw_all() {
  read_fragment();
  apply_theme();
  draw_filters();
  draw_list();
  draw_top();
  draw_main();
}

window.addEventListener('hashchange', draw_all);
window.addEventListener('beforeprint', () => print_theme(true));
window.addEventListener('afterprint', () => print_theme(false));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply_theme);
draw_all();
