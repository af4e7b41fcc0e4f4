// A session whose output is a string, for tests.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "nesl/session/session.hpp"

namespace tutti::nesl_test {

struct Outcome {
  std::string output;
  bool good = true;
};

// Runs a text in a session of its own. The text counts as a file unless it has no name.
Outcome run(const std::string& text,
            nesl::Evaluation::Mode mode = nesl::Evaluation::Mode::automatic,
            const std::string& name = "test.nesl");
Outcome run(const std::string& text, const nesl::Patience& patience);
// The last result of a text: what stands between `it = ` and ` : type`.
std::string value_of(const std::string& text,
                     nesl::Evaluation::Mode mode = nesl::Evaluation::Mode::automatic);
std::string type_of(const std::string& text);  // of the last form, after ` : `

constexpr nesl::Evaluation::Mode all_modes[] = {
    nesl::Evaluation::Mode::plain, nesl::Evaluation::Mode::flat, nesl::Evaluation::Mode::mixed,
    nesl::Evaluation::Mode::automatic};
// The last result of a text is this value in every mode.
void expect_everywhere(const std::string& program, const std::string& value);
// Whether a well-typed program prints the same with each evaluator, but for the texts of errors,
// and also where evaluators change over all the time.
testing::AssertionResult agree(const std::string& program);
// How often a program evaluates arrays in contexts alone.
int64_t evaluations_of(const std::string& program);

// Output with every RUNTIME ERROR cut after these words: of several errors evaluators find
// different ones first, but must agree on whether there is one.
std::string without_messages(const std::string& output);

std::string read_file(const std::string& name);

}  // namespace tutti::nesl_test
