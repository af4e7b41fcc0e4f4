// What the tests that extract_snippets.py makes of pages use: values of table cells as text,
// compared with a file of tests/docs/results. After a change that is meant, this command writes the
// files anew:
//   TUTTI_TEST_UPDATE_GOLDEN=1 test_docs --gtest_filter='*.Tables'
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/golden.hpp"
#include "tutti/tutti.hpp"

namespace tutti::snippets {

inline bool has_device(const std::string& name) {
  const auto known = devices();
  return std::ranges::any_of(known, [&](const auto& device) { return device.name == name; });
}

template <class T>
std::string text_of(const T& value) {
  if constexpr (requires { value.to_nested_vector(); }) {
    return text_of(value.to_nested_vector());
  } else if constexpr (requires { tutti::to_string(value); }) {
    return tutti::to_string(value);
  } else if constexpr (requires { value.to_vector(); }) {
    return text_of(value.to_vector());
  } else if constexpr (requires { value.item(); }) {
    return text_of(value.item());
  } else if constexpr (requires { value.first, value.second; }) {
    return text_of(value.first) + ", " + text_of(value.second);
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return std::apply(
        [](const auto& first, const auto&... rest) {
          return "(" + text_of(first) + (std::string() + ... + (" " + text_of(rest))) + ")";
        },
        value);
  } else if constexpr (std::is_pointer_v<T>) {
    return value ? "an address" : "null";
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::ranges::range<T>) {
    std::string text;
    for (const auto& element : value) {
      const std::string one = text_of<typename T::value_type>(element);
      if (one == "an object") return "objects";  // of the machine: as many as it has
      text += (text.empty() ? "" : " ") + one;
    }
    return "{" + text + "}";
  } else if constexpr (requires(std::ostream& out) { out << value; }) {
    std::ostringstream out;
    out << value;
    return out.str();
  } else {
    return "an object";
  }
}

// A folder of its own for the files that code of a page writes: the current one until the end.
class Folder {
 public:
  Folder() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "tutti_docs_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    std::filesystem::current_path(folder_ = name);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_, folder_;
};

// The values of the cells of a page, compared with its file at the end.
class Results {
 public:
  explicit Results(const std::string& page)
      : file_(std::filesystem::path(TUTTI_SOURCE) / "tests/docs/results" / (page + ".txt")) {}
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  ~Results() {
    if (!std::filesystem::exists(file_.parent_path())) return;  // the source tree is not there
    test::expect_golden(file_, text_, "test_docs --gtest_filter='*.Tables'");
  }

  // Notes a cell, and what it computed.
  void add(const std::string& code) { text_ += code + "\n"; }
  template <class T>
  void add(const std::string& code, const T& value) {
    add(code);
    std::istringstream lines(text_of(value));
    for (std::string line; std::getline(lines, line);) text_ += "    " + line + "\n";
  }
  template <class Compute>
  void add_value_of(const std::string& code, Compute compute) {
    if constexpr (std::is_void_v<decltype(compute())>) {
      compute();
      add(code);
    } else {
      add(code, std::remove_cvref_t<decltype(compute())>(compute()));
    }
  }

 private:
  std::filesystem::path file_;
  std::string text_;
};

}  // namespace tutti::snippets
