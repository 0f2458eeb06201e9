/* ops.h: every operation of the tree, and the form it is legal in; of a view what is known besides its elements.
 *
 * C = codelet form (what front/ builds and the codelet passes rewrite)
 * K = kernel form  (what lower/ builds, passes/ rewrite and emit/ prints)
 * kids: how many children, -1 for any number.
 *
 *  OP( name         spelling        form  kids  class      what it is                                        )
 *
 * A view is a container that is computed where it is read; all of its kids but a count are containers, where it is
 * made of any. What its elements are is said in lower/inline_values.c, and in witness/language.h.
 * of: the kid whose elements it has, by number, -1 where it is made of numbers; WHOLE: as many as that, PART: some.
 * count: the kid that counts elements, -1 where none does. applies: does it apply a function, .spectrum?
 *
 *  VIEW( name  spelling  kids  of  extent  count  applies  how it is called, and of what, for who calls it otherwise
 *        what it is, for editors )
 *
 * A function of mathematics has the type of its kids, a real one, and CUDA's and C's name.
 *
 *  FUNCTION( name  spelling  kids  what it is ) */
#ifndef FUNCTION
#define FUNCTION(name, spelling, kids, what) OP(name, spelling, C|K, kids, EXPR)
#endif
#ifndef VIEW
#define VIEW(name, spelling, kids, of, extent, count, applies, form, kinds, what) OP(name, spelling, C, kids, EXPR)
#endif
#ifndef OP
#define OP(name, spelling, form, kids, class)
#endif
/* values in both forms */
OP(INT,            "int",            C|K,   0,  EXPR)  /* .number                                                  */
OP(FLOAT,          "float",          C|K,   0,  EXPR)  /* .real                                                    */
OP(BOOL,           "bool",           C|K,   0,  EXPR)  /* .number, 0 or 1                                          */
OP(LIMIT,          "limit",          C|K,   0,  EXPR)  /* .limit of its .type                                     */
OP(REF,            "ref",            C|K,   0,  EXPR)  /* .symbol                                                  */
OP(ADD,            "+",              C|K,   2,  EXPR)
OP(SUB,            "-",              C|K,   2,  EXPR)
OP(MUL,            "*",              C|K,   2,  EXPR)
OP(DIV,            "/",              C|K,   2,  EXPR)
OP(REM,            "%",              C|K,   2,  EXPR)
OP(SHL,            "<<",             C|K,   2,  EXPR)
OP(SHR,            ">>",             C|K,   2,  EXPR)
OP(AND,            "&",              C|K,   2,  EXPR)
OP(OR,             "|",              C|K,   2,  EXPR)
OP(XOR,            "^",              C|K,   2,  EXPR)
OP(LT,             "<",              C|K,   2,  EXPR)
OP(LE,             "<=",             C|K,   2,  EXPR)
OP(GT,             ">",              C|K,   2,  EXPR)
OP(GE,             ">=",             C|K,   2,  EXPR)
OP(EQ,             "==",             C|K,   2,  EXPR)
OP(NE,             "!=",             C|K,   2,  EXPR)
OP(LAND,           "&&",             C|K,   2,  EXPR)
OP(LOR,            "||",             C|K,   2,  EXPR)
OP(NEG,            "neg",            C|K,   1,  EXPR)  /* unary minus                                              */
OP(NOT,            "!",              C|K,   1,  EXPR)
OP(BNOT,           "~",              C|K,   1,  EXPR)
OP(COND,           "?:",             C|K,   3,  EXPR)  /* condition, then, else                                    */
OP(CAST,           "cast",           C|K,   1,  EXPR)  /* to .type                                                 */
OP(MIN,            "min",            C|K,   2,  EXPR)
OP(MAX,            "max",            C|K,   2,  EXPR)
OP(APPLY,          "op",             C|K,   2,  EXPR)  /* the user's operator of both, in this order                */
OP(IDENTITY,       "id",             C|K,   0,  EXPR)  /* its identity                                             */
OP(INDEX,          "[]",             C|K,  -1,  EXPR)  /* array or container, position, or row and column          */
OP(CLAIM,          "claim",          C|K,   3,  EXPR)  /* place, unset, value: it becomes that if it is unset: has it?
                                                          Of a DECLARE alone                                       */
