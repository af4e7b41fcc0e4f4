#include "nesl/support.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "nesl/eval/large_stack.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl_test {

namespace {

Outcome run_in(const std::string& text, const std::string& name, const auto& prepare) {
  Outcome outcome;
  nesl::with_large_stack([&] {
    nesl::Session session([&](const std::string& written) { outcome.output += written; });
    prepare(session.evaluation());
    outcome.good = session.run(std::make_shared<nesl::Source>(nesl::Source{name, text}), true);
  });
  return outcome;
}

std::string last_paragraph(const std::string& output) {
  const std::size_t at = output.rfind("\n\n");
  return at == std::string::npos ? output : output.substr(at + 2);
}

}  // namespace

Outcome run(const std::string& text, nesl::Evaluation::Mode mode, const std::string& name) {
  return run_in(text, name, [&](nesl::Evaluation& evaluation) { evaluation.mode = mode; });
}
Outcome run(const std::string& text, const nesl::Patience& patience) {
  return run_in(text, "test.nesl",
                [&](nesl::Evaluation& evaluation) { evaluation.patience = patience; });
}

std::string value_of(const std::string& text, nesl::Evaluation::Mode mode) {
  const std::string last = last_paragraph(run(text, mode).output);
  std::size_t begin = last.find(" = ");
  if (begin == std::string::npos)
    begin = last.find(" =\n  ") == std::string::npos ? begin : last.find(" =\n  ") + 2;
  if (begin == std::string::npos) return last;
  const std::size_t end = last.rfind(" : ", last.find(" :: "));
  return last.substr(begin + 3, end - begin - 3);
}

std::string type_of(const std::string& text) {
  const std::string last = last_paragraph(run(text).output);
  const std::size_t at = last.find(" : ");
  return at == std::string::npos ? last : last.substr(at + 3, last.size() - at - 4);
}

void expect_everywhere(const std::string& program, const std::string& value) {
  for (const nesl::Evaluation::Mode mode : all_modes)
    EXPECT_EQ(value_of(program, mode), value) << program << static_cast<int>(mode);
}

int64_t evaluations_of(const std::string& program) {
  const int64_t before = statistics().evaluations;
  EXPECT_TRUE(run(program, nesl::Evaluation::Mode::flat).good) << program;
  return statistics().evaluations - before;
}

testing::AssertionResult agree(const std::string& program) {
  const std::string right = without_messages(run(program, nesl::Evaluation::Mode::plain).output);
  if (right.find("Error") != std::string::npos)
    return testing::AssertionFailure() << "not well-typed:\n" << program << right;
  constexpr std::pair<nesl::Evaluation::Mode, const char*> others[] = {
      {nesl::Evaluation::Mode::flat, "flat"},
      {nesl::Evaluation::Mode::mixed, "mixed"},
      {nesl::Evaluation::Mode::automatic, "automatic"}};
  for (const auto& [mode, name] : others)
    if (const std::string got = without_messages(run(program, mode).output); got != right)
      return testing::AssertionFailure() << name << " differs from plain:\n"
                                         << program << "plain:\n"
                                         << right << name << ":\n"
                                         << got;
  // The host gives up almost at once, so that evaluators change over all the time.
  nesl::Patience none;
  none.form_steps = none.most_form_steps = 40;
  none.each_steps = 20;
  none.form_goes_on = false;
  none.short_time = none.head_start = std::chrono::nanoseconds(0);
  // Or it goes on at once beside the other evaluator.
  nesl::Patience racing = none;
  racing.form_goes_on = true;
  racing.race_share = 16;
  for (const auto& [patience, name] : {std::pair(none, "without patience"), {racing, "racing"}})
    if (const std::string got = without_messages(run(program, patience).output); got != right)
      return testing::AssertionFailure() << name << " it differs from plain:\n"
                                         << program << "plain:\n"
                                         << right << name << ":\n"
                                         << got;
  return testing::AssertionSuccess();
}

std::string read_file(const std::string& name) {
  std::ifstream file(name);
  if (!file) throw std::runtime_error("cannot read " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string without_messages(const std::string& output) {
  std::string result;
  std::size_t at = 0;
  while (at < output.size()) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    result += (line.starts_with("RUNTIME ERROR") ? "RUNTIME ERROR" : line) + "\n";
    at = end + 1;
  }
  return result;
}

}  // namespace tutti::nesl_test
