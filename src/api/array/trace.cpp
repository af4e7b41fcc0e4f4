// The scopes of tutti/trace.hpp: they start and stop the timeline, and add ranges to it.
#include "tutti/trace.hpp"

#include "core/timeline/timeline.hpp"
#include "core/timeline/timeline_file.hpp"
#include "tutti/device.hpp"
#include "tutti/error.hpp"

namespace tutti {

ScopedTrace::ScopedTrace(const std::string& path) : records_(timeline::current_file().empty()) {
  if (!records_) return;
  if (const std::string problem = timeline::start(path); !problem.empty())
    throw Error("ScopedTrace: cannot write '" + path + "': " + problem +
                "; give a file in a folder that you can write to");
}

// GPU kernels that still run belong to the trace.
ScopedTrace::~ScopedTrace() {
  if (!records_) return;
  try {
    synchronize();
  } catch (const Error&) {  // ignored: it is thrown again when the results are read
  }
  timeline::stop();
}

TraceRange::TraceRange(const std::string& name)
    : name_(timeline::is_on() ? timeline::lasting(name) : nullptr),
      begin_(name_ ? timeline::now() : 0) {}

TraceRange::~TraceRange() {
  if (!name_) return;
  timeline::Event event;
  event.category = "user";
  event.name = name_;
  event.begin = begin_;
  event.end = timeline::now();
  timeline::record(event);
}

}  // namespace tutti