OP(SHUFFLE,        "shuffle",        C|K,   2,  EXPR)  /* value, offset or lane; .mode                             */
OP(ADDRESS,        "&",              C|K,   1,  EXPR)  /* of an element; in the codelet form for a NATIVE           */
OP(NATIVE,         "native",         C|K,  -1,  EXPR)  /* .native called with numbers and ADDRESSes               */
OP(ALIKE,          "Alike",          C|K,   2,  EXPR)  /* which lanes of the vector have a number with the same lowest
                                                          bits, so many: a bit for each                            */
OP(POPCOUNT,       "popcount",       C|K,   1,  EXPR)  /* how many bits are set                                   */
OP(ORDER_BITS,     "order_bits",     C|K,   3,  EXPR)  /* of the unsigned number with x's place in its type's order
                                                          the bits from one on, so many, a constant                */
OP(ORDER_SIZE,     "order_size",     C|K,   0,  EXPR)  /* how many bits that number has: one of .element           */
FUNCTION(EXP,   "exp",   1, "e to the power of x")
FUNCTION(EXP2,  "exp2",  1, "2 to the power of x")
FUNCTION(EXPM1, "expm1", 1, "exp(x) - 1, also of a small x")
FUNCTION(LOG,   "log",   1, "The natural logarithm of x")
FUNCTION(LOG2,  "log2",  1, "The logarithm of x to base 2")
FUNCTION(LOG1P, "log1p", 1, "log(1 + x), also of a small x")
FUNCTION(SQRT,  "sqrt",  1, "The square root of x")
FUNCTION(RSQRT, "rsqrt", 1, "1 / sqrt(x)")
FUNCTION(SIN,   "sin",   1, "The sine of x, in radians")
FUNCTION(COS,   "cos",   1, "The cosine of x, in radians")
FUNCTION(ATAN,  "atan",  1, "The arc tangent of x, in radians")
FUNCTION(TANH,  "tanh",  1, "The hyperbolic tangent of x")
FUNCTION(ERF,   "erf",   1, "The error function of x")
FUNCTION(POW,   "pow",   2, "x to the power of y")
FUNCTION(FABS,  "fabs",  1, "The absolute value of x")
FUNCTION(FLOOR, "floor", 1, "The greatest whole number that is not above x")
FUNCTION(CEIL,  "ceil",  1, "The least whole number that is not below x")
FUNCTION(TRUNC, "trunc", 1, "x without its fraction")
FUNCTION(FMA,   "fma",   3, "x * y + z, rounded once")
/* values of the codelet form */
OP(SIZE,           "size",           C,     1,  EXPR)  /* elements of a container, or its .dimension's             */
OP(STRIDE,         "stride",         C,     1,  EXPR)  /* always 1: containers are logical views                   */
OP(APART,          "apart",          C,     1,  EXPR)  /* elements of the caller's memory from one index of its
                                                          .dimension to the next                                   */
OP(VECTOR_SIZE,    "Size",           C,     0,  EXPR)  /* lanes of this vector                                     */
OP(VECTOR_MAX,     "MaxSize",        C,     0,  EXPR)  /* lanes of the widest vector                               */
OP(VECTOR_THREAD,  "ThreadId",       C,     0,  EXPR)  /* lane among all vectors; coopIdx()                        */
OP(VECTOR_LANE,    "LaneId",         C,     0,  EXPR)
OP(VECTOR_ID,      "VectorId",       C,     0,  EXPR)
OP(COOP_DIM,       "coopDim",        C,     0,  EXPR)  /* lanes of all vectors together                            */
OP(CALL,           "call",           C,    -1,  EXPR)  /* .spectrum applied to the kids                            */
OP(MAP,            "map",            C,    -1,  EXPR)  /* .spectrum over each part; kids: its arguments, each a
                                                          PARTITION, ROWS, COLUMNS, ELEMENTS, or the same for all
                                                          parts                                                    */
OP(ROWS,           "rows",           C,     1,  EXPR)  /* those of a container of two dimensions, one a part       */
OP(COLUMNS,        "columns",        C,     1,  EXPR)
OP(ELEMENTS,       "elements",       C,     1,  EXPR)  /* those of a container, one a part                         */
OP(ZIP,            "zip",            C,    -1,  EXPR)  /* containers, element by element, for a TRANSFORM          */
VIEW(TRANSFORM, "transform", -1,  0, WHOLE, -1, true, /* .spectrum of the elements of each kid */
     "transform(f<T>, zip(x, y))", "with a function f of as many numbers of these types",
     "A view: the function f of every element, `transform(f<T>, x)`, or of pairs of elements.")
