// code.js: codelets beside the kernels that come from them. What belongs together lights up together.
//
// Each comment of a kernel that names a codelet, "// block: tree (sum.cdl:50)", holds for the lines below it, down to
// the next such comment or the end of its block. Texts of `tgc --line' also have each statement's codelet line.

const words_of_c = new Set(('auto bool break case char const constexpr continue default do double else enum extern ' +
  'false float for if inline int long namespace nullptr NULL return short signed sizeof static static_assert struct ' +
  'switch template true typedef typename union unsigned using void while __global__ __device__ __host__ __shared__ ' +
  '__launch_bounds__ __forceinline__ __restrict__ restrict __codelet __coop __tag __tunable __mutable Array Map ' +
  'Sequence Vector').split(' '));

// A line as spans of comments, keywords and numbers.
function colored(text) {
  const span = el('span');
  const pattern = /(\/\/.*$|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*")|(^\s*#.*$)|([A-Za-z_]\w*)|(\b\d[\w.]*)/g;
  let last = 0;
  for (let m; (m = pattern.exec(text));) {
    const kind = m[1] ? 'c' : m[2] ? 'n' : m[3] ? 'k' : m[4] ? (words_of_c.has(m[4]) ? 'k' : '') : 'n';
    if (!kind) continue;
    span.append(text.slice(last, m.index), el('span', {class: kind}, m[0]));
    last = m.index + m[0].length;
  }
  span.append(text.slice(last) || (last ? '' : ' '));
  return span;
}

// ---- what comes from where ----

const base_name = path => path.slice(path.lastIndexOf('/') + 1);

// The codelets that the head of a variant's text names: {tag, file, line}, in its order.
function codelets_of(paragraphs) {
  const head = paragraphs.length ? paragraphs[0].lines : [], found = [];
  for (const line of head) {
    const m = line.match(/^\/\/ {3}(\w+) +([^\s:]+):(\d+)$/);
    if (m) found.push({tag: m[1], file: m[2], line: Number(m[3]), key: m[2] + ':' + m[3]});
  }
  return found;
}

// For each line of a paragraph: `key' of the codelet, `exact' "sum.cdl:13" where the text has it, `hidden' directives.
function origins(lines) {
  const open = [];
  let exact = null;
  return lines.map(line => {
    const directive = line.match(/^#line (\d+) (?:"(.*)"|__BASE_FILE__)$/);
    if (directive) {
      exact = directive[2] === undefined ? null : {file: base_name(directive[2]), line: Number(directive[1])};
      return {key: null, exact: null, hidden: true};
    }
    const indent = line.search(/\S/);
    while (open.length && indent >= 0 && indent < open[open.length - 1].indent) open.pop();
    const named = /^\s*\/\//.test(line) ? [...line.matchAll(/\w+ \(([^()\s:]+:\d+)\)/g)] : [];
    if (named.length) {
      while (open.length && indent <= open[open.length - 1].indent) open.pop();
      open.push({indent, keys: named.map(m => m[1])});
    }
    const here = exact && exact.file + ':' + exact.line;
    if (exact) exact.line++;
    const keys = open.length ? open[open.length - 1].keys : [];
    return {keys, key: keys.length ? keys[keys.length - 1] : null, exact: here, hidden: false};
  });
}

// The lines of a codelet: from its head to the brace that ends it.
function codelet_end(text, line) {
  for (let i = line; i <= text.length; i++) if (/^}/.test(text[i - 1])) return i;
  return text.length;
}

// ---- panes ----

// Rows that are shown on a click.
function folded(text, rows) {
  const fold = el('div', {class: 'fold', onclick: () => fold.replaceWith(...rows())}, text);
  return fold;
}

function row(number, text, attributes, color) {
  return el('div', Object.assign({class: 'row', style: color ? 'border-left-color:' + color : null}, attributes),
            el('i', {}, String(number)), colored(text));
}

function remark_rows(remarks) {
  return remarks.map(r => el('div', {class: 'remark'}, el('span', {class: r.kind === 'missed' ? 'missed' : 'passed'},
    (r.kind === 'missed' ? '✗ ' : '✓ ') + (r.pass || '')), el('span', {}, r.message)));
}

function codelet_rows(file, codelets, colors, remarks_at, first, last) {
  const rows = [];
  for (let n = first; n <= last; n++) {
    const of = codelets.find(c => c.file === file.name && n >= c.line && n <= c.end);
    const said = remarks_at.get(file.name + ':' + n) || [], key = of ? of.key : null;
    const one = row(n, file.text[n - 1], {'data-key': key, 'data-exact': file.name + ':' + n}, key && colors.get(key));
    rows.push(one);
    if (!said.length) continue;
    const below = remark_rows(said);
    let open = Boolean(state.remarks);
    one.append(el('span', {class: 'badge', title: 'remarks of the passes', onclick: e => {
      e.stopPropagation();
      open = !open;
      if (open) one.after(...below);
      else below.forEach(r => r.remove());
    }}, said.length + (said.length === 1 ? ' remark' : ' remarks')));
    if (open) rows.push(...below);
  }
  return rows;
}

// All files of the codelets; what this variant does not use is folded.
function draw_codelets(f, codelets, colors) {
  const pane = el('div', {class: 'code', id: 'codelets'}), remarks_at = new Map();
  if (!f.files) {
    pane.append(el('p', {class: 'soft', style: 'padding:0 .7rem'}, 'This folder was written by an older tgc, which ' +
                   'did not store the text of the codelets. Compile it again to see them here.'));
    return pane;
  }
  for (const r of f.remarks) {
    const at = r.file + ':' + r.line;
    remarks_at.set(at, [...(remarks_at.get(at) || []), r]);
  }
  for (const file of f.files) {
    const here = codelets.filter(c => c.file === file.name).sort((a, b) => a.line - b.line);
    for (const c of here) c.end = codelet_end(file.text, c.line);
    pane.append(el('div', {class: 'file'}, file.name));
    let next = 1;
    const fold_to = last => {
      if (last < next) return;
      const first = next, rows = () => codelet_rows(file, [], colors, remarks_at, first, last);
      if (last - first < 2) pane.append(...rows());
      else pane.append(folded(`⋯ ${last - first + 1} lines that this variant does not use`, rows));
      next = last + 1;
    };
    for (const c of here) {
      let first = c.line;
      while (first > next && /^\s*(\/\/|template|__)/.test(file.text[first - 2])) first--;
      fold_to(first - 1);
      pane.append(...codelet_rows(file, here, colors, remarks_at, Math.max(first, next), c.end));
      next = c.end + 1;
    }
    fold_to(file.text.length);
  }
  return pane;
}

const is_kernel = (lines, from) => from.some(o => o.key) || lines.some(l => /^\s*(static .*)?__global__/.test(l));

// A variant's file; paragraphs that no codelet is named in are folded.
function draw_kernels(v, paragraphs, colors) {
  const pane = el('div', {class: 'code', id: 'kernels'}, el('div', {class: 'file'}, v.file));
  let waiting = [];
  const rows_of_paragraph = (p, from) => [...p.lines.map((line, i) => from[i].hidden ? null :
    row(p.first + i, line, {'data-key': from[i].key, 'data-keys': from[i].keys && from[i].keys.join(' '),
                            'data-exact': from[i].exact}, from[i].key && colors.get(from[i].key))).filter(Boolean),
    row('', '', {})];
  const flush = () => {
    const all = waiting, lines = all.reduce((n, p) => n + p.p.lines.length + 1, 0) - 1;
    if (all.length)
      pane.append(folded(`⋯ ${lines} lines: ${all[0].title}`, () => all.flatMap(x => rows_of_paragraph(x.p, x.from))));
    waiting = [];
  };
  paragraphs.forEach((p, i) => {
    const from = origins(p.lines);
    if (i > 0 && is_kernel(p.lines, from)) {
      flush();
      pane.append(...rows_of_paragraph(p, from));
    } else waiting.push({p, from, title: i ? 'support and launch code' : 'the plan as a comment, and support code'});
  });
  flush();
  return pane;
}

// ---- highlighting ----

function light(panes, key, exact) {
  for (const pane of panes)
    for (const r of pane.querySelectorAll('.row')) {
      const keys = r.dataset.keys ? r.dataset.keys.split(' ') : [r.dataset.key];
      r.classList.toggle('lit', Boolean(key) && keys.includes(key));
      r.classList.toggle('exact', Boolean(exact) && r.dataset.exact === exact);
    }
}

function first_lit(pane) { return pane.querySelector('.row.exact') || pane.querySelector('.row.lit'); }

function scroll_to(pane, row) {
  if (row) pane.scrollTop = row.offsetTop - pane.clientHeight / 4;
}

// Keeps a codelet, or one of its lines, lit: `state.at' is "sum.cdl:50", or "sum.cdl:50 sum.cdl:61".
function keep(key, exact) {
  state.at = key ? key + (exact && exact !== key ? ' ' + exact : '') : '';
  write_fragment();
}

const kept = () => state.at.split(' ');

// Pointing at a line highlights what it comes from, or what comes from it. A click keeps that, and scrolls the other
// pane there.
function connect(codelets, kernels) {
  const panes = [codelets, kernels];
  for (const pane of panes) {
    const other = pane === codelets ? kernels : codelets;
    pane.addEventListener('mouseover', e => {
      const r = e.target.closest('.row');
      if (!state.at && r) light(panes, r.dataset.key, r.dataset.exact);
    });
    pane.addEventListener('mouseleave', () => { if (!state.at) light(panes, null, null); });
    pane.addEventListener('click', e => {
      const r = e.target.closest('.row');
      if (!r) return;
      keep(r.classList.contains('kept') ? null : r.dataset.key, r.dataset.exact);
      for (const p of panes) p.querySelectorAll('.kept').forEach(x => x.classList.remove('kept'));
      r.classList.toggle('kept', Boolean(state.at));
      light(panes, r.dataset.key, r.dataset.exact);
      if (state.at) scroll_to(other, first_lit(other));
    });
  }
  if (state.at) light(panes, ...kept());
}

// Once the panes are in the page: only then can they be scrolled.
function scroll_to_kept() {
  if (!state.at) return;
  for (const id of ['codelets', 'kernels']) {
    const pane = document.getElementById(id);
    if (pane) scroll_to(pane, first_lit(pane));
  }
}

function show_codelet(tag, codelets) {
  const c = codelets.find(x => x.tag === tag), panes = ['codelets', 'kernels'].map(id => document.getElementById(id));
  if (!c || !panes[0]) return;
  keep(c.key, null);
  light(panes, c.key, null);
  panes[0].scrollIntoView({block: 'nearest'});
  scroll_to_kept();
}
