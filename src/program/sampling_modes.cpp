#include "program/sampling_modes.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "program/program.hpp"
#include "program/substitute.hpp"

namespace tutti::ir {
namespace {

// The modes of one program call, by table and by input.
struct CallModes {
  std::vector<std::optional<Modes::Rule>> rules;
  std::vector<std::optional<bool>> switches;
};

const Modes::Rule* rule_of(const Statement& s, const CallModes& modes) {
  if (s.kind != StatementKind::gather) return nullptr;
  const auto& rule = modes.rules[static_cast<size_t>(s.place)];
  return rule ? &*rule : nullptr;
}

std::optional<bool> decided(const Statement& s, const CallModes& modes) {
  const bool asks = s.kind == StatementKind::operation && s.op == Op::choose &&
                    static_cast<size_t>(s.inputs[0]) < modes.switches.size();
  return asks ? modes.switches[static_cast<size_t>(s.inputs[0])] : std::nullopt;
}

// Usually nothing has to be rewritten: arrays have the same modes as when the program was captured.
bool fits(const ScalarProgram& program, const CallModes& modes) {
  bool result = true;
  for_each_statement(program.body, [&](const Statement& s) {
    const Modes::Rule* rule = rule_of(s, modes);
    result &= !(rule && rule->boundary != s.boundary) && !decided(s, modes);
  });
  return result;
}

// Sets the arguments that gathers return outside of their tables.
void set_fills(const ScalarProgram& program, const CallModes& modes,
               std::vector<NodeRef>& arguments) {
  for_each_statement(program.body, [&](const Statement& s) {
    const Modes::Rule* rule = rule_of(s, modes);
    if (!rule) return;
    if (s.inputs.back() >= program.inputs)
      throw InternalError("with_modes: what a gather gives outside is not an argument");
    NodeRef& fill = arguments[static_cast<size_t>(s.inputs.back())];
    const ScalarValue value = convert(rule->fill, s.type);
    if (fill->kind != Kind::constant || fill->value.bits != value.bits)
      fill = make_constant(value, {}, fill->where);
  });
}

// Rewrites the statements of a program.
class ProgramModes {
 public:
  ProgramModes(const ScalarProgram& program, const CallModes& modes)
      : program_(program), modes_(modes) {
    for (size_t v = 0; v < program.values.size(); ++v) stands_for_.push_back(static_cast<int>(v));
  }

  ProgramRef run() {
    program_.body = rewrite(std::move(program_.body));
    return finish_program(program_);
  }

 private:
  Block rewrite(Block block) {
    Block result;
    for (Statement& s : block) {
      for (int& input : s.inputs) input = stands_for_[static_cast<size_t>(input)];
      for (Block& inner : s.blocks) inner = rewrite(std::move(inner));
      if (const Modes::Rule* rule = rule_of(s, modes_)) s.boundary = rule->boundary;
      if (const auto side = decided(s, modes_))
        stands_for_[static_cast<size_t>(s.result)] = s.inputs[*side ? 1 : 2];
      else
        result.push_back(std::move(s));
    }
    return result;
  }

  ScalarProgram program_;
  const CallModes& modes_;
  std::vector<int> stands_for_;  // by value
};

// Returns a node on other inputs, or the node itself if its inputs are unchanged.
NodeRef rebuilt(Node& node, std::span<const NodeRef> inputs) {
  if (!std::ranges::equal(inputs, node.inputs())) return rebuild(node, inputs, node.where);
  detail::retain(&node);
  return NodeRef(&node);
}

// The program calls in a function, identified by program and inputs. Outputs of one call remain
// outputs of one call.
class Calls {
 public:
  explicit Calls(const Modes& modes) : modes_(modes) {}

  NodeRef output(Node& node, std::span<const NodeRef> inputs) {
    std::vector<const Node*> key;
    for (const NodeRef& input : node.inputs()) key.push_back(input.get());
    const auto [place, fresh] = calls_.try_emplace({node.program.get(), std::move(key)});
    Call& call = place->second;
    if (fresh) call = make(node, inputs);
    if (call.program == node.program) return rebuilt(node, call.arguments);
    return make_program(call.program, call.arguments, node.get<ProgramOutput>().number, node.where);
  }

 private:
  struct Call {
    ProgramRef program;
    std::vector<NodeRef> arguments;
  };

  Call make(const Node& node, std::span<const NodeRef> inputs) const {
    const auto numbers = static_cast<size_t>(node.program->inputs);
    CallModes call{std::vector<std::optional<Modes::Rule>>(node.program->tables.size()),
                   std::vector<std::optional<bool>>(numbers)};
    bool any = false;
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      const Node* input = node.inputs()[i].get();
      if (const auto found = modes_.switches.find(input);
          i < numbers && found != modes_.switches.end())
        call.switches[i] = found->second, any = true;
      if (const auto found = modes_.rules.find(input); i >= numbers && found != modes_.rules.end())
        call.rules[i - numbers] = found->second, any = true;
    }
    Call result{node.program, {inputs.begin(), inputs.end()}};
    if (!any) return result;
    set_fills(*node.program, call, result.arguments);
    if (!fits(*node.program, call)) result.program = ProgramModes(*node.program, call).run();
    return result;
  }

  const Modes& modes_;
  std::map<std::pair<const ScalarProgram*, std::vector<const Node*>>, Call> calls_;
};

}  // namespace

Function with_modes(const Function& function, const Modes& modes) {
  Calls calls(modes);
  Function result{function.parameters, {}};
  result.results =
      substitute(function, function.parameters, [&](Node& node, std::span<const NodeRef> inputs) {
        if (node.kind == Kind::program) return calls.output(node, inputs);
        const Node* first = node.inputs()[0].get();
        if (node.kind == Kind::elementwise && node.op == Op::choose)
          if (const auto found = modes.switches.find(first); found != modes.switches.end())
            return inputs[found->second ? 1 : 2];
        if (node.kind == Kind::gather)
          if (const auto found = modes.rules.find(first); found != modes.rules.end())
            return make_gather(inputs[0], inputs.subspan(1), found->second.boundary,
                               found->second.fill, node.where);
        return rebuilt(node, inputs);
      });
  return result;
}

}  // namespace tutti::ir