VIEW(TAKE,      "take",       2,  0, PART,   1, false, "take(x, n)", "of a container and a number",
     "A view: the first n elements.")
VIEW(SHIFT,     "shift",      2,  0, PART,   1, false, "shift(x, k)", "of a container and a number",
     "A view: all but the first k elements: element i is `x[i + k]`.")
VIEW(REVERSE,   "reverse",    1,  0, WHOLE, -1, false, "reverse(x)", "of a container",
     "A view: element i is `x[x.Size() - 1 - i]`.")
VIEW(EVERY,     "every",      2,  0, PART,   1, false, "every(x, k)", "of a container and a number",
     "A view: every k-th element, from the first on: element i is `x[i * k]`.")
VIEW(REPEAT,    "repeat",     2, -1, WHOLE,  1, false, "repeat(a, n)", "of two numbers",
     "A view of n elements, each a.")
VIEW(IOTA,      "iota",       2, -1, WHOLE,  1, false, "iota(first, n)", "of two numbers",
     "A view of n elements: first, first + 1, ..")
VIEW(GENERATE,  "generate",   1, -1, WHOLE,  0, true, /* .spectrum of positions */
     "generate(f<T>, n)", "with a function f of one number",
     "A view of n elements: f of 0, 1, .. converted to the type of f's parameter.")
VIEW(GATHER,    "gather",     2,  1, WHOLE, -1, false, "gather(x, indices)", "of two containers",
     "A view: the elements of x at these positions.")
OP(SLIDE,          "slide",          C,    -1,  EXPR)  /* carry, a SPECTRUM, then a MAP's arguments: .spectrum part by
                                                          part, each with the result of the one before as carry; the
                                                          SPECTRUM gives what a part alone adds to it (MICRO VI-C)  */
OP(SPECTRUM,       "spectrum",       C,     0,  EXPR)  /* .spectrum by name                                        */
OP(PARTITION,      "partition",      C,     5,  EXPR)  /* container, n, start, inc, end                            */
OP(PARTS,          "partition",      C,    -1,  EXPR)  /* container, then for each dimension a REF to a cut, a HALO or
                                                          WHOLE                                                    */
OP(BOX,            "box",            C,    -1,  EXPR)  /* container, then for each dimension where in it element 0 is,
                                                          and how many there are: of a CALL alone                  */
OP(CUT,            "cut",            C,    -1,  EXPR)  /* of one dimension; 2 kids: n, so many elements in n tiles;
                                                          4: n, start, inc, end                                    */
OP(HALO,           "halo",           C,     3,  EXPR)  /* a REF to a cut, elements before, elements after          */
OP(WHOLE,          "whole",          C,     0,  EXPR)  /* all of a dimension in each part                          */
OP(EXTENTS,        "extents",        C,    -1,  EXPR)  /* of a codelet's own container of several dimensions: how many
                                                          elements it has in each                                  */
OP(SEQUENCE,       "sequence",       C,    -1,  EXPR)  /* 1 kid: constant; 3: start, inc, end; 4: container first  */
/* values of the kernel form */
OP(THREAD,         "threadIdx.x",    K,     0,  EXPR)  /* lane of the block                                        */
OP(LANE,           "lane",           K,     0,  EXPR)  /* lane of the warp                                         */
OP(WARP,           "warp",           K,     0,  EXPR)  /* warp of the block                                        */
OP(BLOCK_ID,       "blockIdx.x",     K,     0,  EXPR)
OP(RANK,           "rank",           K,     0,  EXPR)  /* block of the cluster                                     */
OP(BESIDE,         "is_beside",      K,     1,  EXPR)  /* lanes of the block: is this one beside them?             */
OP(CLUSTER_ID,     "cluster",        K,     0,  EXPR)  /* cluster of the grid                                      */
OP(GRID_DIM,       "gridDim.x",      K,     0,  EXPR)  /* of a CPU the team's threads, however many came         */
OP(PULL,           "pull",           K,     2,  EXPR)  /* place, rank: what is in that place of shared memory, but in
                                                          that block of the cluster                                */
