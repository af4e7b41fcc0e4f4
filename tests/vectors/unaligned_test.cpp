// Views that do not begin at a multiple of a wide access: rows of a matrix with an odd number of
// columns, and sections, of every size of element. They and foreign memory that begins anywhere are
// the input of every primitive. A GPU refuses wide accesses there and is lost to the process.
#include "support/compare.hpp"
#include "support/values.hpp"

#include "graph/node.hpp"

namespace tutti::test {
namespace {

constexpr int64_t columns = 8193;  // odd, and more than a block of a GPU's threads takes

template <class T>
const Array<2, T>& matrix() {
  static const Array<2, T>& m = *new Array<2, T>(mixed<T>(3 * columns, 5), 3, columns);
  return m;
}
template <class T>
Array<1, T> row(int64_t i) {
  return drop_dimension(section(matrix<T>(), {{i, 1}, {0, columns}}), 0);
}
template <class T>
Array<1, T> part(int64_t first) {  // of a row, from an odd column on
  return drop_dimension(section(matrix<T>(), {{1, 1}, {first, 8100}}), 0);
}

// f(TypeTag<T>{}) for a number of each size.
template <class F>
void for_each_number(F f) {
  f(TypeTag<int8_t>{}), f(TypeTag<half>{}), f(TypeTag<int32_t>{}), f(TypeTag<float>{}),
      f(TypeTag<double>{});
}
template <class Check>
void for_each_view(Check check) {
  for_each_number([&](auto tag) {
    using T = typename decltype(tag)::type;
    SCOPED_TRACE(name(element_type<T>));
    for (const int64_t i : {1, 2}) check([i] { return row<T>(i); });
    check([] { return part<T>(3); });
  });
}

Array<1, int32_t> offsets_of(int64_t n) {
  static const std::vector<int32_t> lengths{0, 1, 7, 2000, 3, 5000};
  std::vector<int32_t> offsets{0};
  for (const int32_t length : lengths) offsets.push_back(offsets.back() + length);
  offsets.push_back(static_cast<int32_t>(n));
  return Array<1, int32_t>(offsets);
}
Array<1, int32_t> places() {  // of an unaligned row
  static const Array<2, int32_t>& all = *new Array<2, int32_t>(
      cast<int32_t>(abs(cast<double>(matrix<int32_t>())) % 8000.0).evaluate());
  return drop_dimension(section(all, {{1, 1}, {0, columns}}), 0);
}
Array<1, bool> flags() { return row<bool>(1); }

TEST(Unaligned, Maps) {
  for_each_view([](auto view) {
    expect_same([&] { return view() + view(); });
    expect_same([&] { return cast<double>(view()) * 2.0; });
    expect_same([&] { return view() == view(); });
  });
  expect_same([] { return !flags(); });
  expect_same([] { return row<float>(1) * row<float>(2) + cast<float>(row<int8_t>(1)); });
}

TEST(Unaligned, Reductions) {
  for_each_view([](auto view) {
    expect_same([&] { return sum(view()); });
    expect_same([&] { return max_val(view()); });
  });
  expect_same([] { return any(flags()); });
  // Long enough for wide accesses of a GPU.
  constexpr int64_t long_row = 8400001;
  const Array<2, int8_t> bytes(plain<int8_t>(2 * long_row), 2, long_row);
  expect_same([&] { return sum(drop_dimension(section(bytes, {{1, 1}, {0, long_row}}), 0)); });
}

TEST(Unaligned, ScansAndWhatFollowsThem) {
  for_each_view([](auto view) {
    expect_same([&] { return sum_scan(view()); });
    expect_same([&] { return max_scan(view(), Scan::exclusive); });
    expect_same([&] { return sum_scan(view(), offsets_of(view().size())); });
    expect_same([&] { return sum_scan(view() + view()); });
    expect_same([&] { return max_scan(view()) == view(); });
  });
}

TEST(Unaligned, SegmentedReductions) {
  for_each_view([](auto view) {
    expect_same([&] { return segmented_sum(view(), offsets_of(view().size())); });
    expect_same([&] { return segmented_max(view(), offsets_of(view().size())); });
  });
  expect_same([] {  // a sparse product
    return segmented_sum(row<float>(1) * gather(row<float>(2), places()), offsets_of(columns));
  });
}

TEST(Unaligned, Sorts) {
  for_each_view([](auto view) {
    expect_same([&] { return sort(view()); });
    expect_same([&] { return sort_permutation(view(), Order::descending); });
    expect_same([&] { return sort_by(view(), view() + view()); });
    expect_same([&] { return segmented_sort(view(), offsets_of(view().size())); });
    expect_same([&] { return lower_bound(sort(view()), view()); });
  });
}

TEST(Unaligned, Packs) {
  for_each_number([](auto tag) {
    using T = typename decltype(tag)::type;
    SCOPED_TRACE(name(element_type<T>));
    expect_same([] { return pack(row<T>(1), flags()); });
    expect_same([] { return pack(row<T>(2) + row<T>(1), Array<1, bool>(!flags())); });
  });
  expect_same([] { return pack_index(flags()); });
}

TEST(Unaligned, ScattersAndGathers) {
  for_each_number([](auto tag) {
    using T = typename decltype(tag)::type;
    SCOPED_TRACE(name(element_type<T>));
    expect_same([] { return gather(row<T>(2), places()); });
    expect_same([] { return scatter(row<T>(1), places(), row<T>(2), Collision::sum); });
    expect_same([] { return scatter(row<T>(1), places(), row<T>(2), Collision::max); });
  });
  expect_same([] { return histogram(places(), 8000); });
}

TEST(Unaligned, Products) {
  const auto check = [](auto tag) {
    using T = typename decltype(tag)::type;
    const auto rows = [] { return section(matrix<T>(), {{1, 2}, {0, 301}}); };
    expect_same([&] { return inner_product(rows(), transpose(rows())); });
    expect_same([&] { return inner_product(transpose(rows()), rows()); });
    expect_same([&] { return sum(row<T>(1) * row<T>(2)); });
  };
  const WithSettings exact([](Settings& s) { s.reproducible = true; });
  check(TypeTag<int32_t>{});
}

// ---- memory of others

template <class T>
std::vector<T> small_numbers(int64_t n) {
  std::vector<T> result;
  for (int64_t i = 0; i < n; ++i) result.push_back(static_cast<T>(i % 7));
  return result;
}

template <class T>
class Wrapped : public testing::Test {};
using Numbers = testing::Types<int8_t, int16_t, int32_t, float, double>;
TYPED_TEST_SUITE(Wrapped, Numbers);

TYPED_TEST(Wrapped, MayBeginAnywhere) {
  using T = TypeParam;
  constexpr int64_t n = 9000;
  const std::vector<T> values = small_numbers<T>(n);
  for (const int64_t first : {1, 2, 3, 5}) {
    SCOPED_TRACE(first);
    Vec<T> whole(values);
    const int64_t length = n - 10;
    Vec<T> part = Vec<T>::wrap(whole.data() + first, length);
    const auto at = [&](int64_t i) { return values[static_cast<size_t>(first + i)]; };
    const Vec<T> more = part + part;
    const Vec<T> moved = shift(part, 1, Boundary::clamp()) + shift(part, -1, Boundary::clamp());
    const std::vector<T> sums = more.to_vector(), neighbours = moved.to_vector();
    int64_t total = 0;
    for (int64_t i = 0; i < length; ++i) {
      ASSERT_EQ(sums[static_cast<size_t>(i)], T(at(i) + at(i))) << i;
      ASSERT_EQ(neighbours[static_cast<size_t>(i)],
                T(at(std::max<int64_t>(i - 1, 0)) + at(std::min(i + 1, length - 1))))
          << i;
      total += static_cast<int64_t>(at(i));
    }
    EXPECT_EQ(static_cast<int64_t>(sum(cast<int32_t>(part))), total);
    EXPECT_EQ(part.array().to_vector(), part.to_vector());
    part = part + T(1);  // in place, and nothing beside it
    const std::vector<T> after = whole.to_vector();
    for (int64_t i = 0; i < n; ++i) {
      const bool inside = i >= first && i < first + length;
      ASSERT_EQ(after[static_cast<size_t>(i)], T(values[static_cast<size_t>(i)] + (inside ? 1 : 0)))
          << i;
    }
  }
}

}  // namespace
}  // namespace tutti::test
