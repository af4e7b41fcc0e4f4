#include "engine/recorded_plan.hpp"

#include <algorithm>

#include "core/fork.hpp"
#include "core/statistics.hpp"
#include "core/timeline.hpp"
#include "engine/evaluate.hpp"

namespace tutti::engine {
namespace {

using ir::BufferRef;

// A variable that is not written in place alternates between two arrays: two rounds. More rounds
// serve programs that assign to variables in between.
constexpr size_t most_rounds = 4;

const compiler::KernelStep* writer_of(const compiler::Plan& plan, int value, int& step_number) {
  for (size_t i = 0; i < plan.steps.size(); ++i)
    if (const auto* step = std::get_if<compiler::KernelStep>(&plan.steps[i]))
      for (const compiler::Output& output : step->kernel.outputs)
        if (output.value == value) {
          step_number = static_cast<int>(i);
          return step;
        }
  return nullptr;
}

bool reads(const compiler::KernelStep& step, int leaf) {
  return std::any_of(
      step.kernel.sources.begin(), step.kernel.sources.end(),
      [&](const compiler::Source& source) { return !source.is_value && source.id == leaf; });
}

bool reads_before_it_writes(const compiler::KernelStep& step, int leaf) {
  for (int s = 0; s < static_cast<int>(step.kernel.sources.size()); ++s) {
    const compiler::Source& source = step.kernel.sources[static_cast<size_t>(s)];
    if (!source.is_value && source.id == leaf &&
        !std::count(step.overwritable.begin(), step.overwritable.end(), s))
      return false;
  }
  return true;
}

const BufferRef& buffer_of(std::span<const Destination> targets, int value) {
  return std::find_if(targets.begin(), targets.end(),
                      [&](const Destination& target) { return target.value == value; })
      ->buffer;
}

}  // namespace

RecordedPlan::RecordedPlan(std::span<const detail::NodeRef> roots,
                           std::span<const detail::NodeRef> variables)
    : device_(runtime::current_device()),
      generation_(plan_generation()),
      variables_(variables.size()),
      roots_(roots.begin(), roots.end()) {
  compiler::Collected c;
  compiler::Graph graph;
  {
    std::lock_guard lock(ir::graph_mutex());
    if (!compiler::collect(roots, c))
      throw InternalError("the nodes of a recorded body are being computed by another thread");
    graph = compiler::copy_graph(c);
    note_leaves(c, variables);
  }
  plan_ = compiler::make_plan(std::move(graph), device_.target());
  ++counters().plans_built;
  scalars_ = c.scalars;
  nodes_.assign(c.order.begin(), c.order.end());
  is_list_ = std::all_of(plan_->steps.begin(), plan_->steps.end(), [](const compiler::Step& step) {
    return std::holds_alternative<compiler::KernelStep>(step);
  });
  note_variables(c);
}

void RecordedPlan::note_leaves(const compiler::Collected& c,
                               std::span<const detail::NodeRef> variables) {
  for (const ir::Node* leaf : c.leaves) {
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const detail::NodeRef& v) { return v.get() == leaf; });
    if (found == variables.end())
      leaves_.push_back({-1, leaf->buffer});
    else
      leaves_.push_back({static_cast<int>(found - variables.begin()), nullptr});
  }
  leaf_is_free_.assign(leaves_.size(), false);
}

void RecordedPlan::note_variables(const compiler::Collected& c) {
  value_is_kept_.assign(plan_->values.size(), false);
  for (size_t i = 0; i < variables_.size(); ++i) {
    Variable& variable = variables_[i];
    const auto place = static_cast<size_t>(c.roots[i]);
    variable.value = plan_->value_of[place];
    variable.leaf = plan_->leaf_of[place];
    if (variable.value < 0) continue;
    variable.shares = value_is_kept_[static_cast<size_t>(variable.value)];
    value_is_kept_[static_cast<size_t>(variable.value)] = true;
  }
  for (size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].value >= 0)
      variables_[i].in_place = can_be_in_place(variables_[i].value, leaf_of(static_cast<int>(i)));
  if (is_list_) return;
  for (size_t slot = 0; slot < leaves_.size(); ++slot)
    leaf_is_free_[slot] = leaves_[slot].variable >= 0 && is_dropped(static_cast<int>(slot));
}

// Returns whether the present value of a variable is not needed once a run has ended.
bool RecordedPlan::is_dropped(int leaf) const {
  return std::none_of(variables_.begin(), variables_.end(),
                      [&](const Variable& variable) { return variable.leaf == leaf; });
}

int RecordedPlan::leaf_of(int variable) const {
  for (size_t slot = 0; slot < leaves_.size(); ++slot)
    if (leaves_[slot].variable == variable) return static_cast<int>(slot);
  return -1;
}

bool RecordedPlan::can_be_in_place(int value, int leaf) const {
  if (leaf < 0) return true;  // nothing reads it
  for (const Variable& other : variables_)
    if (other.leaf == leaf) return false;  // it becomes the value of another variable
  int writes = 0;
  const compiler::KernelStep* writer = writer_of(*plan_, value, writes);
  if (!writer || !reads_before_it_writes(*writer, leaf)) return false;
  for (size_t i = static_cast<size_t>(writes) + 1; i < plan_->steps.size(); ++i) {
    const auto* later = std::get_if<compiler::KernelStep>(&plan_->steps[i]);
    if (!later || reads(*later, leaf)) return false;
  }
  return true;
}