OP(LIFT,           "lift",           C|K,  -1,  EXPR)  /* an element [, its place] as a state of the user's monoid */
OP(STATE,          "of",             C|K,   2,  EXPR)  /* two numbers as a state: of loops (front/affine.c)      */
OP(FINISH,         "finish",         C|K,   1,  EXPR)  /* a state of it as the result of the whole                 */
OP(FIELD,          ".",              C|K,   1,  EXPR)  /* a state's member, .text                                  */
OP(WIDTH,          "width",          K,     0,  EXPR)  /* elements, of Type .element, in 16 bytes                  */
OP(ARRIVE,         "arrives_last",   K,     2,  EXPR)  /* counter, blocks: counts this block; is it the last?      */
OP(BEGIN,          "begins_last",    K,     2,  EXPR)  /* the same, but orders no memory                           */
OP(COLLECT,        "collect",        K,     2,  EXPR)  /* posts, place: waits for what is posted there, takes it away */
OP(TICKET,         "take_ticket",    K,     2,  EXPR)  /* counter, blocks: how many blocks have begun before this one,
                                                          and, 32 bits above that, the number of the call          */
OP(LOOK_BACK,      "look_back",      K,    -1,  EXPR)  /* words, tiles, tile, ticket, the tile's total: what stands
                                                          before it, by .combines; a warp together; and
                                                          last, where many parts are scanned, how many tiles each
                                                          of them has                                              */
OP(PRIOR_TOTAL,    "prior_total",    K,    -1,  EXPR)  /* the same, told by a SCANNER                              */
OP(NEXT_TILE,      "next_tile",      K,     1,  EXPR)  /* counter: the next one of those that begin as nobody's     */
OP(CHAIN,          "chain",          K,     4,  EXPR)  /* counter, tile, the first's carry, the tile's
                                                          total: what stands before it, by .combines                */
OP(HALF,           "half_of",        K,   1,  EXPR)  /* lanes, rounded up to a power of two, halved; of one lane: 0  */
OP(REDUCE,         "reduce",         K,   1,  EXPR)  /* all lanes' values, combined, by .combines                 */
OP(REDUCES,        "reduces",        K,   0,  EXPR)  /* has the warp a REDUCE for Type .element?                   */
OP(FUSED,          "fused",          K,     3,  EXPR)  /* x * y + z, rounded once where the machine can (fuse.c)    */
OP(ANY,            "any",            K,     1,  EXPR)  /* is it so for some lane of the warp?                      */
OP(SEE_ANY,        "see_any",        K,     1,  EXPR)  /* an element that others write meanwhile (__accum(Any))    */
OP(ANY_OF_BLOCK,   "__syncthreads_or", K,   1,  EXPR)  /* is it so for some lane of the block? A barrier           */
OP(COMES_LAST,     "comes_last",     K,     2,  EXPR)  /* word, how often blocks have come to it by the end of the last
                                                          meeting: the block waits until all of the grid have come,
                                                          and for a GO_ON; but true at once on one lane of the last */
OP(TO_ALIGNED,     "to_aligned",     K,     1,  EXPR)  /* elements from this one to the next multiple of 16 bytes  */
/* statements in both forms */
OP(SEQ,            "{}",             C|K,  -1,  STMT)  /* a block of statements                                    */
OP(DECLARE,        "declare",        C|K,  -1,  STMT)  /* .symbol; kid 0, if any: its initial value                */
OP(ASSIGN,         "=",              C|K,   2,  STMT)  /* place, value; .compound: 0, or the Op of x op= y         */
OP(IF,             "if",             C|K,  -1,  STMT)  /* condition, then [, else]                                 */
OP(FOR,            "for",            C|K,   4,  STMT)  /* init, condition, step, body; absent parts are NULL;
                                                          .unroll                                                  */
OP(WHILE,          "while",          C|K,   2,  STMT)  /* condition, body                                          */
OP(BREAK,          "break",          C|K,   0,  STMT)
OP(CONTINUE,       "continue",       C|K,   0,  STMT)
OP(RETURN,         "return",         C|K,  -1,  STMT)
OP(ATOMIC,         "atomic",         C|K,  -1,  STMT)  /* place, value; .atomic; .scope. APPEND: the place counts; then
                                                          the queue's first element, how many it has room for; and
                                                          where the warp collects them (collect.c)                  */
