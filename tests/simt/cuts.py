"""What a test of synchronisation takes away: (pattern, what stands there instead, name of the cut), by the construct that
the lines belong to; and what marks a survivor that orders nothing.

The kinds of kernels in which they are made are in mutants.py."""
import re


CUTS = [
    (re.compile(r"__syncthreads\(\);"), ";", "syncthreads"),
    (re.compile(r"__syncwarp\(\);"), ";", "syncwarp"),
    (re.compile(r"__threadfence\(\);"), ";", "threadfence"),
    (re.compile(r"0xffffffff\b"), "0x7fffffff", "mask"),
]
CLUSTER_CUTS = [
    (re.compile(r"__cluster_barrier_arrive_relaxed\(\);"), ";", "relaxedarrive"),
    (re.compile(r"__cluster_barrier_arrive\(\);"), ";", "arrive"),
    (re.compile(r"__cluster_barrier_arrive\(\);"), "__cluster_barrier_arrive_relaxed();", "release"),
    (re.compile(r"__cluster_barrier_wait\(\);"), ";", "wait"),
]
POST_CUTS = [
    (re.compile(r"1ull << 32 \| "), "", "nomark"),
    (re.compile(r"put_word\(&posts\[place \* words \+ k\], 0\);"), ";", "noclear"),
    (re.compile(r"while \(word >> 32 == 0\)"), "while (false)", "nowait"),
    (re.compile(r"atomicInc\(begun, blocks - 1\) == blocks - 1"), "atomicInc(begun, blocks - 1) != blocks - 1",
     "notlast"),
    (re.compile(r"atomicInc\(begun, blocks - 1\) == blocks - 1"), "atomicAdd(begun, 1u) == blocks - 1", "nowrap"),
    (re.compile(r"atomicInc\(begun, blocks - 1\) == blocks - 1"), "atomicInc(begun, blocks - 1) == 0", "first"),
    # The result is posted before the block's others have added theirs; or twice, and too early.
    (re.compile(r"__syncthreads\(\);\n( *if \(thread == 0\)\n *post\(.*\);)"), r"\1\n  __syncthreads();", "early"),
    (re.compile(r"(begun_last = begins_last\(.*\);)"), r"{ \1 post(posts, block, T(0)); }", "twice"),
]
SCAN_CUTS = [
    # Words that were never posted.
    (re.compile(r"there && seen\.word\[k\] >> 32 == mark_of\(taken\)"), "there", "nomark"),
    # Tiles in another order than that in which blocks begin; a ticket that stays where the last call left it.
    (re.compile(r"\(Index\)\(unsigned\)ticket"), "(Index)blockIdx.x", "blockidx"),
    (re.compile(r"if \(\(unsigned\)taken == blocks - 1\) atomicExch\(.*\);"), ";", "nonextcall"),
    # Looking back: a tile's own total passes for that of all; or what is known already is counted once more.
    (re.compile(r"tile == 0 \? ALL : OWN"), "ALL", "early"),
    (re.compile(r"taken, ALL, combine<T>\(carry, total\)"), "taken, ALL, total", "ownonly"),
    # What an earlier call has posted, or nobody has; a tile's own total passes for that of all; its neighbour's place.
    (re.compile(r"bool there = mark - mark_of\(taken\) < 2"), "bool there = true", "anycall"),
    (re.compile(r"return mark % 2 \? ALL : OWN"), "return ALL", "alwaysall"),
    (re.compile(r"\*to = words \+ tile \* words_of<T>\(\)"), "*to = words + tile / 2 * words_of<T>()", "otherplace"),
    (re.compile(r"if \(found && lane >= .*\) value = T\(0\);.*"), ";", "twice"),
    (re.compile(r"while \(__any_sync\(0xffffffff, what == NOTHING\)\)"), "for (int k = 0; k < 1; k++)", "nowait"),
    # The scanner: tells tiles before it knows; forgets the groups before.
    (re.compile(r"lane >= told && lane < known"), "lane >= told", "early"),
    (re.compile(r"carry = combine<T>\(carry, all\)"), "carry = all", "forgets"),
    (re.compile(r"combine<T>\(carry, before\)"), "before", "owngroup"),
    (re.compile(r"while \(lane == 0 && !told\)"), "while (false)", "nowait"),
    (re.compile(r"for \(int vain = 0; !told && vain < PATIENCE; vain\+\+\)"), "told = true; while (false)", "nolook"),
    # The scanner's warps: one does not wait for its turn, or hands nothing on; a turn that was handed on before.
    (re.compile(r"begun = holds_total<T>\(said, turn << 32, &carry\)"), "begun = true", "outofturn"),
    (re.compile(r"handed, \(turn \+ 1\) << 32, carry"), "handed, (turn + 1) << 32, T(0)", "handsnothing"),
    (re.compile(r"handed\[threadIdx.x\] = 0;"), ";", "noturn"),
    # What stands before a tile is left out; the last lane's total is another lane's.
    (re.compile(r"= carry \+ "), "= ", "nocarry"),
    (re.compile(r"thread == threads - 1"), "thread == threads - 2", "notall"),
]
MOVE_CUTS = [
    # A tile at an edge passes for a whole one; every round copies the same row.
    (re.compile(r"\(int\)j_size == "), "(int)j_size <= ", "everywhole"),
    (re.compile(r"a_row \+ s\d* \* a_rows"), "a_row", "onerow"),
    (re.compile(r"i_lane \+ j_lane \* a_pitch"), "i_lane", "otherlane"),
]
LOADS_FIRST_CUTS = [
    # One element for all turns; turns that are left out, of those behind eight and of the last ones; such as are none.
    (re.compile(r"= (value\d*)\[s\d*\];"), r"= \1[0];", "oneturn"),
    (re.compile(r"/ \(Index\)(8|16) \* \(Index\)\1;"), r"/ (Index)\1 * (Index)\1 + 1;", "restlater"),
    (re.compile(r"if \((\w+ \+ \(Index\)s\d*) < "), r"if (\1 + 1 < ", "lastless"),
    (re.compile(r"if \((\w+ \+ \(Index\)s\d*) < "), r"if (\1 - 1 < ", "onemore"),
]
TWICE_CUTS = [
    # The sums: of another part, or of a part that ends elsewhere; stored where another block's are.
    (re.compile(r"= min_index\(block \* whole_tile, n\)"), "= min_index(block * (whole_tile - 1), n)", "othertile"),
    (re.compile(r"min_index\(whole_tile \+ block \* whole_tile, n\)"), "n", "noend"),
    (re.compile(r"partial\[block\] = val"), "partial[0] = val", "onesum"),
    # Their scan: over too many, inclusive, or stored over them; what stands before a part is another one's, or nothing.
    (re.compile(r"thread < p \? partial\[thread\] : T\(0\)"), "partial[thread]", "toomany"),
    (re.compile(r"partial\[p \+ thread\] = before"), "partial[p + thread] = val", "inclusive"),
    (re.compile(r"partial\[p \+ thread\] = before"), "partial[thread] = before", "over"),
    (re.compile(r"if \(warp > 0\)\n *(before|val) \+= partial2\[warp - 1\];"), ";", "onewarp"),
    (re.compile(r"before = partial\[p \+ block\]"), "before = partial[block]", "notscanned"),
    (re.compile(r"before = partial\[p \+ block\]"), "before = 0", "nothingbefore"),
    # The parts' own tiles: each from the part's beginning; in another place of the container.
    (re.compile(r"\bsum = sum2;"), ";", "notiles"),
    (re.compile(r"(in|out)\[block_begin \+ "), r"\1[", "nobegin"),
    # The host: too little workspace.
    (re.compile(r"\(size_t\)p \* 2 \*"), "(size_t)p *", "half"),
]
SLICE_CUTS = [
    # Lanes that have no part of their own, or none in a slot, read what lies beyond the last.
    (re.compile(r"min_index\((turn + first), rows - \(wide \? per : 1\)\)".replace("+", r"\+")), r"\1", "nolast"),
    (re.compile(r"min_index\((s \* 32), rows - 1 - k\)"), r"\1", "noslot"),
    # 16 bytes that are not aligned, or end beyond the last part.
    (re.compile(r"rows % \(16 / \(int\)sizeof\(T\)\) == 0 && \(to"), "(to", "ragged"),
    (re.compile(r" && \(to_aligned\(&A\[0\]\) == 0\)"), "", "unaligned"),
    (re.compile(r" && \(leading % \(16 / \(int\)sizeof\(T\)\) == 0\)"), "", "leading"),
    (re.compile(r"if \(k2 < left\)"), "if (true)", "noend"),
    (re.compile(r"if \(left > 0\)"), "if (false)", "noleft"),
    (re.compile(r"if \(part < rows\)"), "if (true)", "toomany"),
    # Another part's results, or one slice's alone.
    (re.compile(r"wide \? j % per : j / 32"), "j / 32", "otherslot"),
    (re.compile(r"wide \? j / per : j % 32"), "j % 32", "otherlane"),
    (re.compile(r"i2 < \(begin \+ threads\)"), "i2 < (begin + 32)", "oneslice"),
]
BUFFER_CUTS = [
    # No barrier between a turn's stores and its loads; and one buffer for all turns, of which one's loads meet the next
    # one's stores.
    (re.compile(r"(tmp2?\[k % 2 \* 256 \+ thread\] = val2?;\n) *__syncthreads\(\);\n"), r"\1", "syncthreads"),
    (re.compile(r"(tmp2?\[)k % 2 \* 256 \+ (thread\] = val2?;\n.*\n.*tmp2?\[)k % 2 \* 256 \+ "), r"\1\2", "onebuffer"),
]
PANEL_CUTS = [
    # Another panel's buffer; elements beyond a tile, a panel or the result.
    (re.compile(r"k % 2 \* ([AB]_buffer) \+ "), "", "otherbuffer"),
    (re.compile(r"min\((row|column), [AB]_last\)"), r"\1", "nolast"),
    (re.compile(r"if \((row|column) < k_left\)"), "if (true)", "nopanel"),
    (re.compile(r"if \(k_size == tile_k\)"), "if (true)", "noend"),
    (re.compile(r"m_at < m_left"), "true", "norows"),
    (re.compile(r"n_at < n_left"), "true", "nocolumns"),
    # 16 bytes that are not aligned, or end beyond a row.
    (re.compile(r"to_aligned\(&[AB]\[0\]\) == 0"), "true", "unaligned"),
    (re.compile(r"\((?!tile_|\w+_padded)\w+ % \(16 / \(int\)sizeof\(T\)\) == 0\)"), "true", "ragged"),
]
WINDOW_CUTS = [
    # A block's part in shared memory: nobody waits for it; what lies beyond it, or beyond its tile; another row or lane.
    (re.compile(r"await_copies<0>\(\);"), ";", "nowait"),
    (re.compile(r"i_at < \(int\)\(i_size \+ 1 \+ 1\)"), "true", "nolastrow"),
    (re.compile(r"j_at < \(int\)\(j_size \+ 1 \+ 1\)"), "true", "nolast"),
    (re.compile(r"if \(i_at < \(threads / lanes \* i_each \+ 2\) && "), "if (", "norows"),
    (re.compile(r" && \(j_at < x_pitch\)\)"), ")", "nopitch"),
    (re.compile(r"\(i_first \+ i_at\) \* x_pitch"), "i_at * x_pitch", "firstrows"),
    (re.compile(r"(\* x_pitch) \+ j_first"), r"\1", "firstlane"),
    # Vectors that are not aligned, or reach beyond an array; what a lane has not.
    (re.compile(r"const bool wide = .*;"), "const bool wide = true;", "unaligned"),
    (re.compile(r"const bool inside = .*;"), "const bool inside = true;", "inside"),
    (re.compile(r"i < i_left \? (j_left - .*?) : 0;"), r"\1;", "allrows"),
]
INSIDE_CUTS = [
    # A box of a container by one element elsewhere, smaller or larger; a halo that lacks its last row or column.
    (re.compile(r"y_begin = y_leading \+ 2"), "y_begin = y_leading + 1", "another"),
    (re.compile(r"y_begin = y_leading \+ 2"), "y_begin = 2", "rowabove"),
    (re.compile(r"(i_size = .*)rows - 2"), r"\1rows - 3", "fewerrows"),
    (re.compile(r"(i_size = .*)rows - 2"), r"\1rows - 1", "morerows"),
    (re.compile(r"(j_size = .*)columns - 3"), r"\1columns - 4", "fewer"),
    (re.compile(r"(j_size = .*)columns - 3"), r"\1columns - 2", "more"),
    (re.compile(r"i_at < \(i_left \+ 2\)"), "i_at < (i_left + 1)", "nolastrow"),
    (re.compile(r"(e < \(j_left - j_turn \* j_apart) \+ 2\)"), r"\1 + 1)", "nolast"),
    # Tiles that begin before the first element: none does; what is not there.
    (re.compile(r"\* tile_j - j_early"), "* tile_j", "late"),
    (re.compile(r"const int j_before = .*;"), "const int j_before = 0;", "allthere"),
]
AHEAD_CUTS = [
    # What all elements read: another weight is loaded, or read; a turn's elements, and as many turns as a lane has.
    (re.compile(r"(w_held\[a\] = \(?T?\)?w)\[a\]"), r"\1[0]", "anotherweight"),
    (re.compile(r"\* w_held\[a\]"), "* w_held[8 - a]", "backwards"),
    (re.compile(r"i_turn < \(i_each / i_group\)"), "i_turn + 1 < (i_each / i_group)", "fewerturns"),
    (re.compile(r"has = i_left - i_turn \* i_apart"), "has = i_left", "beyond"),
    (re.compile(r"const bool inside = .*;"), "const bool inside = true;", "inside"),
]
OUTPUT_CUTS = [
    # The second result: another's elements, or its place; of two that begin at different places in a vector.
    (re.compile(r"&z_held\["), "&y_held[", "another"),
    (re.compile(r"z_begin = z_leading \+ 2"), "z_begin = z_leading + 1", "beside"),
    (re.compile(r" && \(to_aligned\(&z\[z_leading \+ 2\]\) == to_aligned\(&y\[y_leading \+ 2\]\)\)"), "", "elsewhere"),
]
STREAM_CUTS = [
    # Planes of a window, one at a time, each a tap of several results: a plane, a tap or a result less, or another.
    (re.compile(r"(i_plane < \(i_each) \+ 3\); \+\+"), r"\1 + 2); ++", "fewerplanes"),
    (re.compile(r"i_plane < \(a \+ i_each\)"), "i_plane + 1 < (a + i_each)", "nolasttap"),
    (re.compile(r"i_plane >= a && "), "i_plane > a && ", "nofirsttap"),
    (re.compile(r"if \(i_plane < i_each\)"), "if (i_plane + 1 < i_each)", "nolastbeside"),
    (re.compile(r"if \(i_plane >= 3\)"), "if (i_plane > 3)", "nofirstresult"),
    (re.compile(r"\* w_held\[a \* 6u"), "* w_held[b * 6u", "anothertap"),
    # At the arrays' ends results one by one: nobody goes there; what they begin as; one that is not there.
    (re.compile(r"const bool within = .*;"), "const bool within = true;", "within"),
    (re.compile(r"out_held\[0\] = 1;"), ";", "begun"),
    (re.compile(r"if \(j < j_left\)"), "if (true)", "beyond"),
    # The last parts come first: others do; what the first blocks have is nobody's.
    (re.compile(r"\(Index\)gridDim\.x - .*? \+ block : "), "block : ", "nolastparts"),
    (re.compile(r"(\(Index\)gridDim\.x - .*? \+ block : block) - .*;"), r"\1;", "nofirstparts"),
]
PLANE_CUTS = [
    # .. of a result whose last plane has come; of the other operand the plane that is read with it.
    (re.compile(r"if \(i_plane < \(i_each \+ 2\)\)"), "if (i_plane < (i_each + 1))", "fewerplanes"),
    (re.compile(r"const int i_at = i_plane - 2;"), "const int i_at = i_plane - 1 < i_each ? i_plane - 1 : 0;", "ahead"),
    (re.compile(r"i_plane - 2 < i_each\)"), "i_plane - 1 < i_each)", "nolastbeside"),
    (re.compile(r"if \(i_plane >= \(2 \+"), "if (i_plane > (2 +", "nofirstresult"),
    (re.compile(r"const bool within = .*;"), "const bool within = true;", "within"),
]
STRIP_CUTS = [
    # The box, and strips of the first row, the last one and the last columns: each by one element less, or elsewhere.
    (re.compile(r"(i_size = min_index\(tile_i, .*)rows - 2"), r"\1rows - 3", "lowbox"),
    (re.compile(r"(j_size = min_index\(tile_j, .*)columns - 2"), r"\1columns - 3", "narrowbox"),
    (re.compile(r"(i_size = min_index\(i_tile, min_index\()1, rows"), r"\g<1>0, rows", "nofirstrow"),
    (re.compile(r"(j_size = min_index\(j_tile, )columns"), r"\1columns - 1", "shortfirstrow"),
    (re.compile(r"(i_size = min_index\(i_tile2, rows - max_index\(.*\), rows) - 1"), r"\1", "nolastrow"),
    (re.compile(r"(j_size = min_index\(j_tile2, )columns"), r"\1columns - 1", "shortlastrow"),
    (re.compile(r"(y_begin = max_index\(min_index\(1, rows\), rows) - 1"), r"\1 - 2", "lastrowabove"),
    (re.compile(r"(i_size = min_index\(i_tile3, max_index\(min_index\(1, rows\), rows) - 1"), r"\1 - 2", "lowcolumns"),
    (re.compile(r"(j_size = min_index\(j_tile3, columns - max_index\(0, columns) - 2"), r"\1 - 1", "onecolumn"),
    (re.compile(r"(y_begin = min_index\(1, rows\) \* y_leading \+ max_index\(0, columns) - 2"), r"\1 - 3", "columnsbefore"),
]
PIPED_CUTS = [
    # Panels that nobody waits for, or not all lanes; another panel, another step; what is left of the last panel.
    (re.compile(r"await_copies<stages - 2>\(\);"), ";", "nowait"),
    (re.compile(r"(await_copies<stages - 2>\(\);\s*)__syncthreads\(\);"), r"\1", "notall"),
    (re.compile(r"\(k \+ 1\) % stages"), "k % stages", "samepanel"),
    (re.compile(r"(_part\[)\(step \+ 1\) % 2"), r"\1step % 2", "onecopy"),
    (re.compile(r"k_full % stages"), "0", "firstpanel"),
    (re.compile(r"step < k_rest"), "step < 0", "norest"),
    # Elements beyond a panel, a tile or the result.
    (re.compile(r"(row|column) < k_left"), r"\1 < tile_k", "nopanel"),
    (re.compile(r"min\((row|column), [AB]_last\)"), r"\1", "nolast"),
    (re.compile(r"< \(int\)m_size"), "< 1000", "norows"),
    (re.compile(r"< \(int\)n_size"), "< 1000", "nocolumns"),
    # What a cluster's blocks begin with, and add; that they wait for each other, before and after.
    (re.compile(r"rank == 0 && "), "", "allbegin"),
    (re.compile(r"k2 < \(int\)r;"), "k2 < 1;", "oneblock"),
    (re.compile(r"(int e = )rank \* threads \+ "), r"\1", "onepart"),
    (re.compile(r"(load_wide\(&part\[0\], in_block\(.*?, )k2"), r"\g<1>0", "sameblock"),
    (re.compile(r"\(Index\)\(\(e \* C_run \+ u\) %"), "(Index)((e * C_run) %", "onerun"),
    # Two rows of lanes, one in the place of the other.
    (re.compile(r" \* in_turns \+ thread % in_turns;"), " * in_turns;", "onerow"),
    (re.compile(r"__cluster_barrier_arrive\(\);\s*__cluster_barrier_wait\(\);"), ";", "nocluster"),
]
FRAGMENT_CUTS = [
    # Panels that nobody waits for, or not all warps; another panel, another step; one copy of what is multiplied.
    (re.compile(r"await_copies<stages - 2>\(\);"), ";", "nowait"),
    (re.compile(r"(await_copies<stages - 2>\(\);\s*)__syncthreads\(\);"), r"\1", "notall"),
    (re.compile(r"\(k \+ 1\) % stages"), "k % stages", "samepanel"),
    (re.compile(r"(_part\[\()\(step \+ 1\) % 2"), r"\1step % 2", "onecopy"),
    (re.compile(r"\+ \(step \+ 1\) \* 16"), "+ step * 16", "samestep"),
    (re.compile(r"\(tile_k / 16 - 1\) % 2 == 0"), "tile_k < 0", "noodd"),
    # Elements beyond a panel or the result.
    (re.compile(r"column < k_left"), "true", "nopanel"),
    (re.compile(r"m_at < m_left"), "true", "norows"),
    (re.compile(r"n_at < n_left"), "true", "nocolumns"),
]
QUAD_CUTS = [
    # Another lane's rows or columns of a tile; another part of what is multiplied; elements beyond the result.
    (re.compile(r"lane / 8 % 2 \* 8 \+ lane / 16 \* 4 \+ lane % 2 \+ "), "lane / 4 % 2 * 8 + lane / 16 * 4 + lane % 2 + ", "otherpair"),
    (re.compile(r"(?<=lane % 2 \+ )r / 2 % 2 \* 2"), "r / 2 % 2", "otherrow"),
    (re.compile(r"lane / 2 % 2 \* 4 \+ r / 2 / 2 \* 2"), "r / 2 / 2 * 4 + lane / 2 % 2 * 2", "othercolumn"),
    (re.compile(r"&B_part\[j \* 16\], &B_tile"), "&B_part[0], &B_tile", "onepart"),
    (re.compile(r"m_at < m_left"), "true", "norows"),
    (re.compile(r"n_at < n_left"), "true", "nocolumns"),
]
BOX_CUTS = [
    # Copies and products that nobody waits for; a buffer that is filled while it is read.
    (re.compile(r"await_panel<stages, wide>\(k\);"), ";", "nopanel"),
    (re.compile(r"await_products<1>"), "await_products<2>", "noproducts"),
    (re.compile(r"await_products<0>\(\w+\);"), ";", "nolastproducts"),
    (re.compile(r"(?m)^ +open_products\(\);"), ";", "nofence"),
    (re.compile(r"open_panels<stages, 2>"), "open_panels<stages, 1>", "halfpanel"),
    (re.compile(r"\(\(Index\)\(k \+ \(stages - 2\)\) \* tile_k < columns\)"), "(true)", "unusedpanel"),
    # Elements beyond a tile, a panel or the result; pairs that are not aligned; another layout.
    (re.compile(r", e / (tile_k|n_each) < \S+ \? (.*) : 0\);"), r", \2);", "nolines"),
    (re.compile(r"(\w+) - e % (tile_k|n_each) : 0"), "8 : 0", "noend"),
    (re.compile(r"m_at < m_left"), "true", "norows"),
    (re.compile(r"n_at < n_left"), "true", "nocolumns"),
    (re.compile(r"\(n_each <= n_left \|\| n_left % 2 == 0\)"), "(true)", "halfpairs"),
    (re.compile(r"C_leading % 2 == 0"), "true", "oddpairs"),
    (re.compile(r"multiply_group<n_each, true, false>"), "multiply_group<n_each, false, false>", "layout"),
]
PRODUCER_CUTS = [
    # A buffer that is filled, or read, too early; that nobody frees; products and copies that nobody waits for.
    (re.compile(r"await_room<stages>\(k\);"), ";", "noroom"),
    (re.compile(r"await_panel<stages, true>\(k\);"), ";", "nopanel"),
    (re.compile(r"if \(k >= 1\)"), "if (k >= 2)", "nofree"),
    (re.compile(r"await_products<1>"), "await_products<2>", "noproducts"),
    (re.compile(r"await_products<0>\(\w+\);"), ";", "nolastproducts"),
    (re.compile(r"open_panels<stages, 2>"), "open_panels<stages, 1>", "halfpanel"),
    # What goes to memory by boxes: shared memory that is left while it is read (tests/device/matrix_groups.cu has more).
    (re.compile(r"await_reads<0>\(\);"), ";", "noend"),
    (re.compile(r"meet_group\(\);(?=\n    if \(lane == 0\) deliver)"), ";", "nomeeting"),
    (re.compile(r"simt::fence_copies\(\);(?=\n#endif\n    meet)"), ";", "nofence"),
    (re.compile(r"\(right / 4 \^ down % 8\)"), "(right / 4)", "straight"),
]
MATRIX_CUTS = [
    # Copies and products that nobody waits for; a buffer that is filled while it is read.
    (re.compile(r"await_panel<stages, wide>\(k\);"), ";", "nopanel"),
    (re.compile(r"await_products<0>\(\w+\);"), ";", "nolastproducts"),
    (re.compile(r"open_panels<stages, 2>"), "open_panels<stages, 1>", "halfpanel"),
    (re.compile(r"\(\(Index\)\(k \+ \(stages - 2\)\) \* tile_k < size2\)"), "(true)", "unusedpanel"),
    # Some of a block's matrices are not copied; others' are; those of another block.
    (re.compile(r"(copy_panel\(.*ahead.*), b_each \* b_lanes\);"), r"\1, b_each * b_lanes - 1);", "fewmatrices"),
    (re.compile(r"(copy_panel\(.*), b_begin, ahead "), r"\1, b_begin / 4 * 4, ahead ", "othermatrices"),
    (re.compile(r"(?<=\[k % stages \* A_buffer \+ \(\()b_first \+ b"), "b_first", "onematrix"),
    # Elements beyond a batch, a tile, a panel or the result; pairs that are not aligned.
    (re.compile(r"(ahead.*)e / (?:tile_k / \(m_each \* m_lanes\)|n_each / tile_k) < \(int\)b_size"), r"\1true", "nobatch"),
    (re.compile(r"(ahead.*\? ).* - e % (?:tile_k|n_each) : 0"), r"\g<1>8 : 0", "noend"),
    (re.compile(r"if \(b < b_left && "), "if (", "nomatrices"),
    (re.compile(r"C_stride1 % 2 == 0 && "), "", "oddpairs"),
    (re.compile(r"\(C_stride0 % 2 == 0\)"), "true", "oddmatrices"),
]
OWNED_CUTS = [
    # Containers that do not fit; that begin with what is there; of whose copies some are forgotten, or meet others'.
    (re.compile(r"if \(own_sums_size <= "), "if (true || own_sums_size <= ", "toolarge"),
    (re.compile(r"own_sums\[i\] = 0;"), ";", "nofill"),
    (re.compile(r"own_counts\[i\] = 0;"), ";", "nofill"),
    (re.compile(r"\(Index\)k \* own_sums_size \+ i"), "i", "onecopy"),
    (re.compile(r"\(Index\)warp \* own_sums_size"), "(Index)warp", "meeting"),
    (re.compile(r"i \* 8 \+ \(k \+ thread\) % 8"), "i * 8 + (k + thread) % 4", "halfcopies"),
    (re.compile(r"&own_sums\[thread % 8"), "&own_sums[thread % 16", "toomany"),
    (re.compile(r"atomicAdd_block\(&(own_sums\[thread % 8.*\]), (points\[.*\])\);"), r"\1 += \2;", "noatomic"),
]
ROW_CUTS = [
    # Nobody waits for what is copied; copies of a group that nobody closed; rows beyond the last, in one place, or where
    # none have room.
    (re.compile(r"await_copies<0>\(\);"), ";", "nowait"),
    (re.compile(r"(\n *)close_copies\(\);"), r"\1;", "noclose"),
    (re.compile(r"min_index\(\(Index\)threads, rows - turn\)"), "(Index)threads", "beyond"),
    (re.compile(r"points_rows\[thread \* (pitch|apart) \+ "), "points_rows[", "onerow"),
    # Rows that are apart in memory, as one run of it; rows of it that are found as if they were not.
    (re.compile(r"\(leading == columns && "), "(", "norun"),
    (re.compile(r"\? \(int\)columns : pitch;"), "? pitch + 1 : pitch;", "otherpitch"),
    (re.compile(r"if \(columns <= \(Index\)row_k\)"), "if (true)", "toolong"),
    (re.compile(r"x \+= down \* apart"), "x += apart", "nonextrow"),
    # Several results at once: parts beyond the last, that count, or that are read; one for another; a group that is left
    # out; elements of a run, behind it. (Where the last part is read in place of those beyond it, it is no other minimum
    # once more: "beyond" cuts the first loop only, whose rows are staged and followed by zeros.)
    (re.compile(r"if \(k2 \+ \(Index\)s < centres_rows\)"), "if (true)", "beyond"),
    (re.compile(r"all_centres\[i\] = 0;"), ";", "nofill"),
    (re.compile(r"min_index\(k2 \+ \(Index\)s\d*, last\d*\)"), "(k2 + (Index)jam)", "nolast"),
    (re.compile(r"\(k2 \+ \(Index\)s\d*\) \* pitch"), "k2 * pitch", "onepart"),
    (re.compile(r"best = k2 \+ \(Index\)s\d*"), "best = k2", "onepart"),
    (re.compile(r"k2 \+= \(Index\)jam"), "k2 += (Index)jam * 2", "noothers"),
    (re.compile(r"for \(; j < length\d*; \+\+j\)"), "for (; false;)", "norest"),
    (re.compile(r"(near\d*)\[e\d*\] - "), r"\1[0] - ", "oneelement"),
    (re.compile(r"if \(centres_rows <= \(Index\)\(jam \* 4\)\)"), "if (true)", "toomany"),
]
TOGETHER_CUTS = [
    # Parts that all lanes take, or a neighbour's in place of one's own; lanes and vectors that are forgotten; an operator's
    # place of another part. (The last part once more, further on, is no other minimum; a lane's later groups
    # of parts begin behind 256 parts, which no size here has.)
    (re.compile(r"\(Index i = thread; "), "(Index i = 0; ", "oneslane"),
    (re.compile(r"(min_index\(i \+ )\(Index\)s \* \(Index\)threads, last\)"), r"\g<1>(Index)s, last)", "onelane"),
    (re.compile(r"(lift\(sum, i \+ )\(Index\)s \* \(Index\)threads"), r"\g<1>(Index)s", "otherplace"),
    (re.compile(r"int bit = 16;(?=.*\n.*\n.*\n *\}\n *if \(threads)"), "int bit = 8;", "halflanes"),
    (re.compile(r"partial\[warp\] = accum;"), ";", "novector"),
]
CHOICE_CUTS = [
    # Elements that a neighbour takes; values that are forgotten, or not the best; another one of those that are equal; what
    # goes with it of another turn, or not at all; sums that begin twice or not; results of rows that are not there.
    (re.compile(r"\(Index j = lane % 8; j < columns; j \+= 8\)"), "(Index j = 0; j < columns; j += 8)", "otherlane"),
    (re.compile(r"      most\d+ = (max|min)\(most\d+, other\);"), "", "nobest"),
    (re.compile(r"      (turn\d+) = min\(turn\d+, other\);"), r"\1 = max(\1, other);", "lastone"),
    (re.compile(r"      (turn\d+) = max\(turn\d+, other\);"), r"\1 = min(\1, other);", "firstone"),
    (re.compile(r"if \((best|low) != most\d+\)"), "if (false)", "anyvalue"),
    (re.compile(r"int bit = 4;"), "int bit = 2;", "halflanes"),
    (re.compile(r"      place = j;"), "", "noplace"),
    (re.compile(r"    total = 0;"), "", "twice"),
    (re.compile(r"    total \+= before\d*;"), "", "nostart"),
    (re.compile(r"if \(k < rows\)(?!\s*value\d*\[)"), "if (true)", "norow"),
]
ACROSS_CUTS = [
    # Keys of rows that are not there, of others, or that nobody waits for; sums of other keys, that begin anywhere, or that
    # are forgotten; columns beyond the last.
    (re.compile(r"keys\[thread\] = -1;"), ";", "stale"),
    (re.compile(r"keys\[thread\] = \(int\)best;"), "keys[thread] = 0;", "onekey"),
    (re.compile(r"keys\[t\d*\](?=;\n *T near)"), "keys[0]", "onerow"),
    (re.compile(r"t\d* \* (pitch|apart) \+ column\]"), "column]", "onerow"),
    (re.compile(r"(sum\d*)\[s\d* \* \(16 / \(int\)sizeof\(T\)\) \+ (e\d*)\] \+="), r"\1[\2] +=", "onesum"),
    (re.compile(r"sum\d*\[s\d*\] = 0;"), ";", "nofill"),
    (re.compile(r"if \(most >= jam\)"), "if (false)", "fewkeys"),
    (re.compile(r"int (t\d*) = slice\d*;"), r"int \1 = 0;", "twice"),
    (re.compile(r"if \(column\d* \+ e\d* < \(int\)columns\)(?=.*\n *for \(int t)"), "if (true)", "beyond"),
    (re.compile(r"points_rows\[i\d*\] = 0;"), ";", "nofill"),
]
FOLLOWING_CUTS = [
    # A block that each of its lanes counts; steps that do not wait for one another; the next turn's behind the last turn, or
    # left out, and those of the first; no block is the last one.
    (re.compile(r"thread == 0 && arrives_last"), "arrives_last", "all"),
    (re.compile(r"__syncthreads\(\);(?=\n *if \(more\))"), ";", "nowait"),
    (re.compile(r"if \(more\)"), "if (true)", "beyond"),
    (re.compile(r"if \(more\)"), "if (false)", "nonext"),
    (re.compile(r"if \(few\) \{(?=\n *(void|const cuda|cuda))"), "if (false) {", "nofirst"),
    (re.compile(r"if \(last\)"), "if (false)", "nobody"),
]
HELD_CUTS = [
    # A sub-warp that has no row reads and stores one behind the last: of rounds, or of less.
    (re.compile(r"min_index\(k, rows - 1\)"), "k", "beyond"),
    (re.compile(r"if \(k < rows\)(?= \{\n *#pragma)"), "if (true)", "stored"),
    (re.compile(r"k < rows \? columns : 0"), "columns", "toomany"),
    # Rows that are longer than a round, are no whole loads, or lie elsewhere than at multiples of 16 bytes.
    (re.compile(r"even = columns == "), "even = columns >= ", "notround"),
    (re.compile(r"wide = columns <= \(.*?\)\) && "), "wide = ", "toowide"),
    (re.compile(r"less = columns <= .*;"), "less = true;", "toolong"),
    (re.compile(r"columns % \(16 / \(int\)sizeof\(T\)\) == 0"), "true", "notloads"),
    (re.compile(r"(wide = columns <= .*? == 0\)) && \(to_aligned.*;"), r"\1;", "anywhere"),
    # Loads, and elements, that are not there; an element in another one's place.
    (re.compile(r"k2 \* \(8 \* per\d?\) < left \? value : \(T\)0"), "value", "allloads"),
    (re.compile(r"k2 \* 8 < left \? value : \(T\)0"), "value", "allelements"),
    (re.compile(r"if \(k2 \* 8 < left\)(?=\n *Y)"), "if (true)", "allstores"),
    (re.compile(r"A\[k \* leading \+ \(i \+ k2 \* 8\)\]"), "A[k * leading + i]", "onerow"),
]
COMPACTED_CUTS = [
    # Places: of a row's first element, of a warp's, of a tile's; what is stored side by side, and where; elements outside.
    (re.compile(r"base\[row\] = before3;"), "base[row] = before;", "norows"),
    (re.compile(r"above \+ base\[row\]"), "base[row]", "nowarps"),
    (re.compile(r"values\[carry \+ k\]"), "values[k]", "notile"),
    (re.compile(r"const Index place = carry \+ accum;"), "const Index place = accum;", "norest"),
    (re.compile(r"beside_offsets\[place\] = i2;"), "beside_offsets[place] = i;", "inregisters"),
    (re.compile(r"k2 < all;"), "k2 < all - 1;", "notall"),
    (re.compile(r"begin >= 0 && \(begin \+ threads"), "(begin + threads", "before"),
    (re.compile(r"\(i >= 0 && \(i < n\)\) \? i == 0"), "(i >= 0) ? i == 0", "counted"),
    (re.compile(r"k % per >= 1 \?"), "k >= 1 ?", "otherrow"),
]
BOUNDED_CUTS = [
    # Long parts: none is queued.
    (re.compile(r"length > \(Index\)\(longest \* (\d+)\)"), r"length > (Index)(longest * \1) + 100000", "unqueued"),
    # Places: no part is counted, or one piece of each; the first piece of all is every part's; its other pieces are not.
    (re.compile(r"4294967296ll \+ "), "", "noparts"),
    (re.compile(r"4294967296ll \+ \([^,]*(?=, taken)"), "4294967297ll", "onepiece"),
    (re.compile(r"(queued_first\[place\] = )taken\[2\] & 4294967295ll"), r"\g<1>0", "nofirst"),
    (re.compile(r"queued_done\[place\] = 0u;"), "queued_done[place] = 1u;", "notbegun"),
    # The search: one too few, or for ever the first.
    (re.compile(r"<= piece \? 1 : 0"), "< piece ? 1 : 0", "before"),
    (re.compile(r"place = min_index\(place \+ before\d* \* step, high - 1\);"), "", "unfound"),
    # Pieces: all of a part each; the first; combined by each, by none, before all are there, or not all of them.
    (re.compile(r"(const Index to\d* = )min_index\(from\d* \+ [^;]*;"), r"\1end;", "whole"),
    (re.compile(r"\(piece - first\d*\) \* "), "0 * ", "firstpiece"),
    (re.compile(r"if \(many == 1\)"), "if (many > 0)", "alone"),
    (re.compile(r"if \(last != 0\)"), "if (last == 0)", "notlast"),
    (re.compile(r"i(\d*) < \(first(\d*) \+ many\)"), r"i\1 < first\2 + many - 1", "nolast"),
    # The counter for the next call is not left zero, or by each block.
    (re.compile(r"\n *queued\[0\] = 0ull;"), ";", "leftover"),
    (re.compile(r" && arrives_last\(arrived, \(unsigned\)reducing\)"), "", "early"),
    # Long parts of a block: those of the turn before are there, too; one for another; the first, or the last, is missed.
    (re.compile(r"long_parts\[0\] = 0u;"), "long_parts[0] += 0u;", "notreset"),
    (re.compile(r"met\[taken\[2\]\] = "), "met[0] = ", "oneplace"),
    (re.compile(r"Index piece = 0; piece < \(Index\)long_parts"), "Index piece = 1; piece < (Index)long_parts", "nofirstmet"),
    (re.compile(r"piece < \(Index\)long_parts\[0\]"), "piece < (Index)long_parts[0] - 1", "nolastmet"),
]
EQUAL_CUTS = [
    # Where shares begin, marked by parts: one too early, or not marked at all.
    (re.compile(r"\(before \+ threads \* loads\) / \(threads \* loads\)"), "before / (threads * loads)", "early"),
    (re.compile(r"cut < \(own(\d*) / \(threads \* loads\) \+ 1\)"), r"cut < own\1 / (threads * loads)", "unmarked"),
    (re.compile(r"part < \(out_n \+ 1\)"), "part < out_n", "nolastmark"),
    # .. or searched: one part too late; shares that are not all of the parts.
    (re.compile(r", 0\) \+ at < step"), ", 0) + at <= step", "late"),
    (re.compile(r"low = min_index\(low \+ before \* part, high\)"), "low = low + before * part", "behind"),
    (re.compile(r"cut < \(shares \+ 1\)"), "cut < shares", "nolast"),
    # A share's elements: its last ones alone in its place; beyond its end.
    (re.compile(r"min\(k \* threads \+ thread, last_item\)"), "(k * threads + thread)", "beyond"),
    (re.compile(r"staged\[k \* threads \+ thread\]"), "staged[thread]", "onerow"),
    # Parts: empty ones are left out; what is a part's piece passes for all of it, or is told twice; the last is missed.
    (re.compile(r" && \(from < to \|\| k < last\)"), " && (from < to)", "noempty"),
    (re.compile(r"from == part_begin && "), "", "nobegin"),
    (re.compile(r" && \(to == until\)"), "", "noend"),
    (re.compile(r"min_index\(last \+ 1, out_n\)"), "last", "notgoingon"),
    (re.compile(r"max_index\(part_begin, share_begin\)"), "part_begin", "before"),
    # Pieces: one for another; those of other parts; none, or the first alone.
    (re.compile(r"\(part_begin < share_begin \? 0 : shares\)"), "0", "onepiece"),
    (re.compile(r"if \(from <= begin && \(begin < to\) && \(to < end\)\)"), "if (begin < to && to < end)", "again"),
    (re.compile(r"if \(from <= begin && \(begin < to\) && \(to < end\)\)"), "if (from <= begin && begin < to)", "ended"),
    (re.compile(r"= piece \+ val"), "= val", "nofirst"),
    (re.compile(r"= piece \+ val"), "= piece", "nocarry"),
    (re.compile(r"\(end - 1 \+ k\) / "), "(end + k) / ", "toomany"),
    (re.compile(r"if \(k < out_n\)"), "if (true)", "nopart"),
    # The host: too little workspace.
    (re.compile(r"\(size_t\)shares \* 2 \*"), "(size_t)shares *", "half"),
]
STAYING_CUTS = [
    # Blocks that do not meet, or do not wait; the word is not zero for the next call; blocks of a step that nobody has,
    # or that each has (step_block2's is one block's); and the loop's end is told to none.
    (re.compile(r"meet\(met, due\);"), ";", "nomeeting"),
    (re.compile(r"while \(\(int\)\(atomicCAS\(met, 0u, 0u\) - due\) < 0\) \{\}"), ";", "nowait"),
    (re.compile(r"disperse\(met, due\);"), ";", "nodisperse"),
    (re.compile(r"(step_block(?!2\b)\d*) \+= \(Index\)gridDim.x"), r"\1 += 2 * (Index)gridDim.x", "nobodys"),
    (re.compile(r"(step_block\d*) = block;"), r"\1 = 0;", "everybodys"),
    (re.compile(r"if \(top_found\[0\] < T\(9\)\)\n"), "if (false)\n", "noend"),
]
ONE_BLOCK_CUTS = [
    # Blocks of a step that are left out.
    (re.compile(r"\+\+(step_block\d*)\)"), r"\1 += 2)", "nobodys"),
]
ALONE_CUTS = [
    # One thread acts while the others wait: all come, or act; and nobody tells them to go on.
    (re.compile(r"if \(threadIdx.x != 0\) return false;\n"), "\n", "allcome"),
    (re.compile(r"(const bool last\d* = comes_last\(met, due\);\n *)if \(last\d*\)"), r"\1if (threadIdx.x == 0)",
     "allact"),
    (re.compile(r"go_on\(met, (last\d*)\);"), ";", "nogoingon"),
]
FLAT_CUTS = [
    # Lengths that are not added up, or of lanes below the first; a part too many, or too few; parts that are others' too.
    (re.compile(r"\(lane >= 1 << k\d* \? below : 0\)"), "below", "fromnowhere"),
    (re.compile(r"\(lane >= 1 << k\d* \? below : 0\)"), "0", "notadded"),
    (re.compile(r"\(Index\)lane < take && \("), "(", "toomany"),
    (re.compile(r"max_index\(own_end - own_begin, 0\)"), "1", "oneeach"),
    (re.compile(r"(\(block \* \(threads / 32\) \+ warp\)) \* take"), r"\1", "again"),
    # The next part's, the first one's, or the part's first element; steps that leave elements out, or go beyond them.
    (re.compile(r"owner\d* = begins\d* <= which"), "owner = begins < which", "before"),
    (re.compile(r"turn \+ \(Index\)owner\d*, "), "turn, ", "firstpart"),
    (re.compile(r"(const Index within\d* = )which\d* - .*;"), r"\g<1>0;", "firstelement"),
    (re.compile(r"step \+= 32"), "step += 64", "leftout"),
    (re.compile(r"if \(which\d* < all\d*\)"), "if (true)", "nobodys"),
    (re.compile(r"(void atomic_or\(unsigned \*[^#]*#ifdef[^#]*#endif\n)  atomicOr\(place, value\);"),
     r"\1  *place |= value;", "plain"),
    (re.compile(r"(void atomic_xor\(int \*[^#]*#ifdef[^#]*#endif\n)  atomicXor\(place, value\);"),
     r"\1  atomicOr(place, value);", "or"),
]
QUEUE_CUTS = [
    # Blocks that do not meet; what a warp holds is not appended, or not counted, or taken too early; a queue that is
    # followed no further than its first element, or beyond its end.
    (re.compile(r"meet\(met, due\);"), ";", "nomeeting"),
    (re.compile(r"append_held<int>\(.*, 1, .*\);"), ";", "notheld"),
    (re.compile(r"atomicAdd\(\(Word \*\)count, \(Word\)many\)"), "*count", "uncounted"),
    (re.compile(r"return atomicAdd\(count, \(Word\)1\);"), "return (*count)++;", "plain"),
    (re.compile(r"__syncwarp\(\);"), ";", "syncwarp"),
    (re.compile(r"(const Index filled\d* = ).*;"), r"\g<1>1;", "onlyfirst"),
    (re.compile(r"(const Index filled\d* = min_index\(.*\), )n\);"), r"\1n) + 1;", "beyond"),
]
# Lanes that read what they themselves put there; sums that are added, where there is no row, to what was just cleared; a block
# that has another one's part next, whose first stores are by the warp that did the last loads.
NEEDLESS = re.compile(r"\n *;\n *}\n *(//.*\n *)?meet\(met, due\);|"
                      r"\n *;\n *if \(slice\d* < slices\d* && \(\(Index\)column\d* < columns\)\) \{\n *#pragma unroll\n *for \(int e|"
                      r"\n *;\n *for \(Index i\d* = thread_begin\d*; i\d* < p; i\d* \+= threads\)\n"
                      r" *accum\d* \+= parts\[")