BufferRef RecordedPlan::target_for(Variable& variable, const BufferRef& present) {
  const auto& buffer = runtime::array_of(*present);
  const bool own = (ir::held_only_by(present, 1) && !buffer.is_borrowed()) || buffer.is_foreign();
  if (variable.in_place && own) return present;
  if (variable.spare && ir::held_only_by(variable.spare, 1)) return std::move(variable.spare);
  const compiler::PlanValue& v = plan_->values[static_cast<size_t>(variable.value)];
  return device_.allocate(static_cast<size_t>(v.elements * size_of(v.type)));
}

std::vector<Destination> RecordedPlan::targets_for(std::span<BufferRef* const> variables) {
  std::vector<Destination> targets;
  targets.reserve(variables_.size());
  for (size_t i = 0; i < variables_.size(); ++i)
    if (Variable& variable = variables_[i]; variable.value >= 0 && !variable.shares)
      targets.push_back({variable.value, target_for(variable, *variables[i])});
  return targets;
}

std::vector<BufferRef> RecordedPlan::leaves_for(std::span<BufferRef* const> variables) const {
  std::vector<BufferRef> leaves;
  leaves.reserve(leaves_.size());
  for (const Leaf& leaf : leaves_)
    leaves.push_back(leaf.variable < 0 ? leaf.data
                                       : *variables[static_cast<size_t>(leaf.variable)]);
  return leaves;
}

RecordedPlan::Round& RecordedPlan::round_for(const Inputs& inputs,
                                             std::span<const Destination> targets, Pins& pins) {
  std::vector<int64_t> addresses;
  addresses.reserve(inputs.leaves.size() + targets.size());
  for (const BufferRef& leaf : inputs.leaves) addresses.push_back(pins.hold(device_, leaf, false));
  for (const Destination& target : targets)
    addresses.push_back(pins.hold(device_, target.buffer, true));
  const auto found = std::find_if(rounds_.begin(), rounds_.end(),
                                  [&](const auto& round) { return round->addresses == addresses; });
  if (found != rounds_.end()) {
    std::rotate(found, found + 1, rounds_.end());
    return *rounds_.back();
  }
  if (rounds_.size() == most_rounds) rounds_.erase(rounds_.begin());
  auto round = std::make_unique<Round>();
  round->addresses = std::move(addresses);
  list_launches(*plan_, inputs, {leaf_is_free_, value_is_kept_}, targets, round->launches);
  rounds_.push_back(std::move(round));
  return *rounds_.back();
}

// Returns the label of a launch in the timeline.
const timeline::LabelRef* RecordedPlan::label_of(const compiler::KernelStep& step) const {
  if (!timeline::is_on()) return nullptr;
  for (size_t i = 0; i < plan_->steps.size(); ++i)
    if (std::get_if<compiler::KernelStep>(&plan_->steps[i]) == &step)
      return &plan_->labels.of(*plan_)[i];
  return nullptr;
}

// A round that runs once is started launch by launch: making a repetition takes longer.
void RecordedPlan::start(Round& round) {
  if (++round.runs == 2) round.repetition = device_.repeat(round.launches.launches());
  const char* const category = device_.is_gpu() ? "launch" : "kernel";
  if (round.repetition) {
    const timeline::Scope scope(category, "repeated kernels");
    return round.repetition->run();
  }
  for (const runtime::Launch& launch : round.launches.launches()) {
    const timeline::Scope scope(category, label_of(*launch.step));
    device_.run(*launch.step, launch.words);
  }
}

std::vector<BufferRef> RecordedPlan::run_as_list(std::span<BufferRef* const> variables) {
  const std::vector<Destination> targets = targets_for(variables);
  std::vector<BufferRef> next(variables_.size());
  const std::vector<BufferRef> leaves = leaves_for(variables);
  Pins pins;
  start(round_for({.leaves = leaves, .scalars = scalars_}, targets, pins));
  for (size_t i = 0; i < variables_.size(); ++i)
    next[i] = variables_[i].leaf >= 0 ? leaves[static_cast<size_t>(variables_[i].leaf)]
                                      : buffer_of(targets, variables_[i].value);
  return next;
}

std::vector<BufferRef> RecordedPlan::run_step_by_step(std::span<BufferRef* const> variables) {
  const std::vector<BufferRef> leaves = leaves_for(variables);
  const std::vector<BufferRef> values =
      execute(*plan_, {.nodes = nodes_, .leaves = leaves, .scalars = scalars_},
              {leaf_is_free_, value_is_kept_});
  std::vector<BufferRef> next;
  for (const Variable& variable : variables_)
    next.push_back(variable.leaf >= 0 ? leaves[static_cast<size_t>(variable.leaf)]
                                      : values[static_cast<size_t>(variable.value)]);
  return next;
}

void RecordedPlan::run(std::span<BufferRef* const> variables) {
  const Computing computing;
  const timeline::Scope scope("evaluate", "time step");
  std::vector<BufferRef> next = is_list_ ? run_as_list(variables) : run_step_by_step(variables);
  for (size_t i = 0; i < variables_.size(); ++i) {
    if (next[i] == *variables[i]) continue;
    BufferRef before = std::exchange(*variables[i], std::move(next[i]));
    const bool own = ir::held_only_by(before, 1) && !runtime::array_of(*before).is_borrowed();
    if (own && is_list_) variables_[i].spare = std::move(before);
  }
}

}  // namespace tutti::engine
