/* words.c: the words of the language and their meanings. */
#include "lsp/words.h"

#include <stddef.h>
#include <string.h>

#define Q WORD_QUALIFIER
#define T WORD_TYPE
#define F WORD_FUNCTION
#define M WORD_MEMBER
#define O WORD_OPERATOR

#define ARGUMENTS_1 "(x)"
#define ARGUMENTS_2 "(x, y)"
#define ARGUMENTS_3 "(x, y, z)"

const Word words[] = {
    {"__codelet", Q, "template <typename T> __codelet T sum(const Array<1, T> in)",
     "A declaration is a spectrum, a definition is a codelet of it."},
    {"__coop", Q, "__codelet __coop",
     "The codelet is cooperative: lanes run it together and exchange data. Inferred if it is left out, checked if it "
     "is "
     "written."},
    {"__tag", Q, "__tag(name)", "The codelet's name in plans and listings; unique in its spectrum."},
    {"__env", Q, "__env(sm_90, avx2)", "The codelet is for these machines only."},
    {"__tunable", Q, "__tunable unsigned p;\n__tunable unsigned tile = 8;",
     "Without a value: the number of parts, which the compiler picks. With one: a number that the tuner picks, by "
     "default that value."},
    {"__mutable", Q, "__mutable Array<1, T> y", "A parameter that is written. All others are read-only."},
    {"__shape", Q, "__shape(A.Size(1), _) const Array<2, T> B",
     "A container with these sizes, one per dimension; `_` means any."},
    {"__like", Q, "__like(x) __mutable Array<1, T> y",
     "A container with as many elements as an earlier parameter: short for `__shape(x.Size())`."},
    {"__by_columns", Q, "__by_columns const Array<2, T> A", "A two-dimensional container that is column-major."},
    {"__accum", Q, "__accum(Add) Array<1, T> counts",
     "A container that is only accumulated into, by that operator (Add, Sub, Max, Min, And, Or, Xor), and never read. "
     "`__accum(Once)`: each position is written at most once; `__accum(Any)`: any one of the values written remains."},
    {"__append", Q, "__append(many) Array<1, T> next",
     "A queue: `next.append(v)` adds an element, in any order; the earlier parameter `many` counts them."},
    {"__shared", Q, "__shared T tmp[in.Size()];",
     "One variable or array for all lanes of a cooperative codelet; it starts at the identity of the spectrum's "
     "operator. The compiler places it: in shared memory, or in registers with shuffles."},
    {"__shared_atomic", Q, "__shared_atomic(M) T total;",
     "A shared variable: every write to it is an atomic of the operator M."},
    {"__shared_atomicAdd", Q, "__shared_atomicAdd T total;",
     "A shared variable: every write to it is an atomic addition."},
    {"__shared_atomicSub", Q, "__shared_atomicSub T total;",
     "A shared variable: every write to it is an atomic subtraction."},
    {"__shared_atomicMax", Q, "__shared_atomicMax T best;",
     "A shared variable: every write to it is an atomic maximum."},
    {"__shared_atomicMin", Q, "__shared_atomicMin T best;",
     "A shared variable: every write to it is an atomic minimum."},
    {"__shared_once", Q, "__shared_once T staged[n];",
     "A shared array: an element is stored before it is read, and read in between where different lanes store it. "
     "It starts with no value; stores alone need no barrier."},
    {"__atomic", Q, "__shared __atomic(M) T total;", "Every write is an atomic of the operator M."},
    {"__atomicAdd", Q, "__shared __atomicAdd T total;", "Every write is an atomic addition."},
    {"__atomicSub", Q, "__shared __atomicSub T total;", "Every write is an atomic subtraction."},
    {"__atomicMax", Q, "__shared __atomicMax T best;", "Every write is an atomic maximum."},
    {"__atomicMin", Q, "__shared __atomicMin T best;", "Every write is an atomic minimum."},
    {"__monoid", Q, "struct __monoid(associative, commutative) Extent { .. };",
     "An operator of your own, for `--operator`: a struct with `id` and `op`, and, if needed, `lift` and `finish`. The "
     "words in parentheses promise that it is `associative` (required), `commutative`, or both only up to rounding "
     "(`rounded`)."},
    {"Array", T, "const Array<1, T> in\nArray<1, T> c(n);",
     "A container of one to four dimensions: `c[i]`, `A(row, column)`, `c.Size()`, `A.Size(0)` rows, `A.Size(1)` "
     "columns. In a compound codelet `Array<1, T> c(n);` is a temporary container."},
    {"Vector", T, "Vector v();",
     "The vector that this lane belongs to: a warp, or a CPU's vector. `v.Size()`, `v.MaxSize()`, `v.LaneId()`, "
     "`v.VectorId()`, and `v.ThreadId()` over all cooperating lanes."},
    {"Map", T, "Map m(f, partition(in, p, start, inc, end));",
     "The spectrum f applied to every part. Its results are a container, or are accumulated (`m.atomicAdd()`), or "
     "stored "
     "(`m.to(y)`)."},
    {"Sequence", T, "Sequence start(0, tile, n);", "A named sequence of integers."},
    {"Cut", T, "Cut i = tiles(p, n);",
     "One dimension divided into parts. Containers that share a cut are divided together."},
    {"map", F, "map(f<T>, a, partition(x, ..), rows(A), elements(y))",
     "The spectrum f applied to every part; one argument per parameter of f. Arguments that are not cut are the "
     "same for all parts. A function f: of the elements of containers that stand in the same place."},
    {"partition", F, "partition(c, n, start, inc, end)\npartition(A, i, j)",
     "n parts of c: part i has the elements `start[i]`, `start[i] + inc[i]`, .. below `end[i]`. With cuts: one for "
     "each "
     "dimension."},
    {"sequence", F, "sequence(a)\nsequence(start, inc, end)\nsequence(c, start, inc, end)",
     "A constant; `start`, `start + inc`, .. that stays at `end`; the elements of c at these positions."},
    {"tiles", F, "Cut i = tiles(p, n);", "One dimension of n elements in p adjacent parts of equal length."},
    {"cut", F, "Cut i = cut(p, start, inc, end);", "One dimension in p parts, as `partition` has them."},
    {"halo", F, "halo(i, before, after)",
     "A cut of a container that is longer by `before` and `after` elements, as each part then is."},
    {"whole", F, "partition(A, i, whole())", "Each part has the whole dimension."},
    {"rows", F, "rows(A)", "Each part is a row of a two-dimensional container."},
    {"columns", F, "columns(A)", "Each part is a column of a two-dimensional container."},
    {"elements", F, "elements(c)", "Each part is one element, for a parameter that is a number."},
    {"zip", F, "transform(f<T>, zip(x, y))", "Pairs of elements of containers of equal length, inside `transform`."},
    {"slide", F, "slide(carry, sum<T>, scan<T>, partition(in, ..), partition(out, ..))",
     "A scan part by part, each begun with the result of the one before. `sum` is what a part adds to the carry."},
    {"mma", F, "mma(A, B, C);",
     "C += A B, as the only statement of a codelet with these parameters: computed by a level with a matrix unit."},
    {"matrix", F, "mma(matrix(in, columns), ones<T>(), matrix(out, 1));",
     "A container as a matrix of so many columns, row by row, inside `mma`."},
    {"ones", F, "mma(matrix(in, columns), ones<T>(), matrix(out, 1));",
     "A matrix of ones, inside `mma`: the sum of each row, computed by a level with a matrix unit."},
    {"triangle", F, "mma(matrix(in, columns), triangle<T>(), matrix(out, columns));",
     "Ones on and above the diagonal, inside `mma`: each element and those before it in its row, or all, summed up."},
    {"coopIdx", F, "coopIdx()", "This lane's index among all cooperating lanes."},
    {"coopDim", F, "coopDim()", "The number of cooperating lanes."},
    {"order_bits", F, "order_bits(x, from, 8)",
     "Of an unsigned number with x's place in the order of its type, 8 bits from number `from` on: a sort's digit."},
    {"order_size", F, "order_size<T>()", "How many bits there are for `order_bits`."},
    {"popcount", F, "popcount(x)", "How many bits of an unsigned number are set."},
    {"min", F, "min(a, b)", "The smaller of two elements. NaN are ignored, and +0 is greater than -0."},
    {"max", F, "max(a, b)", "The larger of two elements. NaN are ignored, and +0 is greater than -0."},
    {"lowest", F, "lowest<T>()", "The smallest value of T, -infinity if there is one: the identity of `max`."},
    {"highest", F, "highest<T>()", "The largest value of T, infinity if there is one: the identity of `min`."},
#define VIEW(name, spelling, kids, of, extent, count, applies, form, kinds, what) {spelling, F, form, what},
#define FUNCTION(name, spelling, kids, what) {spelling, F, spelling ARGUMENTS_##kids, what "."},
#include "ir/ops.h"
    {"ldexp", F, "ldexp(x, k)", "For the functions of an operator: x * 2^k, of a double."},
    {"bits_of", F, "bits_of(x)",
     "For the functions of an operator: the bits of a float or a double, as an unsigned number."},
    {"float_of_bits", F, "float_of_bits(bits)", "For the functions of an operator: the float that has these bits."},
    {"double_of_bits", F, "double_of_bits(bits)", "For the functions of an operator: the double that has these bits."},
    {"Size", M, "c.Size()\nA.Size(dim)\nv.Size()",
     "Elements of a container, or of one of its dimensions; lanes of a vector. A position of 64 bits."},
    {"size", M, "c.size()", "The same as `Size()`."},
    {"Stride", M, "c.Stride()\nA.Stride(dim)",
     "Of one dimension always 1: a container is a logical view. Of more: how far apart the caller's elements lie in "
     "that dimension. A part has that of the whole."},
    {"MaxSize", M, "v.MaxSize()", "Lanes of the widest vector."},
    {"ThreadId", M, "v.ThreadId()", "This lane's index among all cooperating lanes."},
    {"LaneId", M, "v.LaneId()", "This lane's index in its vector."},
    {"VectorId", M, "v.VectorId()", "The index of this lane's vector."},
    {"Alike", M, "v.Alike(x, bits)",
     "Which lanes of this vector have an x with the same lowest bits, so many: a bit for each lane."},
    {"to", M, "m.to(y);", "The result of part i is stored in `y[i]`."},
    {"atomic", M, "m.template atomic<M>();", "The parts' results are accumulated atomically by the operator M."},
    {"append", M, "next.append(v);", "Adds an element to a queue (`__append`)."},
    {"claim", M, "if (levels.claim(i, -1, level)) ..",
     "If element i is the second number, it becomes the third: true for the one worker that does so. Of "
     "`__accum(Any)`."},
    {"atomicAdd", M, "m.atomicAdd();",
     "The parts' results are added atomically, or, as the plan chooses, combined by the spectrum call that follows."},
    {"atomicSub", M, "m.atomicSub();", "The parts' results are subtracted from 0 atomically."},
    {"atomicMax", M, "m.atomicMax();", "The maximum of the parts' results, atomically."},
    {"atomicMin", M, "m.atomicMin();", "The minimum of the parts' results, atomically."},
    {"id", M, "M::id()", "The operator's identity: the result for no elements."},
    {"op", M, "M::op(a, b)", "The operator: a and b combined; a's elements come before b's."},
    {"Sum", O, "--operator Sum", "The operator +."},
    {"Product", O, "--operator Product", "The operator *."},
    {"Max", O, "--operator Max", "The maximum. NaN are ignored, and +0 is greater than -0."},
    {"Min", O, "--operator Min", "The minimum. NaN are ignored, and +0 is greater than -0."},
    {"And", O, "--operator And", "Bitwise and, of integers."},
    {"Or", O, "--operator Or", "Bitwise or, of integers."},
    {"Xor", O, "--operator Xor", "Bitwise exclusive or, of integers."},
    {"Add", O, "__accum(Add) Array<1, T> y", "What is contributed to a container is added."},
    {"Sub", O, "__accum(Sub) Array<1, T> y", "What is contributed to a container is subtracted."},
    {"Once", O, "__accum(Once) Array<1, T> out",
     "A container that is written by position, each position at most once."},
    {"Any", O, "__accum(Any) Array<1, T> out",
     "A container that is written by position. Of several values for one position any one remains."},
    {NULL, Q, NULL, NULL}};

const Word *word_called(const char *name, bool member) {
  for (const Word *w = words; w->word; w++)
    if (strcmp(w->word, name) == 0 && (w->kind == WORD_MEMBER) == member)
      return w;
  return NULL;
}
