// The inner product of two vectors, against a loop.
#include "programs/dot_product.hpp"

#include "check.hpp"
#include "support/sample_numbers.hpp"

int main() {
  SampleNumbers random(1);
  const std::vector<float> a = random.floats(100'003, -1, 1), b = random.floats(100'003, -1, 1);
  double want = 0;
  for (size_t i = 0; i < a.size(); ++i) want += static_cast<double>(a[i]) * b[i];
  CHECK(close(programs::dot_product(a, b).item(), want, 1e-3));
  CHECK(programs::dot_product(std::vector<float>{}, std::vector<float>{}).item() == 0);
  return ok();
}
