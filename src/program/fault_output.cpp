#include "program/fault_output.hpp"

#include <map>
#include <optional>

#include "core/settings/checks.hpp"
#include "program/overflow_rule.hpp"

namespace tutti::ir {
namespace {

using SKind = StatementKind;

// Finds values that a program needs only where a conditional chooses them. A branch without effects
// is captured as such a conditional: its values matter only where its condition holds.
class Demands {
 public:
  struct Choice {
    int condition, chosen;  // values
    bool wanted;            // whether the condition is true where the value is needed
  };
  struct Demand {
    bool always = false;
    size_t known_after = 0;  // statement of the block after which all conditions are known
    std::vector<Choice> choices;
  };

  explicit Demands(const ScalarProgram& program) : demands_(program.values.size()) {
    note_uses(program.body);
    solve(program.body);
  }
  const Demand& of(int value) const { return demands_[static_cast<size_t>(value)]; }

 private:
  struct Use {
    const Block* block;
    size_t at, operand;
  };

  static bool chooses(const Statement& s) {
    return s.kind == SKind::operation && s.op == Op::choose;
  }

  void note_uses(const Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (size_t k = 0; k < block[i].inputs.size(); ++k)
        uses_[block[i].inputs[k]].push_back({&block, i, k});
      for (const Block& inner : block[i].blocks) note_uses(inner);
    }
  }

  // Backwards: the uses of a value follow it.
  void solve(const Block& block) {
    for (size_t i = block.size(); i-- > 0;) {
      for (const Block& inner : block[i].blocks) solve(inner);
      if (block[i].result >= 0) demands_[static_cast<size_t>(block[i].result)] = demand(block, i);
    }
  }

  Demand demand(const Block& block, size_t at) {
    Demand result;
    for (const Use& use : uses_[block[at].result]) {
      const Statement& s = (*use.block)[use.at];
      if (use.block != &block || !chooses(s) || use.operand == 0) return {true, 0, {}};
      const Demand& of_choice = of(s.result);
      if (!of_choice.always && of_choice.choices.empty()) continue;  // never used
      result.known_after = std::max({result.known_after, use.at, of_choice.known_after});
      result.choices.push_back({s.inputs[0], s.result, use.operand == 1});
    }
    return result;
  }

  std::map<int, std::vector<Use>> uses_;
  std::vector<Demand> demands_;
};

// Adds the checks. New inputs have negative numbers until their count is known.
class Instrumentation {
 public:
  using Term = int;

  Instrumentation(const Node& node, int faults)
      : node_(node), faults_(faults), program_(*node.program), demands_(*node.program) {
    program_.slots.push_back(ElementType::i32);
    slot_ = static_cast<int>(program_.slots.size()) - 1;
    zero_ = number(scalar_value(int32_t{0}));
    program_.body = instrument(node.program->body);
    program_.outputs = {slot_};
  }

  NodeRef output() {
    if (!any_) return {};
    place_inputs();
    const auto own = static_cast<size_t>(node_.program->inputs);
    std::vector<NodeRef> inputs(node_.inputs().begin(), node_.inputs().begin() + own);
    for (const ScalarValue& number : numbers_)
      inputs.push_back(make_constant(number, {}, node_.where));
    inputs.insert(inputs.end(), node_.inputs().begin() + own, node_.inputs().end());
    return make_program(finish_program(program_), inputs, 0, node_.where);
  }

  // ---- a builder of overflow_rule.hpp

  Term apply(Op op, ElementType type, std::initializer_list<Term> operands) {
    return emit({SKind::operation, op, {}, type, -1, -1, SmallVector<int>(operands), {}});
  }
  Term cast(Term x, ElementType type) { return emit({SKind::cast, {}, {}, type, -1, -1, {x}, {}}); }
  Term number(ScalarValue value) {
    for (size_t i = 0; i < numbers_.size(); ++i)
      if (numbers_[i].type == value.type && numbers_[i].bits == value.bits) return id_of(i);
    numbers_.push_back(value);
    return id_of(numbers_.size() - 1);
  }

 private:
  static int id_of(size_t number) { return -static_cast<int>(number) - 1; }

  Term emit(Statement s) {
    s.result = static_cast<int>(program_.values.size());
    program_.values.push_back(s.type);
    out_->push_back(std::move(s));
    return static_cast<int>(program_.values.size()) - 1;
  }

  Block instrument(const Block& block) {
    Block result;
    std::map<size_t, std::vector<std::pair<const Statement*, int>>> later;
    for (size_t i = 0; i < block.size(); ++i) {
      const int statement = ++statements_;
      Statement copy = block[i];
      copy.blocks.clear();
      for (const Block& inner : block[i].blocks) copy.blocks.push_back(instrument(inner));
      result.push_back(std::move(copy));
      later[check_after(block[i], i)].push_back({&block[i], statement});
      Block* const before = std::exchange(out_, &result);
      for (const auto& [checked, at] : later[i]) check(*checked, at);
      out_ = before;
    }
    return result;
  }

