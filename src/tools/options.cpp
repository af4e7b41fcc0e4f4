#include "tools/options.hpp"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <iterator>
#include <sstream>

namespace tutti::tools {
namespace {

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

const Option& option_called(std::string_view name, const OptionTable& table) {
  const auto found = std::ranges::find(table, name, &Option::name);
  if (found == table.end()) throw UsageError("there is no option " + std::string(name));
  return *found;
}

}  // namespace

bool read_options(int argc, char** argv, const OptionTable& table,
                  const std::function<void(std::string_view)>& operand) {
  bool help = false;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      help = true;
      continue;
    }
    if (!argument.starts_with("--")) {
      operand(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    const std::string name(argument.substr(0, equals));
    const Option& option = option_called(name, table);
    std::string_view value;
    if (equals != std::string_view::npos)
      value = argument.substr(equals + 1);
    else if (!option.value.empty() && i + 1 < argc)
      value = argv[++i];
    if (option.value.empty() && equals != std::string_view::npos)
      throw UsageError(name + " takes no value");
    if (!option.value.empty() && value.empty()) throw UsageError(name + " needs a value");
    try {
      option.set(value);
    } catch (const UsageError& error) {
      throw UsageError(name + " " + error.what());
    }
  }
  return help;
}

std::string help_text(const OptionTable& table) {
  constexpr size_t column = 18;
  std::ostringstream text;
  for (const Option& option : table) {
    if (option.name.empty()) {
      text << option.meaning << '\n';
      continue;
    }
    std::string form(option.name);
    if (!option.value.empty()) form.append(" ").append(option.value);
    form.resize(std::max(column, form.size() + 2), ' ');
    text << "  " << form << option.meaning << '\n';
  }
  return text.str();
}

std::string usage_of(const Command& command, const OptionTable& table) {
  std::ostringstream text;
  text << "usage: tutti " << command.name << (command.operands.empty() ? "" : " ")
       << command.operands << '\n'
       << command.meaning << '\n'
       << help_text(table);
  return text.str();
}

std::optional<int> read_command(const Command& command, int argc, char** argv,
                                const OptionTable& table,
                                const std::function<void(std::string_view)>& operand) {
  try {
    if (!read_options(argc, argv, table, operand)) return std::nullopt;
    std::cout << usage_of(command, table);
    return 0;
  } catch (const UsageError& error) {
    std::cerr << "tutti " << command.name << ": " << error.what() << '\n'
              << usage_of(command, table);
    return 2;
  }
}

double positive_number(std::string_view text, double most) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0 && number <= most)
    return number;
  std::ostringstream limit;
  if (most < std::numeric_limits<double>::max()) limit << " up to " << most;
  throw UsageError("takes a positive number" + limit.str() + ", not " + quoted(text));
}

int64_t size_in_bytes(std::string_view text) {
  constexpr std::string_view units = "kKmMgG";
  const size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  const std::string_view digits =
      unit == std::string_view::npos ? text : text.substr(0, text.size() - 1);
  const int64_t factor = unit == std::string_view::npos ? 1 : int64_t{1} << (10 * (unit / 2 + 1));
  constexpr double most = 1e18;
  try {
    const double bytes = positive_number(digits) * static_cast<double>(factor);
    if (bytes >= 1 && bytes <= most) return static_cast<int64_t>(bytes);
  } catch (const UsageError&) {
    // ignored: the error below says more
  }
  throw UsageError("takes a number of bytes such as 500M or 4G, not " + quoted(text));
}

}  // namespace tutti::tools
