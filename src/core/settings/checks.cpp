#include "core/settings/checks.hpp"

#include "core/settings/environment.hpp"
#include "tutti/check.hpp"

namespace tutti {
namespace {

constexpr const char* words = "nan, inf, overflow, bounds or all, with commas between them";

struct Word {
  std::string_view word;
  int faults;
};
constexpr Word table[] = {{"nan", Faults::nan},
                          {"inf", Faults::inf},
                          {"overflow", Faults::overflow},
                          {"bounds", Faults::bounds},
                          {"all", Faults::all}};

std::optional<int> fault_of(std::string_view word) {
  for (const Word& row : table)
    if (row.word == word) return row.faults;
  return std::nullopt;
}

}  // namespace

namespace detail {

constinit std::atomic<int> process_checks{-1};
constinit thread_local int thread_checks = -1;

int read_process_checks() {
  int faults = 0;
  if (const char* list = variable("TUTTI_CHECK")) {
    if (const std::optional<int> known = faults_of(list))
      faults = *known;
    else if (process_checks.load() < 0)
      report_variable("TUTTI_CHECK", list, std::string("is not ") + words);
  }
  process_checks = faults;
  return faults;
}

}  // namespace detail

std::optional<int> faults_of(std::string_view list) {
  int faults = 0;
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::optional<int> fault = fault_of(list.substr(0, comma));
    if (!fault) return std::nullopt;
    faults |= *fault;
    list = comma == list.npos ? std::string_view() : list.substr(comma + 1);
  }
  return faults;
}

ScopedChecks::ScopedChecks(const std::string& checks) : before_(detail::thread_checks) {
  const std::optional<int> faults = faults_of(checks);
  if (!faults)
    throw Error("ScopedChecks: '" + checks + "' is not a list of checks; write " + words);
  detail::thread_checks = *faults;
}

ScopedChecks::~ScopedChecks() { detail::thread_checks = before_; }

}  // namespace tutti
