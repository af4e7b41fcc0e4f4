// Plans that were made before, by the graphs they were made for.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/plan/plan.hpp"
#include "core/structural_cache.hpp"

namespace tutti::runtime {

class Plans {
 public:
  // A plan takes 10 to 50 kB. Programs of ever new sizes fill these tables; the largest programs of
  // the tests have some hundred plans.
  static constexpr size_t most_plans = 1024, most_seen = 1024;

  // One that was made before, or from one that was made for other lengths, or a new one. Call with
  // graph_mutex() held.
  std::shared_ptr<const compiler::Plan> get(compiler::Collected& graph,
                                            const target::Target& target);
  // The same for the CPU. Returns null if a kernel would have to be compiled. After `times` such
  // requests for this graph or its size class, a background compilation is started.
  std::shared_ptr<const compiler::Plan> get_if_compiled(compiler::Collected& graph, int times);
  void forget();
  size_t size() { return same_.size(); }
  void set_most(size_t plans);  // for tests

 private:
  using PlanRef = std::shared_ptr<const compiler::Plan>;
  // A plan, and the lengths that its graph had.
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

  ByKey<PlanRef> same_{most_plans};  // by the key of the graph
  ByKey<Sized> alike_{most_plans};   // by its size class
  ByKey<Seen> seen_{most_seen};      // the same, of graphs whose kernels are not there
  // By the key of a graph whose kernels are being compiled: how many plans had been added when it
  // was looked for last. If there are no more, to look again is to find nothing.
  ByKey<int64_t> missing_{most_seen};
  std::atomic<int64_t> added_{0};
};

Plans& plans();

}  // namespace tutti::runtime
