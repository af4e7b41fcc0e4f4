// The walk of docs/architecture/README.md: at most eight files, none of them twice, and the
// functions that an entry begins with are in its file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Walk, NamesFilesAndTheirFunctions) {
  const fs::path source(TUTTI_SOURCE);
  const fs::path page = source / "docs/architecture/README.md";
  if (!fs::exists(page)) GTEST_SKIP() << "the source tree is not there";
  const std::string text = contents_of(page);
  const size_t begin = text.find("\n## A walk"), end = text.find("\n## ", begin + 1);
  ASSERT_NE(end, std::string::npos);
  const std::string walk = text.substr(begin, end - begin);
  const std::regex entry(R"(\n(\d)\. \*\*`([\w/.]+)`\*\*: ((?:`[\w:]+`(?:, )?)+)\.)");
  const std::regex function(R"(`(?:\w+::)*(\w+)`)");
  std::set<std::string> files;
  int number = 0;
  for (std::sregex_iterator found(walk.begin(), walk.end(), entry), last; found != last; ++found) {
    EXPECT_EQ(std::stoi((*found)[1]), ++number);
    const std::string file = (*found)[2], functions = (*found)[3];
    EXPECT_TRUE(files.insert(file).second) << file << " is there twice";
    const std::string code = contents_of(source / file);
    for (std::sregex_iterator name(functions.begin(), functions.end(), function); name != last;
         ++name)
      EXPECT_TRUE(std::regex_search(code, std::regex("\\b" + (*name)[1].str() + "\\(")))
          << file << " has no " << (*name)[1];
  }
  EXPECT_GE(number, 5);
  EXPECT_LE(number, 8);
}

}  // namespace
