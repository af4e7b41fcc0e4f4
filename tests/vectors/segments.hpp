// Segments for tests: lengths of every kind that segmented code gets wrong, and their offsets.
#pragma once
#include <tutti/tutti.hpp>

#include <random>
#include <string>
#include <vector>

namespace tutti::test {

struct Lengths {
  std::string what;
  std::vector<int32_t> lengths;

  std::vector<int32_t> offsets() const {
    std::vector<int32_t> result{0};
    for (int32_t length : lengths) result.push_back(result.back() + length);
    return result;
  }
  int64_t elements() const { return offsets().back(); }
};

inline std::vector<Lengths> every_kind_of_segments() {
  std::mt19937 random(5);
  std::vector<Lengths> result{{"no segments", {}},
                              {"one empty segment", {0}},
                              {"empty segments", std::vector<int32_t>(300, 0)},
                              {"one segment", {5000}},
                              {"a tile and one more", {4096, 1, 4095, 1, 8192}},
                              {"single elements", std::vector<int32_t>(5000, 1)}};
  Lengths small{"short segments, some empty", {}};
  for (int i = 0; i < 3000; ++i) small.lengths.push_back(static_cast<int32_t>(random() % 7));
  Lengths middle{"middling segments", {}};
  for (int i = 0; i < 40; ++i) middle.lengths.push_back(static_cast<int32_t>(random() % 900));
  Lengths skewed{"one huge among many tiny", std::vector<int32_t>(500, 3)};
  skewed.lengths[211] = 20000;
  skewed.lengths[0] = skewed.lengths[499] = 0;
  result.insert(result.end(), {small, middle, skewed});
  return result;
}

}  // namespace tutti::test
