// Texts that are compared with a file, which a run with TUTTI_TEST_UPDATE_GOLDEN=1 writes anew, to
// be read in the diff.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "support/test_settings.hpp"

namespace tutti::test {

// Returns the first line in which they differ, with what is around it.
inline std::string first_difference(const std::string& want, const std::string& have) {
  std::istringstream wanted(want), there(have);
  std::string a, b;
  for (int line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(wanted, a));
    const bool more_b = static_cast<bool>(std::getline(there, b));
    if (!more_a && !more_b) return "none";
    if (more_a != more_b || a != b)
      return "line " + std::to_string(line) + "\n  want: " + (more_a ? a : "(the end)") +
             "\n  have: " + (more_b ? b : "(the end)");
  }
}

// Expects that a text is the contents of a file. `tests` are the program and the filter that write
// the file.
inline void expect_golden(const std::filesystem::path& path, const std::string& have,
                          const std::string& tests) {
  if (updates_golden_files()) std::ofstream(path) << have;
  std::ifstream file(path);
  const std::string want((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(want == have) << "in " << path.filename().string() << ", "
                            << first_difference(want, have)
                            << "\nif that is meant: TUTTI_TEST_UPDATE_GOLDEN=1 " << tests;
}

}  // namespace tutti::test
