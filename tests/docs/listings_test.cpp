// A listing is a block of a page that is part of another file: what the compiler prints, which the
// tests of golden files keep as it is, or an example, which runs as a test. The comment
// "<!-- listing: FILE -->" before the block names the file. A listing may be indented less.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Listing {
  std::string page, file, text;
  int line = 0;
};

std::string contents_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The blocks of a page that follow a line "<!-- listing: FILE -->".
std::vector<Listing> listings_of(const std::string& page, const std::string& markdown) {
  const std::string before = "<!-- listing: ", after = " -->", fence = "```";
  std::vector<Listing> listings;
  std::istringstream text(markdown);
  bool inside = false, wanted = false;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.starts_with(before) && line.ends_with(after)) {
      const size_t length = line.size() - before.size() - after.size();
      listings.push_back({page, line.substr(before.size(), length), "", number});
      wanted = true;
    } else if (line.starts_with(fence)) {
      inside = !inside;
      if (!inside) wanted = false;
    } else if (inside && wanted) {
      listings.back().text += line + "\n";
    }
  }
  return listings;
}

// Returns the text with every line but empty ones indented by a number of spaces.
std::string indented(const std::string& text, size_t by) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    result += (line.empty() ? "" : std::string(by, ' ') + line) + "\n";
  return result;
}

// Returns whether whole lines of a file are the text, indented by an even number of spaces.
bool contains(const std::string& file, const std::string& text) {
  constexpr size_t deepest = 24;
  for (size_t by = 0; by <= deepest; by += 2)
    if (("\n" + file).find("\n" + indented(text, by)) != std::string::npos) return true;
  return false;
}

TEST(Listings, AreFoundWithTheirIndentation) {
  const auto found =
      listings_of("page", "<!-- listing: a -->\n```cpp\nx;\n\n  y;\n```\n```\nz\n```\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "a");
  EXPECT_TRUE(contains("f() {\n  x;\n\n    y;\n}\n", found[0].text));
  EXPECT_FALSE(contains("f() {\n  x;\n\n  y;\n}\n", found[0].text));
}

TEST(Listings, ArePartsOfTheirFiles) {
  const fs::path source(TUTTI_SOURCE);
  if (!fs::exists(source / "docs")) GTEST_SKIP() << "the source tree is not there";
  size_t listings = 0;
  for (const fs::directory_entry& page : fs::recursive_directory_iterator(source / "docs")) {
    if (page.path().extension() != ".md") continue;
    const std::string name = fs::relative(page.path(), source).string();
    for (const Listing& listing : listings_of(name, contents_of(page.path()))) {
      ++listings;
      EXPECT_FALSE(listing.text.empty()) << listing.page << ":" << listing.line;
      EXPECT_TRUE(contains(contents_of(source / listing.file), listing.text))
          << listing.page << ":" << listing.line << ": not a part of " << listing.file << "\n"
          << listing.text;
    }
  }
  EXPECT_GE(listings, 26u);
}

}  // namespace
