// plan.js: a plan as a drawing. Levels are boxes in boxes: parts of a container go down into the box of the level
// below, results come out at its lower edge.

// A color each for levels and for codelets: what is the same has the same one wherever it is shown.
const level_hues = {grid: 212, process: 212, cluster: 258, block: 176, warp: 128, thread: 38, lane: 18, ilp: 330};
const level_hue = level => level.startsWith('warp/') ? 88 : level_hues[level] === undefined ? 0 : level_hues[level];
const level_color = (level, alpha) => `hsl(${level_hue(level)} 55% 50% / ${alpha})`;
const codelet_color = n => `hsl(${(205 + n * 137.5) % 360} 55% 52%)`;

const level_titles = {ilp: 'register slots'};

// "    results: block: computes by `tree', exchanging registers (B5)"
function parse_node(line) {
  const depth = line.search(/\S/) / 2;
  let text = line.trim(), rule = '', role = '';
  const with_rule = text.match(/^(.*) \(([^()]+)\)$/);
  if (with_rule) [, text, rule] = with_rule;
  const with_role = text.match(/^((?:each part|results|step \d+|its total)[^:]*): (.*)$/);
  if (with_role) [, role, text] = with_role;
  const at = text.match(/^([^ :`]+): (.*)$/);
  const node = {depth, rule, role, level: at ? at[1] : '', words: at ? at[2] : text, codelet: '', kids: []};
  const named = node.words.match(/^(.*)`([^']+)'(.*)$/);
  if (named) {
    node.codelet = named[2];
    const before = named[1].replace(/^regroups by /, '').replace(/^computes by /, '');
    node.words = (before + named[3].replace(/^, /, '')).trim();
  }
  return node;
}

function parse_tree(lines) {
  const root = {depth: -1, kids: []}, path = [root];
  for (const line of lines) {
    const node = parse_node(line);
    while (path[path.length - 1].depth >= node.depth) path.pop();
    path[path.length - 1].kids.push(node);
    path.push(node);
  }
  return root.kids;
}

const PLAN = {pad: 10, head: 24, gap: 20, stack: 4};
const text_width = s => 6.7 * s.length;
const is_parts = node => node.role.startsWith('each part');

// The width that a node needs, and the height that it takes.
function measure_node(node) {
  const head = text_width(node.level + node.codelet + node.words) + 58 + text_width(node.rule);
  node.height = PLAN.head;
  let inner = 0;
  for (const kid of node.kids) {
    measure_node(kid);
    inner = Math.max(inner, kid.width + (is_parts(kid) ? 2 * PLAN.stack : 0), text_width(kid.role) + 24);
    node.height += PLAN.gap + kid.height + (is_parts(kid) ? 2 * PLAN.stack : 0);
  }
  if (node.kids.length) node.height += PLAN.pad;
  node.width = Math.max(head, inner + 2 * PLAN.pad);
}

function box(x, y, width, height, level, alpha) {
  return svg('rect', {class: 'box', x, y, width, height, rx: 4, fill: level ? level_color(level, alpha) : 'none',
                      stroke: level ? level_color(level, .75) : 'var(--soft)'});
}

function node_title(node, x, y, on_codelet) {
  const line = svg('text', {x: x + 8, y: y + 16});
  if (node.level) line.append(svg('tspan', {class: 'name'}, level_titles[node.level] || node.level), '  ');
  if (node.codelet)
    line.append(svg('tspan', {style: 'cursor:pointer;fill:var(--accent)', onclick: () => on_codelet(node.codelet)},
                    node.codelet), ' ');
  line.append(svg('tspan', {class: 'small'}, node.words));
  return line;
}

function draw_node(node, x, y, width, on_codelet, to) {
  if (is_parts(node))
    for (let i = 2 * PLAN.stack; i > 0; i -= PLAN.stack)
      to.append(box(x + i, y + i, width, node.height, node.level, .07));
  to.append(svg('rect', {x, y, width, height: node.height, rx: 4, fill: 'var(--paper)'}),
            box(x, y, width, node.height, node.level, .13), node_title(node, x, y, on_codelet));
  if (node.rule)
    to.append(svg('text', {class: 'small', x: x + width - 8, y: y + 16, 'text-anchor': 'end'}, node.rule,
                  svg('title', {}, 'composition rule (tgc rules)')));
  let at = y + PLAN.head;
  for (const kid of node.kids) {
    const stacked = is_parts(kid) ? 2 * PLAN.stack : 0, middle = x + PLAN.pad + 8;
    to.append(svg('path', {class: 'arrow', d: `M${middle} ${at - 2}V${at + PLAN.gap - 5}`}),
              svg('path', {class: 'tip', d: `M${middle - 3.5} ${at + PLAN.gap - 7}h7l-3.5 6z`}),
              svg('text', {class: 'small', x: middle + 9, y: at + 14}, kid.role));
    draw_node(kid, x + PLAN.pad, at + PLAN.gap, width - 2 * PLAN.pad - stacked, on_codelet, to);
    at += PLAN.gap + kid.height + stacked;
  }
}

function draw_plan(v, on_codelet) {
  const nodes = parse_tree(pooled(v, 'tree')), to = svg('svg', {role: 'img', 'aria-label': 'plan of ' + v.id});
  let y = 1, width = 0;
  nodes.forEach(measure_node);
  for (const node of nodes) width = Math.max(width, node.width);
  for (const node of nodes) {
    draw_node(node, 1, y, width, on_codelet, to);
    y += node.height + PLAN.gap;
  }
  const height = y - PLAN.gap + 1;
  to.setAttribute('viewBox', `0 0 ${width + 2} ${height}`);
  to.setAttribute('width', width + 2);
  to.setAttribute('height', height);
  return el('div', {class: 'plan-drawing'}, to);
}

function levels_drawn(nodes) { return nodes.flatMap(n => [n.level, ...levels_drawn(n.kids)]); }

function plan_legend(v) {
  const levels = [...new Set(levels_drawn(parse_tree(pooled(v, 'tree'))))].filter(Boolean);
  return el('div', {class: 'legend'},
    levels.map(l => el('span', {}, el('span', {class: 'swatch', style: 'background:' + level_color(l, .6)}),
                       level_titles[l] || l)),
    el('span', {}, 'stacked boxes: one for each part'), el('span', {}, '↓ parts in, results out'),
    el('span', {}, el('span', {style: 'color:var(--accent)'}, 'codelet'), ' (click: its text)'),
    el('span', {}, 'B4x: composition rule'));
}
