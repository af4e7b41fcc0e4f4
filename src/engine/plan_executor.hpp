// Runs the steps of a plan on the current device: buffers and scalars in, buffers out. Independent
// of the graph that the plan was made for.
#pragma once
#include <span>
#include <vector>

#include "compiler/plan/plan.hpp"
#include "graph/node.hpp"
#include "runtime/device.hpp"

namespace tutti::engine {

struct Inputs {
  std::span<ir::Node* const> nodes{};       // by node of the graph: for source lines in errors
  std::span<const ir::BufferRef> leaves{};  // by leaf slot
  std::span<const uint64_t> scalars{};      // by scalar slot
};

// Which buffers may be overwritten or freed.
struct Fates {
  const std::vector<bool>& leaf_is_free;   // by leaf slot: not needed afterwards
  const std::vector<bool>& value_is_kept;  // by value: outlives the last step that reads it
};

// The buffer to which a value is written, instead of a new one.
struct Destination {
  int value = -1;
  ir::BufferRef buffer{};
};

// Returns the buffers of the values that are kept.
std::vector<ir::BufferRef> execute(const compiler::Plan& plan, const Inputs& inputs,
                                   const Fates& fates, std::span<const Destination> targets = {});

// The launches that execute() would start. The list owns the memory of intermediate values, which
// keep their addresses.
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
  std::vector<ir::BufferRef> free_;  // after the last launch: all buffers that were taken
};
// For plans of kernels alone; throws InternalError for others.
void list_launches(const compiler::Plan& plan, const Inputs& inputs, const Fates& fates,
                   std::span<const Destination> targets, LaunchList& list);

}  // namespace tutti::engine
