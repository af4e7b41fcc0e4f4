#include "ir/recording.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tutti::ir {
namespace {

using SKind = StatementKind;

class Linearisation {
 public:
  Linearisation(const Recording& recording) : recording_(recording) {
    program_.slots = recording.slots;
    program_.arrays = recording.arrays;
    program_.labels = recording.labels;
    known_.assign(recording.slots.size(), -1);
    find_reads(recording.body);
  }

  std::vector<NodeRef> run(const std::vector<int>& slots, const Location& where) {
    program_.outputs = slots;
    scopes_.emplace_back();
    block(recording_.body);
    place_inputs();
    const ProgramRef program = finish_program(std::move(program_));
    std::vector<NodeRef> inputs = arguments_;
    inputs.insert(inputs.end(), tables_.begin(), tables_.end());
    std::vector<NodeRef> outputs;
    for (size_t i = 0; i < slots.size(); ++i)
      outputs.push_back(make_program(program, inputs, static_cast<int>(i), where));
    return outputs;
  }

 private:
  // What a read gives is known by its parameter node.
  void find_reads(const RecordedBlock& statements) {
    for (const RecordedStatement& s : statements) {
      if (s.kind == SKind::read || s.kind == SKind::read_element) reads_.insert(s.node.get());
      for (const RecordedBlock& inner : s.blocks) find_reads(inner);
    }
  }

  // ---- statements

  void block(const RecordedBlock& statements) {
    for (const RecordedStatement& s : statements) statement(s);
  }

  void statement(const RecordedStatement& s) {
    switch (s.kind) {
      case SKind::read:
        scopes_.back()[s.node.get()] = read(s.place);
        break;
      case SKind::assign:
        assign(s.place, value(s.node));
        break;
      case SKind::read_element: {
        const int index = value(s.index);
        scopes_.back()[s.node.get()] =
            emit({SKind::read_element, {}, {}, s.node->type, -1, s.place, {index}, {}});
        break;
      }
      case SKind::assign_element: {
        const int index = value(s.index), element = value(s.node);
        add({SKind::assign_element, {}, {}, {}, -1, s.place, {index, element}, {}});
        break;
      }
      case SKind::branch:
        branch(s);
        break;
      case SKind::loop:
        loop(s);
        break;
      case SKind::trace:
        add({SKind::trace, {}, {}, {}, -1, s.place, {value(s.node)}, {}});
        break;
      default:  // clear, leave, next
        add({s.kind, {}, {}, {}, -1, s.place, {}, {}});
        break;
    }
  }

  int read(int slot) {
    int& known = known_[static_cast<size_t>(slot)];
    if (known < 0)
      known =
          emit({SKind::read, {}, {}, program_.slots[static_cast<size_t>(slot)], -1, slot, {}, {}});
    return known;
  }
  void assign(int slot, int value) {
    add({SKind::assign, {}, {}, {}, -1, slot, {value}, {}});
    known_[static_cast<size_t>(slot)] = value;
    for (auto& assigned : assigned_) assigned.insert(slot);
  }

  Block inner_block(const RecordedBlock& statements) {
    Block result;
    std::swap(result, *current_);
    scopes_.emplace_back();
    block(statements);
    scopes_.pop_back();
    std::swap(result, *current_);
    return result;
  }

  void branch(const RecordedStatement& s) {
    Statement out{SKind::branch, {}, {}, {}, -1, -1, {value(s.node)}, {}};
    assigned_.emplace_back();
    const std::vector<int> before = known_;
    for (const RecordedBlock& inner : s.blocks) {
      known_ = before;
      known_.resize(program_.slots.size(), -1);
      out.blocks.push_back(inner_block(inner));
    }
    forget(before);
    add(std::move(out));
  }

  // What a loop assigns is not known at its start, nor after it.
  void loop(const RecordedStatement& s) {
    Statement out{SKind::loop, {}, {}, {}, -1, -1, {}, {}};
    assigned_.emplace_back();
    for (const RecordedBlock& inner : s.blocks) collect_assigned(inner, assigned_.back());
    const std::vector<int> before = known_;
    for (const RecordedBlock& inner : s.blocks) {
      known_ = before;
      known_.resize(program_.slots.size(), -1);
      for (int slot : assigned_.back()) known_[static_cast<size_t>(slot)] = -1;
      out.blocks.push_back(inner_block(inner));
    }
    forget(before);
    add(std::move(out));
  }

  static void collect_assigned(const RecordedBlock& statements, std::set<int>& slots) {
    for (const RecordedStatement& s : statements) {
      if (s.kind == SKind::assign) slots.insert(s.place);
      for (const RecordedBlock& inner : s.blocks) collect_assigned(inner, slots);
    }
  }

  // After a construct: as before, but for what it may have assigned.
  void forget(const std::vector<int>& before) {
    known_ = before;
    known_.resize(program_.slots.size(), -1);
    for (int slot : assigned_.back()) known_[static_cast<size_t>(slot)] = -1;
    assigned_.pop_back();
  }

