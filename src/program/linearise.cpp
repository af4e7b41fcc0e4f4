#include "program/linearise.hpp"

#include <algorithm>
#include <map>

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
    for (const Node* input : recording.inputs) facts_[input].origin = Origin::input;
    note_reads(recording.body);
  }

  std::vector<NodeRef> run(const std::vector<int>& slots, const Location& where) {
    program_.outputs = slots;
    enter_scope();
    block(recording_.body);
    place_inputs();
    const ProgramRef program = finish_program(program_);
    std::vector<NodeRef> inputs = arguments_;
    inputs.insert(inputs.end(), tables_.begin(), tables_.end());
    std::vector<NodeRef> outputs;
    for (size_t i = 0; i < slots.size(); ++i)
      outputs.push_back(make_program(program, inputs, static_cast<int>(i), where));
    return outputs;
  }

 private:
  // The result of a read is identified by its parameter node.
  void note_reads(const RecordedBlock& statements) {
    for (const RecordedStatement& s : statements) {
      if (s.kind == SKind::read || s.kind == SKind::read_element)
        facts_[s.node.get()].origin = Origin::inside;
      for (const RecordedBlock& inner : s.blocks) note_reads(inner);
    }
  }

  // ---- statements

  void block(const RecordedBlock& statements) {
    for (const RecordedStatement& s : statements) statement(s);
  }

  void statement(const RecordedStatement& s) {
    switch (s.kind) {
      case SKind::read:
        set_value(*s.node, read(s.place));
        break;
      case SKind::assign:
        assign(s.place, value(s.node));
        break;
      case SKind::read_element: {
        const int index = value(s.index);
        set_value(*s.node,
                  emit({SKind::read_element, {}, {}, s.node->type, -1, s.place, {index}, {}}));
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
    for (auto& assigned : assigned_) assigned.push_back(slot);
  }

  Block inner_block(const RecordedBlock& statements) {
    Block result;
    std::swap(result, *current_);
    enter_scope();
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

  // The values of slots that a loop assigns are unknown at its start and after it.
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

  static void collect_assigned(const RecordedBlock& statements, SmallVector<int>& slots) {
    for (const RecordedStatement& s : statements) {
      if (s.kind == SKind::assign) slots.push_back(s.place);
      for (const RecordedBlock& inner : s.blocks) collect_assigned(inner, slots);
    }
  }

  // After a construct, known values are those from before it, except for slots that it may assign.
  void forget(const std::vector<int>& before) {
    known_ = before;
    known_.resize(program_.slots.size(), -1);
    for (int slot : assigned_.back()) known_[static_cast<size_t>(slot)] = -1;
    assigned_.pop_back();
  }

  void add(Statement s) { current_->push_back(std::move(s)); }
  int emit(Statement s) {
    // Values are numbered after the inputs, whose count is known only at the end.
    const int result = new_value(s.type);
    s.result = result;
    add(std::move(s));
    return result;
  }
  int new_value(ElementType type) {
    types_.push_back(type);
    return static_cast<int>(types_.size()) - 1;
  }

  // ---- scopes: a value computed in a block is not visible after it

  struct Scope {
    size_t depth = 0;
    int64_t number = -1;
  };
  void enter_scope() { scopes_.push_back({scopes_.size(), next_scope_++}); }
  bool is_visible(const Scope& scope) const {
    return scope.depth < scopes_.size() && scopes_[scope.depth].number == scope.number;
  }

  // ---- operands

  // Returns the value of a node here. Operands come first, without recursion, because captured code
  // may be long.
  int value(const NodeRef& root) {
    if (const int known = find(root.get()); known >= 0) return known;
    const size_t below = stack_.size();  // computing an operand may call value() again
    stack_.push_back(root.get());
    while (stack_.size() > below) {
      Node* node = stack_.back();
      if (find(node) >= 0) {
        stack_.pop_back();
        continue;
      }
      const Origin origin = origin_of(node);
      if (origin == Origin::outside || origin == Origin::input) {
        stack_.pop_back();
        argument(node);
        continue;
      }
      if (node->kind == Kind::parameter)
        throw InternalError("a captured program uses a value before it is there" +
                            detail::at(node->where));
      bool ready = true;
      for (size_t i = first_operand(*node); i < last_operand(*node); ++i) {
        Node* input = node->inputs()[i].get();
        if (find(input) >= 0) continue;
        stack_.push_back(input);
        ready = false;
      }
      if (!ready) continue;
      stack_.pop_back();
      compute(*node);
    }
    return find(root.get());
  }

  // Returns the scalar inputs of a node: all but a gather's first and a program's last, which are
  // arrays.
  static size_t first_operand(const Node& node) { return node.kind == Kind::gather ? 1 : 0; }
  static size_t last_operand(const Node& node) {
    return node.kind == Kind::program ? static_cast<size_t>(node.program->inputs)
                                      : node.inputs().size();
  }

  // The facts known about a node.
  enum class Origin : uint8_t {
    unknown,
    input,    // varies by element: an input
    inside,   // varies by element: computed
    outside,  // the same for all elements
  };
  struct Facts {
    Origin origin = Origin::unknown;
    int value = -1;  // its value within a scope
    Scope scope;
  };
  int find(const Node* node) {
    const Facts& facts = facts_[node];
    return is_visible(facts.scope) ? facts.value : -1;
  }
  void set_value(const Node& node, int value) { set_value(node, value, scopes_.back()); }
  void set_value(const Node& node, int value, const Scope& scope) {
    Facts& facts = facts_[&node];
    facts.value = value;
    facts.scope = scope;
  }

  Origin origin_of(const Node* root) {
    std::vector<const Node*> stack{root};
    while (!stack.empty()) {
      const Node* node = stack.back();
      Origin& origin = facts_[node].origin;
      bool ready = true, outside = true;
      if (origin == Origin::unknown)
        for (const NodeRef& input : node->inputs()) {
          const Origin of_input = facts_[input.get()].origin;
          if (of_input == Origin::unknown) stack.push_back(input.get());
          ready &= of_input != Origin::unknown;
          outside &= of_input == Origin::outside;
        }
      if (!ready) continue;
      if (origin == Origin::unknown) origin = outside ? Origin::outside : Origin::inside;
      stack.pop_back();
    }
    return facts_[root].origin;
  }

  int argument(Node* node) {
    detail::retain(node);
    arguments_.emplace_back(node);
    const int result = new_value(node->type);
    argument_values_.push_back(result);
    set_value(*node, result, scopes_.front());
    return result;
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
    set_value(node, emit(std::move(s)));
  }

  // Inlines a program that this one calls. All outputs of one call share its statements.
  void call(const Node& node, const SmallVector<int>& arguments) {
    const ScalarProgram& callee = *node.program;
    SmallVector<int> tables;
    for (const NodeRef& input : node.inputs().subspan(static_cast<size_t>(callee.inputs)))
      tables.push_back(table(input));
    const auto key = std::tuple(&callee, arguments, tables);
    auto found = calls_.find(key);
    if (found == calls_.end() || !is_visible(found->second.scope))
      found = calls_.insert_or_assign(key, splice(callee, arguments, tables)).first;
    set_value(node, found->second.outputs[static_cast<size_t>(node.get<ProgramOutput>().number)]);
  }

  struct Call {
    Scope scope;
    std::vector<int> outputs;
  };

  Call splice(const ScalarProgram& callee, const SmallVector<int>& arguments,
              const SmallVector<int>& tables) {
    std::vector<int> values(callee.values.size(), -1);
    std::copy(arguments.begin(), arguments.end(), values.begin());
    const int first_slot = static_cast<int>(program_.slots.size()),
              first_array = static_cast<int>(program_.arrays.size()),
              first_label = static_cast<int>(program_.labels.size());
    program_.slots.insert(program_.slots.end(), callee.slots.begin(), callee.slots.end());
    program_.arrays.insert(program_.arrays.end(), callee.arrays.begin(), callee.arrays.end());
    program_.labels.insert(program_.labels.end(), callee.labels.begin(), callee.labels.end());
    known_.resize(program_.slots.size(), -1);
    // A call in a loop starts with cleared slots each time.
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
    Call result{scopes_.back(), {}};
    for (size_t i = 0; i < callee.slots.size(); ++i)
      known_[static_cast<size_t>(first_slot) + i] = -1;
    for (int output : callee.outputs) result.outputs.push_back(read(first_slot + output));
    return result;
  }

  // Moves the inputs to the front of the values.
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

  const Recording& recording_;
  ScalarProgram program_;
  Block* current_ = &program_.body;
  std::vector<NodeRef> arguments_, tables_;
  std::vector<int> argument_values_;
  std::vector<ElementType> types_;
  std::vector<Scope> scopes_;
  int64_t next_scope_ = 0;
  std::vector<Node*> stack_;
  std::vector<int> known_;                  // by slot: the value it holds, or -1
  std::vector<SmallVector<int>> assigned_;  // by construct: the slots assigned within
  SmallMap<const Node*, Facts> facts_;
  std::map<std::tuple<const ScalarProgram*, SmallVector<int>, SmallVector<int>>, Call> calls_;
};

}  // namespace

std::vector<NodeRef> make_outputs(const Recording& recording, const std::vector<int>& slots,
                                  const Location& where) {
  return Linearisation(recording).run(slots, where);
}

}  // namespace tutti::ir
