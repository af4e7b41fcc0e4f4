// Quicksort, of one sequence and of many at once, against std::sort.
#include "programs/quicksort.hpp"

#include <algorithm>

#include "check.hpp"
#include "support/sample_numbers.hpp"

int main() {
  SampleNumbers random(2);
  std::vector<int> numbers = random.ints(50'000, 20'000);
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 200; ++i) rows.push_back(random.ints(random.below(50), 30));

  const std::vector<int> sorted = programs::quicksort(numbers).to_vector();
  const std::vector<std::vector<int>> sorted_rows =
      each(tutti::Seq<tutti::Seq<int>>(rows), programs::quicksort).to_nested_vector();
  std::sort(numbers.begin(), numbers.end());
  for (std::vector<int>& row : rows) std::sort(row.begin(), row.end());
  CHECK(sorted == numbers);
  CHECK(sorted_rows == rows);
  return ok();
}
