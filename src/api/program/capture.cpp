#include "api/program/capture.hpp"

#include <algorithm>
#include <atomic>
#include <ranges>
#include <unordered_set>

namespace tutti::detail {
namespace {

using SKind = ir::Statement::Kind;

// An IF whose branches cost no more than this, in additions, is flattened: both sides are computed
// and one is chosen, because straight-line code fuses. Inside of a loop the code is not
// straight-line anyway, so flattening must be cheaper than a jump. (A step of the particle system,
// with an IF of cost 100 that few lanes take, is twice as fast on a CPU with the jump.)
constexpr double cheap_branches = 40, cheap_branches_in_loops = 8;

ir::RecordedStatement statement(SKind kind, int place, const NodeRef& node = {},
                                const NodeRef& index = {}) {
  ir::RecordedStatement result;
  result.kind = kind;
  result.place = place;
  result.node = node;
  result.index = index;
  return result;
}

// Returns the cost of the nodes below these that are not older than `first`.
double cost_of(std::vector<const ir::Node*> stack, int64_t first) {
  double cost = 0;
  std::unordered_set<const ir::Node*> seen;
  while (!stack.empty()) {
    const ir::Node* node = stack.back();
    stack.pop_back();
    if (node->number < first || !seen.insert(node).second) continue;
    if (node->kind == ir::Kind::elementwise) cost += ir::op_cost(node->op);
    if (node->kind == ir::Kind::gather) cost += 4;
    if (node->kind == ir::Kind::program) cost += node->program->cost;
    for (const NodeRef& input : node->inputs()) stack.push_back(input.get());
  }
  return cost;
}

}  // namespace

Capture*& Capture::current() {
  thread_local Capture* capture = nullptr;
  return capture;
}

Capture& Capture::require(const char* what, const Location& where) {
  if (!current())
    throw Error(std::string(what) + " was used outside of a program; put it between BEGIN and END" +
                at(where));
  return *current();
}

int64_t Capture::next_id() {
  static std::atomic<int64_t> next{1};
  return next++;
}

// ---- variables

int Capture::declare(std::span<const NodeRef> values) {
  const int first = static_cast<int>(known_.size());
  for (const NodeRef& value : values) {
    recording_.slots.push_back(value->type);
    known_.emplace_back();
    assign(static_cast<int>(known_.size()) - 1, value);
  }
  return first;
}

NodeRef Capture::read(int slot) {
  NodeRef& known = known_[static_cast<size_t>(slot)];
  if (!known) {
    known = ir::make_parameter(recording_.slots[static_cast<size_t>(slot)], 0, where_);
    add(statement(SKind::read, slot, known));
  }
  return known;
}

void Capture::assign(int slot, const NodeRef& value) {
  known_[static_cast<size_t>(slot)] = value;
  add(statement(SKind::assign, slot, value));
  if (!frames_.empty()) {
    auto& assigned = frames_.back().assigned;
    assigned.resize(std::max(assigned.size(), known_.size()), false);
    assigned[static_cast<size_t>(slot)] = true;
  }
  for (OutputPort& output : outputs_)
    if (slot >= output.first_slot &&
        slot < output.first_slot + static_cast<int>(output.port.types.size()))
      output.assigned = true;
}

// ---- the interface

std::vector<NodeRef> Capture::declare_input(std::span<const ElementType> types,
                                            const Location& where) {
  std::vector<NodeRef> parameters;
  for (ElementType type : types) {
    parameters.push_back(ir::make_parameter(type, 0, where));
    recording_.inputs.insert(parameters.back().get());
    data_.function.parameters.push_back(parameters.back());
  }
  data_.inputs.push_back({{types.begin(), types.end()}, where});
  return parameters;
}

void Capture::declare_output(int first_slot, std::span<const ElementType> types, bool assigned,
                             const Location& where) {
  outputs_.push_back({first_slot, {{types.begin(), types.end()}, where}, assigned});
}

NodeRef Capture::outside(Source source, ElementType type, int rank) {
  const void* who = source.value ? static_cast<const void*>(source.value.get())
                                 : static_cast<const void*>(source.array.get());
  NodeRef& parameter = found_[std::tuple(who, static_cast<int>(source.kind), source.component)];
  if (!parameter) {
    parameter = ir::make_parameter(type, rank, where_);
    source_parameters_.push_back(parameter);
    data_.sources.push_back(std::move(source));
  }
  return parameter;
}

// ---- local arrays, traces

int Capture::declare_array(ElementType type, int64_t size) {
  recording_.arrays.push_back({type, size});
  const int array = static_cast<int>(recording_.arrays.size()) - 1;
  add(statement(SKind::clear, array));
  return array;
}

NodeRef Capture::read_element(int array, const NodeRef& index) {
  const NodeRef element =
      ir::make_parameter(recording_.arrays[static_cast<size_t>(array)].type, 0, where_);
  add(statement(SKind::read_element, array, element, index));
  return element;
}

void Capture::assign_element(int array, const NodeRef& index, const NodeRef& value) {
  add(statement(SKind::assign_element, array, value, index));
}

void Capture::trace(const std::string& label, const NodeRef& value) {
  recording_.labels.push_back(label);
  add(statement(SKind::trace, static_cast<int>(recording_.labels.size()) - 1, value));
}

// ---- control flow

Capture::Block& Capture::block() {
  return frames_.empty() ? recording_.body : frames_.back().statement.blocks.back();
}

void Capture::add(ir::RecordedStatement s) { block().push_back(std::move(s)); }

Capture::Frame& Capture::top(Frame::Kind kind, const char* keyword, const Location& where) {
  if (frames_.empty() || frames_.back().kind != kind)
    throw Error(std::string(keyword) + " does not match " +
                (frames_.empty() ? "anything before it"
                                 : std::string(frames_.back().name) + at(frames_.back().where)) +
                at(where));
  return frames_.back();
}

void Capture::begin_if(const NodeRef& condition, bool chained, const Location& where) {
  Frame frame{Frame::Kind::branch,     "IF",   where, chained, 1,
              ir::Node::next_number(), known_, {},    {},      {}};
  frame.statement = statement(SKind::branch, -1, condition);
  frame.statement.where = where;
  frame.statement.blocks.emplace_back();
  frames_.push_back(std::move(frame));
}

void Capture::begin_else(const Location& where) {
  Frame& frame = top(Frame::Kind::branch, "ELSE", where);
  if (frame.blocks == 2) throw Error("a second ELSE for one IF" + at(frame.where) + at(where));
  ++frame.blocks;
  frame.after.push_back(known_);
  const size_t slots = known_.size();
  known_ = frame.before;
  known_.resize(slots);
  frame.statement.blocks.emplace_back();
}

void Capture::end_if(const Location& where) {
  if (top(Frame::Kind::branch, "ENDIF", where).blocks == 1) begin_else(where);
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  frame.after.push_back(known_);
  const bool chained = frame.chained;
  if (flattens(frame))
    flatten(std::move(frame));
  else
    leave_frame(frame);
  if (chained) end_if(where);
}

// Ends a construct: the values of slots that it may have assigned are not known afterwards.
void Capture::leave_frame(Frame& frame) {
  const size_t slots = known_.size();
  known_ = std::move(frame.before);
  known_.resize(slots);
  for (size_t slot = 0; slot < frame.assigned.size(); ++slot)
    if (frame.assigned[slot]) known_[slot] = NodeRef();
  if (!frames_.empty()) mark_assigned(frames_.back().assigned, frame.assigned);
  add(std::move(frame.statement));
}

void Capture::mark_assigned(std::vector<bool>& into, const std::vector<bool>& from) {
  into.resize(std::max(into.size(), from.size()), false);
  for (size_t slot = 0; slot < from.size(); ++slot)
    if (from[slot]) into[slot] = true;
}

bool Capture::flattens(const Frame& frame) const {
  std::vector<const ir::Node*> computed;
  for (const Block& block : frame.statement.blocks)
    for (const ir::RecordedStatement& s : block) {
      if (s.kind != SKind::read && s.kind != SKind::assign) return false;
      computed.push_back(s.node.get());
    }
  const bool in_loop = std::any_of(frames_.begin(), frames_.end(), [](const Frame& outer) {
    return outer.kind != Frame::Kind::branch;
  });
  return cost_of(std::move(computed), frame.first_node) <=
         (in_loop ? cheap_branches_in_loops : cheap_branches);
}

// Computes both branches, then selects the value of each variable.
void Capture::flatten(Frame frame) {
  const size_t slots = known_.size(), old = frame.before.size();
  known_ = std::move(frame.before);
  known_.resize(slots);
  for (Block& block : frame.statement.blocks)
    for (ir::RecordedStatement& s : block) {
      const auto slot = static_cast<size_t>(s.place);
      if (s.kind == SKind::read) {
        if (!known_[slot]) known_[slot] = s.node;
        add(std::move(s));
      } else if (slot >= old) {
        assign(s.place, s.node);  // a variable local to the branch
      }
    }
  std::vector<std::pair<int, NodeRef>> chosen;
  frame.assigned.resize(std::max(frame.assigned.size(), old), false);
  for (size_t slot = 0; slot < old; ++slot) {
    if (!frame.assigned[slot]) continue;
    const auto value_after = [&](size_t branch) {
      const NodeRef& after = frame.after[branch][slot];
      return after ? after : read(static_cast<int>(slot));
    };
    const NodeRef inputs[] = {frame.statement.node, value_after(0), value_after(1)};
    chosen.emplace_back(
        static_cast<int>(slot),
        inputs[1] == inputs[2] ? inputs[1] : ir::make_elementwise(Op::choose, inputs, frame.where));
  }
  for (const auto& [slot, value] : chosen) assign(slot, value);
}

void Capture::begin_loop(const char* name, const Location& where) {
  Frame frame{Frame::Kind::loop, name, where, false, 1, 0, known_, {}, {}, {}};
  frame.statement = statement(SKind::loop, -1);
  frame.statement.where = where;
  frame.statement.blocks.emplace_back();
  frames_.push_back(std::move(frame));
  // The values at the start of an iteration are those of the previous one, which are not known.
  for (NodeRef& known : known_) known = NodeRef();
}

void Capture::leave_unless(const NodeRef& condition, bool wanted, const Location& where) {
  ir::RecordedStatement branch = statement(SKind::branch, -1, condition);
  branch.where = where;
  branch.blocks.resize(2);
  branch.blocks[wanted ? 1 : 0].push_back(statement(SKind::leave, -1));
  add(std::move(branch));
}

void Capture::begin_step(const Location& where) {
  const Frame& loop = top(Frame::Kind::loop, "the step of a loop", where);
  Frame frame{Frame::Kind::step, loop.name, where, false, 1, 0, known_, {}, {}, {}};
  frame.statement.blocks.emplace_back();
  frames_.push_back(std::move(frame));
  for (NodeRef& known : known_) known = NodeRef();
}

void Capture::end_step(const Location& where) {
  top(Frame::Kind::step, "the end of a step", where);
  Frame step = std::move(frames_.back());
  frames_.pop_back();
  Frame& loop = frames_.back();
  mark_assigned(loop.assigned, step.assigned);
  // The step is stored before the body, which is still being recorded; end_loop() swaps them.
  loop.statement.blocks.insert(loop.statement.blocks.begin(), std::move(step.statement.blocks[0]));
  loop.blocks = 2;
  const size_t slots = known_.size();
  known_ = std::move(step.before);
  known_.resize(slots);
}

void Capture::end_loop(const Location& where) {
  top(Frame::Kind::loop, "the end of a loop", where);
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  auto& blocks = frame.statement.blocks;
  if (frame.blocks == 2)
    std::swap(blocks[0], blocks[1]);
  else
    blocks.emplace_back();
  leave_frame(frame);
}

void Capture::jump(SKind kind, const char* keyword, const Location& where) {
  for (const Frame& frame : std::views::reverse(frames_)) {
    if (frame.kind == Frame::Kind::step)
      throw Error(std::string(keyword) + " in the step of a loop" + at(where));
    if (frame.kind == Frame::Kind::loop) {
      add(statement(kind, -1));
      return;
    }
  }
  throw Error(std::string(keyword) + " outside of a loop" + at(where));
}

// ---- the end

ProgramData Capture::finish() {
  if (!frames_.empty())
    throw Error(std::string("the program ends inside of ") + frames_.back().name +
                at(frames_.back().where) + ": a C++ return, break or continue left it unfinished");
  if (outputs_.empty())
    throw Error("the program has no output; declare one with Out<T>" + at(where_));
  std::vector<int> slots;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].assigned)
      throw Error("output " + std::to_string(i + 1) + " of the program" +
                  at(outputs_[i].port.where) + " is never assigned" + at(where_));
    for (size_t c = 0; c < outputs_[i].port.types.size(); ++c)
      slots.push_back(outputs_[i].first_slot + static_cast<int>(c));
    data_.outputs.push_back(outputs_[i].port);
  }
  bool straight = true;
  for (const ir::RecordedStatement& s : recording_.body)
    straight &= s.kind == SKind::read || s.kind == SKind::assign;
  if (straight)
    for (int slot : slots) data_.function.results.push_back(known_[static_cast<size_t>(slot)]);
  else
    data_.function.results = ir::make_outputs(recording_, slots, where_);
  data_.function.parameters.insert(data_.function.parameters.end(), source_parameters_.begin(),
                                   source_parameters_.end());
  data_.where = where_;
  return std::move(data_);
}

}  // namespace tutti::detail