  void add(Statement s) { current_->push_back(std::move(s)); }
  int emit(Statement s) {
    // Values are numbered after the inputs, whose number is not known before the end.
    const int result = new_value(s.type);
    s.result = result;
    add(std::move(s));
    return result;
  }
  int new_value(ElementType type) {
    types_.push_back(type);
    return static_cast<int>(types_.size()) - 1;
  }

  // ---- operands

  // The value of a node here: operands first, without recursion, for captured code may be long.
  int value(const NodeRef& root) {
    std::vector<Node*> stack{root.get()};
    while (!stack.empty()) {
      Node* node = stack.back();
      if (find(node) >= 0) {
        stack.pop_back();
        continue;
      }
      if (is_outside(node)) {
        argument(node);
        stack.pop_back();
        continue;
      }
      if (node->kind == Kind::parameter)
        throw InternalError("a captured program uses a value before it is there" +
                            detail::at(node->where));
      bool ready = true;
      for (size_t i = first_operand(*node); i < last_operand(*node); ++i) {
        Node* input = node->inputs()[i].get();
        if (find(input) >= 0) continue;
        stack.push_back(input);
        ready = false;
      }
      if (!ready) continue;
      stack.pop_back();
      compute(*node);
    }
    return find(root.get());
  }

  // Inputs of a node that are numbers; a gather reads from its first, a program from its last.
  static size_t first_operand(const Node& node) { return node.kind == Kind::gather ? 1 : 0; }
  static size_t last_operand(const Node& node) {
    return node.kind == Kind::program ? static_cast<size_t>(node.program->inputs)
                                      : node.inputs().size();
  }

