// Where a word occurs, against std::string.
#include "programs/string_search.hpp"

#include "check.hpp"
#include "support/sample_numbers.hpp"

int main() {
  SampleNumbers random(8);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>('a' + random.below(3));
  for (const std::string pattern : {"abcab", "aaaaaaaa", "d", "a"}) {
    std::vector<int> want;
    for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1))
      want.push_back(static_cast<int>(at));
    const std::vector<char> letters(text.begin(), text.end());
    CHECK(programs::string_search(letters, pattern).to_vector() == want);
  }
  CHECK(programs::string_search(std::vector<char>{'a'}, "ab").to_vector().empty());
  return ok();
}
