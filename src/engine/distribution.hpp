// Evaluations that several processes share. The engine calls this interface first; a layer above it
// sets it (ranks/session.hpp). Usually none is set, and every evaluation is local.
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
  // this process is to compute alone.
  virtual void evaluate(std::span<const detail::NodeRef> nodes, const Alone& alone) = 0;
  // Brings the elements of all leaves below the nodes to this process.
  virtual void make_whole(std::span<const detail::NodeRef> nodes) = 0;
};

// Returns the distribution of the calling thread, or null. Set once, before the first use.
using FindDistribution = Distribution*();
inline std::atomic<FindDistribution*> find_distribution{nullptr};

inline Distribution* distribution() {
  FindDistribution* const find = find_distribution.load(std::memory_order_acquire);
  return find ? find() : nullptr;
}

}  // namespace tutti::engine
