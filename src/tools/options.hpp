// The grammar of the command lines: options begin with "--" and are rows of a table, from which the
// help text is made. "--name VALUE" and "--name=VALUE" are equivalent. All other arguments are
// operands, at any position.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
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

// Calls `set` of each option, and `operand` with each operand. Returns whether --help or -h is
// among the arguments. Throws UsageError; those of `set` are prefixed with the name of the option.
bool read_options(int argc, char** argv, const OptionTable& table,
                  const std::function<void(std::string_view)>& operand);
// Returns a line for each row.
std::string help_text(const OptionTable& table);

// A command: its name, the operands of its usage line, and what it does.
struct Command {
  std::string_view name, operands, meaning;
};
// Reads the arguments of a command. Returns the exit status if the command is over: 0 after --help,
// 2 after wrong arguments. The help text or the problem has been printed then. `operand` may throw
// UsageError.
std::optional<int> read_command(const Command& command, int argc, char** argv,
                                const OptionTable& table,
                                const std::function<void(std::string_view)>& operand);
// Returns the usage line, the meaning and the options.
std::string usage_of(const Command& command, const OptionTable& table);

// Parse values. Throw UsageError.
double positive_number(std::string_view text, double most = std::numeric_limits<double>::max());
int64_t size_in_bytes(std::string_view text);  // 500, 64K, 200M, 4G

}  // namespace tutti::tools
