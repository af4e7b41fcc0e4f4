// Summarises a trace: time by kernel, by source line and by kind of work.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/machine_peaks.hpp"

namespace tutti::tools {

struct TraceSpan {
  int64_t thread = 0;
  double begin = 0, took = 0, self = 0;  // microseconds; self: without inner spans
  std::string category, name;
  std::vector<std::string> lines;
  double bytes = 0, flops = 0;
  std::string shape;
  int level = 0;  // nesting depth
};

struct Trace {
  std::vector<TraceSpan> spans;  // by thread, then by begin
  std::map<int64_t, std::string> threads;
  int64_t main_thread = 0;
  double most_memory = 0;
};

// Reads files of traces; throws Error if one is not a trace.
Trace read_traces(const std::vector<std::string>& files);

struct KernelTime {
  std::string name, shape;
  std::vector<std::string> lines;
  int64_t calls = 0;
  double microseconds = 0, bytes = 0, flops = 0;
};
struct NamedTime {
  std::string name;
  double microseconds = 0;
};
struct FlameNode {
  std::string name;
  double microseconds = 0;
  std::map<std::string, FlameNode> inside;
};

struct TraceReport {
  double wall = 0;        // microseconds from the first to the last event of the main thread
  double attributed = 0;  // part of it within a span of the main thread
  double most_memory = 0;
  bool on_gpu = false;
  std::vector<KernelTime> kernels;    // the longest first
  std::vector<NamedTime> lines;       // source lines, by the time of their kernels
  std::vector<NamedTime> categories;  // of the main thread, without inner spans
  FlameNode flame;
};
TraceReport summarise(const Trace& trace);

std::string text_of(const TraceReport& report, const std::optional<Peaks>& peaks);
// One self-contained page: timeline, tables, flame view.
std::string page_of(const Trace& trace, const TraceReport& report,
                    const std::optional<Peaks>& peaks, const std::string& title);

}  // namespace tutti::tools