# An atomic of the executor acquires by itself: the fence behind it is for real machines.
ACQUIRING = re.compile(r"atomicInc\(arrived, blocks - 1\);\n *;")
# Blocks that have met to know whether a loop ends do not meet once more before its first step.
UNMET = re.compile(r"cs\[0\] = 0;[ }\n]*//.*\n *if \(\(since & \d+u\) != 0u\) \{\n *;\n")
# Lanes that wait for one another before and after lane 0's loop, so that they meet again; nothing is ordered by it.
MEETING = re.compile(r"\n *;\n *while \(lane == 0 && !told\)|while \(lane == 0 && !told\)\n.*\n *;\n")
# What the sums' scan adds up to, which nobody asks for; and what a block of one warp alone needs, with no other barrier
# between two tiles.
UNASKED = re.compile(r"\n *;\n(?: *if \(warp > 0\)\n *val \+= partial2\[warp - 1\];\n)? *}\n"
                     r" *__syncthreads\(\);\n *if \(warp > 0\)\n *before|"
                     r"\n *;\n *if \(thread == threads - 1\)\n *all = ")
LAST = r"(?![\s\S]*%s)" # in whole tiles it does not matter, or `check' has too few results for one

UNIT_CUTS = [ # another layout, another triangle, sums that are not passed on, elements that are not there
    (re.compile(r"lane % 4 \* 8 \+ r <= "), "lane % 4 * 8 + r < ", "strict"),
    # .. (where a triangle of packed rows begins, "oneperiod" asks for)
    (re.compile(r"(?<!>= \(\()lane / 4 / 2 \* 8 \+ j \* 2 \+ lane / 4 % 2"), "lane / 4 + j * 8", "inorder"),
    (re.compile(r"part % 2 \* below \+ part / 2 \* packed<E> \+ e % packed<E>"), "e", "asloaded"),
    (re.compile(r"made\[q / 2 \* 4 \+ half \* 2 \+ q % 2\]"), "made[half * 4 + q]", "asmade"),
    (re.compile(r"ones\[r\] = \(E\)1"), "ones[r] = (E)(r < 3)", "threeones"),
    (re.compile(r"sums\[g \* 4 \+ r\] = next\[g \* 4 \+ r\];"), ";", "forgotten"),
    (re.compile(r"made\[j \* 4 \+ r\] = (g % beside == 0 \? )?sums\[.*;"), "made[j * 4 + r] = 0;", "fromzero"),
    (re.compile(r": next\[\(g - 1\) \* 4 \+ r\];"), ": 0;", "apart"),
    (re.compile(r"const int period = .*;"), "const int period = 32;", "oneperiod"),
    (re.compile(r"(const Index whole = .*) / tall : 0;"), r"\1 / tall + 1 : 0;", "onemore"),
    (re.compile(r"const bool finite = "), "const bool finite = true || ", "infinite"),
    (re.compile(r"if \(lane % 4 > 0\)"), "if (false)", "alone"),
    (re.compile(r"place == 0(?=\)\)\s*total = \(T\)0;\s*total \+= \(T\)near\[g \* 16 \+ half \* 8 \+ 3\])"
                + LAST % r"half \* 8 \+ 3\];[\s\S]*half \* 8 \+ 3\];"), "false", "onerow"),
    (re.compile(r"next\[g \* 4 \+ half \* 2\] = all;" + LAST % r"half \* 2\] = all;"), ";", "notpassed"),
    (re.compile(r"together == 1 \|\| (31|lane % 4 \* 8 \+ j \* 2 \+ r % 2) < "), r"true || \1 < ", "border"),
    (re.compile(r"(ones2\[c\d* \* 8 \+ r\] = ).* \? \(E\)1"), r"\1true ? (E)1", "allrows"),
]

