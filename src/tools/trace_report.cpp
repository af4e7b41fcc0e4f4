#include "tools/trace_report.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/json.hpp"

namespace tutti::tools {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TraceSpan span_of(const json::Value& event) {
  TraceSpan span;
  span.thread = static_cast<int64_t>(event["tid"].number);
  span.begin = event["ts"].number;
  span.took = event["dur"].number;
  span.category = event["cat"].text;
  span.name = event["name"].text;
  const json::Value& arguments = event["args"];
  for (const json::Value& line : arguments["lines"].items) span.lines.push_back(line.text);
  span.bytes = arguments["bytes_read"].number + arguments["bytes_written"].number +
               arguments["bytes"].number;
  span.flops = arguments["flops"].number;
  span.shape = arguments["shape"].text;
  return span;
}

// Spans of a thread nest: the time of an inner span is not part of the outer one's own time.
void find_own_times(std::vector<TraceSpan>& spans) {
  std::ranges::sort(spans, [](const TraceSpan& a, const TraceSpan& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.begin != b.begin ? a.begin < b.begin : a.took > b.took;
  });
  std::vector<size_t> open;
  for (size_t i = 0; i < spans.size(); ++i) {
    TraceSpan& span = spans[i];
    span.self = span.took;
    while (!open.empty() && (spans[open.back()].thread != span.thread ||
                             spans[open.back()].begin + spans[open.back()].took <= span.begin))
      open.pop_back();
    span.level = static_cast<int>(open.size());
    if (!open.empty()) spans[open.back()].self -= span.took;
    open.push_back(i);
  }
}

bool is_kernel(const TraceSpan& span, bool on_gpu) {
  return span.category == (on_gpu ? "device" : "kernel");
}

std::vector<NamedTime> longest_first(const std::map<std::string, double>& times) {
  std::vector<NamedTime> result;
  for (const auto& [name, time] : times) result.push_back({name, time});
  std::ranges::sort(result, [](const NamedTime& a, const NamedTime& b) {
    return a.microseconds != b.microseconds ? a.microseconds > b.microseconds : a.name < b.name;
  });
  return result;
}

std::vector<KernelTime> add_kernels(const Trace& trace, bool on_gpu) {
  std::map<std::string, KernelTime> kernels;
  for (const TraceSpan& span : trace.spans) {
    if (!is_kernel(span, on_gpu)) continue;
    std::string key = span.name;
    for (const std::string& line : span.lines) key += "\n" + line;
    KernelTime& kernel = kernels[key];
    kernel.name = span.name;
    kernel.lines = span.lines;
    if (kernel.calls++ == 0) kernel.shape = span.shape;
    if (kernel.shape != span.shape) kernel.shape = "several";
    kernel.microseconds += span.self;
    kernel.bytes += span.bytes;
    kernel.flops += span.flops;
  }
  std::vector<KernelTime> result;
  for (auto& [key, kernel] : kernels) result.push_back(std::move(kernel));
  std::ranges::sort(result, [](const KernelTime& a, const KernelTime& b) {
    return a.microseconds > b.microseconds;
  });
  return result;
}

// The time of a kernel with several lines is divided equally among them.
std::vector<NamedTime> add_lines(const std::vector<KernelTime>& kernels) {
  std::map<std::string, double> lines;
  for (const KernelTime& kernel : kernels) {
    if (kernel.lines.empty()) lines["(unknown)"] += kernel.microseconds;
    for (const std::string& line : kernel.lines)
      lines[line] += kernel.microseconds / static_cast<double>(kernel.lines.size());
  }
  return longest_first(lines);
}

void add_to_flame(FlameNode& flame, const Trace& trace) {
  std::vector<FlameNode*> path{&flame};
  for (const TraceSpan& span : trace.spans) {
    if (span.thread != trace.main_thread) continue;
    path.resize(std::min(path.size(), static_cast<size_t>(span.level) + 1));
    FlameNode& node = path.back()->inside[span.name];
    node.name = span.name;
    node.microseconds += span.took;
    if (span.level == 0) flame.microseconds += span.took;
    path.push_back(&node);
  }
}

// ---- text

std::string number(double value, const char* format) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : ", ") + line;
  return text;
}

