// A plugin that computes, for a program that does not know the library.
#include <tutti/tutti.hpp>

#include <vector>

extern "C" int compute() {
  const tutti::Array<1, float> a(std::vector<float>(50'000, 2.0f));
  const tutti::Seq<int> s(std::vector<int>{3, 1, 2});
  const auto more = each(s, [](tutti::Scalar<int> x) { return x * 2; }).to_vector();
  return sum(a * 3.0f).item() == 300'000.0f && more[0] == 6;
}
