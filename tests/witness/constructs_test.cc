// constructs_test.cc: each construct once (constructs.cdl), and what lanes do in lockstep.
#include <algorithm>

#include "constructs.hh"
#include "expect.h"

using namespace constructs_cdl;
typedef std::vector<int> Ints;

template <typename T>
static Array<1, T> of(std::vector<T> &x) { return Array<1, T>::over(x.data(), {Index(x.size())}, {1}); }
template <typename T>
static Array<1, T> read(const std::vector<T> &x) { return tgc::read<T>(x.data(), Index(x.size())); }

static const Ints x = {3, -1, 4, 1, -5, 9, 2, 6};

static void views() {
  const std::vector<long> indices = {7, 0, 0, 5, 2};
  SAME(norm__squares<int>(read(x)), 9 + 1 + 16 + 1 + 25 + 81 + 4 + 36);
  SAME(norm__pairs<int>(read(x)), 173);
  // gather, of which three are taken: 6, 3, 3; beside 2 * 2, 2 * 3, 2 * 4
  SAME(views__nested<int>(read(x), read(indices), 3, 2), 6 * 4 + 3 * 6 + 3 * 8);
  with_parts([&] { SAME(views__parts<int>(read(x), read(indices), 3, 2), 6 + 3 + 3 + 9 + 4); });
  const std::vector<long> beyond = {7, 8};
  THROWS(views__parts<int>(read(x), read(beyond), 2, 2), "position 8 of 8");
  SAME(first__few<int>(read(x)), 3 - 1 + 4 + 1 - 5);
  SAME(first__few<int>(read(Ints{5, 6})), 0);
  SAME(first__shifted<int>(read(x)), 9 + 2 + 6);
  SAME(first__shifted<int>(read(Ints{5, 6})), 0); // of fewer nothing is left
  SAME(first__neighbours<int>(read(Ints{7, 5, 6})), 5 * 3 + 6 * 4);
  SAME(first__neighbours<int>(read(Ints{7})), 0);
  SAME(first__reversed<int>(read(Ints{7, 5, 6})), 5 * 5 + 7 * 7); // 5, 7 of 6, 5, 7; beside 5, 7
  SAME(first__reversed<int>(read(Ints{7})), 0);
  SAME(first__third<int>(read(Ints{7, 5, 6, 8, 9})), 5 + 9);
  SAME(first__third<int>(read(Ints{7})), 0);
  SAME(first__all<int>(read(Ints{7, 5, 6})), 18); // 0 is taken for 1
  SAME(generated__wraps(4), 6u); // its parameter's 32 bits
  SAME(halves__plain<float>(read(std::vector<float>{1, 2})), 1.5f);
  SAME(larger__of_two<int>(3, 4), 4);
}

static void partitions() {
  SAME(parts__gaps<int>(read(x)), (-1 + 1 + 9 + 6) + (9 + 6));
  int overlapping = 0;
  for (int i = 0; i < 8; i++)
    for (int k = i; k < i + 3 && k < 8; k++) overlapping += x[size_t(k)];
  SAME(parts__overlap<int>(read(x)), overlapping);
  Ints y(4);
  ends__backwards<int>(read(x), of(y));
  SAME(y, (Ints{2 + 6, -5 + 9, 4 + 1, 3 - 1}));
  const Ints starts = {0, 2, 7, 3}, behind = {2, 2, 20, 4};
  ends__places<int>(read(x), read(starts), read(behind), of(y));
  SAME(y, (Ints{2, 0, 6, 1}));
  THROWS(ends__places<int>(read(x), read(starts), read(Ints{8, 8, 8}), of(y)), "position 3 of 3");
  THROWS(ends__places<int>(read(x), read(Ints{-1, 0, 0, 0}), read(behind), of(y)), "position -1 of 8");
  Ints few(3);
  THROWS(ends__places<int>(read(x), read(starts), read(behind), of(few)), "elements where");
}

