// The order of the kernels of a device. Starting one takes a driver as long as all other host work
// for a step. So kernels of one plan wait here and are started several at a time, as a graph that
// was made for this sequence of functions and gets new arguments. Measured in
// docs/decisions/0018-grouped-launches.md.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/timeline/timeline.hpp"
#include "runtime/device.hpp"
#include "runtime/gpu/driver.hpp"
#include "runtime/gpu/kernel_times.hpp"
#include "runtime/gpu/launch_log.hpp"

namespace tutti::runtime::gpu {

class Stream {
 public:
  Stream(Driver& driver, LaunchLog& log, const std::string& device)
      : driver_(driver), log_(log), times_(driver, device) {}

  // Starts the waiting kernels. Call it before any other operation in the order of kernels.
  void start_all();
  // Starts a kernel, or lets it wait while kernels are being gathered.
  void launch(const KernelCall& call, const LaunchLog::Name& name);
  void launch(LaunchGraph& graph, std::span<const LaunchLog::Name> names);
  std::unique_ptr<Gathering> gather();
  // Notes that the device has finished its work, so that times of kernels can be recorded.
  void note_waited();
  // Drops all graphs, because kernels are about to be unloaded.
  void forget_graphs();

 private:
  class Gathered;
  // An idle device gets its first kernels soon; not sooner, because it loses about 4 us between two
  // graphs.
  static constexpr size_t first_waiting = 4, most_waiting = 8;
  struct Waiting {
    KernelCall call;
    std::vector<int64_t> words;
    LaunchLog::Name name;
    timeline::LabelRef label;
  };
  // A launch sequence: how often it was seen, and its graph once that reaches `often`. The least
  // recently used sequences are dropped when there are too many.
  struct Sequence {
    int times = 0;
    int64_t last_use = 0;
    std::unique_ptr<LaunchGraph> graph;
  };

  // Require the lock.
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
