#include "runtime/gpu/kernel_times.hpp"

namespace tutti::runtime::gpu {
namespace {

// Drivers measure in single precision: after this time they would lose a microsecond.
constexpr int64_t longest_distance = 8'000'000'000;
constexpr size_t most_running = 4096;

}  // namespace

Handle KernelTimes::set_new_mark() {
  Handle mark = nullptr;
  if (!free_marks_.empty()) {
    mark = free_marks_.back();
    free_marks_.pop_back();
  } else if (driver_.make_mark(mark) != success) {
    failed_ = true;
    return nullptr;
  }
  if (driver_.set_mark(mark) != success) failed_ = true;
  return mark;
}

// Waits for the device once, so that the time of the mark is known on the host.
void KernelTimes::set_reference() {
  if (reference_ && timeline::now() - reference_time_ < longest_distance) return;
  if (reference_) {
    if (driver_.wait(Queue::kernels) != success) return;
    record_ended();
    free_marks_.push_back(reference_);
  }
  reference_ = set_new_mark();
  if (!failed_ && driver_.wait(Queue::kernels) != success) failed_ = true;
  reference_time_ = timeline::now();
}

void KernelTimes::begin() {
  if (failed_) return;
  if (running_.size() >= most_running) record_ended();
  set_reference();
  if (!failed_) begin_ = set_new_mark();
}

void KernelTimes::end(const std::string& name, timeline::LabelRef label) {
  if (failed_ || !begin_) return;
  const Handle end = set_new_mark();
  if (failed_) return;
  running_.push_back({begin_, end, timeline::lasting(name), std::move(label)});
  begin_ = nullptr;
}

int64_t KernelTimes::time_of(Handle mark) {
  double since = 0;
  if (driver_.nanoseconds_between(reference_, mark, since) != success) failed_ = true;
  return reference_time_ + static_cast<int64_t>(since);
}

void KernelTimes::record_ended() {
  while (!failed_ && !running_.empty() && driver_.is_reached(running_.front().end)) {
    Timed timed = std::move(running_.front());
    running_.pop_front();
    timeline::Event event;
    event.category = "device";
    // If there is a label, it is more precise than the name.
    event.name = timed.label ? nullptr : timed.name;
    event.label = std::move(timed.label);
    event.begin = time_of(timed.begin);
    event.end = time_of(timed.end);
    event.track = timeline::lasting(device_);
    timeline::record(std::move(event));
    free_marks_.push_back(timed.begin);
    free_marks_.push_back(timed.end);
  }
}

}  // namespace tutti::runtime::gpu
