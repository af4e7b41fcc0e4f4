// Gathers whose lanes lie close to each other, as those of a magnified picture do, and gathers of
// narrow elements: whatever the distance, the elements are those of plain loops.
#include <random>

#include "transform/model.hpp"

namespace tutti::test {
namespace {

// a[(j + more) / factor - less] for each j, under every rule.
template <class T>
void expect_magnified(int64_t extent, int count, int factor, int less) {
  const auto m = plain_model<1, T>({extent});
  const auto a = plain_array<1, T>({extent});
  for (const auto& rule : rules<T>()) {
    std::vector<T> want;
    for (int j = 0; j < count; ++j)
      want.push_back(look_up(m, Coordinates{(factor ? (j + 1) / factor : 0) - less},
                             rule.boundary.kind(), rule.fill));
    SCOPED_TRACE(testing::Message() << extent << " elements, " << count << " of them by " << factor
                                    << " less " << less << ", " << rule.name);
    expect_values(
        [&] {
          const Array<1, int> at = (index(Shape<1>(count), 0) + 1) / factor - less;
          return gather(a, rule.boundary, at);
        },
        want);
  }
}

template <class T>
void expect_all_magnified() {
  for (const int64_t extent : {1, 3, 16, 100})
    for (const int count : {1, 15, 16, 17, 100})
      for (const int factor : {1, 2, 3, 20, -2, 0})
        for (const int less : {0, 5}) expect_magnified<T>(extent, count, factor, less);
}

TEST(CloseGather, Floats) { expect_all_magnified<float>(); }
TEST(CloseGather, Doubles) { expect_all_magnified<double>(); }
TEST(CloseGather, Bytes) { expect_all_magnified<uint8_t>(); }
TEST(CloseGather, Shorts) { expect_all_magnified<int16_t>(); }
TEST(CloseGather, Booleans) { expect_all_magnified<bool>(); }

// Sections begin at addresses that are no multiple of a word.
TEST(CloseGather, NarrowElementsFromAnyAddress) {
  std::mt19937 random(4711);
  std::vector<uint8_t> bytes(200);
  for (auto& b : bytes) b = static_cast<uint8_t>(random());
  std::vector<int> places(77);
  for (auto& p : places) p = static_cast<int>(random() % 150);
  const Array<1, int> at(places);
  for (int first = 0; first < 6; ++first) {
    std::vector<uint8_t> want;
    for (int p : places) want.push_back(bytes[static_cast<size_t>(first + p)]);
    const auto owner = std::make_shared<std::vector<uint8_t>>(bytes);
    const auto view =
        Array<1, uint8_t>::view(owner->data() + first, Shape<1>(150), Shape<1>(1), owner);
    expect_values([&] { return gather(view, at); }, want);
  }
}

}  // namespace
}  // namespace tutti::test
