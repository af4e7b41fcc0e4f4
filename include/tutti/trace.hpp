// A timeline of the process in the Chrome trace format, which Perfetto (ui.perfetto.dev) and
// chrome://tracing open. TUTTI_TRACE=run.json records a whole process; ScopedTrace records a scope.
#pragma once
#include <cstdint>
#include <string>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Records the work of all threads during its lifetime. Throws Error if the file cannot be written.
// It does nothing while another trace is being recorded.
class ScopedTrace {
 public:
  explicit ScopedTrace(const std::string& path);
  ~ScopedTrace();
  ScopedTrace(const ScopedTrace&) = delete;
  ScopedTrace& operator=(const ScopedTrace&) = delete;

 private:
  bool records_;
};

// A named section of the timeline. Costs nothing without a trace.
class TraceRange {
 public:
  explicit TraceRange(const std::string& name);
  ~TraceRange();
  TraceRange(const TraceRange&) = delete;
  TraceRange& operator=(const TraceRange&) = delete;

 private:
  const char* name_;
  int64_t begin_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
