#include "core/settings/environment.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "core/escape.hpp"

namespace tutti {
namespace {

constexpr std::string_view known_names[] = {
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) #variable,
#define TUTTI_SWITCH(variable, member, meaning) #variable,
#define TUTTI_WORD(variable, meaning) #variable,
#include "core/settings/settings.def"
};
constexpr std::string_view earlier_names[] = {
#define TUTTI_RENAMED(old, variable, member) #old,
#include "core/settings/settings.def"
};

// Returns the edit distance between two words.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t corner = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// Returns the name that was probably meant, or an empty one.
std::string_view nearest_name(std::string_view name) {
  constexpr size_t longest = 40, farthest = 4;
  if (name.size() > longest) return {};
  const auto nearest = std::min_element(std::begin(known_names), std::end(known_names),
                                        [&](std::string_view a, std::string_view b) {
                                          return distance(name, a) < distance(name, b);
                                        });
  return distance(name, *nearest) <= farthest ? *nearest : std::string_view();
}

}  // namespace

const char* variable(const char* name) {
  const char* value = secure_getenv(name);
  return value && *value ? value : nullptr;
}

int simd_bits_from_environment() {
  const char* text = variable("TUTTI_SIMD_BITS");
  if (!text) return 0;
  for (const int bits : {128, 256, 512})
    if (std::to_string(bits) == text) return bits;
  report_variable("TUTTI_SIMD_BITS", text, "is none of 128, 256 and 512");
  return 0;
}

std::optional<int64_t> number_from_environment(const char* name, int64_t least, int64_t greatest) {
  const char* text = variable(name);
  if (!text) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long long number = std::strtoll(text, &end, 10);
  const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  const bool complete = end != text && errno == 0 && end[shift ? 1 : 0] == '\0';
  const __int128 value = static_cast<__int128>(number) << shift;
  if (complete && value >= least && value <= greatest) return static_cast<int64_t>(value);
  report_variable(name, text,
                  "is not a number of at least " + std::to_string(least) + " and at most " +
                      std::to_string(greatest));
  return std::nullopt;
}

void report_variable(const std::string& name, const std::string& value, const std::string& why) {
  constexpr size_t longest = 80;
  std::fprintf(stderr, "tutti: %s=%s %s; ignored\n", escaped(name).c_str(),
               escaped(std::string_view(value).substr(0, longest)).c_str(), why.c_str());
}

void report_unknown_variables() {
  if (getauxval(AT_SECURE) != 0) return;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry), name = text.substr(0, text.find('='));
    if (!name.starts_with("TUTTI_")) continue;
    if (name.starts_with("TUTTI_TEST_") || name.starts_with("TUTTI_NESL_")) continue;
    if (std::ranges::count(known_names, name) + std::ranges::count(earlier_names, name) > 0)
      continue;
    const std::string_view meant = nearest_name(name);
    std::fprintf(stderr, "tutti: %s is the name of no setting%s%s; ignored\n",
                 escaped(name.substr(0, 80)).c_str(), meant.empty() ? "" : " (perhaps ",
                 meant.empty() ? "" : (std::string(meant) + " was meant)").c_str());
  }
}

}  // namespace tutti
