// README's table of settings names every variable of settings.def, and no other.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

std::set<std::string> known_variables() {
  return {
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) #variable,
#define TUTTI_SWITCH(variable, member, meaning) #variable,
#define TUTTI_WORD(variable, meaning) #variable,
#include "core/settings/settings.def"
  };
}

// Those in the first column of a table: `NAME` or `NAME=value`.
std::set<std::string> listed_variables(const fs::path& page) {
  const std::regex name("`(TUTTI_[A-Z_]+)(=[^`]*)?`");
  std::set<std::string> names;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `TUTTI_")) continue;
    const std::string column = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator i(column.begin(), column.end(), name), end; i != end; ++i)
      names.insert((*i)[1]);
  }
  return names;
}

TEST(Documents, ReadmeListsEverySetting) {
  const fs::path readme = fs::path(TUTTI_SOURCE) / "README.md";
  if (!fs::exists(readme)) GTEST_SKIP() << "the source tree is not there";
  EXPECT_EQ(listed_variables(readme), known_variables());
}

}  // namespace
