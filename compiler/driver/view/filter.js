// filter.js: which variants are listed, and the list.

const determinisms = ['not_guaranteed', 'run_to_run', 'gpu_to_gpu', 'sequential'];

// All that a text is looked for in.
const haystacks = new Map();
function haystack(v) {
  if (!haystacks.has(v)) {
    const choices = pooled(v, 'choices').map(c => [c.level, c.codelet, c.what, c.choice].join(' '));
    const atomics = pooled(v, 'atomics').map(a => ['atomic', a.op, a.scope, a.space].join(' '));
    haystacks.set(v, [v.id, v.plan, v.letter, pooled(v, 'category'), pooled(v, 'determinism'),
                      pooled(v, 'launches').map(l => l.name).join(' '), pooled(v, 'tree').join(' '), ...choices,
                      ...atomics].join('\n').toLowerCase());
  }
  return haystacks.get(v);
}

// Levels as asked for: "warp,-cluster".
function levels_asked() {
  const all = new Map();
  for (const word of state.level.split(',').filter(Boolean))
    if (word.startsWith('-')) all.set(word.slice(1), 'without');
    else all.set(word, 'with');
  return all;
}

function matches(f, v) {
  const has = pooled(v, 'levels');
  for (const [level, how] of levels_asked()) if (has.includes(level) !== (how === 'with')) return false;
  const exact = state.type && f.exact && f.exact.includes(state.type); // the same bits in any order
  const promised = determinisms.indexOf(pooled(v, 'determinism'));
  if (state.det && !exact && promised < determinisms.indexOf(state.det)) return false;
  if (state.batch && !v.batch_invariant) return false;
  if (state.cat && pooled(v, 'category') !== state.cat) return false;
  if (state.used && !rows_of(f, v).length) return false;
  return state.q.toLowerCase().split(/\s+/).every(word => haystack(v).includes(word));
}

function listed(f) {
  const all = f.variants.filter(v => matches(f, v));
  if (state.sort === 'used') return all.sort((a, b) => rows_of(f, b).length - rows_of(f, a).length);
  if (state.sort === 'time') {
    const ratio = new Map(all.map(v => [v, mean_ratio(f, v)]));
    return all.sort((a, b) => ratio.get(a) === ratio.get(b) ? 0 : ratio.get(a) - ratio.get(b));
  }
  return all;
}

// ---- controls ----

function select(key, choices, title) {
  return el('select', {title, 'aria-label': title, onchange: e => set({[key]: e.target.value})},
            choices.map(([value, text]) => {
              const o = el('option', {value}, text);
              o.selected = state[key] === value;
              return o;
            }));
}

function checkbox(key, text, title) {
  const box = el('input', {type: 'checkbox', onchange: e => set({[key]: e.target.checked ? '1' : ''})});
  box.checked = Boolean(state[key]);
  return el('label', {title}, box, ' ' + text);
}

// A click asks for the level, another one for plans without it, a third for any.
function level_chip(level) {
  const asked = levels_asked(), how = asked.get(level) || '';
  const next = {'': 'with', with: 'without', without: ''}[how];
  return el('button', {class: 'chip ' + how, title: 'level ' + level + ': ' + (how ? how + ' it' : 'any') +
                       '; click for ' + (next ? next + ' it' : 'any'), onclick: () => {
    asked.delete(level);
    if (next) asked.set(level, next);
    set({level: [...asked].map(([l, h]) => (h === 'without' ? '-' : '') + l).join(',')});
  }}, level);
}

function draw_filters() {
  const f = folder(), categories = [...new Set(f.variants.map(v => pooled(v, 'category')))];
  const search = el('input', {type: 'search', placeholder: 'id, plan, choice, kernel …   ( / )', value: state.q,
                              id: 'q', 'aria-label': 'text', oninput: e => set({q: e.target.value}, 'list')});
  document.getElementById('filters').replaceChildren(search,
    el('div', {class: 'row'}, levels_of(f).map(level_chip)),
    el('div', {class: 'row'},
       f.types.length > 1 ? select('type', [['', 'all types'], ...f.types.map(t => [t, t])], 'element type') : null,
       select('cat', [['', 'all categories'], ...categories.map(c => [c, c])], 'category'),
       select('det', [['', 'any determinism'], ...determinisms.slice(1).map(d => [d, d + ' or stronger'])],
              'the weakest guarantee for floating-point results')),
    el('div', {class: 'row'},
       checkbox('used', 'selected by the dispatch', 'only variants that the library calls for some size'),
       checkbox('batch', 'batch-invariant', 'the result depends on the number of elements and their values alone')),
    el('div', {class: 'row tight'}, el('span', {class: 'soft', id: 'shown', style: 'white-space:nowrap'}),
       el('span', {style: 'flex:1'}),
       select('sort', [['order', 'listing order'], ['used', 'selected most often first'], ...(f.measured ?
              [['time', 'fastest first (mean over sizes)']] : [])], 'order'),
       el('button', {class: 'plain', title: 'show all variants', onclick: () => set(
         {q: '', level: '', det: '', batch: '', type: '', cat: '', used: ''})}, 'reset')));
}

const asks = r => (r.when || []).join(' and ');

// "to 2508 · 5016 to 20066": the sizes that the dispatch has it serve; of rows that ask something of calls, "aligned: ..".
function served_text(f, v) {
  const rows = f.dispatch, types = new Map();
  rows.forEach((r, i) => {
    if (r.variant !== v.id || (state.type && r.type !== state.type)) return;
    const before = rows.slice(0, i).filter(x => x.type === r.type && asks(x) === asks(r) && x.up_to !== r.up_to).pop();
    const ranges = types.get(r.type) || types.set(r.type, []).get(r.type);
    const last = ranges.filter(x => x.asks === asks(r)).pop();
    const from = before ? before.up_to : 0;
    if (last && last.to === from) last.to = r.up_to;
    else if (!last || last.to !== r.up_to) ranges.push({from, to: r.up_to, asks: asks(r)});
  });
  return [...types].map(([type, ranges]) => (types.size > 1 || f.types.length > 1 && !state.type ? type + ' ' : '') +
    ranges.map(x => (x.asks ? x.asks + ' ' : '') + size_text(x.from) + '–' + size_text(x.to)).join(', ')).join(' · ');
}

function item(f, v) {
  const served = served_text(f, v), ratio = state.sort === 'time' ? mean_ratio(f, v) : Infinity;
  const attributes = {class: 'item', 'data-id': v.id, 'aria-current': String(v.id === state.v)};
  return el('div', {...attributes, onclick: () => set({v: v.id})},
    el('div', {class: 'head'}, el('span', {class: 'id'}, v.id),
       v.letter ? el('span', {title: 'CGO Fig. 6'}, '(' + v.letter + ')') : null,
       el('span', {class: 'soft'}, pooled(v, 'category') + (v.kernels > 1 ? ', ' + v.kernels + ' kernels' : '')),
       el('span', {class: 'end soft'}, ratio < Infinity ? ratio.toFixed(2) + '×' : pooled(v, 'determinism'))),
    el('div', {class: 'plan soft', title: v.plan}, v.plan),
    served ? el('div', {class: 'used', title: 'sizes for which the dispatch selects it'}, '● ' + served) : null);
}

function draw_list() {
  const f = folder(), all = listed(f);
  document.getElementById('list').replaceChildren(...all.map(v => item(f, v)),
    all.length ? '' : el('p', {class: 'soft', style: 'padding:0 .7rem'}, 'No variant matches.'));
  document.getElementById('shown').textContent = all.length + ' of ' + variants_text(f.variants.length);
}
