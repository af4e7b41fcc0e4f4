// Numbers that look random and are the same on every machine.
#pragma once
#include <cstdint>
#include <vector>

class SampleNumbers {
 public:
  explicit SampleNumbers(uint64_t seed) : state_(seed) {}
  uint32_t next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state_ >> 33);
  }
  int below(int bound) { return static_cast<int>(next() % static_cast<uint32_t>(bound)); }
  float uniform() { return static_cast<float>(next()) / 2147483648.0f; }  // in [0, 1)

  std::vector<float> floats(int count, float low, float high) {
    std::vector<float> result;
    for (int i = 0; i < count; ++i) result.push_back(low + (high - low) * uniform());
    return result;
  }
  std::vector<int> ints(int count, int bound) {
    std::vector<int> result;
    for (int i = 0; i < count; ++i) result.push_back(below(bound));
    return result;
  }

 private:
  uint64_t state_;
};
