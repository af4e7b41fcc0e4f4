// Shows results: progress, table, JSON.
#include "bench/harness/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <thread>

#include "bench/matrices/blas.hpp"
#include "tutti/runtime.hpp"

namespace tutti::bench {
namespace {

__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

// Three significant digits, without an exponent.
std::string three_digits(double value) {
  if (!(value > 0) || !std::isfinite(value)) return format("%g", value);
  const int digits = 2 - static_cast<int>(std::floor(std::log10(value)));
  return format("%.*f", std::clamp(digits, 0, 9), value);
}

std::string milliseconds(const Timing& timing) { return three_digits(1e3 * timing.median); }

std::string bandwidth(double bytes, const Timing& timing) {
  return bytes > 0 ? format("%.1f", bytes / timing.median * 1e-9) : "";
}

void print_comparisons(std::ostream& out, const std::vector<ComparisonResult>& results) {
  if (results.empty()) return;
  auto row = [&](const std::string& name, const std::string& size, const std::string& baseline,
                 const std::string& tutti, const std::string& ratio, const std::string& before,
                 const std::string& now, const std::string& difference) {
    out << std::left << std::setw(19) << name << std::setw(11) << size << std::right
        << std::setw(13) << baseline << std::setw(10) << tutti << std::setw(8) << ratio
        << std::setw(11) << before << std::setw(8) << now << std::setw(12) << difference << '\n';
  };
  row("benchmark", "size", "baseline ms", "tutti ms", "ratio", "base GB/s", "GB/s", "difference");
  for (const ComparisonResult& r : results) {
    if (!r.error.empty()) {
      out << std::left << std::setw(19) << r.name << std::setw(11) << r.size << "  " << r.error
          << '\n';
      continue;
    }
    row(r.name, r.size, milliseconds(r.baseline), milliseconds(r.tutti), format("%.2f", r.ratio()),
        bandwidth(r.bytes, r.baseline), bandwidth(r.bytes, r.tutti),
        format("%.1e", r.disagreement));
  }
  out << "Medians. Ratio: baseline / Tutti, above 1 Tutti is faster. Difference: "
         "max|A-A'|/max|A|.\n";
  if (!blas_kernels().empty()) out << "OpenBLAS ran its kernels for " << blas_kernels() << ".\n";
}

void print_gauges(std::ostream& out, const std::vector<GaugeResult>& results) {
  for (const GaugeResult& r : results) {
    const std::string value = r.error.empty() ? three_digits(r.median) + " " + r.unit : r.error;
    out << std::left << std::setw(22) << r.name << std::right << std::setw(12) << value << "  "
        << r.description << '\n';
  }
}

// A JSON string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += format("\\%c", c);
    else if (static_cast<unsigned char>(c) < 0x20)
      result += format("\\u%04x", c);
    else
      result += c;
  }
  return result + "\"";
}

// A JSON number; there is none for infinity and NaN.
std::string number(double value) { return std::isfinite(value) ? format("%.9g", value) : "null"; }

std::string json(const Timing& timing) {
  return "{\"median_s\": " + number(timing.median) + ", \"minimum_s\": " + number(timing.minimum) +
         ", \"repetitions\": " + std::to_string(timing.repetitions) + "}";
}

std::string json(const ComparisonResult& r) {
  std::string text = "{\"name\": " + quoted(r.name) + ", \"size\": " + quoted(r.size);
  if (!r.error.empty()) return text + ", \"error\": " + quoted(r.error) + "}";
  text += ", \"baseline\": " + json(r.baseline) + ", \"tutti\": " + json(r.tutti) +
          ", \"ratio\": " + number(r.ratio());
  if (r.bytes > 0) text += ", \"bytes\": " + number(r.bytes);
  return text + ", \"difference\": " + number(r.disagreement) +
         ", \"tolerance\": " + number(r.tolerance) + "}";
}

std::string json(const GaugeResult& r) {
  std::string text = "{\"name\": " + quoted(r.name) + ", \"unit\": " + quoted(r.unit);
  if (!r.error.empty()) return text + ", \"error\": " + quoted(r.error) + "}";
  return text + ", \"median\": " + number(r.median) + ", \"minimum\": " + number(r.minimum) +
         ", \"repetitions\": " + std::to_string(r.repetitions) + "}";
}

template <class Result>
void write_json_list(std::ostream& out, const char* name, const std::vector<Result>& results) {
  out << "  \"" << name << "\": [";
  for (size_t i = 0; i < results.size(); ++i)
    out << (i == 0 ? "\n    " : ",\n    ") << json(results[i]);
  out << (results.empty() ? "]" : "\n  ]");
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() {
  if (terminal_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::show(const std::string& text) {
  if (terminal_) std::cerr << "\r\033[K" << text << std::flush;
}

void print_table(std::ostream& out, const Results& results) {
  print_comparisons(out, results.comparisons);
  if (!results.comparisons.empty() && !results.gauges.empty()) out << '\n';
  print_gauges(out, results.gauges);
}

void print_list(std::ostream& out, const Options& options) {
  auto row = [&](const std::string& name, const std::string& text) {
    if (selected(options, name)) out << std::left << std::setw(22) << name << text << '\n';
  };
  for (const Comparison& benchmark : comparisons()) {
    std::string sizes;
    for (const Size& size : benchmark.sizes)
      if (!options.small || size.small) sizes += (sizes.empty() ? " [" : ", ") + size.name;
    std::string bound;
    if (!benchmark.reason.empty())
      bound = format("; tolerance %g, ", benchmark.tolerance) + benchmark.reason;
    row(benchmark.name, benchmark.description + sizes + "]" + bound);
  }
  for (const Gauge& gauge : gauges()) row(gauge.name, gauge.description);
}

void write_json(std::ostream& out, const Results& results, const Options& options) {
  out << "{\n  \"version\": " << quoted(version())
      << ",\n  \"cores\": " << std::thread::hardware_concurrency()
      << ",\n  \"threads_setting\": " << settings().threads
      << ",\n  \"blas_kernels\": " << quoted(blas_kernels())
      << ",\n  \"seconds_a_side\": " << number(options.seconds) << ",\n";
  write_json_list(out, "comparisons", results.comparisons);
  out << ",\n";
  write_json_list(out, "gauges", results.gauges);
  out << "\n}\n";
}

}  // namespace tutti::bench
