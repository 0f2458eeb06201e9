// variant.js: the page of one variant.

const fact = (name, ...value) => el('span', {}, el('span', {class: 'soft'}, name + ' '), el('b', {}, ...value));

// Of a CPU's plan threads stand for blocks, and a vector's lanes for threads, which need no barriers.
const is_of_cpu = f => f.family === 'cpu';

function exchanges(f, v) {
  const b = pooled(v, 'barriers'), atomics = pooled(v, 'atomics');
  const adds = space => atomics.filter(a => a.space === space).map(a => a.count + ' ' + a.op).join(', ') || 'none';
  if (is_of_cpu(f))
    return [fact('shuffles of lanes', String(v.shuffles)), fact('accumulates within a thread', adds('shared')),
      fact('atomics of several threads', adds('global'))];
  const one = a => a.count + ' ' + a.op + ' (' + a.space + ', ' + a.scope + ')';
  return [fact('shuffles', String(v.shuffles)),
    fact('barriers', ['block', 'warp', 'cluster'].filter(k => b[k]).map(k => b[k] + ' ' + k).join(', ') || 'none'),
    fact('atomics', atomics.map(one).join(', ') || 'none')];
}

function shared_text(launch) {
  const by_bytes = new Map();
  for (const [type, bytes] of Object.entries(launch.shared_bytes))
    by_bytes.set(bytes, [...(by_bytes.get(bytes) || []), type]);
  const all = [...by_bytes].filter(x => x[0] > 0);
  const of = types => by_bytes.size > 1 ? ' (' + types.join(', ') + ')' : '';
  return all.map(([bytes, types]) => bytes + ' B' + of(types)).join(', ');
}

function table(head, rows) {
  return el('table', {}, el('thead', {}, el('tr', {}, head.map(h => el('th', {}, h)))),
            el('tbody', {}, rows.map(r => el('tr', {}, r.map(x => el('td', {}, x))))));
}

function draw_kernel_facts(f, v) {
  const of_cpu = is_of_cpu(f);
  return table(['kernel', of_cpu ? 'lanes' : 'threads', of_cpu ? 'a thread has' : 'shared memory', ''], pooled(v, 'launches').map(l =>
    [el('code', {}, l.name), String(l.threads), shared_text(l) || 'none', el('span', {class: 'soft'}, l.note || '')]));
}

function draw_tunables(f, v) {
  const all = pooled(v, 'tunables');
  if (!all.length) return null;
  const range = t => t.values ? t.values.join(', ') : t.min === t.max ? String(t.min) :
    t.min + (t.max === null || t.max > 2 ** 30 ? ' or more' : '–' + t.max) + (t.multiple > 1 ? ', a multiple of ' + t.multiple : '');
  return table(['tunable', 'default', 'range', 'bound', ''], all.map(t => [
    el('code', {}, t.name), String(t.default), range(t), t.bind !== 'launch' ? 'at compile time' : is_of_cpu(f) ? 'at each call' : 'at launch',
    el('span', {class: 'soft'}, t.what || '')]));
}

function draw_choices(v) {
  return el('details', {}, el('summary', {}, 'choices of the plan (' + pooled(v, 'choices').length + ')'),
    table(['level', 'codelet', 'choice', ''], pooled(v, 'choices').map(c => [
      c.level || '', el('code', {}, c.codelet || ''), c.what, c.choice])));
}

function draw_nest(v) {
  const lines = paragraphs_of(v, 'nest').flatMap(p => p.lines);
  return lines.length ? el('details', {}, el('summary', {}, 'loop nest (' + lines.length + ' lines)'),
                           el('pre', {class: 'code', style: 'padding:.3rem .7rem'}, lines.join('\n'))) : null;
}

function draw_served(f, v) {
  const rows = f.dispatch.map((r, i) => [r, i]).filter(([r]) => r.variant === v.id &&
                                                                (!state.type || r.type === state.type));
  if (!rows.length) return el('p', {class: 'soft'}, 'The dispatch does not select it' +
                              (state.type ? ' for ' + state.type : '') + '.');
  return table(['type', 'up to', 'configuration', ''], rows.map(([r, i]) => [r.type, row_text(r), configuration_of(f, r) || "the variant's own",
    el('span', {class: 'soft'}, f.table && f.table.notes[i] || '')]));
}

function draw_code(f, v) {
  const paragraphs = paragraphs_of(v, 'text'), codelets = codelets_of(paragraphs);
  const colors = new Map(codelets.map((c, i) => [c.key, codelet_color(i)]));
  const left = draw_codelets(f, codelets, colors), right = draw_kernels(v, paragraphs, colors);
  connect(left, right);
  return [el('h3', {}, 'Codelets and kernels', el('span', {class: 'soft', style: 'font-weight:normal'},
            'point at a line to see what it becomes, or where it comes from; click to keep it'),
            el('span', {class: 'controls'}, checkbox('remarks', 'all remarks', 'remarks at the codelets\' lines'))),
          el('div', {class: 'columns'}, left, right)];
}

function draw_variant(f, v) {
  const codelets = codelets_of(paragraphs_of(v, 'text')), workspace = pooled(v, 'workspace');
  const kernels = [el('h3', {}, 'Kernels'), draw_kernel_facts(f, v), draw_tunables(f, v)];
  return [el('h2', {}, v.id + (v.letter ? ' (CGO Fig. 6 ' + v.letter + ')' : '')),
    el('div', {class: 'mono', style: 'overflow-wrap:anywhere'}, v.plan),
    el('div', {class: 'facts'}, fact('category', pooled(v, 'category')), fact('kernels', String(v.kernels)),
       exchanges(f, v), fact('workspace', workspace ? workspace + ' bytes' : 'none')),
    el('div', {class: 'why'}, el('b', {}, pooled(v, 'determinism')),
       pooled(v, 'determinism_why') ? ': ' + pooled(v, 'determinism_why') : ''),
    el('div', {class: 'why'}, el('b', {}, (v.batch_invariant ? '' : 'not ') + 'batch-invariant'),
       pooled(v, 'batch_invariant_why') ? ': ' + pooled(v, 'batch_invariant_why') : ''),
    el('div', {class: 'columns'},
       el('section', {}, el('h3', {}, 'Plan'), draw_plan(v, tag => show_codelet(tag, codelets)), plan_legend(v),
          f.measured ? kernels : null),
       el('section', {}, draw_measured(f, v), el('h3', {}, 'Dispatch'), draw_served(f, v),
          f.measured ? null : kernels)),
    draw_choices(v), draw_nest(v), ...draw_code(f, v)];
}
