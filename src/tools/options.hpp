// The grammar of the command lines: options begin with "--" and are rows of a table, which also
// makes the help text. "--name VALUE" and "--name=VALUE" are the same. What is no option is an
// operand, wherever it stands.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::tools {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A row without a name is a heading of the help text.
struct Option {
  std::string_view name;
  std::string_view value;  // the name of its value, in capitals; empty: it has none
  std::string_view meaning;
  std::function<void(std::string_view value)> set;
};
using OptionTable = std::vector<Option>;

// Calls `set` of each option and `operand` with what is none. Returns whether --help or -h is among
// them. Throws UsageError; those of `set` are preceded by the name of the option.
bool read_options(int argc, char** argv, const OptionTable& table,
                  const std::function<void(std::string_view)>& operand);
// A line for each row.
std::string help_text(const OptionTable& table);

// Values. Throw UsageError.
double positive_number(std::string_view text, double most = std::numeric_limits<double>::max());
int64_t size_in_bytes(std::string_view text);  // 500, 64K, 200M, 4G

}  // namespace tutti::tools
