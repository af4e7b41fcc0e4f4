// expect_same_on_ranks(build): several ranks give the bits that one gives. Ranks are threads.
#pragma once
#include <gtest/gtest.h>
#include <tutti/ranks.hpp>
#include <tutti/tutti.hpp>

#include <mutex>

#include "support/compare.hpp"

namespace tutti::test {

// Arrays of so few elements are split, as long as it lives.
class SplitFrom {
 public:
  explicit SplitFrom(int64_t elements) : before_(ranks::split_from()) {
    ranks::split_from(elements);
  }
  ~SplitFrom() { ranks::split_from(before_); }
  SplitFrom(const SplitFrom&) = delete;
  SplitFrom& operator=(const SplitFrom&) = delete;

 private:
  int64_t before_;
};

// Several arrays, given by a function that makes them anew.
template <class Build>
std::vector<Elements> read_all(Build build) {
  return {read(build())};
}

template <class Build>
void expect_same_on(int count, Build build, const Location& where = Location::current()) {
  const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()),
                                   std::to_string(count) + " ranks");
  const Elements want = read(build());
  std::mutex mutex;
  ranks::run_on_threads(count, [&] {
    const Elements got = read(build());
    std::lock_guard lock(mutex);
    EXPECT_TRUE(same(want, got)) << "rank " << ranks::rank();
  });
}

template <class Build>
void expect_same_on_ranks(Build build, const Location& where = Location::current()) {
  for (int count : {1, 2, 3, 4, 7}) expect_same_on(count, build, where);
}

}  // namespace tutti::test
