// Listings of docs/architecture: each is a part of the file that the comment before it names, which
// another test keeps as the compiler prints it.
#include <gtest/gtest.h>

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

}  // namespace