  size_t check_after(const Statement& s, size_t at) const {
    return s.result < 0 ? at : std::max(at, demands_.of(s.result).known_after);
  }

  void check(const Statement& s, int statement) {
    std::optional<Term> bad = fault_of(s);
    if (!bad) return;
    if (s.result >= 0) {
      const std::optional<Term> wanted = guard(s.result);
      if (wanted) bad = apply(Op::logical_and, ElementType::b8, {*bad, *wanted});
    }
    any_ = true;
    const Term now = emit({SKind::read, {}, {}, ElementType::i32, -1, slot_, {}, {}});
    const Term first = apply(Op::equal, ElementType::b8, {now, zero_});
    const Term sets = apply(Op::logical_and, ElementType::b8, {*bad, first});
    const Term next =
        apply(Op::choose, ElementType::i32, {sets, number(scalar_value(statement)), now});
    out_->push_back({SKind::assign, {}, {}, {}, -1, slot_, {next}, {}});
  }

  // Returns where a value is needed, or nothing if everywhere.
  std::optional<Term> guard(int value) {
    const Demands::Demand& demand = demands_.of(value);
    if (demand.always) return std::nullopt;
    std::optional<Term> result;
    for (const Demands::Choice& choice : demand.choices) {
      Term holds = choice.wanted ? choice.condition
                                 : apply(Op::logical_not, ElementType::b8, {choice.condition});
      if (const std::optional<Term> outer = guard(choice.chosen))
        holds = apply(Op::logical_and, ElementType::b8, {holds, *outer});
      result = result ? apply(Op::logical_or, ElementType::b8, {*result, holds}) : holds;
    }
    return result ? result : number(scalar_value(false));
  }

  std::optional<Term> fault_of(const Statement& s) {
    if (faults_ & Faults::overflow) {
      const auto type_of = [&](int v) { return program_.values[static_cast<size_t>(v)]; };
      if (s.kind == SKind::operation)
        return OverflowRule(*this, type_of(s.inputs.back()))
            .of_operation(s.op, std::span<const int>(s.inputs.data(), s.inputs.size()), s.result);
      if (s.kind == SKind::cast)
        return OverflowRule(*this, type_of(s.inputs[0])).of_cast(s.inputs[0], s.type);
    }
    if (!(faults_ & Faults::bounds)) return std::nullopt;
    if (s.kind == SKind::gather && s.boundary == Boundary::Kind::clamp) {
      const size_t table = static_cast<size_t>(node_.program->inputs + s.place);
      const Extents& shape = node_.inputs()[table]->shape;
      std::optional<Term> bad;
      for (int axis = 0; axis < shape.rank; ++axis)
        bad = either(bad, outside(s.inputs[static_cast<size_t>(axis)], shape[axis]));
      return bad;
    }
    if (s.kind == SKind::read_element || s.kind == SKind::assign_element)
      return outside(s.inputs[0], program_.arrays[static_cast<size_t>(s.place)].size);
    return std::nullopt;
  }

  Term outside(Term index, int64_t extent) {
    const int64_t last = std::min<int64_t>(extent - 1, std::numeric_limits<int32_t>::max());
    const Term below = apply(Op::less, ElementType::b8, {index, zero_});
    const Term above = apply(Op::greater, ElementType::b8,
                             {index, number(scalar_value(static_cast<int32_t>(last)))});
    return apply(Op::logical_or, ElementType::b8, {below, above});
  }
  std::optional<Term> either(std::optional<Term> a, Term b) {
    return a ? apply(Op::logical_or, ElementType::b8, {*a, b}) : b;
  }

  // Inputs come first among the values: all others are renumbered.
  void place_inputs() {
    const int own = program_.inputs, added = static_cast<int>(numbers_.size());
    std::vector<ElementType> types;
    for (const ScalarValue& number : numbers_) types.push_back(number.type);
    program_.values.insert(program_.values.begin() + own, types.begin(), types.end());
    program_.inputs += added;
    const auto renumber = [&](const auto& self, Block& block) -> void {
      const auto placed = [&](int v) { return v < 0 ? own - v - 1 : v >= own ? v + added : v; };
      for (Statement& s : block) {
        for (int& input : s.inputs) input = placed(input);
        if (s.result >= 0) s.result = placed(s.result);
        for (Block& inner : s.blocks) self(self, inner);
      }
    };
    renumber(renumber, program_.body);
  }

  const Node& node_;
  const int faults_;
  ScalarProgram program_;
  const Demands demands_;
  std::vector<ScalarValue> numbers_;
  Block* out_ = nullptr;
  int slot_ = -1, zero_ = 0, statements_ = 0;
  bool any_ = false;
};

}  // namespace

NodeRef make_fault_output(const Node& node, int faults) {
  return Instrumentation(node, faults).output();
}

}  // namespace tutti::ir
