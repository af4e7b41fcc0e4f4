// Files that comments and documents name exist: a name is the end of a path of the tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Every path of the tree and every end of it that begins after a slash.
void add_ends_of(const fs::path& path, std::set<std::string>& ends) {
  std::string end;
  for (auto part = path.end(); part != path.begin();) {
    --part;
    end = end.empty() ? part->string() : part->string() + "/" + end;
    ends.insert(end);
  }
}

class NamedFiles : public testing::Test {
 protected:
  NamedFiles() {
    for (const char* folder : {"bench", "docs", "examples", "include", "python", "src", "tests"})
      if (fs::exists(source_ / folder))
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(source_ / folder))
          if (file.is_regular_file()) {
            files_.push_back(file.path());
            add_ends_of(fs::relative(file.path(), source_), ends_);
          }
  }

  void check(const fs::path& file, const std::string& text, int line) {
    // Not behind letters, a placeholder such as <name>, or a dot.
    static const std::regex name(R"((^|[^\w/.<>-])((?:\w+/)*\w+\.(?:hpp|cpp|def|cu))\b)");
    for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found) {
      const std::string named = (*found)[2];
      if (named == "file.cpp") continue;  // stands for any file
      ++names_;
      EXPECT_TRUE(ends_.count(named))
          << fs::relative(file, source_).string() << ":" << line << " names " << named;
    }
  }

  const fs::path source_{TUTTI_SOURCE};
  std::vector<fs::path> files_;
  std::set<std::string> ends_;
  int names_ = 0;
};

TEST_F(NamedFiles, Exist) {
  if (files_.empty()) GTEST_SKIP() << "the source tree is not there";
  for (const fs::path& file : files_) {
    const std::string extension = file.extension().string();
    const bool page = extension == ".md";
    if (!page && extension != ".cpp" && extension != ".hpp" && extension != ".def") continue;
    std::ifstream text(file);
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      const size_t comment = page ? 0 : line.find("//");
      if (comment != std::string::npos) check(file, line.substr(comment), number);
    }
  }
  EXPECT_GT(names_, 100);
}

}  // namespace
