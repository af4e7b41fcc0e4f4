#include "reference/statement_blame.hpp"

#include <charconv>
#include <map>

#include "core/elements/convert.hpp"
#include "core/settings/checks.hpp"
#include "numerics/scalar_apply.hpp"
#include "program/overflow_rule.hpp"
#include "reference/program_interpreter.hpp"

namespace tutti::ir {
namespace {

using SKind = StatementKind;

// Computes single numbers; a builder for overflow_rule.hpp.
struct NumberBuilder {
  using Term = ScalarValue;
  static Term apply(Op op, ElementType type, std::initializer_list<Term> operands) {
    return apply_operation(op, type, std::span(operands.begin(), operands.size()));
  }
  static Term cast(Term x, ElementType type) { return convert(x, type); }
  static Term number(ScalarValue value) { return value; }
};

std::vector<ScalarValue> operands_of(const Statement& s, std::span<const ScalarValue> values) {
  std::vector<ScalarValue> operands;
  for (int input : s.inputs) operands.push_back(values[static_cast<size_t>(input)]);
  if (s.kind == SKind::gather) operands.pop_back();  // the fill
  return operands;
}

const char* name_of(const Statement& s) {
  switch (s.kind) {
    case SKind::operation:
      return op_name(s.op);
    case SKind::cast:
      return "cast";
    case SKind::gather:
      return "gather";
    default:
      return "element of a local array";
  }
}

// Runs a program for one element of its node.
void run(const ElementRef& of, Interpretation& in, StatementObserver& observer) {
  const Node& node = *of.node;
  const ScalarProgram& program = *node.program;
  std::vector<ProgramInterpreter::Table> tables;
  for (size_t i = static_cast<size_t>(program.inputs); i < node.inputs().size(); ++i)
    tables.push_back({in.elements(*node.inputs()[i]).data(), node.inputs()[i]->shape});
  std::vector<ScalarValue> arguments;
  visit_sources(of, in, [&](const ElementRef& argument) {
    arguments.push_back(value_of(argument, in));
    return true;
  });
  ProgramInterpreter interpreter(program, std::move(tables));
  interpreter.observe(observer);
  interpreter.run(arguments, of.element);
}

// Tracks bad values from their origin through values, slots and local arrays.
class Tracking : public StatementObserver {
 public:
  Tracking(const ElementRef& of, const IsBad& is_bad)
      : node_(*of.node),
        is_bad_(is_bad),
        values_(node_.program->values.size(), -1),
        slots_(node_.program->slots.size(), -1) {
    for (int k = 0; k < node_.program->inputs; ++k) {
      const Node& input = *node_.inputs()[static_cast<size_t>(k)];
      values_[static_cast<size_t>(k)] =
          add({{}, {}, {&input, input.shape.rank == 0 ? 0 : of.element}, {}});
    }
  }

  void executed(const Statement& s, std::span<const ScalarValue> values,
                int64_t position) override {
    const auto place = static_cast<size_t>(s.place);
    if (s.kind == SKind::assign) {
      slots_[place] = of(s.inputs[0]);
    } else if (s.kind == SKind::clear) {
      std::erase_if(elements_, [&](const auto& entry) { return entry.first.first == s.place; });
    } else if (s.kind == SKind::assign_element) {
      if (position >= 0) elements_[{s.place, position}] = of(s.inputs[1]);
    } else if (s.kind == SKind::read) {
      values_[static_cast<size_t>(s.result)] = slots_[place];
    } else if (s.kind == SKind::read_element) {
      const auto found = elements_.find({s.place, position});
      values_[static_cast<size_t>(s.result)] = found == elements_.end() ? -1 : found->second;
    } else {
      computed(s, values, position);
    }
  }

  // Returns the origin of an output.
  ProgramOrigin origin(int output) const {
    const int slot = node_.program->outputs[static_cast<size_t>(output)];
    const int event = slots_[static_cast<size_t>(slot)];
    if (event < 0) throw InternalError("the origin of a faulty value of a program is not known");
    return events_[static_cast<size_t>(event)];
  }

 private:
  int of(int value) const { return values_[static_cast<size_t>(value)]; }
  int add(ProgramOrigin origin) {
    events_.push_back(std::move(origin));
    return static_cast<int>(events_.size()) - 1;
  }

  // Good values have no origin, so there are few events.
  void computed(const Statement& s, std::span<const ScalarValue> values, int64_t position) {
    int& origin = values_[static_cast<size_t>(s.result)];
    origin = -1;
    const ScalarValue& result = values[static_cast<size_t>(s.result)];
    if (!is_bad_(result)) return;
    if (s.kind == SKind::gather && position >= 0) {
      const auto table = static_cast<size_t>(node_.program->inputs + s.place);
      origin = add({{}, {}, {node_.inputs()[table].get(), position}, {}});
      return;
    }
    const bool chooses = s.kind == SKind::operation && s.op == Op::choose;
    for (size_t k = 0; k < s.inputs.size(); ++k) {
      const ScalarValue& operand = values[static_cast<size_t>(s.inputs[k])];
      if (chooses && (k == 0 || k != (values[static_cast<size_t>(s.inputs[0])].bits ? 1u : 2u)))
        continue;
      if (s.kind == SKind::gather && k + 1 < s.inputs.size()) continue;  // indices
      if (is_bad_(operand) && of(s.inputs[k]) >= 0) {
        origin = of(s.inputs[k]);
        return;
      }
    }
    origin = add({call_text(name_of(s), operands_of(s, values), result), name_of(s), {}, result});
  }

