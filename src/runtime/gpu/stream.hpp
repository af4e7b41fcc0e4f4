// The order of the kernels of a device. To start one takes a driver as long as everything else that
// the host does for a step. So kernels of one plan wait here for each other and are started some at
// a time, as a graph that has been made for this sequence of functions before and gets other
// arguments. Measured in docs/decisions/0018-grouped-launches.md.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/timeline.hpp"
#include "runtime/device.hpp"
#include "runtime/gpu/driver.hpp"
#include "runtime/gpu/kernel_times.hpp"
#include "runtime/gpu/launch_log.hpp"

namespace tutti::runtime::gpu {

class Stream {
 public:
  Stream(Driver& driver, LaunchLog& log, const std::string& device)
      : driver_(driver), log_(log), times_(driver, device) {}

  // Starts the kernels that wait. Everything else that is done in the order of kernels begins with
  // this.
  void start_all();
  // Starts a kernel, or has it wait while kernels are being gathered.
  void launch(const KernelCall& call, const LaunchLog::Name& name);
  void launch(LaunchGraph& graph, std::span<const LaunchLog::Name> names);
  std::unique_ptr<Gathering> gather();
  // The device has done what it was given: times of kernels can be recorded.
  void note_waited();
  // Kernels are about to be unloaded.
  void forget_graphs();

 private:
  class Gathered;
  // A device that has nothing to do gets its first kernels soon; not sooner, because between two
  // graphs it loses about 4 us.
  static constexpr size_t first_waiting = 4, most_waiting = 8;
  struct Waiting {
    KernelCall call;
    std::vector<int64_t> words;
    LaunchLog::Name name;
    timeline::LabelRef label;
  };
  // A launch sequence: how often it was seen, and its graph once that was often. Sequences
  // that were not seen for longest are dropped when there are too many.
  struct Sequence {
    int times = 0;
    int64_t last_use = 0;
    std::unique_ptr<LaunchGraph> graph;
  };

  // With the lock held.
  void start_waiting();
  Status start(std::span<const KernelCall> calls);
  Status start_timed(std::span<const KernelCall> calls);
  LaunchGraph* graph_for(std::span<const KernelCall> calls);
  void drop_oldest_sequences();

  Driver& driver_;
  LaunchLog& log_;
  KernelTimes times_;
  std::mutex mutex_;
  int gathering_ = 0;     // plans whose kernels may wait
  int64_t failures_ = 0;  // of kernels that had waited
  std::array<Waiting, most_waiting> waiting_;
  size_t count_ = 0, limit_ = first_waiting;
  std::vector<Handle> functions_;
  int64_t clock_ = 0;
  std::map<std::vector<Handle>, Sequence> sequences_;  // by their functions
};

}  // namespace tutti::runtime::gpu
