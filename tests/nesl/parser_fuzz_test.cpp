// Texts that no one would write: the reader gives forms or errors, and always comes to an end. What
// it accepts prints back as the same tree; what types it has is found, or an error.
#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "nesl/errors.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"
#include "nesl/syntax/ast_printer.hpp"
#include "nesl/syntax/form_reader.hpp"

namespace tutti::nesl_test {
namespace {

nesl::SourceRef source(const std::string& text) {
  return std::make_shared<nesl::Source>(nesl::Source{"fuzz.nesl", text});
}

// Every expression that can be read, read again from what is printed.
void expect_stable(const nesl::Form& form) {
  if (!form.body || form.kind == nesl::Form::Kind::command) return;
  const std::string printed = nesl::to_source(*form.body);
  try {
    nesl::FormReader again(source("x = " + printed + ";"));
    const auto second = again.next();
    ASSERT_TRUE(second && second->body) << printed;
    EXPECT_EQ(nesl::to_source(*second->body), printed);
  } catch (const nesl::ProgramError& error) {
    ADD_FAILURE() << printed << "\n" << error.what();
  }
}

int read_all(const std::string& text) {
  nesl::FormReader reader(source(text));
  int forms = 0;
  // Each call consumes something, so that there are fewer calls than characters.
  for (std::size_t calls = 0; calls <= text.size() + 1; ++calls) {
    try {
      const std::optional<nesl::Form> form = reader.next();
      if (!form) return forms;
      ++forms;
      expect_stable(*form);
    } catch (const nesl::ProgramError&) {
    }
  }
  ADD_FAILURE() << "the reader does not come to an end:\n" << text;
  return forms;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {
    for (const auto& entry : std::filesystem::directory_iterator(TUTTI_NESL_CORPUS))
      if (entry.path().extension() == ".nesl")
        programs_.push_back(read_file(entry.path().string()));
    std::sort(programs_.begin(), programs_.end());
  }

  std::string next() {
    std::string text = programs_[pick(programs_.size())];
    for (std::size_t i = 0, n = 1 + pick(6); i < n && !text.empty(); ++i) {
      const std::size_t at = pick(text.size()),
                        length = std::min<std::size_t>(pick(12), text.size() - at);
      switch (pick(6)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(pick(text.size()), length));
          break;
        case 2:
          text[at] = static_cast<char>(pick(256));
          break;
        case 3:
          text.insert(at, tokens_[pick(std::size(tokens_))]);
          break;
        case 4:
          replace_name(text, at);
          break;
        default:
          text.resize(at);
      }
    }
    return text;
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }

  // Another name from somewhere: still a program, of other types.
  void replace_name(std::string& text, std::size_t at) {
    const auto [begin, end] = word_around(text, at);
    const std::string& other = programs_[pick(programs_.size())];
    const auto [from, to] = word_around(other, pick(other.size()));
    if (begin < end && from < to) text.replace(begin, end - begin, other.substr(from, to - from));
  }
  static std::pair<std::size_t, std::size_t> word_around(const std::string& text, std::size_t at) {
    const auto in_word = [&](std::size_t i) {
      return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
    };
    std::size_t begin = at, end = at;
    while (begin > 0 && in_word(begin - 1)) --begin;
    while (end < text.size() && in_word(end)) ++end;
    return {begin, end};
  }
  static constexpr const char* tokens_[] = {
      "{",   "}",    "(",   ")", "[", "]",    ":", "::",        ":=",       "=>", "->",
      "<-",  "|",    "||",  "'", "`", "\"",   "%", "!",         ";",        "$",  ",",
      "let", " in ", "if ", "#", "@", "-",    "^", "1e",        "1.",       ".5", "[]",
      "&=",  "|=",   "\\",  "t", "f", "time", "=", "function ", "datatype "};
  std::mt19937 random_;
  std::vector<std::string> programs_;
};

// Two seconds in the test suite; TUTTI_NESL_FUZZ_SECONDS for longer. The work counts what it finds.
template <class Work>
void fuzz(unsigned seed, const Work& work) {
  const char* given = std::getenv("TUTTI_NESL_FUZZ_SECONDS");
  const double seconds = given ? std::atof(given) : 2;
  nesl::with_large_stack([&] {
    Mutator mutator(seed);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    long texts = 0, found = 0;
    for (; std::chrono::steady_clock::now() < end && !testing::Test::HasFailure(); ++texts) {
      const std::string text = mutator.next();
      try {
        found += work(text);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << "\n" << text;
      }
    }
    std::printf("%ld texts, %ld forms\n", texts, found);
    EXPECT_GT(found, texts);
  });
}

TEST(ParserFuzz, NothingBreaksTheReader) { fuzz(1, read_all); }

// Counts the forms that have a type.
TEST(ParserFuzz, NothingBreaksTheTypeChecker) {
  fuzz(2, [](const std::string& text) {
    long paragraphs = 0;
    nesl::Session session([&](const std::string& written) {
      paragraphs += written.find("rror") == std::string::npos;
    });
    session.check(source(text));
    return paragraphs;
  });
}

TEST(ParserFuzz, DeepNestingIsAnError) {
  nesl::with_large_stack([] {
    for (const char* open : {"(", "[", "{x in ", "-", "if ", "let a = ", "f(", "a -> "})
      for (int depth : {10, 1000, 100000}) {
        std::string text;
        for (int i = 0; i < depth; ++i) text += open;
        read_all(text + ";");
      }
    std::string sums = "1";
    for (int i = 0; i < 100000; ++i) sums += "+1";
    EXPECT_EQ(read_all(sums + ";"), 0);
  });
}

}  // namespace
}  // namespace tutti::nesl_test
