#include "compiler/dump.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "compiler/pipeline.hpp"
#include "core/settings/environment.hpp"

namespace tutti::compiler {
namespace {

void report_unknown(const std::string& asked) {
  static std::once_flag once;
  std::call_once(once, [&] {
    std::string names = "is neither \"all\" nor a pass; passes are";
    for (const char* name : pass_names()) names += std::string(" ") + name;
    report_variable("TUTTI_DUMP", asked, names);
  });
}

}  // namespace

Dump::Dump(std::string passes, Print print)
    : passes_(std::move(passes)), print_(std::move(print)) {}

Dump Dump::from_environment() {
  const char* asked = variable("TUTTI_DUMP");
  if (!asked) return {};
  const auto names = pass_names();
  const std::string passes = asked;
  if (passes != "all" && std::find(names.begin(), names.end(), passes) == names.end()) {
    report_unknown(passes);
    return {};
  }
  return Dump(passes, [](const std::string& text) { std::fputs(text.c_str(), stderr); });
}

void Dump::add(const char* pass, const char* representation, std::string text) {
  std::string& last = last_[representation];
  if (passes_ == "all" || passes_ == pass)
    print_(std::string("---- ") + representation + " after " + pass + "\n" +
           (text == last ? "unchanged\n" : text));
  last = std::move(text);
}

}  // namespace tutti::compiler
