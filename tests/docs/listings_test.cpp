// Code in the documents is code that is compiled. Listings of docs/architecture are parts of the
// file that the comment before them names, which another test keeps as the compiler prints it.
// Blocks of C++ elsewhere are parts of the tests of this folder or of the examples, which run as
// tests too; comments and layout may differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
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
void add_listings(const fs::path& page, std::vector<Listing>& listings) {
  const std::string before = "<!-- listing: ", after = " -->", fence = "```";
  std::istringstream text(contents_of(page));
  bool inside = false, wanted = false;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.starts_with(before) && line.ends_with(after)) {
      const size_t length = line.size() - before.size() - after.size();
      listings.push_back(
          {page.filename().string(), line.substr(before.size(), length), "", number});
      wanted = true;
    } else if (line.starts_with(fence)) {
      inside = !inside;
      if (!inside) wanted = false;
    } else if (inside && wanted) {
      listings.back().text += line + "\n";
    }
  }
}

TEST(Architecture, ListingsAreWhatTheCompilerPrints) {
  const fs::path source(TUTTI_SOURCE);
  const fs::path pages = source / "docs" / "architecture";
  if (!fs::exists(pages)) GTEST_SKIP() << "the source tree is not there";
  std::vector<Listing> listings;
  for (const fs::directory_entry& page : fs::directory_iterator(pages))
    add_listings(page.path(), listings);
  EXPECT_GE(listings.size(), 6u);
  for (const Listing& listing : listings) {
    const std::string file = "\n" + contents_of(source / listing.file);
    EXPECT_FALSE(listing.text.empty()) << listing.page << ", line " << listing.line;
    EXPECT_NE(file.find("\n" + listing.text), std::string::npos)
        << listing.page << ", line " << listing.line << ": not a part of " << listing.file << "\n"
        << listing.text;
  }
}

// C++ without comments, white space, and the lines that every file begins with.
std::string bare(const std::string& code) {
  std::string result;
  std::istringstream text(code);
  for (std::string line; std::getline(text, line);) {
    line.resize(std::min(line.find("//"), line.size()));
    if (line.starts_with("#include") || line.starts_with("using namespace")) continue;
    std::erase_if(line, [](unsigned char c) { return std::isspace(c); });
    result += line;
  }
  return result;
}

// The C++ of a page. A block is cut at blank lines and behind functions: what follows one may stand
// elsewhere in a test.
std::vector<Listing> cpp_pieces(const fs::path& page) {
  std::vector<Listing> pieces;
  std::istringstream text(contents_of(page));
  bool inside = false, begin = false;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = begin = line == "```cpp";
    } else if (inside && line.empty()) {
      begin = true;
    } else if (inside) {
      if (begin) pieces.push_back({page.filename().string(), "", "", number});
      pieces.back().text += line + "\n";
      begin = line == "}";
    }
  }
  std::erase_if(pieces, [](const Listing& piece) { return bare(piece.text).empty(); });
  return pieces;
}

// What stands between the bars of a row of a table.
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells{""};
  for (size_t i = 0; i < row.size(); ++i)
    if (row[i] == '|' && (i == 0 || row[i - 1] != '\\'))
      cells.emplace_back();
    else
      cells.back() += row[i];
  return cells;
}

// The code of a page that stands in columns of tables with the title C++.
std::vector<Listing> table_code(const fs::path& page) {
  std::vector<Listing> pieces;
  std::istringstream text(contents_of(page));
  size_t column = 0;  // 0: none, because a row begins with a bar
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const std::vector<std::string> cells = cells_of(line);
    const auto title = std::ranges::find(cells, " C++ ");
    if (!line.starts_with("|")) column = 0;
    if (title != cells.end()) column = static_cast<size_t>(title - cells.begin());
    if (title != cells.end() || column == 0 || column >= cells.size()) continue;
    std::istringstream cell(cells[column]);
    std::string part;
    for (bool code = false; std::getline(cell, part, '`'); code = !code)
      if (code) pieces.push_back({page.filename().string(), "", part, number});
  }
  return pieces;
}

// The sources that snippets are taken from, by name.
std::vector<Listing> compiled_sources(const fs::path& source) {
  std::vector<Listing> files;
  for (const char* folder : {"tests/docs", "examples"})
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(source / folder))
      if (file.path().extension() == ".cpp" || file.path().extension() == ".hpp")
        files.push_back({"", file.path().filename().string(), bare(contents_of(file.path()))});
  return files;
}

TEST(Documents, SnippetsAreCompiled) {
  const fs::path source(TUTTI_SOURCE);
  if (!fs::exists(source / "docs")) GTEST_SKIP() << "the source tree is not there";
  std::vector<fs::path> pages{source / "README.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::vector<Listing> files = compiled_sources(source);
  size_t pieces = 0;
  for (const fs::path& page : pages) {
    std::vector<Listing> all = cpp_pieces(page);
    std::ranges::move(table_code(page), std::back_inserter(all));
    for (const Listing& piece : all) {
      ++pieces;
      const bool found = std::ranges::any_of(files, [&](const Listing& file) {
        return file.text.find(bare(piece.text)) != std::string::npos;
      });
      EXPECT_TRUE(found) << piece.page << ", line " << piece.line
                         << ": in no file of tests/docs or examples\n"
                         << piece.text;
    }
  }
  EXPECT_GE(pieces, 200u);
}

}  // namespace
