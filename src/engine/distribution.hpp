// Evaluations that several processes share: the engine asks here first. A layer above it says what
// to ask (ranks/session.hpp); usually nothing is set, and every evaluation is this process's own.
#pragma once
#include <atomic>
#include <functional>
#include <span>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::engine {

class Distribution {
 public:
  virtual ~Distribution() = default;
  using Alone = std::function<void(std::span<const detail::NodeRef>)>;
  // Computes the nodes together with the other processes, or calls `alone` with copies of them that
  // this process is to compute by itself.
  virtual void evaluate(std::span<const detail::NodeRef> nodes, const Alone& alone) = 0;
  // Brings the elements of all leaves below the nodes to this process.
  virtual void make_whole(std::span<const detail::NodeRef> nodes) = 0;
};

// Finds the distribution of the calling thread, or null. Set once, before it is needed.
using FindDistribution = Distribution*();
inline std::atomic<FindDistribution*> find_distribution{nullptr};

inline Distribution* distribution() {
  FindDistribution* const find = find_distribution.load(std::memory_order_acquire);
  return find ? find() : nullptr;
}

}  // namespace tutti::engine