UNIT_ANYWHERE_CUTS = [ # of rows that begin anywhere: what is theirs, what is there
    (re.compile(r"down < rows_left \? (?=.*\s*.*\s*.*\s*load_near)"), "true ? ", "norow"),
    (re.compile(r"\(room >= 8\)"), "true", "beyond"),
    (re.compile(r"first >= behind\)"), "true)", "before"),
    (re.compile(r"\? behind : 0;"), "? 0 : 0;", "notskipped"),
    (re.compile(r"x\.word\[i\] &= mask;"), ";", "others"),
    (re.compile(r"if \(!read\)"), "if (false)", "unread"),
]

UNIT_BYTE_CUTS = [ # of words of bytes; exact sums need nothing of what is only for sums that may be no numbers
    (re.compile(r"memcpy\(to \+ 4, from \+ below, 4\)"), "memcpy(to + 4, from + 4, 4)", "asloaded"),
    (re.compile(r"<< 8 \* \(e % in_a_word\)"), "<< 8 * (e % 2)", "otherbyte"),
    (re.compile(r"from\[e\] << 8"), "from[e % 4] << 8", "firstword"),
]
# A scan stores nothing of what is behind a row's end, and adds it to nothing: a mask that is too wide there is no fault.
UNIT_BYTE_SUM_CUTS = [(re.compile(r"0xffu << 8 \* k"), "0xffffu << 8 * k", "widemask")]
UNIT_INEXACT = ("asloaded", "infinite", "alone", "onerow", "notpassed", "atonce")