static void queues() {
  const auto rests = [](void (*codelet)(const Array<1, int>, int, Array<1, int>, Array<1, int>)) {
    Ints y(8, 0), many = {1}; // one is there
    codelet(read(x), 2, of(many), of(y));
    SAME(many, Ints{5});
    SAME(y, (Ints{0, 3, 4, 9, 6, 0, 0, 0}));
    Ints few(4), none = {0}, negative = {-1};
    codelet(read(x), 2, of(none), of(few));
    SAME(few, (Ints{3, 4, 9, 6}));
    THROWS(codelet(read(x), 1, of(none), of(few)), "the queue `y' has room for 4 elements, and gets more");
    THROWS(codelet(read(x), 2, of(negative), of(few)), "the queue `y' has room for 4 elements");
  };
  rests([](const Array<1, int> in, int bound, Array<1, int> many, Array<1, int> y) { above__serial<int>(in, bound, many, y); });
  with_parts([&] {
    rests([](const Array<1, int> in, int bound, Array<1, int> many, Array<1, int> y) { above__parts<int>(in, bound, many, y); });
  });
  SAME(sum_above__steps<int>(read(x), 2), 22);
  SAME(sum_above__steps<int>(read(x), 9), 0);
  Ints y = {-1, 0, -1, -1};
  SAME(claimed__serial(read(Ints{0, 1, 2, 0}), of(y)), 2);
  SAME(y, (Ints{7, 0, 7, -1}));
  THROWS(claimed__serial(read(Ints{4}), of(y)), "position 4 of 4");
}

// The bounds of an array of five, of which some are found in other orders: 0 where it has to be the same.
static Ints bounds_of(const Ints &at, const Ints &below, int *of_result) {
  Ints y(5, 9);
  auto y_ = tgc::write<int>(y.data(), Index(y.size()));
  y_.array.write_any();
  const tgc::Asked asked(true);
  const auto result = tgc::in_any_order([&] { return hooked__serial(read(at), read(below), y_.array); }, y_);
  y_.give_back(asked);
  tgc::lower(of_result, result, asked);
  return y;
}

static void orders() {
  int many;
  SAME(bounds_of({0, 1, 2}, {1, 2, 3}, &many), Ints(5, 0)); // each place has one writer
  SAME(many, 0);
  bounds_of({0, 1, 0, 1, 0}, {8, 7, 8, 7, 8}, &many);
  SAME(many, 1); // how many of those with the same value write it is not known
  SAME(bounds_of({0, 0, 0, 0, 0, 0}, {8, 7, 6, 5, 4, 3}, &many), Ints(5, 1)); // the last one, or another
}

static void shapes() {
  const Ints a = {1, 2, 0, 3, 4, 0, 5, 6, 0};
  const Array<2, int> A = tgc::read<int>(a.data(), 2, 3, 3, true);
  Ints y(2);
  plane__serial<int>(A, read(Ints{1, 10, 100}), of(y));
  SAME(y, (Ints{531, 642}));
  y = {7, 7};
  plane__columns<int>(A, read(Ints{1, 10, 100}), of(y));
  SAME(y, (Ints{531, 642}));
  THROWS(plane__serial<int>(A, read(Ints{1, 10}), of(y)), "2 elements where 3 belong");
  THROWS(A(2, 0), "position 2 of 2");
  THROWS(A(0, -1), "position -1 of 3");
  const Array<2, int> B(3, 4), D(2, 3), turned(4, 3);
  Array<2, int> C(5, 3);
  shaped__cubes<int>(A, B, C, D);
  SAME(C(4, 2), 0);
  THROWS(shaped__cubes<int>(A, turned, C, D), "4 elements where 3 belong");
  THROWS(shaped__cubes<int>(A, B, (Array<2, int>(3, 5)), D), "5 elements where 3 belong");
  THROWS(shaped__cubes<int>(A, B, C, B), "3 elements where 2 belong");
}

static void contributions() {
  Ints most = {1}, least = {0, 0}, left = {100, 50};
  const Ints plus = {3, 9, 2};
  bounds__all<int>(read(plus), of(most), of(least), of(left));
  SAME(most, Ints{9});
  SAME(least, (Ints{0, 0}));
  SAME(left, (Ints{97, 47}));
  Ints tops = {5, -10};
  tops__own<int>(read(x), of(tops)); // its own ones begin at the identity, which is not 0
  SAME(tops, (Ints{5, 9}));
  Ints below = {-20, -30};
  tops__own<int>(read(Ints{-7, -8, -9}), of(below));
  SAME(below, (Ints{-7, -8}));
}

static void numbers() {
  const std::vector<unsigned> u = {1, 4000000000u, 7};
  unsigned hash = 1;
  for (unsigned one : u) hash = hash * 2654435761u + one;
  SAME(widths__serial(read(u)), hash + 1);
  hash = 5;
  for (int i = 0; i < 3; i++) hash = hash * 2654435761u ^ hash / 3;
  SAME(widths__mixed(read(std::vector<unsigned>{3, 4, 5})), hash + 3 * 4000000000u / 3);
  SAME(widths__below(read(u)), 7); // 3 - 10 is -7
  SAME(tgc::max(-0.0f, 0.0f) == 0 && !std::signbit(tgc::max(-0.0f, 0.0f)), true);
  SAME(std::signbit(tgc::min(0.0f, -0.0f)), true);
  SAME(tgc::max(NAN, 3.0f), 3.0f);
  SAME(tgc::lowest<float>(), -INFINITY);
  SAME(tgc::lowest<int>(), -2147483647 - 1);
}

