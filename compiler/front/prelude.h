/* prelude.h: what a .cdl file is read under, so that it is C++17 to a compiler and to an editor.
 *
 * Nothing here computes: the declarations give codelets their types; tgc reads the codelets' text. clangd sees
 * the same when it is told to include this file first (docs/reference/editors.md). */
#ifndef TGC_PRELUDE_H
#define TGC_PRELUDE_H

#define __codelet __attribute__((annotate("tgc.codelet")))
#define __coop __attribute__((annotate("tgc.coop")))
#ifdef TGC_OUTLINE /* as tgc reads it to see which functions there are */
#define __tag(name)
#else
#define __tag(name) __attribute__((annotate("tgc.tag:" #name)))
#endif
#define __env(...) __attribute__((annotate("tgc.env:" #__VA_ARGS__)))
#define __mutable __attribute__((annotate("tgc.mutable")))
#define __shape(...) __attribute__((annotate("tgc.shape:" #__VA_ARGS__)))
#define __like(...) __attribute__((annotate("tgc.like:" #__VA_ARGS__)))
#define __by_columns __attribute__((annotate("tgc.byColumns")))
/* op: Add, Sub, Max, Min, or of what is written by place: Once, Any. */
#define __accum(op) __attribute__((annotate("tgc.accum:" #op)))
/* A queue: elements are appended to it, in any order, and `count', an earlier parameter, is how many there are. */
#define __append(count) __attribute__((annotate("tgc.append:" #count)))
#define __tunable __attribute__((annotate("tgc.tunable")))
#define __shared __attribute__((annotate("tgc.shared")))
#define __monoid(...) __attribute__((annotate("tgc.monoid:" #__VA_ARGS__)))
#define __atomic(op) __attribute__((annotate("tgc.atomic:" #op)))
#define __atomicAdd __attribute__((annotate("tgc.atomicAdd")))
#define __atomicSub __attribute__((annotate("tgc.atomicSub")))
#define __atomicMax __attribute__((annotate("tgc.atomicMax")))
#define __atomicMin __attribute__((annotate("tgc.atomicMin")))
#define __shared_atomic(op) __shared __atomic(op)
#define __shared_atomicAdd __shared __atomicAdd
#define __shared_atomicSub __shared __atomicSub
#define __shared_atomicMax __shared __atomicMax
#define __shared_atomicMin __shared __atomicMin
#define __shared_once __shared __accum(Once)

/* The complex numbers of `--types': arithmetic, and no order. */
namespace tgc_elements {

#define TGC_COMPLEX(name, R)               \
  struct name {                            \
    name() = default;                      \
    name(R re, R im = 0);                  \
    name &operator+=(name);                \
    name &operator-=(name);                \
    name &operator*=(name);                \
    name &operator/=(name);                \
    name operator-() const;                \
    friend name operator+(name, name);     \
    friend name operator-(name, name);     \
    friend name operator*(name, name);     \
    friend name operator/(name, name);     \
    friend bool operator==(name, name);    \
    friend bool operator!=(name, name);    \
  };
TGC_COMPLEX(cfloat, float)
TGC_COMPLEX(cdouble, double)
#undef TGC_COMPLEX

} // namespace tgc_elements

