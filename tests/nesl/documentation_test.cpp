// The documentation. Every example of the tutorial, of the reference and of the page about
// differences is typed into a session and must print what the page shows. The reference has every
// function.
#include <gtest/gtest.h>

#include <sstream>

#include "nesl/errors.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"
#include "nesl/syntax/form_reader.hpp"

namespace tutti::nesl_test {
namespace {

constexpr const char* prompt = "<Nesl> ";
constexpr const char* more = "   ... ";

struct Example {
  int line = 0;
  std::string input, output;
};

std::vector<Example> examples_of(const std::string& page) {
  std::vector<Example> examples;
  std::istringstream text(page);
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = line == "```nesl";
    } else if (inside && line.starts_with(prompt)) {
      examples.push_back({number, line.substr(std::string(prompt).size()) + "\n", ""});
    } else if (inside && line.starts_with(more)) {
      examples.back().input += line.substr(std::string(more).size()) + "\n";
    } else if (inside && !line.empty()) {
      examples.back().output += line + "\n";
    }
  }
  return examples;
}

std::string without_empty_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) result += line + "\n";
  return result;
}

int check_page(const std::string& name) {
  const std::vector<Example> examples =
      examples_of(read_file(std::string(TUTTI_NESL_DOCS) + "/" + name));
  nesl::with_large_stack([&] {
    std::string output;
    nesl::Session session([&](const std::string& written) { output += written; });
    for (const Example& example : examples) {
      output.clear();
      session.run(std::make_shared<nesl::Source>(nesl::Source{"", example.input}), true);
      EXPECT_EQ(without_empty_lines(output), example.output)
          << name << ", line " << example.line << ": " << example.input;
    }
  });
  return static_cast<int>(examples.size());
}

TEST(Documentation, Tutorial) { EXPECT_GT(check_page("tutorial.md"), 60); }
TEST(Documentation, Reference) { EXPECT_GT(check_page("reference.md"), 150); }
TEST(Documentation, Architecture) { EXPECT_EQ(check_page("../architecture/nesl.md"), 3); }
TEST(Documentation, ComingFromNesl) { EXPECT_GE(check_page("../coming_from/nesl.md"), 6); }

TEST(Documentation, TheReferenceHasEveryFunction) {
  const std::string page = read_file(std::string(TUTTI_NESL_DOCS) + "/reference.md");
  nesl::Session session([](const std::string&) {});
  session.environment().for_each([&](const nesl::Definition& definition) {
    const bool internal =
        definition.name.size() > 1 && definition.name.find('-') != std::string::npos;
    if (internal) return;
    const std::size_t at = page.find("\n### `" + definition.name + "`\n");
    ASSERT_NE(at, std::string::npos) << definition.name;
    EXPECT_EQ(page.compare(page.find('`', at + definition.name.size() + 9) + 1,
                           to_string(definition.type).size(), to_string(definition.type)),
              0)
        << definition.name << " : " << to_string(definition.type);
  });
}

}  // namespace
}  // namespace tutti::nesl_test
