// Whole programs with their answers, on every evaluator.
#include <gtest/gtest.h>

#include <filesystem>

#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

class Corpus : public testing::TestWithParam<std::string> {};

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(TUTTI_NESL_CORPUS))
    if (entry.path().extension() == ".nesl") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The very text, errors of the run included.
void expect_answer(const std::string& name, Mode mode) {
  const std::string base = std::string(TUTTI_NESL_CORPUS) + "/" + name;
  const std::string output = run(read_file(base + ".nesl"), mode, name + ".nesl").output;
  const std::string answer = read_file(base + ".expected");
  EXPECT_EQ(output, answer);
}

TEST_P(Corpus, Plain) { expect_answer(GetParam(), Mode::plain); }
TEST_P(Corpus, Flat) { expect_answer(GetParam(), Mode::flat); }
TEST_P(Corpus, Mixed) { expect_answer(GetParam(), Mode::mixed); }
TEST_P(Corpus, Automatic) { expect_answer(GetParam(), Mode::automatic); }

INSTANTIATE_TEST_SUITE_P(Programs, Corpus, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param; });

TEST(CorpusSize, EightyPrograms) { EXPECT_GE(programs().size(), 80u); }

}  // namespace
}  // namespace tutti::nesl_test