namespace tgc {

template <class T> struct Same { using type = T; };

/* A container of D dimensions: a logical view. Of one dimension its stride is 1, wherever its elements lie; of more
 * Stride(d) tells how far apart the caller's lie, and a part has that of the whole. `Array<1, T> c(n);', `Array<2, T>
 * c(n, m);' in a compound codelet is one of its own. */
template <int D, class T> struct Array {
  explicit Array(long n);
  Array(long rows, long columns);
  Array(long, long, long);
  Array(long, long, long, long);
  long Size() const;
  long Size(int dim) const;
  long size() const;
  long size(int dim) const;
  long Stride() const;
  long Stride(int dim) const;
  const T &operator[](long) const;
  T &operator[](long);
  const T &operator()(long row, long column) const; /* of two dimensions */
  T &operator()(long row, long column);
  const T &operator()(long, long, long) const; /* of three */
  T &operator()(long, long, long);
  const T &operator()(long, long, long, long) const; /* of four */
  T &operator()(long, long, long, long);
  void append(T); /* to a queue (__append) */
  bool claim(long i, T unset, T value); /* of __accum(Any): element i, if it is unset, becomes that value: is it so? */
};

/* start, start + inc, .. up to end, where a short one stays; or one value for ever; or the elements of c at these
 * places. */
struct Sequence {
  Sequence(long);
  Sequence(long start, long inc, long end);
  template <class I> Sequence(const Array<1, I> &c, long start, long inc, long end);
};
Sequence sequence(long);
Sequence sequence(long start, long inc, long end);
template <class I> Sequence sequence(const Array<1, I> &c, long start, long inc, long end);

/* n sub-containers of c: number i has the elements from start[i] to end[i] by inc[i]. */
template <class C> struct Parts {};
template <int D, class T>
Parts<Array<D, T>> partition(const Array<D, T> &c, long n, Sequence start, Sequence inc, Sequence end);

/* One dimension in n parts: adjacent tiles of so many elements, or those of sequences. By the same cut, a map's
 * containers are cut together; the map has a part for each combination of its cuts'. */
struct Cut { Cut(const Cut &); };
Cut tiles(long n, long elements);
Cut cut(long n, Sequence start, Sequence inc, Sequence end);
Cut halo(const Cut &, long before, long after); /* of what has so many elements more: so has each part */
Cut whole(); /* all of a dimension in each part */
template <int D, class T> Parts<Array<D, T>> partition(const Array<D, T> &c, const Cut &);
template <int D, class T> Parts<Array<D, T>> partition(const Array<D, T> &c, const Cut &, const Cut &);
template <int D, class T> Parts<Array<D, T>> partition(const Array<D, T> &c, const Cut &, const Cut &, const Cut &);
template <int D, class T>
Parts<Array<D, T>> partition(const Array<D, T> &c, const Cut &, const Cut &, const Cut &, const Cut &);

/* The rows or columns of a container of two dimensions, one a part; the elements of a container, one a part. */
template <class T> struct Lines {};
template <class T> struct Elements {};
template <class T> Lines<T> rows(const Array<2, T> &);
template <class T> Lines<T> columns(const Array<2, T> &);
template <class T> Elements<T> elements(const Array<1, T> &);

/* What a map may give for a spectrum's parameter: something for each part, or the same for all of them. */
template <class P> struct Given {
  Given(P);
  Given(Elements<P>);
  template <int D> Given(const Array<D, P> &); /* a function's: each element in turn */
};
template <int D, class T> struct Given<Array<D, T>> {
  Given(const Array<D, T> &);
  Given(Parts<Array<D, T>>);
};
template <class T> struct Given<Array<1, T>> {
  Given(const Array<1, T> &);
  Given(Parts<Array<1, T>>);
  Given(Lines<T>);
};

/* A spectrum applied to every part; its results are a container, or are stored, or are accumulated atomically. */
template <class R> struct Map : Array<1, R> {
  template <int D, class T> Map(R (*f)(const Array<D, T>), Parts<Array<D, T>>);
  template <class... P> Map(R (*f)(P...), typename Same<Given<P>>::type...);
  void to(Array<1, R>);
  template <int D> void to(Array<D, R>); /* of the elements of D dimensions */
  template <class M> void atomic();
  void atomicAdd();
  void atomicSub();
  void atomicMax();
  void atomicMin();
};
template <> struct Map<void> {
  template <class... P> Map(void (*f)(P...), typename Same<Given<P>>::type...);
};
template <int D, class T> Map(T (*)(const Array<D, T>), Parts<Array<D, T>>) -> Map<T>;
template <int D, class T, class R> Map(R (*)(const Array<D, T>), Parts<Array<D, T>>) -> Map<R>;
template <class R> struct Results { using type = Array<1, R>; };
template <> struct Results<void> { using type = void; };
template <int D, class T> Array<1, T> map(T (*f)(const Array<D, T>), Parts<Array<D, T>>);
template <int D, class T, class R>
typename Results<R>::type map(R (*f)(const Array<D, T>), Parts<Array<D, T>>);
template <class R, class... P> typename Results<R>::type map(R (*f)(P...), typename Same<Given<P>>::type...);

/* `scan' part by part, each with the result of the one before as carry; `sum' gives what a part alone adds to it. */
template <class T>
T slide(typename Same<T>::type carry, T (*sum)(const Array<1, T>), T (*scan)(const Array<1, T>, T, Array<1, T>),
        Parts<Array<1, T>>, Parts<Array<1, T>>);

/* Views: containers that are computed where they are read. A function is a spectrum of numbers. */
template <class... T> struct Zip {};
template <class... T> Zip<T...> zip(const Array<1, T> &...);
template <class R, class... P> Array<1, R> transform(R (*f)(P...), Zip<P...>);
template <class R, class P> Array<1, R> transform(R (*f)(P), const Array<1, P> &);
template <class T> Array<1, T> take(const Array<1, T> &, long n);
template <class T> Array<1, T> shift(const Array<1, T> &, long k);
template <class T> Array<1, T> reverse(const Array<1, T> &);
template <class T> Array<1, T> every(const Array<1, T> &, long k);
template <class T> Array<1, T> repeat(T value, long n);
template <class T> Array<1, T> iota(T start, long n);
template <class R, class P> Array<1, R> generate(R (*f)(P), long n);
template <class T, class I> Array<1, T> gather(const Array<1, T> &, const Array<1, I> &indices);

/* C += A B, of a codelet's parameters, by a matrix unit: at a level that has one. */
template <class T> void mma(const Array<2, T> &A, const Array<2, T> &B, Array<2, T> &C);
/* .. C(b) += A(b) B(b) of a batch of matrices, or with one that is the same for all. */
template <class T> void mma(const Array<3, T> &A, const Array<3, T> &B, Array<3, T> &C);
template <class T> void mma(const Array<3, T> &A, const Array<2, T> &B, Array<3, T> &C);
template <class T> void mma(const Array<2, T> &A, const Array<3, T> &B, Array<3, T> &C);

/* The same of a container as a matrix of so many columns, its elements row by row, and of a constant one: all ones, or
 * ones where the row is not below the diagonal. What becomes of it is stored in a container, seen as another. */
template <class T> struct Ones : Array<2, T> { Ones(); };
template <class T> Array<2, T> matrix(const Array<1, T> &, long columns);
template <class T> Array<2, T> matrix(const Array<1, T> &); /* of any number of columns */
template <class T> Ones<T> ones();
template <class T> Array<2, T> triangle();
template <class T> void mma(const Array<2, T> &A, const Array<2, T> &B, Array<2, T> &&C);
/* The sum of all elements: a row of ones, times them, times a column of ones. */
template <class T> T mma(const Ones<T> &, const Array<2, T> &A, Ones<T> &&);
/* The scan of all elements, of any matrix, that begins with `carry'; its last element. */
template <class T> T mma(T carry, const Array<2, T> &A, const Array<2, T> &B, Array<2, T> &&C);

/* One vector (a warp) of those that run a cooperative codelet together. */
struct Vector {
  int Size() const;     /* lanes of this vector */
  int MaxSize() const;  /* lanes of the widest */
  int ThreadId() const; /* this lane among all vectors */
  int LaneId() const;   /* this lane in its vector */
  int VectorId() const; /* this vector */
  unsigned Alike(unsigned x, int bits) const; /* lanes of this vector whose x has the same lowest bits: a bit each */
};
int coopIdx(); /* ThreadId() */
int coopDim(); /* lanes of all vectors */

int popcount(unsigned x); /* bits that are set */

/* An unsigned number with x's place in the order of its type has order_size<T>() bits: of these `many', a constant,
 * from number `from' on, which is below their number. */
template <class T> unsigned order_bits(T x, int from, int many);
template <class T> int order_size();
template <> unsigned order_bits(tgc_elements::cfloat, int, int) = delete;
template <> unsigned order_bits(tgc_elements::cdouble, int, int) = delete;

/* Operators to compile codelets of `template <typename M, typename T>' with (--operator). Max and Min pass over NaN:
 * what they give is the greatest and least of the numbers; +0 is greater than -0; of nothing but NaN it is the
 * identity. */
struct Identity { template <class T> operator T() const; };
#define TGC_OPERATOR(name)                                                        \
  struct name {                                                                 \
    static Identity id();                                                       \
    template <class T> static T op(T, typename Same<T>::type);                  \
  };
TGC_OPERATOR(Sum)
TGC_OPERATOR(Product)
TGC_OPERATOR(Max)
TGC_OPERATOR(Min)
TGC_OPERATOR(And)
TGC_OPERATOR(Or)
TGC_OPERATOR(Xor)
#undef TGC_OPERATOR

/* What a codelet that names an operator, `reduce<ArgMin, T>(x)', gets of it: what it finishes its state to, or the
 * state; of those above an element. */
struct NoOperator { template <class T> operator T() const; };
template <class M> auto tgc_result(int, int) -> decltype(M::finish(M::id()));
template <class M> auto tgc_result(int, long) -> decltype(M::id());
template <class M> NoOperator tgc_result(long, long);
template <class R, class T> struct Chosen { using type = R; };
template <class T> struct Chosen<Identity, T> { using type = T; };
template <class M, class T> struct Over { using Result = typename Chosen<decltype(tgc_result<M>(0, 0)), T>::type; };

/* Mathematics, of numbers of one real type: what a whole number would give is refused. */
template <class T> T exp(T);
template <class T> T exp2(T);
template <class T> T expm1(T);
template <class T> T log(T);
template <class T> T log2(T);
template <class T> T log1p(T);
template <class T> T sqrt(T);
template <class T> T rsqrt(T);
template <class T> T sin(T);
template <class T> T cos(T);
template <class T> T atan(T);
template <class T> T tanh(T);
template <class T> T erf(T);
template <class T> T pow(T, typename Same<T>::type);
template <class T> T fabs(T);
template <class T> T floor(T);
template <class T> T ceil(T);
template <class T> T trunc(T);
template <class T> T fma(T, typename Same<T>::type, typename Same<T>::type);

/* For the functions of a monoid alone. */
double ldexp(double, int);
float sqrtf(float);
float fabsf(float);
float fmaf(float, float, float);
unsigned bits_of(float); /* the same bits */
unsigned long long bits_of(double);
float float_of_bits(unsigned);
double double_of_bits(unsigned long long);

/* What is not const: functions of the C compiler's that are templates here take the types of their own. */
template <class T> struct Plain { typedef int type; };
template <class T> struct Plain<const T> {};

/* Types of intrinsics, which inline functions of the file have among themselves. */
#ifndef __IMMINTRIN_H
struct __m128; struct __m128d; struct __m128i;
struct __m256; struct __m256d; struct __m256i;
struct __m512; struct __m512d; struct __m512i;
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned __mmask32;
typedef unsigned long long __mmask64;
#endif

template <class T> T min(T, T);
template <class T> T max(T, T);
/* Positions are 64 bits wide, whatever the text calls them: i and A.Size() are of one type. */
namespace tgc_positions {
  template <class A, class B> struct Position;
  template <> struct Position<int, long> { using type = long; };
  template <> struct Position<long, int> { using type = long; };
  template <> struct Position<unsigned, long> { using type = long; };
  template <> struct Position<long, unsigned> { using type = long; };
}
template <class A, class B> typename tgc_positions::Position<A, B>::type min(A, B);
template <class A, class B> typename tgc_positions::Position<A, B>::type max(A, B);
template <class T> T lowest();  /* the least value: the identity of max; -infinity where there is one */
template <class T> T highest(); /* the greatest value: the identity of min */
tgc_elements::cfloat min(tgc_elements::cfloat, tgc_elements::cfloat) = delete;
tgc_elements::cfloat max(tgc_elements::cfloat, tgc_elements::cfloat) = delete;
tgc_elements::cdouble min(tgc_elements::cdouble, tgc_elements::cdouble) = delete;
tgc_elements::cdouble max(tgc_elements::cdouble, tgc_elements::cdouble) = delete;
template <> tgc_elements::cfloat lowest() = delete;
template <> tgc_elements::cfloat highest() = delete;
template <> tgc_elements::cdouble lowest() = delete;
template <> tgc_elements::cdouble highest() = delete;

} // namespace tgc
using namespace tgc;

#endif
