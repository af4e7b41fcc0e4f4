// The times of kernels on a GPU, for the timeline: marks of the driver around each launch. A
// reference mark with a known host time converts the times of marks to times of the host.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "core/timeline/timeline.hpp"
#include "runtime/gpu/driver.hpp"

namespace tutti::runtime::gpu {

// Requires the lock of the stream. A failing driver ends the timing and nothing else.
class KernelTimes {
 public:
  KernelTimes(Driver& driver, const std::string& device) : driver_(driver), device_(device) {}

  // Call them before and after a launch.
  void begin();
  void end(const std::string& name, timeline::LabelRef label);
  // Records the kernels that have ended.
  void record_ended();

 private:
  struct Timed {
    Handle begin = nullptr, end = nullptr;
    const char* name = nullptr;
    timeline::LabelRef label;
  };
  Handle set_new_mark();
  void set_reference();
  int64_t time_of(Handle mark);

  Driver& driver_;
  const std::string device_;
  std::deque<Timed> running_;
  std::vector<Handle> free_marks_;
  Handle begin_ = nullptr, reference_ = nullptr;
  int64_t reference_time_ = 0;  // on the host
  bool failed_ = false;
};

}  // namespace tutti::runtime::gpu
