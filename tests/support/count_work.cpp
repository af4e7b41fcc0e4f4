// count_work NAME TIMES: does one piece of work that often, in a process that has done it before.
// scripts/instructions counts the instructions of each. Only the public interface is used, so the
// program also runs with the library of another commit.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

using Work = std::function<void()>;

std::vector<float> numbers(size_t count) {
  std::vector<float> result(count);
  uint32_t state = 1;
  for (float& x : result) {
    state = state * 1664525 + 1013904223;
    x = 1 + static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return result;
}

Work nodes() {
  const Array<1, float> a(numbers(1024));
  return [=] {
    Array<1, float> chain = a;
    for (int i = 0; i < 1000; ++i) chain = chain + a;
  };
}

Work cached_evaluation() {
  const Array<1, float> a(numbers(1024)), b = sqrt(a);
  b.evaluate();
  return [=] { (sqrt((a - b) * (a + b)) / max(a, b) + 1.0f).evaluate(); };
}

Work in_place() {
  return [x = Array<1, float>(numbers(1024))]() mutable {
    x = x * 0.5f + 1.0f;
    x.evaluate();
  };
}

Work vector_assignment() {
  return [a = Vec<float>(numbers(1024)), b = Vec<float>(numbers(1024))]() mutable {
    a = 0.5f * a + b;
  };
}

Work many_steps() {
  const Array<2, float> a(numbers(64 * 64), 64, 64);
  return [=] {
    Array<2, float> x = a;
    for (int i = 0; i < 50; ++i) {
      const Array<1, float> row = x[i];
      x = x - add_dimension(row * 0.01f, 0, 64);
      x.evaluate();
    }
  };
}

Seq<int> quicksort(Seq<int> a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        Scalar<int> pivot = a[length(a) / 2];
        Seq<int> lesser = filter(a, a < pivot);
        Seq<int> equal = filter(a, a == pivot);
        Seq<int> greater = filter(a, a > pivot);
        Seq<Seq<int>> sorted = each(seq(lesser, greater), quicksort);
        return concat(sorted[0], equal, sorted[1]);
      });
}

Work nested_quicksort() {
  std::vector<int> keys;
  for (float x : numbers(2000)) keys.push_back(static_cast<int>(x * 1e6f));
  return [=] { quicksort(keys).to_vector(); };
}

Work nested_sparse() {
  std::vector<std::vector<int>> columns;
  std::vector<std::vector<float>> values;
  for (int row = 0; row < 500; ++row) {
    columns.push_back({row, (row * 7) % 500, (row * 31) % 500});
    values.push_back({1, 2, 3});
  }
  const Seq<Seq<int>> c = columns;
  const Seq<Seq<float>> v = values;
  const Seq<float> x = numbers(500);
  return [=] {
    each(c, v, [&](Seq<int> column, Seq<float> value) {
      return sum(value * x[column]);
    }).to_vector();
  };
}

const std::map<std::string, Work (*)()> works{
    {"nodes", nodes},
    {"cached_evaluation", cached_evaluation},
    {"in_place", in_place},
    {"vector_assignment", vector_assignment},
    {"many_steps", many_steps},
    {"nested_quicksort", nested_quicksort},
    {"nested_sparse", nested_sparse},
};

}  // namespace

int main(int argc, char** argv) {
  const auto found = argc == 3 ? works.find(argv[1]) : works.end();
  if (found == works.end()) {
    std::fprintf(stderr, "usage: count_work NAME TIMES; the names are");
    for (const auto& [name, make] : works) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  const Work work = found->second();
  for (int times = std::atoi(argv[2]) + 3; times > 0; --times) work();
  return 0;
}