OP(COMMENT,        "//",             C|K,   0,  STMT)  /* .text                                                    */
/* statements of the codelet form */
OP(MAP_ATOMIC,     "map.atomic",     C,     1,  STMT)  /* kid: REF to a map; .atomic (CGO III-A)                   */
OP(MAP_TO,         "map.to",         C,     2,  STMT)  /* REF to a map, container that its results are stored in    */
OP(MAP_RUN,        "map",            C,     1,  STMT)  /* a MAP whose spectrum returns nothing                     */
OP(NATIVELY,       "natively",       C|K,   1,  STMT)  /* a NATIVE, for what it writes                           */
OP(RUN,            "run",            C,     1,  STMT)  /* a CALL or a SLIDE, for what it writes                     */
/* statements of the kernel form */
OP(BARRIER,        "barrier",        K,     0,  STMT)  /* .scope: SCOPE_WARP, SCOPE_BLOCK or SCOPE_CLUSTER         */
OP(CLUSTER_ARRIVE, "cluster_arrive", K,     0,  STMT)  /* half of a cluster's barrier; .relaxed: it orders no
                                                          memory, only says that this lane has begun               */
OP(CLUSTER_WAIT,   "cluster_wait",   K,     0,  STMT)  /* its other half: until all lanes of the cluster arrived   */
OP(PUSH,           "push",           K,     2,  STMT)  /* place, value: stores it in that place of shared memory, but
                                                          in the cluster's first block                             */
OP(POST,           "post",           K,     3,  STMT)  /* posts, place, value: for a COLLECT in another block      */
OP(SCANNER,        "scan_totals",    K,    -1,  STMT)  /* words, tiles, ticket: tells all tiles; a block together;
                                                          and last the same                                        */
OP(LOAD_WIDE,      "load_wide",      K,    -1,  STMT)  /* to, from: 16 bytes, `from' at a multiple of 16; .move;
                                                          WIDE_APART: and a number of elements that it is a multiple
                                                          of, beside multiples of 16 bytes                          */
OP(LOAD_SEVERAL,   "load_several",   K,     3,  STMT)  /* to, from, count: so many elements, at any address          */
OP(STORE_WIDE,     "store_wide",     K,     2,  STMT)  /* to, from: the same the other way                         */
OP(LOAD_RUN,       "load_run",       K,     5,  STMT)  /* to, from, how many, of how many elements it is a multiple
                                                          behind one of 16 bytes, behind which it is by so many whole
                                                          words, -1: not known: by vectors that cover them          */
OP(STORE_RUN,      "store_run",      K,     8,  STMT)  /* to, from, how many, are they aligned, this lane of a row of
                                                          lanes, lanes, how many it has, and how many of the first
                                                          are not there: neighbouring lanes' elements, 16 bytes at
                                                          once; a warp together                                    */
OP(FETCH_AHEAD,    "fetch_ahead",    K,     1,  STMT)  /* an element of memory, to the cache, for a later load     */
OP(COPY_AHEAD,     "copy_ahead",     K,     4,  STMT)  /* to, in shared memory, from, how many elements, do they exist:
                                                          a copy, or zeros, made some time before an AWAIT_COPIES   */
OP(CLOSE_COPIES,   "close_copies",   K,     0,  STMT)  /* those since the last one are a group                     */
OP(AWAIT_COPIES,   "await_copies",   K,    -1,  STMT)  /* until no more than so many groups of this lane's are being
                                                          copied; then where those begin that have been            */
OP(COPY_ROWS,      "copy_rows",      K,     9,  STMT)  /* to, in shared memory, from, elements from a row to the next,
                                                          rows, elements of one, this lane; lanes, elements from a
                                                          row to the next there, and that there is room for: ahead
                                                          as COPY_AHEAD does where the machine can; a block together
                                                                                                                    */
OP(LOAD_A,         "load_a",         K,     4,  STMT)  /* to, from, steps from row to row and from column to column: a
                                                          lane's elements of MATRIX_M x MATRIX_K that begin there; a
                                                          warp together                                             */
OP(LOAD_B,         "load_b",         K,     4,  STMT)  /* the same of MATRIX_K x MATRIX_N                           */
OP(PART_OF_A,      "part_of_a",      K,     3,  STMT)  /* to, from, below: what load_a gives, of four neighbours of a
                                                          row and, so much further on, of the one eight rows below, in
                                                          registers                                                 */
OP(LOAD_NEAR,      "load_near",      K,     4,  STMT)  /* how many, to, from, at a multiple of their bytes or of 16, may
                                                          they be read: neighbours, or zeros                        */