  int find(const Node* node) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(node); found != scope->end()) return found->second;
    return -1;
  }

  // Depends on nothing that differs from element to element, or is an input itself.
  bool is_outside(const Node* root) {
    if (recording_.inputs.count(root)) return true;
    std::vector<const Node*> stack{root};
    while (!stack.empty()) {
      const Node* node = stack.back();
      if (outside_.count(node)) {
        stack.pop_back();
        continue;
      }
      if (node->kind == Kind::parameter) {
        outside_[node] = !reads_.count(node) && !recording_.inputs.count(node);
        stack.pop_back();
        continue;
      }
      bool ready = true, all = true;
      for (const NodeRef& input : node->inputs()) {
        const auto found = outside_.find(input.get());
        if (found == outside_.end()) {
          stack.push_back(input.get());
          ready = false;
        } else {
          all &= found->second;
        }
      }
      if (!ready) continue;
      outside_[node] = all;
      stack.pop_back();
    }
    return outside_.at(root);
  }

  int argument(Node* node) {
    detail::retain(node);
    arguments_.emplace_back(node);
    const int result = new_value(node->type);
    argument_values_.push_back(result);
    return scopes_.front()[node] = result;
  }

  int table(const NodeRef& node) {
    const auto found = std::find(tables_.begin(), tables_.end(), node);
    if (found != tables_.end()) return static_cast<int>(found - tables_.begin());
    tables_.push_back(node);
    program_.tables.push_back({node->type, node->shape.rank});
    return static_cast<int>(tables_.size()) - 1;
  }

  void compute(const Node& node) {
    Statement s;
    s.type = node.type;
    for (size_t i = first_operand(node); i < last_operand(node); ++i)
      s.inputs.push_back(find(node.inputs()[i].get()));
    switch (node.kind) {
      case Kind::elementwise:
        s.kind = SKind::operation;
        s.op = node.op;
        break;
      case Kind::cast:
        s.kind = SKind::cast;
        break;
      case Kind::gather:
        s.kind = SKind::gather;
        s.boundary = node.map->boundary;
        s.place = table(node.inputs()[0]);
        s.inputs.push_back(value(make_constant(node.map->fill, {}, node.where)));
        break;
      case Kind::program:
        call(node, s.inputs);
        return;
      default:
        throw InternalError("a captured program holds an operation on arrays" +
                            detail::at(node.where));
    }
    scopes_.back()[&node] = emit(std::move(s));
  }

  // A program called by this one becomes part of it. All outputs of one call share its statements.
  void call(const Node& node, const std::vector<int>& arguments) {
    const ScalarProgram& callee = *node.program;
    std::vector<int> tables;
    for (const NodeRef& input : node.inputs().subspan(static_cast<size_t>(callee.inputs)))
      tables.push_back(table(input));
    const auto key = std::tuple(&callee, arguments, tables);
    auto found = calls_.find(key);
    if (found == calls_.end() || !is_visible(found->second.scope))
      found = calls_.insert_or_assign(key, splice(callee, arguments, tables)).first;
    scopes_.back()[&node] = found->second.outputs[node.axes];
  }

  struct Call {
    std::pair<size_t, int64_t> scope;  // depth and number of the scope that it is in
    std::vector<int> outputs;
  };
  bool is_visible(const std::pair<size_t, int64_t>& scope) const {
    return scope.first < scopes_.size() && scope_number(scope.first) == scope.second;
  }
  int64_t scope_number(size_t depth) const { return scopes_[depth].number; }

  Call splice(const ScalarProgram& callee, const std::vector<int>& arguments,
              const std::vector<int>& tables) {
    std::vector<int> values(callee.values.size(), -1);
    std::copy(arguments.begin(), arguments.end(), values.begin());
    const int first_slot = static_cast<int>(program_.slots.size()),
              first_array = static_cast<int>(program_.arrays.size()),
              first_label = static_cast<int>(program_.labels.size());
    program_.slots.insert(program_.slots.end(), callee.slots.begin(), callee.slots.end());
    program_.arrays.insert(program_.arrays.end(), callee.arrays.begin(), callee.arrays.end());
    program_.labels.insert(program_.labels.end(), callee.labels.begin(), callee.labels.end());
    known_.resize(program_.slots.size(), -1);
    // A call in a loop starts afresh each time.
    for (size_t i = 0; i < callee.slots.size(); ++i)
      assign(first_slot + static_cast<int>(i),
             value(make_constant({callee.slots[i], 0}, {}, Location())));
    for (size_t i = 0; i < callee.arrays.size(); ++i)
      add({SKind::clear, {}, {}, {}, -1, first_array + static_cast<int>(i), {}, {}});
    const auto copy = [&](const auto& self, const Block& from) -> Block {
      Block to;
      for (const Statement& s : from) {
        Statement t = s;
        t.blocks.clear();
        for (int& input : t.inputs) input = values[static_cast<size_t>(input)];
        if (s.kind == SKind::read || s.kind == SKind::assign) t.place += first_slot;
        if (s.kind == SKind::read_element || s.kind == SKind::assign_element ||
            s.kind == SKind::clear)
          t.place += first_array;
        if (s.kind == SKind::gather) t.place = tables[static_cast<size_t>(s.place)];
        if (s.kind == SKind::trace) t.place += first_label;
        for (const Block& inner : s.blocks) t.blocks.push_back(self(self, inner));
        if (s.result >= 0) t.result = values[static_cast<size_t>(s.result)] = new_value(s.type);
        to.push_back(std::move(t));
      }
      return to;
    };
    for (Statement& s : copy(copy, callee.body)) add(std::move(s));
    Call result{{scopes_.size() - 1, scopes_.back().number}, {}};
    for (size_t i = 0; i < callee.slots.size(); ++i)
      known_[static_cast<size_t>(first_slot) + i] = -1;
    for (int output : callee.outputs) result.outputs.push_back(read(first_slot + output));
    return result;
  }

  // Puts the inputs first among the values.
  void place_inputs() {
    program_.inputs = static_cast<int>(argument_values_.size());
    std::vector<int> number(types_.size(), -1);
    for (size_t i = 0; i < argument_values_.size(); ++i)
      number[static_cast<size_t>(argument_values_[i])] = static_cast<int>(i);
    int next = program_.inputs;
    for (int& n : number)
      if (n < 0) n = next++;
    program_.values.resize(types_.size());
    for (size_t v = 0; v < types_.size(); ++v)
      program_.values[static_cast<size_t>(number[v])] = types_[v];
    const auto renumber = [&](const auto& self, Block& block) -> void {
      for (Statement& s : block) {
        for (int& input : s.inputs) input = number[static_cast<size_t>(input)];
        if (s.result >= 0) s.result = number[static_cast<size_t>(s.result)];
        for (Block& inner : s.blocks) self(self, inner);
      }
    };
    renumber(renumber, program_.body);
  }

  struct Scope : std::unordered_map<const Node*, int> {
    int64_t number = next_scope();
    static int64_t next_scope() {
      thread_local int64_t next = 0;
      return next++;
    }
  };

  const Recording& recording_;
  ScalarProgram program_;
  Block* current_ = &program_.body;
  std::vector<NodeRef> arguments_, tables_;
  std::vector<int> argument_values_;
  std::vector<ElementType> types_;
  std::vector<Scope> scopes_;
  std::vector<int> known_;               // by slot: the value it holds, or -1
  std::vector<std::set<int>> assigned_;  // by construct: the slots assigned within
  std::unordered_set<const Node*> reads_;
  std::unordered_map<const Node*, bool> outside_;
  std::map<std::tuple<const ScalarProgram*, std::vector<int>, std::vector<int>>, Call> calls_;
};

}  // namespace

std::vector<NodeRef> make_outputs(const Recording& recording, const std::vector<int>& slots,
                                  const Location& where) {
  return Linearisation(recording).run(slots, where);
}

}  // namespace tutti::ir
