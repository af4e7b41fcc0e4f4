// A plan that computes the next values of some variables from their present ones, repeatedly. If it
// consists of kernels, runs with the same addresses as an earlier run start the same launches,
// which the device combines into a repetition. Other plans (chains of row blocks, primitives) are
// executed step by step.
#pragma once
#include <memory>

#include "compiler/graph_passes/collect.hpp"
#include "engine/leases.hpp"
#include "engine/plan_executor.hpp"

namespace tutti::engine {

class RecordedPlan {
 public:
  // Plans for the current device. roots[i] is the next value of the variable whose present value is
  // the leaf variables[i]. All lengths are above 0.
  RecordedPlan(std::span<const detail::NodeRef> roots, std::span<const detail::NodeRef> variables);

  // Replaces each variable by its next value: in the same memory if the plan allows it and there is
  // no other reference to it, otherwise in other memory.
  void run(std::span<ir::BufferRef* const> variables);

  const runtime::Device& device() const { return device_; }
  int64_t generation() const { return generation_; }  // of plans, when this one was made
  const compiler::Plan& plan() const { return *plan_; }

 private:
  // A leaf of the plan: a variable, or constant data.
  struct Leaf {
    int variable = -1;
    ir::BufferRef data;
  };
  // The next value of a variable: a value of the plan, possibly shared with others, or a leaf.
  struct Variable {
    int value = -1, leaf = -1;
    bool shares = false;
    bool in_place = false;  // its present value is not needed once the next one is written
    ir::BufferRef spare;    // its previous memory
  };
  // The launches for arrays at these addresses.
  struct Round {
    std::vector<int64_t> addresses;
    LaunchList launches;
    int runs = 0;
    std::unique_ptr<runtime::Repetition> repetition;
  };

  void note_leaves(const compiler::Collected& c, std::span<const detail::NodeRef> variables);
  void note_variables(const compiler::Collected& c);
  int leaf_of(int variable) const;
  bool can_be_in_place(int value, int leaf) const;
  bool is_dropped(int leaf) const;

  std::vector<Destination> targets_for(std::span<ir::BufferRef* const> variables);
  ir::BufferRef target_for(Variable& variable, const ir::BufferRef& present);
  std::vector<ir::BufferRef> leaves_for(std::span<ir::BufferRef* const> variables) const;
  Round& round_for(const Inputs& inputs, std::span<const Destination> targets, Leases& leases);
  const timeline::LabelRef* label_of(const compiler::KernelStep& step) const;
  void start(Round& round);
  std::vector<ir::BufferRef> run_as_list(std::span<ir::BufferRef* const> variables);
  std::vector<ir::BufferRef> run_step_by_step(std::span<ir::BufferRef* const> variables);

  runtime::Device& device_;
  int64_t generation_;
  std::unique_ptr<compiler::Plan> plan_;
  std::vector<Leaf> leaves_;  // by leaf slot
  std::vector<uint64_t> scalars_;
  std::vector<Variable> variables_;
  std::vector<ir::Node*> nodes_;  // of the graph that was planned, which the roots keep alive
  bool is_list_ = false;          // of kernels alone
  std::vector<detail::NodeRef> roots_;
  std::vector<bool> leaf_is_free_, value_is_kept_;
  std::vector<std::unique_ptr<Round>> rounds_;  // the most recent one last
};

}  // namespace tutti::engine