OP(KEEP_NEAR,      "keep_near",      K,     6,  STMT)  /* how many, of what LOAD_NEAR gave, from where, which is the
                                                          first, the end, was it read: others are zero             */
OP(MULTIPLY,       "multiply",       K,     3,  STMT)  /* c, a, b: c += a b, of lanes' elements; a warp together      */
OP(MULTIPLY_TILE,  "multiply_tile",  K,     3,  STMT)  /* the same where quad pairs multiply: of 16 columns, of which
                                                          a lane has more elements                                  */
OP(UNIT_LOAD,      "unit_load",      K,     6,  STMT)  /* rows of a lane, to, from, the first element's number, what
                                                          numbers are below, are all of the tile there?             */
OP(UNIT_SUMS,      "unit_sums",      K,     3,  STMT)  /* rows of a lane, to, from: of what a warp has of a tile, all
                                                          that stands in it, and what stands before each of its unit's
                                                          rows, which lanes have four of; together                  */
OP(UNIT_SCAN,      "unit_scan",      K,     5,  STMT)  /* rows of a lane, to, from, what UNIT_SUMS gave, and what
                                                          stands before all of it: a scan; together                 */
OP(UNIT_STORE,     "unit_store",     K,     8,  STMT)  /* to, from, what UNIT_SUMS gave, what stands before all of it,
                                                          the first element's number, what numbers are below, are all
                                                          of the tile there, rows of a lane: a scan to memory       */
OP(MAKE_BOXES,     "make_boxes",     K,    -1,  EXPR)  /* BOXES, first element, elements, lines, and matrices if there
                                                          are several, of memory, from line to line, .. from matrix
                                                          to matrix, lines of a box: of the host; can they be copied? */
OP(IN_BOXES,       "in_boxes",       K,     3,  EXPR)  /* element, line, lines of a box: where a COPY_PANEL puts it  */
OP(OPEN_PANELS,    "open_panels",    K,    -1,  STMT)  /* how many there are at once, in how many parts each
                                                          comes, and how many warps free each, if lanes beside the
                                                          block's ask for copies: before the first COPY_PANEL; a block
                                                          together                                                  */
OP(COPY_PANEL,     "copy_panel",     K,    -1,  STMT)  /* to, in shared memory, BOXES, element and line that it begins
                                                          with, and matrix, the part of which buffer it is;
                                                          elements, lines, and matrices: some time before its
                                                          AWAIT_PANEL; a block together                              */
OP(COPY_CHUNK,     "copy_chunk",     K,     3,  STMT)  /* to, at a multiple of 16 bytes of shared memory, from, how many
                                                          elements there are from there on: 16 bytes, zeros behind
                                                          them, for a MULTIPLY_GROUP behind an AWAIT_PANEL           */
OP(AWAIT_PANEL,    "await_panel",    K,    -1,  STMT)  /* how many there are at once, the number of the one that is
                                                          waited for, were they BOXES; then where it begins          */
OP(AWAIT_ROOM,     "await_room",     K,     2,  STMT)  /* how many there are at once, a panel's number: until nobody
                                                          reads the panel that was in its buffer before: ahead of a
                                                          COPY_PANEL of lanes beside the block's                     */
OP(FREE_PANEL,     "free_panel",     K,     2,  STMT)  /* how many there are at once, a panel's number: this warp does
                                                          not read it any more                                      */
OP(BEGIN_SUMS,     "begin_sums",     K,    -1,  STMT)  /* an array that MULTIPLY_GROUPs add to is as it is          */
OP(DELIVER_BOXES,  "deliver_boxes",  K,     7,  STMT)  /* two boxes of shared memory, BOXES, 64 rows of what a group
                                                          of warps holds, column and row that they go to, how many
                                                          columns, are they added to what is there: some time before
                                                          an AWAIT_READS; a group of warps together                 */
OP(AWAIT_READS,    "await_reads",    K,     1,  STMT)  /* until no more than so many of a lane's boxes are still to be
                                                          read by a DELIVER_BOXES                                   */
OP(MULTIPLY_GROUP, "multiply_group", K,     8,  STMT)  /* c, a, b, columns, lines of a's and of b's layout, are a's and
                                                          b's along the inner dimension: c += a b, of matrices in
                                                          shared memory, some time before an AWAIT_PRODUCTS; a group
                                                          of warps together                                          */