  const Node& node_;
  const IsBad& is_bad_;
  std::vector<int> values_, slots_;  // events; -1: none
  std::map<std::pair<int, int64_t>, int> elements_;
  std::vector<ProgramOrigin> events_;
};

// Waits for the first faulty execution of one statement.
class Waiting : public StatementObserver {
 public:
  Waiting(const Node& node, int statement, int fault) : node_(node), fault_(fault) {
    int number = 0;
    for_each_statement(node.program->body, [&](const Statement& s) {
      if (++number == statement) awaited_ = &s;
    });
  }

  void executed(const Statement& s, std::span<const ScalarValue> values, int64_t) override {
    if (&s != awaited_ || origin || !is_faulty(s, values)) return;
    std::vector<ScalarValue> operands = operands_of(s, values);
    if (fault_ == Faults::overflow) {
      origin = {call_text(name_of(s), operands, values[static_cast<size_t>(s.result)]),
                name_of(s),
                {},
                {}};
      return;
    }
    if (s.kind == SKind::assign_element) operands.pop_back();
    std::string text = "there is no element ";
    for (const ScalarValue& index : operands) text += "[" + number_text(index) + "]";
    if (s.kind == SKind::gather)
      text += " in an array of shape " + detail::to_string(table_of(s).shape);
    else
      text += " in a local array of " + std::to_string(size_of_array(s));
    origin = {text, name_of(s), {}, {}};
  }

  std::optional<ProgramOrigin> origin;

 private:
  const Node& table_of(const Statement& s) const {
    return *node_.inputs()[static_cast<size_t>(node_.program->inputs + s.place)];
  }
  int64_t size_of_array(const Statement& s) const {
    return node_.program->arrays[static_cast<size_t>(s.place)].size;
  }

  bool is_faulty(const Statement& s, std::span<const ScalarValue> values) const {
    const std::vector<ScalarValue> x = operands_of(s, values);
    if (fault_ == Faults::overflow) {
      NumberBuilder numbers;
      OverflowRule rule(numbers, x.back().type);
      const auto bad = s.kind == SKind::cast
                           ? rule.of_cast(x[0], s.type)
                           : rule.of_operation(s.op, x, values[static_cast<size_t>(s.result)]);
      return bad && bad->bits;
    }
    const auto outside = [](const ScalarValue& index, int64_t extent) {
      const auto i = static_cast<int32_t>(index.bits);
      return i < 0 || i >= extent;
    };
    if (s.kind != SKind::gather) return outside(x[0], size_of_array(s));
    for (int axis = 0; axis < table_of(s).shape.rank; ++axis)
      if (outside(x[static_cast<size_t>(axis)], table_of(s).shape[axis])) return true;
    return false;
  }

  const Node& node_;
  const int fault_;
  const Statement* awaited_ = nullptr;
};

}  // namespace

ProgramOrigin trace_program(const ElementRef& of, Interpretation& interpretation,
                            const IsBad& is_bad) {
  Tracking tracking(of, is_bad);
  run(of, interpretation, tracking);
  return tracking.origin(of.node->get<ProgramOutput>().number);
}

ProgramOrigin describe_fault(const ElementRef& of, int statement, int fault,
                             Interpretation& interpretation) {
  Waiting waiting(*of.node, statement, fault);
  run(of, interpretation, waiting);
  if (!waiting.origin) throw InternalError("a statement that reported a fault has none");
  return *waiting.origin;
}

std::string number_text(const ScalarValue& value) {
  return visit_type(value.type, [&](auto tag) -> std::string {
    using T = typename decltype(tag)::type;
    const T x = from_bits<T>(value.bits);
    if constexpr (std::is_same_v<T, bool>) {
      return x ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
      return std::to_string(x);
    } else {
      using Real = std::conditional_t<std::is_same_v<T, half>, float, T>;
      if (std::isnan(static_cast<Real>(x))) return "nan";  // omits the sign
      char text[64];
      const auto end = std::to_chars(text, text + sizeof text, static_cast<Real>(x));
      return {text, end.ptr};
    }
  });
}

std::string call_text(const std::string& operation, std::span<const ScalarValue> operands,
                      const ScalarValue& result) {
  std::string text = operation + "(";
  for (size_t k = 0; k < operands.size(); ++k)
    text += (k > 0 ? ", " : "") + number_text(operands[k]);
  return text + ") = " + number_text(result);
}

}  // namespace tutti::ir