std::string rates(const KernelTime& kernel, const std::optional<Peaks>& peaks) {
  const double seconds = kernel.microseconds * 1e-6;
  std::string text = "         -     -        -     -";
  if (seconds <= 0) return text;
  const double bytes = kernel.bytes / seconds, flops = kernel.flops / seconds;
  const auto part = [](double value, double peak) {
    return peak > 0 && value > 0 ? number(100 * value / peak, "%4.0f%%") : std::string("    -");
  };
  text = kernel.bytes > 0 ? number(bytes * 1e-9, "%10.2f") : std::string("         -");
  text += " " + part(bytes, peaks ? peaks->bytes_per_second : 0);
  text += kernel.flops > 0 ? number(flops * 1e-9, " %8.2f") : std::string("        -");
  text += " " + part(flops, peaks ? peaks->flops_per_second : 0);
  return text;
}

}  // namespace

Trace read_traces(const std::vector<std::string>& files) {
  Trace trace;
  for (const std::string& file : files) {
    const json::Value events = json::read(text_of_file(file));
    for (const json::Value& event : events.items) {
      const std::string& kind = event["ph"].text;
      if (kind == "X") trace.spans.push_back(span_of(event));
      if (kind == "M" && event["name"].text == "thread_name") {
        const auto thread = static_cast<int64_t>(event["tid"].number);
        trace.threads[thread] = event["args"]["name"].text;
        if (event["args"]["name"].text == "main" && trace.main_thread == 0)
          trace.main_thread = thread;
      }
      if (kind == "C")
        trace.most_memory = std::max(trace.most_memory, event["args"]["bytes"].number);
    }
  }
  if (trace.main_thread == 0 && !trace.threads.empty())
    trace.main_thread = trace.threads.begin()->first;
  find_own_times(trace.spans);
  return trace;
}

TraceReport summarise(const Trace& trace) {
  TraceReport report;
  report.most_memory = trace.most_memory;
  report.flame.name = "all";
  std::map<std::string, double> categories;
  double first = 0, last = 0;
  for (const TraceSpan& span : trace.spans) {
    report.on_gpu = report.on_gpu || span.category == "device";
    if (span.thread != trace.main_thread) continue;
    if (last == 0) first = span.begin;
    last = std::max(last, span.begin + span.took);
    categories[span.category] += span.self;
    if (span.level == 0) report.attributed += span.took;
  }
  report.wall = last - first;
  categories["between (the program itself)"] = std::max(0.0, report.wall - report.attributed);
  report.categories = longest_first(categories);
  report.kernels = add_kernels(trace, report.on_gpu);
  report.lines = add_lines(report.kernels);
  add_to_flame(report.flame, trace);
  return report;
}

std::string text_of(const TraceReport& report, const std::optional<Peaks>& peaks) {
  constexpr size_t most_rows = 25;
  if (report.kernels.empty() && report.categories.size() < 2)
    return "nothing was recorded: the program has evaluated nothing with Tutti\n";
  std::string text =
      "main thread: " + number(report.wall * 1e-3, "%.3f ms") + ", within Tutti " +
      number(report.wall > 0 ? 100 * report.attributed / report.wall : 0, "%.1f %%") +
      "; most memory of arrays " + number(report.most_memory * 1e-6, "%.1f MB") +
      "\n\n        ms  share  what\n";
  for (const NamedTime& time : report.categories)
    text += number(time.microseconds * 1e-3, "%10.3f") +
            number(report.wall > 0 ? 100 * time.microseconds / report.wall : 0, " %5.1f%%") + "  " +
            time.name + "\n";
  double all = 0;
  for (const KernelTime& kernel : report.kernels) all += kernel.microseconds;
  const auto share = [&](double time) {
    return number(all > 0 ? 100 * time / all : 0, " %5.1f%%");
  };
  text += "\n        ms  share  source line\n";
  for (size_t i = 0; i < std::min(most_rows, report.lines.size()); ++i)
    text += number(report.lines[i].microseconds * 1e-3, "%10.3f") +
            share(report.lines[i].microseconds) + "  " + report.lines[i].name + "\n";
  text += "\n        ms  share    calls       GB/s  peak  Gflop/s  peak  kernel\n";
  for (size_t i = 0; i < std::min(most_rows, report.kernels.size()); ++i) {
    const KernelTime& kernel = report.kernels[i];
    text += number(kernel.microseconds * 1e-3, "%10.3f") + share(kernel.microseconds) +
            number(static_cast<double>(kernel.calls), " %8.0f ") + rates(kernel, peaks) + "  " +
            kernel.name + (kernel.shape.empty() ? "" : " " + kernel.shape) +
            (kernel.lines.empty() ? "" : " (" + joined(kernel.lines) + ")") + "\n";
  }
  if (report.kernels.size() > most_rows)
    text += "  and " + std::to_string(report.kernels.size() - most_rows) + " more kernels\n";
  if (!peaks) text += "\n`tutti info --measure` finds the peaks of this machine to compare with\n";
  return text;
}

}  // namespace tutti::tools
