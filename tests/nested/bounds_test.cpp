// Values that a nested program drops are freed, also if the program never reads a size.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include "support/process_size.hpp"

namespace tutti::test {
namespace {

TEST(NestedBounds, SizesThatNothingAsksForAreForgotten) {
  if (freed_memory_stays) GTEST_SKIP() << "a sanitizer keeps freed memory";
  const Seq<int> numbers = std::vector<int>{3, 1, 4, 1, 5};
  const auto drop_many = [&] {
    for (int i = 0; i < 50'000; ++i) filter(numbers, numbers > i % 5);
  };
  drop_many();
  const int64_t before = process_status("VmRSS");
  drop_many();
  drop_many();
  EXPECT_LE(process_status("VmRSS"), before + 2048);
  EXPECT_EQ(filter(numbers, numbers > 2).to_vector(), (std::vector<int>{3, 4, 5}));
}

}  // namespace
}  // namespace tutti::test
