// Vectors of ever other lengths: plans are resized, and results are those of the interpreter.
#include <random>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

std::vector<float> numbers(size_t count) {
  std::vector<float> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = static_cast<float>((i * 2654435761u >> 7) % 1000) * 0.01f - 5.0f;
  return result;
}

using Compute = std::function<Vec<float>(const Vec<float>&, const Vec<float>&)>;

// Each is one C++ type of an expression at least.
const std::vector<std::pair<const char*, Compute>> expressions = {
    {"map", [](auto& a, auto& b) { return Vec<float>(0.5f * a + b * b); }},
    {"sum", [](auto& a, auto& b) { return Vec<float>(a * (sum(a * b) + 1.0f)); }},
    {"norms", [](auto& a, auto& b) { return Vec<float>(a / (norm2(a) + norm_inf(b))); }},
    {"clamped", [](auto& a, auto& b) { return Vec<float>(shift(a, 3) - 0.5f * shift(b, -2)); }},
    {"filled",
     [](auto& a, auto& b) { return Vec<float>(shift(a * b, 40, Boundary::constant(2.0f)) + a); }},
    {"wrapped", [](auto& a, auto& b) { return Vec<float>(shift(a, 1, Boundary::wrap()) * b); }},
    {"moved and summed",
     [](auto& a, auto& b) { return Vec<float>(b * max_val(abs(a - shift(a, 1)))); }},
};

void check(size_t n, const char* name, const Compute& compute) {
  const std::vector<float> a = numbers(n + 1), b(a.rbegin(), a.rend() - 1);
  const auto run = [&] {
    return compute(Vec<float>(std::vector<float>(a.begin(), a.end() - 1)), Vec<float>(b)).array();
  };
  const Elements got = read(run());
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  EXPECT_TRUE(same(read(run()), got)) << name << " of " << n << " elements";
}

TEST(VecLengths, AsTheInterpreterInAnyOrder) {
  std::mt19937 random(1);
  for (const auto& [name, compute] : expressions)
    for (int i = 0; i < 25 && !testing::Test::HasFailure(); ++i) {
      const size_t most = size_t{1} << (1 + random() % 17);
      check(1 + random() % most, name, compute);
    }
}

// A shift by more than there are elements says less than it does for longer vectors.
TEST(VecLengths, ShiftsBeyondTheEnd) {
  const Compute far = [](auto& a, auto& b) {
    return Vec<float>(shift(a, 30, Boundary::constant(3.0f)) + shift(b, -30));
  };
  for (size_t n : {12, 7, 60'000, 30, 29, 31, 500}) check(n, "far", far);
}

TEST(VecLengths, AreNotPlannedAgain) {
  for (const auto& [name, compute] : expressions) {
    if (std::string(name) == "wrapped") continue;  // places that wrap depend on the length
    for (size_t n : {20'000, 100'000}) compute(Vec<float>(numbers(n)), Vec<float>(numbers(n)));
    const int64_t plans = statistics().plans_built;
    for (size_t n = 30'000; n < 40'000; n += 777)
      compute(Vec<float>(numbers(n)), Vec<float>(numbers(n)));
    if (device().name != "cpu")
      continue;  // register tiles of stencils are planned for their length
    EXPECT_EQ(statistics().plans_built, plans) << name;
  }
}

}  // namespace
}  // namespace tutti::test
