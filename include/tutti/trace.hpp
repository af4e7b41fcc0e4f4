// A timeline of what runs, in the Chrome trace format that Perfetto (ui.perfetto.dev) and
// chrome://tracing open. TUTTI_TRACE=run.json records a whole process; ScopedTrace records a part.
#pragma once
#include <cstdint>
#include <string>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Records everything that all threads do for as long as it lives. Throws Error if the file cannot
// be written. Where a trace is being recorded already, that one goes on and this one does nothing.
class ScopedTrace {
 public:
  explicit ScopedTrace(const std::string& path);
  ~ScopedTrace();
  ScopedTrace(const ScopedTrace&) = delete;
  ScopedTrace& operator=(const ScopedTrace&) = delete;

 private:
  bool records_;
};

// A part of the program under a name of its own in the timeline. Costs nothing without a trace.
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