OP(LOAD_WORDS,     "load_words",     K,     3,  STMT)  /* to, in registers, from, lines: a lane's words of 64 rows that
                                                          lie across 16 elements of the inner dimension, for a
                                                          MULTIPLY_GROUP in a's place                               */
OP(TAKE_WORDS,     "take_words",     K,     3,  STMT)  /* how many, to, from: registers behind the products that read
                                                          them; then what is in others                              */
OP(OPEN_PRODUCTS,  "open_products",  K,     0,  STMT)  /* before the first MULTIPLY_GROUP of several                 */
OP(STORE_PAIR,     "store_pair",     K,     2,  STMT)  /* place, from: two neighbouring elements, at a multiple of two;
                                                          .compound: 0, or ADD, to what is there: add_pair         */
OP(AWAIT_PRODUCTS, "await_products", K,    -1,  STMT)  /* those since the last one are a group; until no more than so
                                                          many groups are under way; then what others have read, or,
                                                          of all, the array that they were added up in               */
OP(LANES,          "for_lanes",      K,    -1,  STMT)  /* for each lane of the one vector that a block is (simd.c);
                                                          .vectors: LANES_OF_VECTORS: of all in flight, and
                                                          LANES_OF_STREAMS, which come from memory; less: of
                                                          -vectors vectors; then how many of these lanes there are,
                                                          if fewer: a number                                        */
OP(EXCHANGE,       "exchange",       K,    -1,  STMT)  /* to, from: arrays of an element a lane; then, for each lane,
                                                          the lane whose element it takes
                                                           */
OP(LOAD_ROWS,      "load_rows",      K,     3,  STMT)  /* to, from, apart: lane l gets the elements from[l * apart], the
                                                          next one .., as many as `to' has, which is an array of its
                                                          own */
OP(AFTER_GRIDS,    "after_earlier_grids", K, 0, STMT)  /* waits for the grids before this one in the stream      */
OP(ASK,            "ask",            K,     2,  STMT)  /* of the host, in a loop: a word of the workspace, how many
                                                          iterations have been launched: leaves the loop where the word
                                                          is known not to be 0                                     */
OP(ASK_END,        "ask_end",        K,     1,  STMT)  /* of the host, behind a kernel that does a loop: the word that
                                                          is not 0 if that ended; else the call ends with an error */
OP(LOOP_NODE,      "loop_node",      K,     3,  STMT)  /* of the host: the word that its kernels ask, most iterations, a
                                                          FOR of launches: in a stream that is captured one iteration
                                                          of it is a node of the graph (graph_node.c)              */
OP(END_NODE,       "end_node",       K,     0,  STMT)  /* of the host, in that: behind what an iteration launches   */
OP(GIVE_UP,        "give_up",        K,     0,  STMT)  /* of the host: the call ends with an error: a loop has no end */
OP(APPEND_HELD,    "append_held",    K,     7,  STMT)  /* held, here, a warp's share of it, how many are enough, the
                                                          place that counts, the queue's first element, how many it
                                                          has room for: what the warp has collected is appended, if
                                                          it is enough; a warp together                             */
OP(ADD_OF_BLOCK,   "add_of_block",   K,     3,  STMT)  /* place, value, shared memory for one: that of all lanes of the
                                                          block is added there; a block together                    */
OP(RESERVE,        "reserve",        K,    -1,  STMT)  /* the place that counts, how many elements, a lane's array,
                                                          room: so many places of a queue at once, which the array
                                                          says; and held, a warp's share where it collects them     */
OP(MEET,           "meet",           K,     2,  STMT)  /* as COMES_LAST: all blocks wait for one another             */
OP(GO_ON,          "go_on",          K,     2,  STMT)  /* word, what COMES_LAST gave: that lane lets all go on      */
OP(DISPERSE,       "disperse",       K,     2,  STMT)  /* as COMES_LAST: there is no other meeting                  */
OP(TOGETHER,       "together",       K,     2,  STMT)  /* of the host: words, a FOR whose LAUNCHes are to be one, of a
                                                          grid that stays (persist.c); 0, all LAUNCHes that are to
                                                          be one, of one block                                      */
OP(LAUNCH,         "launch",         K,    -1,  STMT)  /* .kernel; kids: blocks, threads, arguments                */
#undef OP
#undef VIEW
#undef FUNCTION
