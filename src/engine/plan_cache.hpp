// Plans, by the structure of the graphs that they were made for.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/plan/plan.hpp"
#include "core/caching/structural_cache.hpp"
#include "engine/keys_in_progress.hpp"
#include "runtime/code/once_per_key.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {
class Device;
}

namespace tutti::engine {

class TUTTI_EXPORT PlanCache {
 public:
  // A plan takes 10 to 50 kB. Programs with ever new sizes fill these tables; the largest programs
  // of the tests have some hundred plans.
  static constexpr size_t most_plans = 1024, most_seen = 1024;

  using PlanRef = std::shared_ptr<const compiler::Plan>;

  // A graph to plan, copied from its nodes.
  struct Request {
    std::vector<uint64_t> key;
    compiler::SizeClass sizes;
    compiler::Graph graph;
  };

  // Adds the target to the key of the graph. Returns a cached plan for the same lengths, or one
  // resized from others. Returns null if there is none; then `sizes` is what make() needs.
  PlanRef find(compiler::Collected& graph, const target::Target& target,
               compiler::SizeClass& sizes);
  // Plans a graph that find() has not found. Threads that request the same plan wait for the first.
  // Call without graph_mutex(): planning does not read the nodes.
  PlanRef make(Request request, runtime::Device& device);
  // The same, unless code would have to be compiled. Then it returns null, and plan and code are
  // made in the background. A second request before they are ready waits, or returns null again.
  PlanRef make_if_compiled(Request request, runtime::Device& device, bool waits_if_asked_again);
  // The same for the CPU. Returns null if a kernel would have to be compiled. After `times` such
  // requests for this graph or its size class, a background compilation is started.
  PlanRef get_if_compiled(compiler::Collected& graph, int times);
  void forget();
  size_t size() { return same_.size(); }
  void set_most(size_t plans);  // for tests

 private:
  using Planning = runtime::OncePerKey<std::vector<uint64_t>>;
  // A plan, and the lengths of its graph.
  struct Sized {
    PlanRef plan;
    std::vector<int64_t> lengths;
  };
  struct Seen {
    int times = 0;
    bool is_being_compiled = false;
  };

  PlanRef from_other_lengths(const std::vector<uint64_t>& key, const compiler::SizeClass& sizes);
  void add(const std::vector<uint64_t>& key, const compiler::SizeClass& sizes, PlanRef plan);
  void compile_in_background(const compiler::Collected& graph, const compiler::SizeClass& sizes,
                             const std::vector<uint64_t>& kind);

  StructuralCache<PlanRef> same_{most_plans};  // by the key of the graph
  StructuralCache<Sized> alike_{most_plans};   // by its size class
  StructuralCache<Seen> seen_{most_seen};  // by graph or size class: requests whose kernels are not
                                           // compiled
  // By the key of a graph whose kernels are being compiled: the number of plans added before the
  // last lookup. While it is unchanged, another lookup would find nothing.
  StructuralCache<int64_t> missing_{most_seen};
  std::atomic<int64_t> added_{0};
  Planning planning_;
  KeysInProgress begun_;  // graphs or size classes whose GPU code is being compiled
};

TUTTI_EXPORT PlanCache& plan_cache();

}  // namespace tutti::engine
