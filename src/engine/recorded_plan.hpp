// A plan that computes the next values of some variables from their present ones, for running it
// again and again. Runs that find everything where an earlier run found it start the same launches;
// the device makes one of them.
#pragma once
#include <memory>

#include "compiler/graph_passes/collect.hpp"
#include "engine/pins.hpp"
#include "engine/plan_executor.hpp"

namespace tutti::engine {

class RecordedPlan {
 public:
  // For the current device. roots[i] is what becomes of the variable whose present value is the
  // leaf variables[i]. All lengths are above 0.
  RecordedPlan(std::span<const detail::NodeRef> roots, std::span<const detail::NodeRef> variables);

  // Gives each variable its next value: in its own memory where the plan allows it and there is
  // no other reference to it, else in other memory.
  void run(std::span<ir::BufferRef* const> variables);

  const runtime::Device& device() const { return device_; }
  int64_t generation() const { return generation_; }  // of plans, when it was planned
  const compiler::Plan& plan() const { return *plan_; }

 private:
  // A leaf of the plan: a variable, or data that stays the same.
  struct Leaf {
    int variable = -1;
    ir::BufferRef data;
  };
  // What becomes of a variable: a value of the plan, which it may have in common with an earlier
  // variable, or a leaf.
  struct Variable {
    int value = -1, leaf = -1;
    bool shares = false;
    bool in_place = false;  // its present value is not needed once the next one is written
    ir::BufferRef spare;    // memory that it had before
  };
  // Launches for arrays at these addresses.
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

  std::vector<Destination> targets_for(std::span<ir::BufferRef* const> variables);
  ir::BufferRef target_for(Variable& variable, const ir::BufferRef& present);
  std::vector<ir::BufferRef> leaves_for(std::span<ir::BufferRef* const> variables) const;
  Round& round_for(const Inputs& inputs, std::span<const Destination> targets, Pins& pins);
  const timeline::LabelRef* label_of(const compiler::KernelStep& step) const;
  void start(Round& round);

  runtime::Device& device_;
  int64_t generation_;
  std::unique_ptr<compiler::Plan> plan_;
  std::vector<Leaf> leaves_;  // by leaf slot
  std::vector<uint64_t> scalars_;
  std::vector<Variable> variables_;
  std::vector<bool> leaf_is_free_, value_is_kept_;
  std::vector<std::unique_ptr<Round>> rounds_;  // the one that ran last comes last
};

}  // namespace tutti::engine
