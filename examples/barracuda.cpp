// Barracuda: applicative primitives that nest freely; array-indexing laws fuse them into one pass.
#include <tutti/tutti.hpp>

#include <vector>

#include "check.hpp"

using namespace tutti;

Array<0, float> rmse(const Array<1, float>& x, const Array<1, float>& y) {
  auto squared =
      map([](auto d) { return d * d; }, zip_with([](auto a, auto b) { return a - b; }, x, y));
  return sqrt(sum(squared) / static_cast<float>(x.size()));
}

int main() {
  constexpr int n = 1 << 20;
  std::vector<float> hx(n), hy(n);
  for (int i = 0; i < n; ++i)
    hx[i] = static_cast<float>(i % 1000), hy[i] = hx[i] + (i % 2 ? 3.0f : -3.0f);
  Array<1, float> x(hx), y(hy);

  CHECK(close(rmse(x, y), 3.0));
  CHECK(explain(rmse(x, y)).kernels().size() <= 2);  // one pass over the data, no temporary array

  // forward difference: slices of one array overlap; each element is read once from memory
  Array<1, float> forward = slice(x, 1, n) - slice(x, 0, n - 1);
  CHECK(forward.size() == n - 1 && forward.to_vector()[998] == 1.0f &&
        forward.to_vector()[999] == -999.0f);
  CHECK(explain(forward).kernels().size() == 1);

  // weighted moving average
  const float weight[] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  Array<1, float> average({n - 4}, 0.0f);
  for (int k = 0; k < 5; ++k) average += weight[k] * slice(x, k, n - 4 + k);
  CHECK(close(average.to_vector()[100], 102.0, 1e-4));

  // general reduction and scan with user functions
  Array<0, float> largest = reduce([](auto a, auto b) { return max(a, b); }, x);
  CHECK(float(largest) == 999.0f);
  Array<1, float> running = scan([](auto a, auto b) { return a + b; }, slice(x, 0, 5));
  CHECK(running.to_vector() == (std::vector<float>{0, 1, 3, 6, 10}));
  return ok();
}
