// TUTTI_DUMP=<pass|all> prints the intermediate representation after a pass to stderr, or
// "unchanged". A pass reports its result to after(), which makes the text only if dumps are on.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti::compiler {

class TUTTI_EXPORT Dump {
 public:
  using Print = std::function<void(const std::string&)>;

  Dump() = default;                       // prints nothing
  Dump(std::string passes, Print print);  // "all", or the name of one pass
  static Dump from_environment();

  // Starts a new object of this representation: its text is not compared with earlier ones.
  void begin(const char* representation) { last_.erase(representation); }

  template <class Text>
  void after(const char* pass, const char* representation, const Text& text) {
    if (!passes_.empty()) add(pass, representation, text());
  }

 private:
  void add(const char* pass, const char* representation, std::string text);

  std::string passes_;  // empty: none
  Print print_;
  std::map<std::string, std::string> last_;  // by representation: the text after the last pass
};

}  // namespace tutti::compiler
