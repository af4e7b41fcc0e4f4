// Runs the steps of a plan on the current device: buffers and scalars in, buffers out. Knows
// nothing of the graph that the plan was made for.
#pragma once
#include <span>
#include <vector>

#include "compiler/plan/plan.hpp"
#include "graph/node.hpp"
#include "runtime/device.hpp"

namespace tutti::engine {

struct Inputs {
  std::span<ir::Node* const> nodes{};  // by place: primitives say in errors where they were written
  std::span<const ir::BufferRef> leaves{};  // by leaf slot
  std::span<const uint64_t> scalars{};      // by scalar slot
};

// What may happen to buffers.
struct Fates {
  const std::vector<bool>& leaf_is_free;   // by leaf slot: not needed afterwards
  const std::vector<bool>& value_is_kept;  // by value: stays after the last step that reads it
};

// Where a value is to be written, if not to memory of its own.
struct Destination {
  int value = -1;
  ir::BufferRef buffer{};
};

// The buffers of the values that are kept.
std::vector<ir::BufferRef> execute(const compiler::Plan& plan, const Inputs& inputs,
                                   const Fates& fates, std::span<const Destination> targets = {});

// What execute() would start, without starting it. Memory for what the launches leave to each other
// is theirs, and stays where it is.
class LaunchList {
 public:
  LaunchList() = default;
  ~LaunchList();
  LaunchList(const LaunchList&) = delete;
  LaunchList& operator=(const LaunchList&) = delete;

  std::span<const runtime::Launch> launches() const { return launches_; }

  void add(const compiler::KernelStep& step, runtime::Words words);
  ir::BufferRef take(runtime::Device& device, size_t bytes);
  void give_back(ir::BufferRef buffer);  // for later launches, if this is the only reference

 private:
  std::vector<runtime::Launch> launches_;
  std::vector<ir::BufferRef> free_;  // in the end, all that was taken
};
// For plans of kernels alone; throws InternalError for others.
void list_launches(const compiler::Plan& plan, const Inputs& inputs, const Fates& fates,
                   std::span<const Destination> targets, LaunchList& list);

}  // namespace tutti::engine
