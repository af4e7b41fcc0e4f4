// A sparse matrix with rows of very different lengths times a vector, against loops.
#include "programs/sparse_product.hpp"

#include "check.hpp"
#include "support/sample_numbers.hpp"

int main() {
  SampleNumbers random(5);
  const int rows = 2'000, columns = 3'000;
  std::vector<std::vector<int>> column;
  std::vector<std::vector<float>> value;
  for (int i = 0; i < rows; ++i) {
    const int entries = i == 7 ? 20'000 : random.below(20);
    column.push_back(random.ints(entries, columns));
    value.push_back(random.floats(entries, 0, 1));
  }
  const std::vector<float> v = random.floats(columns, 0, 1);
  const std::vector<float> got = programs::sparse_product(column, value, v).to_vector();
  CHECK(got.size() == column.size());
  for (size_t i = 0; i < got.size(); ++i) {
    double want = 0;
    for (size_t k = 0; k < column[i].size(); ++k)
      want += static_cast<double>(value[i][k]) * v[static_cast<size_t>(column[i][k])];
    CHECK(close(got[i], want));
  }
  return ok();
}