UNIT_SUM_CUTS = [ # rows that are one of the unit, in columns; which are no numbers; groups side by side
    (re.compile(r"(const Index whole = .*) / tall : 0;"), r"\1 / tall + 1 : 0;", "onemore"),
    (re.compile(r"const bool within = "), "const bool within = true || ", "within"),
    (re.compile(r"sum \+= sums\[\(g \+ next \+ 1\) \* 4 .*;"), ";", "firstgroup"),
    (re.compile(r"if \(!finite\)" + LAST % r"if \(!finite\)"), "if (false)", "infinite"),
    (re.compile(r"__syncwarp\(\);(?=\s*const Index first_row)" + LAST % "__syncwarp"), ";", "atonce"),
    (re.compile(r"(ones2\[c\d* \* 8 \+ r\] = )\(\(int\).* \? \(E\)1" + LAST % r"ones2\[c\d* \* 8 \+ r\] = "),
     r"\1true ? (E)1", "allrows"),
]

UNIT_TILE_CUTS = [ # of a tile: what stands before each of the unit's rows, the triangle; sums that are no numbers
    (re.compile(r"if \(\(int\)threadIdx\.x % lanes >= by\) value"), "if (true) value", "alllanes"),
    (re.compile(r"lane < 4 \? \(T\)0 : left"), "left", "firstgroup"),
    (re.compile(r"before\[2 \+ 2 \* four\] \+= first \+ row\[0\];"), "before[2 + 2 * four] += first;", "lowerrow"),
    (re.compile(r"stands \+= __shfl_sync\(.*;"), "stands = __shfl_sync(0xffffffff, upto, 3);", "fourpairs"),
    (re.compile(r"lane % 4 == 0 \? stands :"), "false ? stands :", "firstpair"),
    (re.compile(r"lane % 4 == pair % 4 \? \(T\)sums"), "lane % 4 == 0 ? sums", "onepair"),
    (re.compile(r"lane / 4 \* 4 \+ pair % 4\)"), "lane)", "ownpair"),
    (re.compile(r" \+ lane / 4 % 2 \+ 1;"), " + lane / 4 % 2;", "strict"),
    (re.compile(r"ones >= e \+ 2 \? p\.word"), "ones >= e + 1 ? p.word", "triangle"),
    (re.compile(r"\[2 \* j \+ e % 2\]"), "[j + e % 2 * 2]", "inorder"),
    (re.compile(r"before\[0\] - before\[0\] == \(T\)0"), "true", "infinite"),
    (re.compile(r"threadIdx\.x % 4 == 0 \? stands\[half\] :"), "false ? stands[half] :", "firstlane"),
    (re.compile(r"i >= 0 && i < end \?"), "i >= 0 ?", "beyond"),
    (re.compile(r"row \+ e >= 0 && at \+ 128 \* row \+ e < end"), "row + e >= 0", "stored"),
]
