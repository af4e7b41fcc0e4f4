// Nested data parallelism in C++: each() may be called inside each(), and functions may recurse.
// All instances of a call run together as flat vector operations (the flattening of the NESL paper,
// Figure 2).
#include <tutti/tutti.hpp>

#include <algorithm>
#include <vector>

#include "check.hpp"

using namespace tutti;
using std::vector;

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

// sparse matrix (rows of column indices and values) times dense vector; v is never replicated per
// row
Seq<float> smxv(Seq<Seq<int>> columns, Seq<Seq<float>> values, Seq<float> v) {
  return each(columns, values,
              [&](Seq<int> column, Seq<float> value) { return sum(value * v[column]); });
}

int main() {
  Seq<Seq<int>> s = vector<vector<int>>{{4}, {5, 6, 7}, {}, {8, 9}};
  CHECK(lengths(s).to_vector() == (vector<int>{1, 3, 0, 2}));
  CHECK(each(s, [](Seq<int> xs) { return sum(xs); }).to_vector() == (vector<int>{4, 18, 0, 17}));
  CHECK(flatten(s).to_vector() == (vector<int>{4, 5, 6, 7, 8, 9}));
  CHECK(each(s, [](Seq<int> xs) { return xs * length(xs); }).to_nested_vector() ==
        (vector<vector<int>>{{4}, {15, 18, 21}, {}, {16, 18}}));

  vector<int> numbers(10007);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>((i * 2654435761u) % 5000);
  vector<int> want = numbers;
  std::sort(want.begin(), want.end());
  CHECK(quicksort(Seq<int>(numbers)).to_vector() == want);
  CHECK(sort(Seq<int>(numbers)).to_vector() == want);

  vector<vector<int>> sorted =
      each(Seq<Seq<int>>(vector<vector<int>>{{3, 1, 2}, {}, {9, 8, 7, 6}}), quicksort)
          .to_nested_vector();
  CHECK(sorted == (vector<vector<int>>{{1, 2, 3}, {}, {6, 7, 8, 9}}));

  Seq<float> product = smxv(vector<vector<int>>{{0, 2}, {}, {1}},
                            vector<vector<float>>{{1, 2}, {}, {3}}, vector<float>{10, 20, 30});
  CHECK(product.to_vector() == (vector<float>{70, 0, 60}));
  return ok();
}