static void operators() {
  std::vector<Pair> pairs;
  for (int one : x) pairs.push_back(Extent::lift(float(one)));
  const auto right = [](Pair p) { SAME(p.least == -5 && p.greatest == 9, true); };
  const Array<1, Pair> in = read(pairs);
  right(reduce__serial<Extent, Pair>(in));
  with_parts([&] { right(reduce__parts<Extent, Pair>(in)); });
  with_lanes(8, [&] { right(reduce__shared<Extent, Pair>(in)); });
  const Pair none = reduce__shared<Extent, Pair>(Array<1, Pair>(0));
  SAME(none.least == INFINITY && none.greatest == -INFINITY, true);
  const long back = 7 - (std::max_element(x.rbegin(), x.rend()).base() - 1 - x.begin());
  const long front = std::max_element(x.begin(), x.end()) - x.begin();
  SAME(named__steps<int>(read(x)), 100 * (9 + 5) + 10 * back + front);
  std::vector<float> real(x.begin(), x.end());
  SAME(width__steps(read(real)), 14);
}

static void lockstep() {
  with_lanes(8, [&] {
    const int n = choices.lanes;
    Ints all(static_cast<size_t>(n)), y(all), wanted(all);
    for (int i = 0; i < n; i++) all[size_t(i)] = i * i, wanted[size_t(i)] = 0;
    for (int i = 0; i < n; i++) wanted[size_t(i)] = (i + 1) % n * ((i + 1) % n) + (i + 2) % n * ((i + 2) % n);
    turned__rotated<int>(read(all), of(y));
    SAME(y, wanted);
    permuted__chained(of(y));
    for (int i = 0; i < n; i++) wanted[size_t((i + 1) % n)] = i * 10;
    SAME(y, wanted);
    lanes__vectors(of(y));
    for (int i = 0; i < n; i++)
      wanted[size_t(i)] = i % choices.vector + 100 * (i / choices.vector) + 10000 * choices.vector;
    SAME(y, wanted);
    for (Index count : {0, 1, 3, 8}) {
      const Ints few(x.begin(), x.begin() + count);
      SAME(least__untouched(read(few)), count == 0 ? tgc::highest<int>() : *std::min_element(few.begin(), few.end()));
    }
    THROWS(least__beyond(read(x)), "of a shared array");
  });
  choices.lanes = 6;
  choices.vector = 4; // the last vector has two lanes
  Ints y(6), wanted(6);
  lanes__vectors(of(y));
  SAME(y, (Ints{40000, 40001, 40002, 40003, 20100, 20101}));
  permuted__parting(read(Ints{2, 0, 9, 1, 3}), of(y));
  // The same, a statement at a time. `break' ends at 5.
  int tmp[6] = {1, 4, 1, 3, 1, 4}, mine[6] = {0}, total = 0, most = mine[0];
  const int turns[6] = {2, 0, 9, 1, 3, 0};
  for (int i = 0; i < 5; i++) {
    for (int lane = 0; lane < 6; lane++) mine[lane] += i < turns[lane] ? tmp[(lane + 1) % 6] : 0;
    for (int lane = 0; lane < 6; lane++) tmp[lane] += i < turns[lane];
  }
  for (int one : mine) total += one, most = std::max(most, one);
  for (size_t lane = 0; lane < 6; lane++) wanted[lane] = mine[lane] + 1000 * total + 1000000 * most;
  SAME(y, wanted);
  choices = Choices{};
}

static void scans() {
  with_parts([&] {
    Ints out(8), wanted;
    int sum = 100;
    for (int one : x) wanted.push_back(sum += one);
    SAME(scan__sliding<int>(read(x), 100, of(out)), sum);
    SAME(out, wanted);
    SAME(left__away<int>(read(x)), choices.atomic ? -19 : 19);
    SAME(left_alone__alone<int>(read(x)), -19);
  });
}

int main() {
  void (*const groups[])() = {views, partitions, queues, orders, shapes, contributions, numbers, operators, lockstep, scans};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    try {
      groups[i]();
    } catch (const tgc::Wrong &wrong) {
      failed("constructs_test.cc", int(i), std::string(wrong.what()) + situation());
    }
  }
  if (failures) std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}
