#include "core/precision.hpp"

#include <string>

#include "core/settings/environment.hpp"

namespace tutti {
namespace {

std::optional<Precision> precision_of(std::string_view word) {
  if (word == "exact") return Precision::exact;
  if (word == "contracted") return Precision::contracted;
  if (word == "fast") return Precision::fast;
  return std::nullopt;
}

}  // namespace

namespace detail {

constinit std::atomic<int> process_precision{-1};
constinit thread_local int thread_precision = -1;

Precision read_process_precision() {
  Precision precision = Precision::exact;
  if (const char* word = variable("TUTTI_PRECISION")) {
    if (const std::optional<Precision> known = precision_of(word))
      precision = *known;
    else if (process_precision.load() < 0)
      report_variable("TUTTI_PRECISION", word, "is not exact, contracted or fast");
  }
  process_precision = static_cast<int>(precision);
  return precision;
}

}  // namespace detail

Precision precision() { return precision_wanted(); }

ScopedPrecision::ScopedPrecision(Precision precision) : before_(detail::thread_precision) {
  detail::thread_precision = static_cast<int>(precision);
}

ScopedPrecision::~ScopedPrecision() { detail::thread_precision = before_; }

}  // namespace tutti
